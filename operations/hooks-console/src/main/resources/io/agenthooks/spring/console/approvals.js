// Questions to people: what waits for a decision, and what was decided.

import { AnswerError, approval, approvals, decide } from './api.js';
import { badge, el, empty, facts, name, none, present, table, time, visible } from './dom.js';
import { ExactNumber, parse, write } from './json.js';

const HISTORY = 50;

const MOST = 200;

/** How often what is settled is asked, in rounds, if nothing has changed. */
const SETTLED_EVERY = 15;

/** A click counts only if nothing has moved for so many milliseconds: it may have been meant for another card. */
const STILL = 800;

const COLUMNS = [{ title: 'Settled', class: 'time' }, { title: 'Tool and arguments', class: 'main' }, { title: 'State', class: 'outcome' },
	{ title: 'For', class: 'caller' }, { title: 'Decided by', class: 'decider' }, { title: 'Reason', class: 'reason' }, { title: 'Remembered', class: 'remembered' }];

const GLIMPSE = 200;

const VOTES = [{ title: 'Time', class: 'time' }, { title: 'Person', class: 'who' }, { title: 'Decision', class: 'outcome' }, { title: 'Reason', class: 'reason' }];

const SCOPES = [{ name: 'once', text: 'this call only' }, { name: 'call', text: 'this call, and the very same again in its session' },
	{ name: 'tool', text: 'calls of this tool in its session, whatever the arguments' }];

/** Seconds that can be chosen, up to the longest of the question. */
const TIMES = [900, 3600, 4 * 3600, 8 * 3600, 24 * 3600];

const STATES = { pending: 'warn', approved: 'good', claimed: 'good', denied: 'bad', expired: 'warn', cancelled: 'plain' };

/** The cards by the id of their question. A card stays while somebody writes into it. */
const cards = new Map();

let shown = '';

let rounds = 0;

let known = '';

let still;

const byId = (id) => document.getElementById(id);

/** Ask what waits and what was settled, and show it. */
export async function pollApprovals() {
	const round = ++rounds;
	const waiting = (await approvals({ query: { state: 'pending', limit: MOST } })).questions ?? [];
	const questions = await Promise.all(waiting.map(whole));
	if (round !== rounds) {
		// A later round has been answered earlier.
		return;
	}
	showPending(questions);
	const now = waiting.map((question) => question.id + question.revision).join();
	if (now === known && round % SETTLED_EVERY !== 1) {
		return;
	}
	known = now;
	const settled = (await approvals({ query: { state: 'settled', limit: HISTORY } })).questions ?? [];
	const text = JSON.stringify(settled);
	if (text !== shown) {
		shown = text;
		byId('approvals-settled').replaceChildren(settled.length ? table('Settled questions, the last first', COLUMNS, settled.map(settledRow))
				: empty('Nobody has decided yet.'));
	}
}

/** A question with its arguments: a list leaves out long ones. */
async function whole(question) {
	if (question.arguments !== null) {
		return question;
	}
	const before = cards.get(question.id)?.question;
	if (before?.revision === question.revision && before.arguments !== null) {
		return before;
	}
	try {
		return await approval(question.id);
	}
	catch {
		// Without its arguments it can only be denied.
		return question;
	}
}

function showPending(waiting) {
	byId('approvals-count').textContent = waiting.length ? String(waiting.length) : '';
	byId('approvals-note').textContent = waiting.length === 1 ? 'One call waits for a person.'
			: waiting.length ? `${waiting.length}${waiting.length < MOST ? '' : ' or more'} calls wait for people, the one that expires first first.` : 'No call waits for a person.';
	const place = byId('approvals-pending');
	for (const [id, card] of [...cards]) {
		if (!waiting.some((question) => question.id === id)) {
			move();
			leave(card);
			cards.delete(id);
		}
	}
	let next = place.firstElementChild;
	for (const question of waiting) {
		let card = cards.get(question.id);
		if (!card || card.question.revision !== question.revision) {
			move();
			const made = makeCard(question, card);
			card?.element.replaceWith(made.element);
			if (card?.element === next) {
				next = made.element;
			}
			cards.set(question.id, made);
			card = made;
		}
		if (card.element === next) {
			next = next.nextElementSibling;
		}
		else {
			place.insertBefore(card.element, next);
		}
	}
	tick();
}

/** Take no click for a moment. */
function move() {
	const place = byId('approvals-pending');
	place.setAttribute('aria-busy', 'true');
	clearTimeout(still);
	still = setTimeout(() => place.removeAttribute('aria-busy'), STILL);
}

