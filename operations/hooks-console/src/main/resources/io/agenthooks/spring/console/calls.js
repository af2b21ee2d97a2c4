// The calls, newest first, and one of them in full.

import { endpoint, get } from './api.js';
import { timeline } from './charts.js';
import { badge, duration, el, empty, facts, json, kindOf, name, none, place, present, row, table, time, visible } from './dom.js';

const COLUMNS = [{ title: 'Time', class: 'time' }, { title: 'Tool', class: 'main' }, { title: 'Outcome', class: 'outcome' }, { title: 'Decided by', class: 'who' },
	{ title: 'Reason', class: 'reason' }, { title: 'Duration', class: 'number' }];

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
	const made = row(COLUMNS, [time(call.at), button, badge(call.outcome), decidedBy(call), reason(call), duration(call.duration_ms)]);
	made.classList.add(`is-${kindOf(call.outcome)}`);
	return made;
}

function decidedBy(call) {
	return present(call.decided_by) ? name(call.decided_by) : none();
}

function reason(call) {
	return el('span', { class: 'clip' }, present(call.reason) ? visible(call.reason, { limit: 300 }) : none());
}

async function showCall(call, onExplain) {
	const dialog = document.getElementById('call');
	document.getElementById('call-title').replaceChildren(name(call.tool));
	const content = document.getElementById('call-content');
	fill(content, call, onExplain, dialog);
	dialog.showModal();
	dialog.scrollTop = 0;
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
			el('p', { class: 'verdict' }, badge(call.outcome), ' ', present(call.reason) ? visible(call.reason) : ''),
			facts([
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
