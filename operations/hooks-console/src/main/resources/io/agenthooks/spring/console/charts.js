// Charts of what the journal holds: inline SVG, each with its figures as a table.

import { badge, clock, colour, day, duration, el, empty, kindOf, name, none, present, svg, table, time, visible } from './dom.js';

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400].map((s) => s * 1000);

const MOST_BARS = 30;

const MOST_ROWS = 8;

const ORDER = ['good', 'changed', 'warn', 'bad', 'plain'];

/** Charts of calls, in a period or from the first call to the last. */
export function charts(calls, period) {
	return [
		chart('Calls by outcome', 'Ended calls in each period.', overTime(calls, period), true),
		chart('Denials by hook', 'Calls that a hook denied or aborted.', bars(counted(denials(calls), (call) => call.decided_by ?? 'unknown'),
				'Hook', 'Denials', String, 'bad')),
		chart('Denials by tool', 'Calls of a tool that were denied or aborted.', bars(counted(denials(calls), (call) => call.tool),
				'Tool', 'Denials', String, 'bad')),
		chart('Time per hook', 'Mean time of a hook in these calls.', bars(timePerHook(calls), 'Hook', 'Mean time', duration, 'accent'), true)
	];
}

function chart(title, text, content, wide = false) {
	return el('article', { class: wide ? 'card chart wide' : 'card chart' },
			el('h3', {}, title), el('p', { class: 'quiet' }, text), ...content);
}

function denials(calls) {
	return calls.filter((call) => kindOf(call.outcome) === 'bad');
}

function counted(calls, key) {
	const counts = new Map();
	for (const call of calls) {
		const value = String(key(call));
		counts.set(value, (counts.get(value) ?? 0) + 1);
	}
	return [...counts].sort((a, b) => b[1] - a[1]);
}

function timePerHook(calls) {
	const sums = new Map();
	for (const hook of calls.flatMap((call) => call.hooks ?? [])) {
		if (present(hook.duration_ms)) {
			const sum = sums.get(hook.name) ?? [0, 0];
			sums.set(hook.name, [sum[0] + Number(hook.duration_ms), sum[1] + 1]);
		}
	}
	return [...sums].map(([hook, [total, count]]) => [hook, total / count]).sort((a, b) => b[1] - a[1]);
}

function bars(entries, what, unit, format, kind) {
	if (!entries.length) {
		return [empty('None so far.')];
	}
	const most = Math.max(...entries.map(([, value]) => value)) || 1;
	const shown = entries.slice(0, MOST_ROWS);
	const list = el('table', { class: 'bars', role: 'table' }, el('caption', { class: 'unseen' }, `${unit} by ${what.toLowerCase()}`),
			el('thead', { class: 'unseen', role: 'rowgroup' }, el('tr', { role: 'row' },
					...[what, 'Bar', unit].map((title) => el('th', { scope: 'col', role: 'columnheader' }, title)))),
			el('tbody', { role: 'rowgroup' }, ...shown.map(([key, value]) => el('tr', { role: 'row' },
					el('th', { scope: 'row', role: 'rowheader' }, name(key)),
					el('td', { class: 'bar-cell', role: 'cell', 'aria-hidden': 'true' }, svg('svg', { height: 12, class: 'hbar' },
							svg('rect', { width: '100%', height: 12, rx: 3, class: 'track' }),
							svg('rect', { width: `${Math.max(1, 100 * value / most)}%`, height: 12, rx: 3, class: kind }))),
					el('td', { class: 'number', role: 'cell' }, format(value))))));
	const more = entries.length - shown.length;
	return [list, more > 0 ? el('p', { class: 'quiet' }, `and ${more} more`) : null].filter(Boolean);
}

/** Steps from the first call to the last, or of a period, and how many calls of each outcome ended in each. */
export function periods(calls, period) {
	const times = calls.map((call) => Date.parse(call.at)).filter(Number.isFinite);
	if (!times.length) {
		return { step: 0, starts: [], outcomes: [], counts: new Map() };
	}
	const first = period?.from ?? Math.min(...times);
	const last = period?.until ?? Math.max(...times);
	const step = STEPS.find((each) => (last - first) / each < MOST_BARS - 1) ?? (last - first) / (MOST_BARS - 2);
	const begin = Math.floor(first / step) * step;
	const starts = [];
	for (let start = begin; start <= last && starts.length < MOST_BARS; start += step) {
		starts.push(start);
	}
	const counts = new Map();
	for (const call of calls) {
		const at = Date.parse(call.at);
		if (Number.isFinite(at)) {
			const outcome = String(call.outcome ?? 'unknown');
			const values = counts.get(outcome) ?? starts.map(() => 0);
			values[Math.min(starts.length - 1, Math.floor((at - begin) / step))]++;
			counts.set(outcome, values);
		}
	}
	const outcomes = [...counts.keys()].sort((a, b) => ORDER.indexOf(kindOf(a)) - ORDER.indexOf(kindOf(b)) || a.localeCompare(b));
	return { step, starts, outcomes, counts };
}