/** A question that is settled elsewhere goes, unless somebody writes an answer to it: then it says so. */
function leave(card) {
	if (card.element.contains(document.activeElement) && !card.busy) {
		say(card, 'This question is settled, or its time is over.');
		for (const control of card.element.querySelectorAll('button, textarea, input, select')) {
			control.disabled = true;
		}
		card.element.append(el('div', { class: 'actions' }, el('button', { type: 'button', onclick: () => card.element.remove() }, 'Close')));
		return;
	}
	card.element.remove();
}

function makeCard(question, before) {
	const id = `approval-${question.id}`;
	const card = { question, busy: false };
	const error = el('div', { class: 'error', id: `${id}-error`, role: 'alert', hidden: true });
	const edited = el('textarea', { id: `${id}-arguments`, rows: '8', spellcheck: 'false', 'aria-describedby': `${id}-error` });
	const initial = question.arguments ? write(question.arguments, '  ') : '';
	const kept = before !== undefined && before.edited.value !== before.initial;
	edited.value = kept ? before.edited.value : initial;
	const reason = el('input', { id: `${id}-reason`, autocomplete: 'off', maxlength: '500', 'aria-describedby': `${id}-hint` });
	reason.value = before?.reason.value ?? '';
	const edit = el('details', { open: before?.edit.open ?? false }, el('summary', {}, 'Edit the arguments'),
			el('label', { for: edited.id }, 'Arguments in JSON'), edited,
			el('div', { class: 'actions' }, el('button', { type: 'button', onclick: () => send(card, 'edit') }, 'Approve as edited')));
	const scope = scopes(question, id, before);
	const left = el('span', { class: 'countdown' });
	const voted = (question.votes ?? []).filter((vote) => vote.verdict !== 'deny');
	const may = question.may_decide !== false;
	const seen = Boolean(question.arguments);
	const mayEdit = question.decisions?.includes('edit') !== false;
	card.element = el('article', { class: 'card padded approval', tabindex: '-1', 'aria-labelledby': `${id}-title` },
			el('div', { class: 'head' },
					el('h3', { id: `${id}-title` }, name(question.tool), present(question.server)
							? el('span', { class: 'quiet' }, ' of ', name(question.server)) : ''),
					el('p', { class: 'quiet' }, 'Expires in ', left)),
			present(question.description) ? el('p', { class: 'quiet' }, visible(question.description)) : '',
			present(question.sentence) ? el('p', { class: 'sentence' }, visible(question.sentence)) : '',
			previewOf(question),
			el('p', {}, present(question.reason) ? visible(question.reason, { limit: 1000 }) : 'A hook wants a person to decide.'),
			question.mode === 'suspend' ? el('p', { class: 'quiet' }, 'The agent does not wait: it goes on later, when the application resumes the call.') : '',
			facts([['Asked by', askersOf(question)], ['User', question.user],
				['Agent', question.agent], ['Session', question.session_id], ['Run', question.run_id],
				['Called before', question.earlier_calls?.length ? names(question.earlier_calls) : null],
				['Approved by', question.approvals > 1 || voted.length ? el('span', {}, voted.length ? names(voted.map((vote) => vote.person)) : 'nobody yet',
						` (${question.approvals} needed)`) : null],
				['Version of what it is about', question.target_version],
				['Who may decide', question.approvers?.length ? authorities(question.approvers) : null]]),
			el('h4', {}, 'Arguments that the tool gets'),
			seen && question.about?.length ? el('p', { class: 'quiet small' }, 'You are asked because of what is marked.') : '',
			seen ? el('pre', { class: 'code', tabindex: '0' }, ...argumentsOf(question))
					: el('p', { class: 'error' }, 'They cannot be shown here, so this call can only be denied.'),
			may ? el('div', { class: 'form' },
					el('div', { class: 'decide' },
							seen ? el('div', { class: 'yes' }, scope.fields, el('div', { class: 'actions' },
									el('button', { type: 'button', class: 'primary', onclick: () => approve(card) }, 'Approve')), scope.second ?? '') : '',
							el('div', { class: 'no' }, el('label', { for: reason.id }, 'Reason'), reason,
									el('p', { class: 'quiet small', id: `${id}-hint` }, 'The model reads it if you deny.'),
									el('div', { class: 'actions' }, el('button', { type: 'button', class: 'danger', onclick: () => send(card, 'deny') }, 'Deny')))),
					seen && mayEdit ? edit : '') : el('p', { class: 'quiet' }, 'You may not decide about this call.'),
			error);
	Object.assign(card, { error, edited, initial, reason, edit, left, scope });
	if (before) {
		say(card, 'The question has changed. Read it again.' + (kept ? ' What you wrote into the edited arguments is still there.' : ''));
	}
	return card;
}

