// Versions of the chain: what is in the active one, and what changed since one that this browser saw earlier.

import { KINDS, LISTS, ruleOf } from './chains.js';
import { badge, el, facts, list, name, present, time, visible } from './dom.js';

/** Versions that the browser remembers. */
const KEPT = 5;

/** Characters of all of them: a browser keeps some millions for all pages of an application. */
const LONGEST = 500000;

/** How often it is noted that a version is still the active one, in milliseconds. */
const NOTED_EVERY = 60000;

/** One for each path: several applications may have the same host and port. */
const KEY = `agent-hooks-versions ${new URL('.', import.meta.url).pathname}`;

/** What changes with calls is no part of a version. */
const OF_CALLS = ['limit', 'never_objected_in_calls', 'matched_nothing_so_far'];

const ELSEWHERE = ['name', 'phase', 'rules', ...OF_CALLS];

const byId = (id) => document.getElementById(id);

let current = null;

let earlier = [];

let noted = 0;

let memory = [];

let drawn = '';

let chosen = '';

/** Remember what is active. */
export function seeVersion(hooks) {
	if (!present(hooks?.version)) {
		return;
	}
	const again = current?.version === hooks.version;
	current = { version: hooks.version, on: hooks.tools_enabled !== false, hooks: snapshot(hooks) };
	if (again && Date.now() - noted < NOTED_EVERY) {
		return;
	}
	noted = Date.now();
	const known = load();
	const now = new Date().toISOString();
	const since = known.find((each) => each.version === hooks.version)?.since ?? now;
	earlier = known.filter((each) => each.version !== hooks.version).slice(1 - KEPT);
	save([...earlier, { ...current, since, seen: now }]);
}

function load() {
	try {
		const known = JSON.parse(localStorage.getItem(KEY));
		return Array.isArray(known) ? known.filter((each) => Array.isArray(each?.hooks)) : memory;
	}
	catch {
		return memory;
	}
}

function save(versions) {
	memory = versions;
	let text = JSON.stringify(versions);
	while (text.length > LONGEST && versions.length) {
		versions = versions.slice(1);
		text = JSON.stringify(versions);
	}
	try {
		localStorage.setItem(KEY, text);
	}
	catch {
		// A browser may keep nothing: then there is what this tab has seen.
	}
}

/** The hooks as they are shown, each with the list that it stands in. */
function snapshot(hooks) {
	return Object.keys(KINDS).flatMap((kind) => Object.entries(hooks[kind] ?? {}).filter(([, listed]) => Array.isArray(listed)).flatMap(([phase, listed]) =>
			listed.map((hook) => ({ ...Object.fromEntries(Object.entries(hook).filter(([key]) => !OF_CALLS.includes(key))), list: `${kind}.${phase}` }))));
}

/** Show what is in the active version, and what changed since the one that is chosen. */
export function drawVersion() {
	const key = JSON.stringify([current?.version, earlier.map((each) => each.version + each.seen)]);
	if (!current || key === drawn) {
		return;
	}
	drawn = key;
	const since = earlier.find((each) => each.version === chosen) ?? earlier.at(-1);
	const changes = el('div', { id: 'version-changes', role: 'region', 'aria-live': 'polite', 'aria-label': 'What changed' });
	const select = el('select', { id: 'version-since' }, ...[...earlier].reverse().map((each) =>
			el('option', { value: each.version, selected: each === since }, `${each.version.slice(0, 8)}, last seen ${time(each.seen).textContent}`)));
	select.addEventListener('change', () => {
		chosen = select.value;
		changes.replaceChildren(...changesSince(earlier.find((each) => each.version === chosen)));
	});
	byId('chains-version').replaceChildren(el('div', { class: 'card padded version' },
			el('div', { class: 'head' },
					el('div', {}, el('h3', {}, 'Version ', el('code', {}, name(current.version))),
							el('p', { class: 'quiet small' }, 'It stands for all properties below hooks, the active hooks, and the kill switch. The audit records it.')),
					since ? el('div', { class: 'filters' }, el('label', { for: select.id }, 'What changed since', select)) : ''),
			facts([['In it', counted(current.hooks)]]),
			since ? changes : el('p', { class: 'quiet' }, 'This browser has seen no other version yet. If there is one, it says here what changed.')));
	if (since) {
		changes.replaceChildren(...changesSince(since));
	}
}