function overTime(calls, period) {
	const { step, starts, outcomes, counts } = periods(calls, period);
	if (!starts.length) {
		return [empty(period ? 'No call ended in this period.' : 'No call so far.')];
	}
	const label = moment(starts[0], starts[starts.length - 1], step);
	const totals = starts.map((_, i) => outcomes.reduce((sum, outcome) => sum + counts.get(outcome)[i], 0));
	const most = nice(Math.max(...totals));
	const [width, height] = [600, 150];
	// Few periods do not become a wall: each has the width of one of at least twelve.
	const slot = width / Math.max(12, starts.length);
	const gap = Math.min(6, slot / 4);
	const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', class: 'columns', 'aria-hidden': 'true' });
	for (const part of [0, 0.5, 1]) {
		picture.append(svg('line', { x1: 0, x2: width, y1: height * part, y2: height * part, class: 'rule' }));
	}
	starts.forEach((_, i) => {
		let y = height;
		for (const outcome of outcomes) {
			const part = counts.get(outcome)[i] / most * height;
			if (part > 0) {
				y -= part;
				picture.append(svg('rect', { x: i * slot + gap / 2, y, width: slot - gap, height: part, class: colour(outcome) }));
			}
		}
	});
	const legend = el('ul', { class: 'legend' }, ...outcomes.map((outcome) => el('li', {},
			badge(outcome), ' ', el('span', { class: 'number' }, String(counts.get(outcome).reduce((a, b) => a + b, 0))))));
	const used = Math.min(100, 100 * starts.length * slot / width);
	const marks = [0, Math.floor((starts.length - 1) / 2), starts.length - 1].filter((each, i, all) => all.indexOf(each) === i);
	const axis = svg('svg', { class: 'axis', 'aria-hidden': 'true' }, ...marks.map((each, i) => svg('text', {
		x: `${100 * (each + 0.5) * slot / width}%`, y: 14, 'text-anchor': each === 0 ? 'start' : i === marks.length - 1 && used > 99 ? 'end' : 'middle'
	}, label(starts[each]))));
	const figures = el('details', {}, el('summary', {}, 'Figures'),
			el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Figures of calls by outcome' }, table('Calls by outcome and period',
					[{ title: 'From' }, ...outcomes.map((outcome) => ({ title: outcome, class: 'number' }))],
					starts.map((start, i) => [label(start), ...outcomes.map((outcome) => String(counts.get(outcome)[i]))]))));
	return [el('div', { class: 'plot' }, el('ol', { class: 'most', 'aria-hidden': 'true' }, ...(most > 1 ? [most, most / 2, 0] : [most, 0]).map((each) => el('li', {}, String(each)))),
			picture), axis, legend, figures];
}

/** Writes moments: with the day unless all are of today, with seconds only if they differ. */
function moment(first, last, step) {
	const today = new Date().toDateString();
	const days = [first, last].some((each) => new Date(each).toDateString() !== today);
	return (at) => (days ? day(new Date(at)) + ', ' : '') + (step < 60000 ? clock(new Date(at)) : clock(new Date(at)).slice(0, -3));
}

/** The next number that is good to read. */
function nice(value) {
	const power = 10 ** Math.floor(Math.log10(value));
	return [1, 2, 4, 5, 6, 8, 10].map((factor) => factor * power).find((each) => each >= value && (each % 2 === 0 || each === 1)) ?? 10 * power;
}

/** When each hook of a call was asked, as a table with bars. */
export function timeline(hooks) {
	const total = hooks.reduce((sum, hook) => sum + (Number(hook.duration_ms) || 0), 0) || 1;
	let start = 0;
	const limited = hooks.some((hook) => present(hook.limit));
	const columns = [{ title: 'Hook' }, { title: 'Verdict' }, { title: 'Time', class: 'number' }, { title: 'When', class: 'when' },
		...(limited ? [{ title: 'Left' }] : [])];
	return table('Hooks of this call in the order in which they were asked', columns, hooks.map((hook) => {
		const part = (Number(hook.duration_ms) || 0) / total * 100;
		const bar = svg('svg', { height: 12, class: 'hbar', 'aria-hidden': 'true' },
				svg('rect', { width: '100%', height: 12, rx: 3, class: 'track' }),
				svg('rect', { x: `${Math.min(start, 99)}%`, width: `${Math.max(1, part)}%`, height: 12, rx: 3, class: colour(hook.verdict) }));
		start += part;
		return [name(hook.name), present(hook.verdict) ? badge(hook.verdict) : none(), duration(hook.duration_ms), bar,
			...(limited ? [left(hook.limit)] : [])];
	}));
}

/** What a limit had left, and when it is new, or has room again. */
function left(limit) {
	if (!present(limit)) {
		return none();
	}
	return el('span', {}, present(limit.remaining) ? visible(String(limit.remaining)) : '',
			present(limit.reset) ? el('span', { class: 'quiet' }, ' resets ', time(limit.reset)) : '');
}
