// Makes elements. Text becomes text, never markup: nothing in these files uses innerHTML.

import { write } from './json.js';

/** What a reader would not see, or would see in another place: shown by its number. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{DI}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/u;

const LONGEST = 20000;

export function el(name, attributes, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes ?? {})) {
		if (value === null || value === undefined || value === false) {
			continue;
		}
		if (key.startsWith('on')) {
			made.addEventListener(key.slice(2), value);
		}
		else {
			made.setAttribute(key, value === true ? '' : value);
		}
	}
	made.append(...children.flat().filter((child) => child !== null && child !== undefined));
	return made;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(name, attributes, ...children) {
	const made = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes ?? {})) {
		made.setAttribute(key, value);
	}
	made.append(...children);
	return made;
}

/**
 * Text that somebody else chose, with control, bidi and other invisible characters made visible.
 * In text of several lines, line feeds and tabs stay.
 */
export function visible(value, { lines = false, limit = LONGEST } = {}) {
	const text = String(value);
	const parts = [];
	let plain = '';
	let count = 0;
	for (const character of text) {
		if (++count > limit) {
			break;
		}
		if (INVISIBLE.test(character) && !(lines && (character === '\n' || character === '\t'))) {
			if (plain) {
				parts.push(plain);
				plain = '';
			}
			const number = 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
			parts.push(el('span', { class: 'hidden-char', title: 'An invisible character' }, number));
		}
		else {
			plain += character;
		}
	}
	if (plain) {
		parts.push(plain);
	}
	if (count > limit) {
		parts.push(el('span', { class: 'quiet' }, ` … shortened, ${text.length} characters in all`));
	}
	return el('span', { class: 'foreign', dir: 'ltr' }, ...parts);
}

/** A name of somebody else in a table. */
export function name(value) {
	return visible(value, { limit: 200 });
}

export function json(value) {
	const text = typeof value === 'string' ? value : write(value, '  ');
	return el('pre', { class: 'code', tabindex: '0' }, visible(text, { lines: true }));
}

/** Where something is written. */
export function place(value) {
	return value ? el('code', { class: 'place' }, name(value)) : none();
}

export function present(value) {
	return value !== null && value !== undefined && value !== '';
}

export function words(value) {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value that is no long text, in one line. */
export function list(value) {
	if (value.constructor === Object) {
		return Object.entries(value).filter(([, each]) => present(each)).map(([key, each]) => `${key} ${words(each)}`).join(', ');
	}
	return Array.isArray(value) && value.every((each) => typeof each !== 'object') ? value.join(', ') : words(value);
}

const KINDS = {
	approve: 'good', approved: 'good', succeeded: 'good', success: 'good', ok: 'good', up: 'good',
	modify: 'changed', modified: 'changed', respond: 'changed', responded: 'changed', answered: 'changed',
	deny: 'bad', denied: 'bad', abort: 'bad', aborted: 'bad', unguarded: 'bad',
	ask: 'warn', asked: 'warn', failed: 'warn', error: 'warn', pending: 'warn', cancelled: 'warn'
};

/** The class of a colour: an abort is no denial, but as bad. */
export function colour(word, kind = kindOf(word)) {
	return /^abort(ed)?$/i.test(String(word)) ? `${kind} abort` : kind;
}

/** One of: good, changed, bad, warn, plain. */
export function kindOf(word) {
	return KINDS[String(word ?? '').toLowerCase()] ?? 'plain';
}

export function badge(word, kind = kindOf(word)) {
	return el('span', { class: `badge ${colour(word, kind)}` }, name(String(word ?? '–').replaceAll('_', ' ').toLowerCase()));
}

/**
 * A table that is a list of cards on a narrow screen. Roles are written because browsers
 * forget them when a table is not shown as one.
 */
export function table(caption, columns, rows) {
	return el('table', { role: 'table' },
			el('caption', { class: 'unseen' }, caption),
			el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' },
					...columns.map((column) => el('th', { role: 'columnheader', scope: 'col', class: column.class },
							column.title)))),
			el('tbody', { role: 'rowgroup' }, ...rows.map((cells) => row(columns, cells))));
}

export function row(columns, cells) {
	return el('tr', { role: 'row' }, ...columns.map((column, i) => el('td', { role: 'cell', 'data-label': column.title,
		class: [column.class, (cells[i].textContent ?? cells[i]) === '–' ? 'none' : null].filter(Boolean).join(' ') || null }, cells[i])));
}

/** In place of a value that there is not; a narrow screen leaves it out. */
export function none() {
	return el('span', { class: 'quiet' }, '–');
}

export function facts(entries) {
	return el('dl', { class: 'facts' }, ...entries.filter(([, value]) => present(value)).map(([key, value]) =>
			el('div', {}, el('dt', {}, key), el('dd', {}, value instanceof Node ? value : visible(value)))));
}

export function empty(text) {
	return el('p', { class: 'empty' }, text);
}

export function notice(title, ...children) {
	return el('div', { class: 'notice' }, el('p', { class: 'notice-title' }, title), ...children);
}

export function duration(millis) {
	const value = Number(millis);
	if (!present(millis) || !Number.isFinite(value)) {
		return '–';
	}
	if (value < 1) {
		return value === 0 ? '0 ms' : `${value.toPrecision(1)} ms`;
	}
	return value < 1000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });

const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

export function day(date) {
	return DAY.format(date);
}

export function clock(date) {
	return CLOCK.format(date);
}

export function time(value) {
	const date = new Date(value);
	if (!present(value) || Number.isNaN(date.getTime())) {
		return el('span', {}, present(value) ? name(value) : '–');
	}
	const today = date.toDateString() === new Date().toDateString();
	return el('time', { datetime: date.toISOString(), title: date.toISOString() },
			(today ? '' : DAY.format(date) + ', ') + CLOCK.format(date));
}
