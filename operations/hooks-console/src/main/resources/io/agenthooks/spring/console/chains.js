// The active hooks in the order in which they are asked, and the tools that they guard.

import { badge, el, empty, list, name, none, notice, place, present, table, time, visible, words } from './dom.js';
import { offerTools } from './explain.js';

const byId = (id) => document.getElementById(id);

export const KINDS = { tool_call: 'Tool calls', llm_call: 'Model calls', run: 'Runs' };

export const LISTS = { pre_call: 'Before the call', post_call: 'After the call', pre_run: 'Before the run', post_run: 'After the run' };

const OWN_COLUMN = ['name', 'type', 'origin', 'order'];

/** What is as usual, or stands above the table, need not be read. */
const USUAL = { mode: ['enforce'], phase: Object.keys(LISTS) };

function isSaid([key, value]) {
	return !OWN_COLUMN.includes(key) && present(value) && value !== false && !USUAL[key]?.includes(value)
			&& !(Array.isArray(value) && !value.length) && !(value.constructor === Object && !Object.keys(value).length);
}

function more(hook) {
	const rules = Array.isArray(hook.rules) ? hook.rules : [];
	const rest = Object.entries(hook).filter((entry) => isSaid(entry) && entry[0] !== 'rules');
	return rules.length || rest.length ? el('ul', { class: 'plain' },
			...rules.map((rule) => el('li', {}, ruleOf(rule))),
			...rest.map(([key, value]) => el('li', {}, el('span', { class: 'quiet' }, name(key.replaceAll('_', ' ')), ' '),
					visible(list(value), { limit: 500 })))) : none();
}

/** A rule: its name, what it does, for which tools, and where it is written. */
export function ruleOf(rule) {
	if (typeof rule !== 'object') {
		return name(rule);
	}
	return el('span', {}, name(rule.rule ?? rule.name ?? rule.hook ?? words(rule)),
			present(rule.then) ? el('span', {}, ' ', badge(rule.then)) : '',
			Array.isArray(rule.tools) && rule.tools.length ? el('span', {}, ' ', visible(list(rule.tools), { limit: 300 })) : '',
			present(rule.rule) && present(rule.hook) ? el('span', { class: 'quiet' }, ' of ', name(rule.hook)) : '',
			present(rule.rule_origin ?? rule.origin) ? el('span', {}, ' ', place(rule.rule_origin ?? rule.origin)) : '');
}

export function drawChains(hooks) {
	const columns = [{ title: '#', class: 'number narrow' }, { title: 'Hook', class: 'main' }, { title: 'Type', class: 'who' }, { title: 'Written in', class: 'written' },
		{ title: 'Options and rules', class: 'reason' }];
	const parts = [];
	for (const [kind, title] of Object.entries(KINDS)) {
		const lists = Object.entries(hooks[kind] ?? {}).filter(([, list]) => Array.isArray(list));
		if (lists.some(([, list]) => list.length)) {
			parts.push(el('h3', { class: 'group' }, title), ...lists.filter(([, list]) => list.length).map(([key, list]) =>
					el('div', { class: 'card' }, el('h4', {}, LISTS[key] ?? key.replaceAll('_', ' ')),
							table(`${title}: ${LISTS[key] ?? key}`, columns, list.map((hook, i) => [String(i + 1), name(hook.name),
								present(hook.type) ? name(hook.type) : '–', place(hook.origin), more(hook)])))));
		}
	}
	byId('chains-content').replaceChildren(...(parts.length ? parts : [empty('There is no hook.')]));
}

function isUnguarded(tool) {
	return !present(tool.guarded_by) || ['none', 'unguarded'].includes(String(tool.guarded_by).toLowerCase());
}

function rulesOf(tool) {
	const rules = Array.isArray(tool.rules) ? tool.rules : [];
	return rules.length ? el('ul', { class: 'plain' }, ...rules.map((rule) => el('li', {}, ruleOf(rule)))) : none();
}

function lastCall(tool) {
	if (!present(tool.last_call)) {
		return el('span', { class: 'quiet' }, 'not lately');
	}
	return el('span', {}, time(tool.last_call), ' ', present(tool.last_outcome) ? badge(tool.last_outcome) : '');
}

export function drawTools(tools, unknown) {
	const columns = [{ title: 'Tool', class: 'main' }, { title: 'Guarded by', class: 'who' }, { title: 'From', class: 'who' }, { title: 'Rules', class: 'reason' },
		{ title: 'Last call', class: 'who' }];
	const sorted = [...tools].sort((a, b) => isUnguarded(b) - isUnguarded(a) || String(a.name).localeCompare(String(b.name)));
	const unguarded = sorted.filter(isUnguarded).length;
	byId('tools-content').replaceChildren(...(sorted.length ? [
		unguarded ? notice(unguarded === 1 ? 'Calls of one tool pass no hook.' : `Calls of ${unguarded} tools pass no hook.`) : '',
		el('div', { class: 'card' }, table('Tools, unguarded ones first', columns, sorted.map((tool) => [name(tool.name),
			isUnguarded(tool) ? badge('unguarded') : name(words(tool.guarded_by)),
			el('span', {}, ...[tool.server, tool.source].filter(present).flatMap((each, i) => [i ? ', ' : '', name(words(each))])),
			rulesOf(tool), lastCall(tool)]))),
		unknown.length ? el('p', { class: 'quiet' }, 'May have more tools, which are not known: ', visible(list(unknown), { limit: 1000 })) : ''
	].filter(Boolean) : [empty('The application has not named a tool yet. Tools appear when they are called.')]));
	offerTools(sorted);
}
