// What would happen to a call?

import { endpoint, get, post } from './api.js';
import { badge, el, empty, facts, json, name, none, notice, place, present, table, visible } from './dom.js';
import { ExactNumber, parse, write } from './json.js';
import { switchedOff } from './setup.js';

const IDENTITY = ['server', 'server_tool'];

const CALLER = ['user', 'agent', 'session_id', 'run_id'];

const TEXTS = ['tool_name', ...IDENTITY, 'user', 'agent', 'role', 'session_id', 'run_id', 'workspace'];

/** The tools as the endpoint lists them. */
let known = [];

/** What the page wrote into the form for a tool, and not the operator. */
let filled = { arguments: '{}' };

let lastCall = () => undefined;

const form = document.getElementById('explain-form');

const result = document.getElementById('explain-result');

form.addEventListener('submit', (event) => {
	event.preventDefault();
	explain();
});

form.elements.tool_name.addEventListener('input', chooseTool);

/**
 * A tool of an MCP server has a name of its own there, and rules may be about that one. Of several tools of one
 * name the operator has to say which is meant.
 */
function chooseTool() {
	const named = known.filter((tool) => tool.name === form.elements.tool_name.value);
	for (const key of IDENTITY) {
		fill(key, (named.length === 1 ? named[0][key] : null) ?? '');
	}
	if (named.length) {
		// Limits, loops and runs need to know for whom: that of the last call is a good guess.
		const last = lastCall(named[0].name);
		for (const key of CALLER) {
			fill(key, last?.[key] ?? '');
		}
		offerArguments(named[0].name);
	}
}

/** Write a value into a field, unless the operator wrote another one. */
function fill(key, value) {
	if (form.elements[key].value === (filled[key] ?? '')) {
		form.elements[key].value = filled[key] = value;
	}
}

/** The arguments of a tool, as its schema names them, to be filled in. */
async function offerArguments(tool) {
	let schema;
	try {
		const tools = endpoint('toolhooks') ? (await get('toolhooks', { path: tool })).tools ?? [] : [];
		schema = tools.length === 1 ? tools[0].schema : null;
	}
	catch {
		// Without a schema the operator knows the names.
	}
	if (schema?.properties && form.elements.tool_name.value === tool) {
		fill('arguments', write(skeleton(schema), '  '));
	}
}

/** An object with the arguments that have to be there, or all if none has to. */
function skeleton(schema) {
	const required = Array.isArray(schema.required) ? schema.required : [];
	return Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !required.length || required.includes(key))
		.map(([key, each]) => [key, example(each)]));
}

function example(schema) {
	if (schema?.default !== undefined || schema?.enum?.length) {
		return schema.default ?? schema.enum[0];
	}
	const type = [schema?.type].flat()[0];
	return { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} }[type] ?? null;
}

/** Show whether the operator allows it. */
export function setUp(findLastCall) {
	lastCall = findLastCall;
	const off = switchedOff('explain', 'Explain');
	document.getElementById('explain-off').replaceChildren(...(off ? [off] : []));
	document.getElementById('explain-submit').disabled = off !== null;
}

export function offerTools(tools) {
	known = tools;
	const names = [...new Set(tools.map((tool) => String(tool.name)))].slice(0, 500);
	const list = document.getElementById('tool-names');
	if (list.childElementCount !== names.length) {
		list.replaceChildren(...names.map((value) => el('option', { value })));
	}
}

/** Fill the form with a call of the journal. */
export function fillIn(call) {
	form.reset();
	for (const key of TEXTS) {
		form.elements[key].value = (key === 'tool_name' ? call.tool : call[key]) ?? '';
	}
	filled = Object.fromEntries([...IDENTITY, ...CALLER].map((key) => [key, form.elements[key].value]));
	form.elements.arguments.value = present(call.arguments)
			? (typeof call.arguments === 'string' ? call.arguments : write(call.arguments, '  ')) : '{}';
	location.hash = 'explain';
}

function parsed(field, error, what) {
	const text = form.elements[field].value.trim();
	const place = document.getElementById(error);
	try {
		const value = text ? parse(text) : {};
		if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof ExactNumber) {
			throw new SyntaxError('not an object');
		}
		place.hidden = true;
		form.elements[field].removeAttribute('aria-invalid');
		return value;
	}
	catch (problem) {
		place.textContent = `${what} are not a JSON object: ${problem.message}.`;
		place.hidden = false;
		form.elements[field].setAttribute('aria-invalid', 'true');
		form.elements[field].closest('details')?.setAttribute('open', '');
		form.elements[field].focus();
		return null;
	}
}