/** The hooks that asked, each with its rule. */
function askersOf(question) {
	return el('ul', { class: 'plain' }, ...question.askers.map((asker) => el('li', {}, name(asker.hook), asker.rule ? el('span', {}, ', rule ', name(asker.rule)) : '')));
}

/** What the call would do, in words of its tool: data in a box that it cannot leave. */
function previewOf(question) {
	const preview = question.preview;
	if (!preview) {
		return '';
	}
	if (preview.missing) {
		return el('p', { class: 'quiet' }, visible(preview.missing));
	}
	const title = 'What this call would do, as its tool says';
	const heads = preview.columns.map((column) => visible(column));
	const shown = preview.text === null ? el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
			el('tbody', {}, ...preview.rows.map((row) => el('tr', {}, ...row.map((cell, i) => el('td', { 'data-label': heads[i].textContent }, visible(cell)))))))
			: el('pre', {}, visible(preview.text, { lines: true, limit: Infinity }));
	return el('div', { class: 'effect' }, el('h4', {}, title), el('div', { class: 'code preview', tabindex: '0', role: 'region', 'aria-label': title }, shown),
			preview.more ? el('p', { class: 'quiet small' }, `And ${preview.more} more ${preview.text === null ? 'rows' : 'characters'}.`) : '',
			preview.must_match ? el('p', { class: 'quiet small' }, 'If this changes until the call runs, your approval is void.') : '');
}

/** The arguments in the order of the schema, with those marked that the question is about. */
function argumentsOf(question) {
	const entries = sorted(question);
	return entries.length ? ['{', ...entries.map(([key, value], i) => el(question.about?.includes(key) ? 'mark' : 'span', { class: 'entry' },
			visible(`${JSON.stringify(key)}: ${write(value, '  ')}`, { lines: true, limit: Infinity }), i < entries.length - 1 ? ',' : '')), '}'] : ['{}'];
}

/** The arguments in the order of the schema. */
function sorted(question) {
	const order = question.order ?? [];
	const place = (each) => (order.includes(each) ? order.indexOf(each) : order.length);
	return Object.entries(question.arguments).sort(([one], [other]) => place(one) - place(other));
}

/** Which calls an approval counts for, and for how long, if that can be chosen. */
function scopes(question, id, before) {
	const widest = SCOPES.findIndex((each) => each.name === question.max_scope);
	if (widest < 1) {
		return { fields: '' };
	}
	const chosen = before?.scope.select?.value ?? question.scope;
	const longest = seconds(question.max_time);
	const select = el('select', { id: `${id}-scope` }, ...SCOPES.slice(0, widest + 1)
		.map((each) => el('option', { value: each.name, selected: each.name === chosen }, each.text)));
	const kept = before?.scope.time?.value;
	const time = el('select', { id: `${id}-for` }, ...TIMES.filter((each) => each < longest).map((each) => option(`PT${each}S`, each, kept)),
			option(question.max_time, longest, kept ?? question.max_time));
	const times = el('div', { class: 'times' }, el('label', { for: time.id }, 'For how long'), time);
	times.hidden = select.value === 'once';
	const second = el('div', { class: 'second', hidden: true });
	select.addEventListener('change', () => {
		times.hidden = select.value === 'once';
		second.hidden = true;
	});
	time.addEventListener('change', () => {
		second.hidden = true;
	});
	return { select, time, second, fields: el('div', { class: 'pair' }, el('div', {}, el('label', { for: select.id }, 'If you approve, it counts for'), select), times) };
}

function option(value, time, chosen) {
	return el('option', { value, selected: value === chosen }, length(time));
}

/** The seconds of a time in ISO 8601, as Java writes it. */
function seconds(text) {
	const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(text ?? '') ?? [];
	return Number(parts[1] ?? 0) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
}

function length(time) {
	return time % 3600 === 0 ? `${time / 3600} h` : time % 60 === 0 ? `${time / 60} min` : `${time} s`;
}

/** Lists of authorities: a person needs one of each. */
function authorities(lists) {
	return el('span', {}, ...lists.flatMap((list, i) => [i ? ', and ' : '', 'people with ', ...list.flatMap((each, j) => [j ? ' or ' : '', el('span', { class: 'one' }, name(each))])]));
}

