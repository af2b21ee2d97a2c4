// The calls, newest first, and one of them in full.

import { endpoint, get } from './api.js';
import { timeline } from './charts.js';
import { badge, duration, el, empty, facts, json, kindOf, name, none, place, present, row, table, time, visible } from './dom.js';

const COLUMNS = [{ title: 'Time', class: 'time' }, { title: 'Tool and arguments', class: 'main' }, { title: 'Outcome', class: 'outcome' },
	{ title: 'For', class: 'caller' }, { title: 'Decided by', class: 'decider' }, { title: 'Reason', class: 'reason' }, { title: 'Duration', class: 'number' }];

const rows = new Map();

const open = new Map();

let shown;

/** Show calls. Rows that are there stay, so that the focus stays where it is. */
export function showCalls(calls, place, onExplain) {
	const wanted = calls.map((call) => [key(call), call]);
	for (const old of [...rows.keys()]) {
		if (!wanted.some(([id]) => id === old)) {
			rows.get(old).remove();
			rows.delete(old);
			open.delete(old);
		}
	}
	if (!wanted.length) {
		place.replaceChildren(empty('No call to show.'));
		shown = null;
		return;
	}
	if (!shown || !place.contains(shown)) {
		shown = table('Tool calls, newest first', COLUMNS, []);
		place.replaceChildren(shown);
	}
	const body = shown.tBodies[0];
	let next = body.firstElementChild;
	for (const [id, call] of wanted) {
		open.set(id, call);
		if (!rows.has(id)) {
			rows.set(id, makeRow(id, call, onExplain));
		}
		const element = rows.get(id);
		if (element === next) {
			next = next.nextElementSibling;
		}
		else {
			body.insertBefore(element, next);
		}
	}
}

function key(call) {
	return `${call.call_id} ${call.at}`;
}

function makeRow(id, call, onExplain) {
	const button = el('button', { type: 'button', class: 'link', onclick: () => showCall(open.get(id), onExplain) }, name(call.tool));
	const made = row(COLUMNS, [time(call.at), el('span', {}, button, glimpse(call)), badge(call.outcome), caller(call), decidedBy(call), reason(call),
		duration(call.duration_ms)]);
	made.classList.add(`is-${kindOf(call.outcome)}`);
	return made;
}

/** The beginning of the arguments, or their names. */
function glimpse(call) {
	return present(call.arguments_glimpse) && call.arguments_glimpse !== '{}'
			? el('code', { class: 'glimpse' }, visible(call.arguments_glimpse, { limit: 300 })) : '';
}

function caller(call) {
	const rest = [call.agent, call.session_id].filter(present);
	return !present(call.user) && !rest.length ? none() : el('span', {}, present(call.user) ? name(call.user) : '',
			rest.length ? el('span', { class: 'beside' }, ...rest.flatMap((each, i) => [i ? ' · ' : '', name(each)])) : '');
}

const ANSWERS = { approve: 'approved', edit: 'approved', deny: 'denied', abort: 'aborted' };

/** A person stands before the hook that asked. */
function decidedBy(call) {
	const { person, approver, answer, remembered_since: earlier } = call.approval ?? {};
	if (present(person)) {
		return el('span', {}, name(person), el('span', { class: 'beside' }, ANSWERS[answer] ?? name(answer), present(earlier) ? ' earlier' : ''));
	}
	return present(call.decided_by ?? approver) ? name(call.decided_by ?? approver) : none();
}

/** Why a hook objected, or what the tool said if it failed. */
function reason(call) {
	const why = [call.reason, call.error, call.failure].find(present);
	return el('span', { class: 'clip' }, present(why) ? visible(why, { limit: 300 }) : none());
}

/** Show the call of an id, which need not be in the list any more. */
export async function openCall(id, onExplain) {
	const dialog = document.getElementById('call');
	if (dialog.open && dialog.dataset.call === id) {
		return;
	}
	const listed = [...open.values()].find((call) => call.call_id === id);
	if (listed) {
		await showCall(listed, onExplain);
		return;
	}
	dialog.dataset.call = id;
	document.getElementById('call-title').replaceChildren('Call ', name(id));
	const content = document.getElementById('call-content');
	content.replaceChildren(empty('Looking for it …'));
	if (!dialog.open) {
		dialog.showModal();
	}
	try {
		const full = await get('toolcalls', { path: id });
		const found = full?.call ?? full;
		if (dialog.open && dialog.dataset.call === id) {
			document.getElementById('call-title').replaceChildren(name(found.tool));
			fill(content, found, onExplain, dialog);
		}
	}
	catch (error) {
		content.replaceChildren(empty(error.status === 404 ? 'This instance does not keep this call any more, or never had it. The audit may have it.' : error.message));
	}
}

async function showCall(call, onExplain) {
	const dialog = document.getElementById('call');
	document.getElementById('call-title').replaceChildren(name(call.tool));
	const content = document.getElementById('call-content');
	fill(content, call, onExplain, dialog);
	dialog.dataset.call = call.call_id;
	dialog.showModal();
	dialog.scrollTop = 0;
	dialog.dispatchEvent(new CustomEvent('show'));
	if (endpoint('toolcalls') && present(call.call_id)) {
		try {
			const full = await get('toolcalls', { path: call.call_id });
			const found = full?.call ?? full;
			if (dialog.open && found?.call_id === call.call_id && JSON.stringify(found) !== JSON.stringify(call)) {
				fill(content, { ...call, ...found }, onExplain, dialog);
			}
		}
		catch {
			// What the list says is shown.
		}
	}
}

function fill(content, call, onExplain, dialog) {
	content.replaceChildren(
			el('p', { class: 'verdict' }, badge(call.outcome), ' ', present(call.reason ?? call.error) ? visible(call.reason ?? call.error, { lines: true }) : ''),
			facts([
				['Exception', call.failure],
				['Verdict', present(call.verdict) ? badge(call.verdict) : null],
				['Decided by', present(call.decided_by) ? name(call.decided_by) : null],
				['Hook written in', present(call.origin) ? place(call.origin) : null],
				['Rule', call.rule],
				['Rule written in', present(call.rule_origin) ? place(call.rule_origin) : null],
				['Matched', present(call.rule_detail) ? visible(call.rule_detail) : null],
				['Person', present(call.approval) ? `${call.approval.person ?? call.approval.approver}: ${call.approval.answer}, asked by ${call.approval.asked_by}${present(call.approval.remembered_since) ? `, remembered since ${call.approval.remembered_since}` : ''}` : null],
				['Time', time(call.at)],
				['Duration', duration(call.duration_ms)],
				['Server', call.server],
				['Tool of the server', call.server_tool],
				['User', call.user],
				['Agent', call.agent],
				['Session', call.session_id],
				['Run', call.run_id],
				['Call', call.call_id]
			]),
			el('h3', {}, 'Arguments'),
			present(call.arguments) ? json(call.arguments) : empty('None are kept.'),
			el('h3', {}, 'Hooks'),
			call.hooks?.length ? timeline(call.hooks) : empty('No hook was asked.'),
			el('div', { class: 'actions' }, el('button', { type: 'button', onclick: () => {
				dialog.close();
				onExplain(call);
			} }, 'Explain this call')));
}