function counted(hooks) {
	const parts = Object.entries(KINDS).map(([kind, title]) => [hooks.filter((hook) => hook.list.startsWith(`${kind}.`)).length, title.toLowerCase()])
		.filter(([count]) => count).map(([count, title]) => `${count} ${count === 1 ? 'hook' : 'hooks'} around ${title}`);
	const rules = hooks.reduce((sum, hook) => sum + (hook.rules?.length ?? 0), 0);
	return [...parts, rules ? `${rules} ${rules === 1 ? 'rule' : 'rules'}` : ''].filter(Boolean).join(', ') || 'no hook';
}

function changesSince(before) {
	const changes = differences(before, current);
	return [changes.length ? el('ul', { class: 'changes' }, ...changes)
			: el('p', {}, 'Nothing that this page shows. An option of a hook, or another property below hooks, has another value.'),
		changes.length ? el('p', { class: 'quiet small' }, 'Values of options, such as patterns and limits, are not shown here: they may have changed, too.') : ''];
}

function differences(before, after) {
	const id = (hook) => `${hook.list} ${hook.name}`;
	const has = (hooks, hook) => hooks.find((each) => id(each) === id(hook));
	const changes = [];
	if (before.on !== after.on) {
		changes.push(el('li', {}, badge(after.on ? 'tools are on' : 'tools are off', after.on ? 'good' : 'bad')));
	}
	for (const hook of after.hooks) {
		const old = has(before.hooks, hook);
		const details = old ? detailsOf(old, hook) : (hook.rules ?? []).map((rule) => el('li', {}, ruleOf(rule)));
		if (!old || details.length) {
			changes.push(change(old ? badge('changed', 'changed') : badge('added', 'good'), hook, details));
		}
	}
	for (const hook of before.hooks.filter((each) => !has(after.hooks, each))) {
		changes.push(change(badge('removed', 'warn'), hook, []));
	}
	for (const each of new Set(after.hooks.map((hook) => hook.list))) {
		const names = (one, other) => one.filter((hook) => hook.list === each && has(other, hook)).map((hook) => hook.name);
		const order = names(after.hooks, before.hooks);
		if (order.join('\n') !== names(before.hooks, after.hooks).join('\n')) {
			changes.push(el('li', {}, badge('order', 'changed'), ' ', el('span', { class: 'quiet' }, placeOf(each), ', now asked in this order: '), visible(order.join(', '), { limit: 1000 })));
		}
	}
	return changes;
}

function change(what, hook, details) {
	return el('li', {}, what, ' ', el('strong', {}, name(hook.name)), el('span', { class: 'quiet' }, ' ', name(hook.type ?? ''), ', ', placeOf(hook.list)),
			details.length ? el('ul', { class: 'plain' }, ...details) : '');
}

function placeOf(listed) {
	const [kind, phase] = listed.split('.');
	return `${KINDS[kind].toLowerCase()}, ${(LISTS[phase] ?? phase).toLowerCase()}`;
}

/** What is different, but for lines: those of a file move when something is written above them. */
function detailsOf(before, after) {
	const details = [];
	for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
		const [old, now] = [before[key], after[key]].map((value) => (key === 'origin' ? withoutLine(value) : value));
		if (!ELSEWHERE.includes(key) && JSON.stringify(old) !== JSON.stringify(now)) {
			details.push(el('li', {}, el('span', { class: 'quiet' }, name(key === 'origin' ? 'written in' : key.replaceAll('_', ' ')), ' '), shown(old), ' → ', shown(now)));
		}
	}
	const [rules, olds] = [after.rules ?? [], before.rules ?? []];
	const added = rules.filter((rule) => !olds.some((old) => textOf(old) === textOf(rule)));
	const removed = olds.filter((old) => !rules.some((rule) => textOf(rule) === textOf(old)));
	details.push(...added.map((rule) => el('li', {}, el('span', { class: 'quiet' }, 'new rule '), ruleOf(rule))),
			...removed.map((rule) => el('li', {}, el('span', { class: 'quiet' }, 'rule no longer there '), ruleOf(typeof rule === 'object' ? { ...rule, origin: null } : rule))));
	if (!added.length && !removed.length && rules.map(textOf).join('\n') !== olds.map(textOf).join('\n')) {
		details.push(el('li', {}, 'rules in another order'));
	}
	return details;
}

function textOf(rule) {
	return JSON.stringify(typeof rule === 'object' ? { ...rule, origin: withoutLine(rule.origin) } : rule);
}

function withoutLine(origin) {
	return typeof origin === 'string' ? origin.replace(/(:\d+){1,2}$/, '') : origin;
}

function shown(value) {
	const nothing = !present(value) || (Array.isArray(value) && !value.length);
	return nothing ? el('span', { class: 'quiet' }, 'not set') : visible(list(value), { limit: 500 });
}