/** What counts for more than this call wants a second look; for this call it is enough that Deny is far away. */
function approve(card) {
	const { select, time, second } = card.scope;
	if (!select || select.value === 'once') {
		send(card, 'approve');
		return;
	}
	second.replaceChildren(el('p', {}, 'Approve not only this call? ', el('strong', {}, select.selectedOptions[0].textContent), `, for ${time.selectedOptions[0].textContent}.`),
			el('div', { class: 'actions' },
					el('button', { type: 'button', onclick: () => {
						second.hidden = true;
						card.element.querySelector('.yes .primary').focus();
					} }, 'Back'),
					el('button', { type: 'button', class: 'primary', onclick: () => send(card, 'approve') }, 'Approve all of these')));
	second.hidden = false;
	second.querySelector('button').focus();
}

async function send(card, verdict) {
	if (byId('approvals-pending').hasAttribute('aria-busy')) {
		say(card, 'The list has just changed. Look again, then answer.');
		return;
	}
	const body = { verdict };
	if (card.reason.value.trim()) {
		body.reason = card.reason.value.trim();
	}
	if (verdict !== 'deny' && card.scope.select) {
		// Who corrects a call does not know the next one.
		body.scope = verdict === 'edit' && card.scope.select.value === 'tool' ? 'call' : card.scope.select.value;
		if (body.scope !== 'once') {
			body.for = card.scope.time.value;
		}
	}
	if (verdict === 'edit') {
		body.arguments = edited(card);
		if (!body.arguments) {
			return;
		}
	}
	card.busy = true;
	busy(card, true);
	try {
		await decide(card.question.id, card.question.revision, body);
		byId('approvals-said').replaceChildren({ approve: 'Approved', edit: 'Approved as edited', deny: 'Denied' }[verdict] + ': ', name(card.question.tool));
		byId('approvals-title').focus();
	}
	catch (error) {
		const mistakes = error instanceof AnswerError ? error.mistakes ?? [] : [];
		say(card, error.message, mistakes);
		if (mistakes.length) {
			card.edited.setAttribute('aria-invalid', 'true');
			card.edited.focus();
		}
	}
	finally {
		busy(card, false);
		card.busy = false;
	}
	await pollApprovals().catch(() => {
		// The next round says so.
	});
}

/** The edited arguments, or nothing if they are not a JSON object. */
function edited(card) {
	try {
		const value = parse(card.edited.value);
		if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof ExactNumber) {
			throw new SyntaxError('not an object');
		}
		card.edited.removeAttribute('aria-invalid');
		return value;
	}
	catch (problem) {
		say(card, `The arguments are not a JSON object: ${problem.message}.`);
		card.edited.setAttribute('aria-invalid', 'true');
		card.edited.focus();
		return null;
	}
}

function say(card, text, mistakes = []) {
	card.error.replaceChildren(visible(text), mistakes.length ? el('ul', {}, ...mistakes.map((each) => el('li', {}, visible(each)))) : '');
	card.error.hidden = false;
}

function busy(card, is) {
	for (const button of card.element.querySelectorAll('button')) {
		button.disabled = is;
	}
}