async function explain() {
	const body = { arguments: parsed('arguments', 'explain-arguments-error', 'The arguments') };
	const claims = parsed('claims', 'explain-claims-error', 'The claims');
	if (!body.arguments || !claims) {
		return;
	}
	for (const key of TEXTS) {
		const value = form.elements[key].value;
		if (value) {
			body[key] = value;
		}
	}
	const authorities = form.elements.authorities.value.split(',').map((each) => each.trim()).filter(Boolean);
	if (authorities.length) {
		body.authorities = authorities;
	}
	if (Object.keys(claims).length) {
		body.claims = claims;
	}
	if (form.elements.live.checked) {
		body.live = true;
	}
	result.setAttribute('aria-busy', 'true');
	try {
		show(await post('toolhooks', body));
	}
	catch (error) {
		result.replaceChildren(notice('There is no answer.', el('p', {}, visible(error.message))));
	}
	finally {
		result.removeAttribute('aria-busy');
	}
}

/** What may be meant by a name that no tool has: names that are nearly the same, otherwise some. */
function nearest(wanted) {
	const names = [...new Set(known.map((tool) => String(tool.name)))];
	const near = names.filter((each) => distance(each, String(wanted)) <= 2);
	const shown = near.length ? near : names.slice(0, 8);
	return shown.length ? [near.length ? 'Did you mean ' : 'Known are, among others, ', ...shown.flatMap((each, i) => [i ? ', ' : '',
		el('button', { type: 'button', class: 'link', onclick: () => {
			form.elements.tool_name.value = each;
			chooseTool();
			explain();
		} }, name(each))]), near.length ? '?' : '.'] : ['Tools appear when they are called.'];
}

/** How many letters have to be changed to make one name of another, up to 3. */
function distance(one, other) {
	if (Math.abs(one.length - other.length) > 2 || one.length > 100) {
		return 3;
	}
	let row = [...Array(other.length + 1).keys()];
	for (let i = 1; i <= one.length; i++) {
		const next = [i];
		for (let j = 1; j <= other.length; j++) {
			next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
		}
		row = next;
	}
	return row[other.length];
}

function show(answer) {
	const hooks = answer.hooks ?? [];
	const columns = [{ title: 'Hook', class: 'main' }, { title: 'Verdict', class: 'outcome' }, { title: 'Reason', class: 'reason' }, { title: 'Written in', class: 'written' }];
	const unknown = answer.known_tool === false;
	result.replaceChildren(
			unknown ? el('div', { class: 'unknown-tool' }, el('p', { class: 'verdict' }, badge('unknown tool', 'warn'), ' No tool of this name is known here.'),
					el('p', { class: 'quiet' }, ...nearest(answer.tool)),
					el('p', { class: 'quiet' }, 'The hooks alone would say:')) : '',
			el('p', { class: unknown ? '' : 'verdict' }, badge(answer.verdict, unknown && answer.verdict === 'approve' ? 'plain' : undefined), ' ',
					present(answer.reason) ? visible(answer.reason) : 'No hook objects.'),
			answer.complete === false ? el('p', { class: 'quiet' },
					'Not all hooks were asked: those that were not may decide otherwise.') : '',
			facts([['Decided by', answer.decided_by], ['Server', answer.server], ['Tool of the server', answer.server_tool]]),
			el('h3', {}, 'Arguments as the tool would get them'),
			present(answer.arguments) ? json(answer.arguments) : empty('None.'),
			el('h3', {}, 'Hooks'),
			hooks.length ? table('Hooks in the order in which they would be asked', columns, hooks.map((hook) => [
				el('span', {}, name(hook.name), present(hook.type) ? el('span', { class: 'quiet' }, ' ', name(hook.type)) : ''),
				el('span', {}, badge(hook.verdict ?? 'not_asked'), hook.observed ? el('span', { class: 'quiet' }, ' on trial') : ''),
				el('span', {}, present(hook.reason) ? visible(hook.reason, { limit: 500 }) : none(),
						present(hook.rule) ? el('span', { class: 'rule-name' }, 'Rule ', name(hook.rule)) : '',
						present(hook.rule_detail) ? el('span', { class: 'rule-name' }, visible(hook.rule_detail, { limit: 500 })) : ''),
				place(hook.rule_origin ?? hook.origin)
			])) : empty('No hook.'));
}