/** Count down, once a second. */
export function tick() {
	for (const card of cards.values()) {
		const seconds = Math.max(0, Math.round((new Date(card.question.expires_at) - Date.now()) / 1000));
		card.left.textContent = seconds >= 7200 ? `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min` : seconds >= 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds} s`;
		card.left.classList.toggle('bad', seconds < 15);
	}
}

/** Names, each in an element of its own: one may hold a comma. */
function names(values) {
	return el('span', {}, ...values.flatMap((value, i) => [i ? ', ' : '', el('span', { class: 'one' }, name(value))]));
}

function settledRow(question) {
	const votes = question.votes ?? [];
	const last = votes[votes.length - 1];
	return [present(settledAt(question)) ? time(settledAt(question)) : none(), el('span', {},
			el('button', { type: 'button', class: 'link', onclick: () => showQuestion(question) }, name(question.tool)), glimpse(question)),
		stateOf(question), present(question.user ?? question.agent) ? el('span', {}, present(question.user) ? name(question.user) : '',
				present(question.agent) ? el('span', { class: 'beside' }, name(question.agent)) : '') : none(),
		votes.length ? names(votes.map((vote) => vote.person)) : none(),
		el('span', { class: 'clip' }, present(last?.reason) ? visible(last.reason, { limit: 300 }) : none()), remembered(question)];
}

/** When people decided, or the time was over; nobody says when a question became void. */
function settledAt(question) {
	return question.votes?.at(-1)?.at ?? (question.state === 'expired' ? question.expires_at : null);
}

function stateOf(question) {
	return badge(question.state === 'claimed' ? 'approved' : question.state, STATES[question.state]);
}

/** The beginning of the arguments: one who may decide saw all of them. */
function glimpse(question) {
	if (question.arguments === null || !Object.keys(question.arguments ?? {}).length) {
		return '';
	}
	const text = `{${sorted(question).map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(',')}}`;
	return el('code', { class: 'glimpse' }, visible(text.length > GLIMPSE ? text.slice(0, GLIMPSE) + '...' : text, { limit: GLIMPSE + 3 }));
}

/** A settled question in full. */
async function showQuestion(listed) {
	const dialog = byId('asked');
	dialog.dataset.question = listed.id;
	fillQuestion(listed);
	if (!dialog.open) {
		dialog.showModal();
		dialog.scrollTop = 0;
	}
	dialog.dispatchEvent(new CustomEvent('show'));
	const question = await whole(listed);
	if (dialog.open && dialog.dataset.question === question.id && question !== listed) {
		fillQuestion(question);
	}
}

function fillQuestion(question) {
	const votes = question.votes ?? [];
	byId('asked-title').replaceChildren(name(question.tool), present(question.server) ? el('span', { class: 'quiet' }, ' of ', name(question.server)) : '');
	byId('asked-content').replaceChildren(
			el('p', { class: 'verdict' }, stateOf(question), ' ', present(question.sentence) ? visible(question.sentence) : ''),
			facts([['Asked', time(question.asked_at)], ['Settled', present(settledAt(question)) ? time(settledAt(question)) : null],
				['Asked by', askersOf(question)], ['Why', question.reason], ['User', question.user],
				['Agent', question.agent], ['Session', question.session_id], ['Run', question.run_id], ['Call', question.call_id], ['Question', question.id],
				['Remembered until', present(question.remembered_until) ? time(question.remembered_until) : null]]),
			el('h3', {}, 'Decisions'),
			votes.length ? table('Decisions of people', VOTES, votes.map((vote) => [time(vote.at), name(vote.person), badge(vote.verdict),
				present(vote.reason) ? visible(vote.reason) : none()])) : empty('Nobody decided.'),
			el('h3', {}, 'Arguments'),
			question.arguments ? el('pre', { class: 'code', tabindex: '0' }, ...argumentsOf(question)) : empty('They cannot be shown here.'));
}

/** Show the question of an id: its card if it waits, otherwise all of it. */
export async function openQuestion(id) {
	const card = cards.get(id);
	if (card) {
		card.element.scrollIntoView({ block: 'start' });
		card.element.focus();
		return;
	}
	if (byId('asked').open && byId('asked').dataset.question === id) {
		return;
	}
	try {
		const question = await approval(id);
		if (question.state !== 'pending') {
			await showQuestion(question);
		}
	}
	catch (error) {
		byId('asked-title').textContent = 'A question';
		byId('asked-content').replaceChildren(empty(error.status === 404 ? 'There is no such question, or no longer.' : error.message));
		byId('asked').showModal();
	}
}

/** Until when a decision counts for further calls, with a way to take it back. */
function remembered(question) {
	const until = present(question.remembered_until) ? el('span', {}, question.scope === 'tool' ? 'for the tool until ' : 'until ', time(question.remembered_until)) : null;
	if (!question.may_revoke) {
		return until ?? none();
	}
	const label = `Revoke ${until ? 'the remembered decision' : 'the approval'} about ${question.tool}`;
	return el('span', {}, until ?? '', ' ', el('button', { type: 'button', 'aria-label': label, title: label, onclick: (event) => revoke(question, event.currentTarget) }, 'Revoke'));
}

async function revoke(question, button) {
	button.disabled = true;
	try {
		await decide(question.id, question.revision, { verdict: 'revoke' });
		byId('approvals-said').replaceChildren('Revoked: ', name(question.tool));
	}
	catch (error) {
		button.parentElement.querySelector('.error')?.remove();
		button.after(el('span', { class: 'error', role: 'alert' }, visible(error.message)));
		button.disabled = false;
		return;
	}
	// What is settled is asked anew, and the button is gone with its row.
	known = '';
	shown = '';
	byId('approvals-title').focus();
	await pollApprovals().catch(() => {
		// The next round says so.
	});
}
