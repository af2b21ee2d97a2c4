// The console: views, and what is asked again while the page is seen.

import { AnswerError, endpoint, get, loadSettings, post } from './api.js';
import { openQuestion, pollApprovals, tick } from './approvals.js';
import { openCall, showCalls } from './calls.js';
import { drawChains, drawTools } from './chains.js';
import { charts } from './charts.js';
import { badge, duration, el, empty, facts, kindOf, name, notice, place, present, table, time, visible, words } from './dom.js';
import { fillIn, setUp } from './explain.js';
import { missing } from './setup.js';
import { drawVersion, seeVersion } from './versions.js';

const CALLS_EVERY = 2000;

const APPROVALS_EVERY = 2000;

const HOOKS_EVERY = 10000;

const LONGEST_WAIT = 30000;

const LIMIT = 200;

const CHARTS_EVERY = 10000;

/** As many as the endpoint gives at once. */
const CHARTED = 1000;

const ALL_CALLS = 10;

const VIEWS = ['calls', 'approvals', 'charts', 'chains', 'tools', 'explain', 'audit'];

const byId = (id) => document.getElementById(id);

const state = { settings: null, charted: [], calls: [], asked: 0, dropped: 0, last: '', hooks: null, lastHooks: '', paused: false, view: 'calls', outcome: '' };

// Views

/** The address behind '#': a view, and what is searched or open in it. It is not sent to the server. */
function address() {
	const [wanted, query] = location.hash.slice(1).split('?', 2);
	return { wanted, query: new URLSearchParams(query) };
}

function view() {
	const { wanted } = address();
	return VIEWS.includes(wanted) ? wanted : state.view;
}

/** Write what is searched or open into the address, so that it can be sent to a colleague. */
function write(view, changes, push = false) {
	const { wanted, query } = address();
	const kept = wanted === view ? query : new URLSearchParams();
	for (const [key, value] of Object.entries(changes)) {
		if (value) {
			kept.set(key, value);
		}
		else {
			kept.delete(key);
		}
	}
	const hash = `#${view}?${kept}`.replace(/\?$/, '');
	if (hash !== (location.hash || '#calls')) {
		history[push ? 'pushState' : 'replaceState'](null, '', hash);
	}
	// The search is still there if somebody comes back from another view.
	kept.delete('call');
	kept.delete('question');
	document.querySelector(`nav a[href^="#${view}"]`).setAttribute('href', `#${view}?${kept}`.replace(/\?$/, ''));
}

/** Show what the address says of a view. */
function follow() {
	const { wanted, query } = address();
	const call = wanted === 'calls' ? query.get('call') : null;
	if (wanted === 'calls') {
		byId('filter-text').value = query.get('q') ?? '';
		state.outcome = query.get('outcome') ?? '';
		if (endpoint('toolcalls')) {
			drawCalls();
		}
	}
	if (wanted === 'charts') {
		const since = query.get('since') ?? '';
		byId('charts-range').value = [...byId('charts-range').options].some((option) => option.value === since) ? since : '';
	}
	if (call && endpoint('toolcalls')) {
		openCall(call, fillIn);
	}
	else if (!call && byId('call').open) {
		byId('call').close();
	}
	const question = wanted === 'approvals' ? query.get('question') : null;
	if (question && state.settings?.approvals) {
		openQuestion(question);
	}
	else if (!question && byId('asked').open) {
		byId('asked').close();
	}
}

function showView(focus) {
	state.view = view();
	for (const id of VIEWS) {
		byId(id).hidden = id !== state.view;
	}
	for (const link of document.querySelectorAll('nav a')) {
		if (link.hash.split('?')[0] === '#' + state.view) {
			link.setAttribute('aria-current', 'page');
			link.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
		}
		else {
			link.removeAttribute('aria-current');
		}
	}
	document.title = `${byId(state.view + '-title').textContent} · Agent Hooks`;
	if (focus) {
		byId('main').focus({ preventScroll: true });
		window.scrollTo(0, 0);
	}
	follow();
	if (state.view === 'charts') {
		drawCharts();
		state.askCharts?.();
	}
}

// Calls

function wantedCalls() {
	const text = byId('filter-text').value.trim().toLowerCase();
	const outcome = state.outcome;
	return state.calls.filter((call) => (!outcome || call.outcome === outcome) && (!text
			|| [call.tool, call.server, call.decided_by, call.approval?.person, call.reason, call.error, call.rule, call.user, call.agent, call.session_id,
				call.run_id, call.call_id, call.arguments_glimpse]
				.some((each) => present(each) && String(each).toLowerCase().includes(text))));
}

function drawCalls() {
	showCalls(wantedCalls(), byId('calls-table'), fillIn);
	// One that is searched for stays, though no call has it.
	const outcomes = [...new Set([...state.calls.map((call) => String(call.outcome)), state.outcome].filter(Boolean))].sort();
	const select = byId('filter-outcome');
	const there = [...select.options].slice(1).map((option) => option.value);
	if (outcomes.join() !== there.join()) {
		select.replaceChildren(el('option', { value: '' }, 'All'), ...outcomes.map((value) => el('option', { value }, value.replaceAll('_', ' '))));
	}
	select.value = state.outcome;
	const durations = state.calls.map((call) => Number(call.duration_ms)).filter(Number.isFinite).sort((a, b) => a - b);
	const of = (kind) => state.calls.filter((call) => kindOf(call.outcome) === kind).length;
	const failed = state.calls.filter((call) => call.outcome === 'failed').length;
	byId('tiles').replaceChildren(
			tile('Calls', state.calls.length, state.calls.length >= LIMIT ? `the last ${LIMIT}` : 'in the journal'),
			tile('Denied', of('bad'), 'or aborted', of('bad') ? 'bad' : ''),
			tile('Failed', failed, 'by the tool', failed ? 'warn' : ''),
			tile('Median time', durations.length ? duration(durations[Math.floor(durations.length / 2)]) : '–', 'hooks and tool'));
	byId('calls-note').textContent = state.dropped
			? `Tool calls as they end, newest first. The journal has dropped ${state.dropped} older ones.`
			: 'Tool calls as they end, newest first.';
}

function tile(title, value, note, kind = '') {
	return el('div', { class: `tile ${kind}` }, el('p', { class: 'quiet' }, title), el('p', { class: 'value' }, String(value)),
			el('p', { class: 'quiet small' }, note));
}

function drawCharts() {
	const range = Number(byId('charts-range').value) * 1000;
	const until = Date.now();
	const calls = range ? state.charted.filter((call) => Date.parse(call.at) >= until - range) : state.charted;
	const first = state.charted.at(-1);
	byId('charts-note').replaceChildren(...(first ? [`${calls.length} of the last ${state.charted.length} calls. The oldest that is kept ended `, time(first.at), '.']
			: ['Of the calls in the journal.']));
	const open = [...byId('charts-content').querySelectorAll('details')].map((each) => each.open);
	byId('charts-content').replaceChildren(...charts(calls, range ? { from: until - range, until } : null));
	byId('charts-content').querySelectorAll('details').forEach((each, i) => {
		each.open = open[i] ?? false;
	});
}

async function pollCalls() {
	const newest = state.calls[0]?.call_id;
	// Now and then all of them: calls that end at the same moment may come out of order.
	const query = present(newest) && ++state.asked % ALL_CALLS ? { limit: LIMIT, after: newest } : { limit: LIMIT };
	const answer = await get('toolcalls', { query });
	const text = JSON.stringify(answer);
	if (text !== state.last) {
		state.last = text;
		state.calls = present(answer?.after) ? [...answer.calls, ...state.calls].slice(0, Math.min(LIMIT, answer.kept))
				: answer?.calls ?? [];
		state.dropped = answer?.dropped ?? 0;
		drawCalls();
	}
}

async function pollCharts() {
	state.charted = (await get('toolcalls', { query: { limit: CHARTED } }))?.calls ?? [];
	if (!byId('charts-content').contains(document.activeElement)) {
		drawCharts();
	}
}

// Chains and tools

async function pollHooks() {
	const hooks = await get('toolhooks');
	seeVersion(hooks);
	const text = JSON.stringify(hooks);
	if (text !== state.lastHooks) {
		state.lastHooks = text;
		state.hooks = hooks;
		drawVersion();
		drawChains(hooks);
		drawTools(hooks.tools ?? [], hooks.unknown_tools ?? []);
		drawSwitch();
		drawFoot();
	}
}

function drawFoot() {
	const { insecure, user } = state.settings;
	const parts = [insecure ? ['Not protected by Spring Security'] : [], user ? ['Logged in as ', name(user)] : [],
		present(state.hooks?.version) ? [el('a', { href: '#chains' }, 'Version of the chain ', el('code', {}, name(state.hooks.version)))] : []].filter((part) => part.length);
	byId('foot').replaceChildren(...parts.flatMap((part, i) => (i ? [' · ', ...part] : part)));
}

// The kill switch

function drawSwitch() {
	const on = state.hooks.tools_enabled !== false;
	const allowed = endpoint('toolhooks')?.switch;
	const label = on ? 'Switch tools off…' : 'Switch tools on…';
	const focused = document.activeElement?.id === 'switch-button';
	byId('switch').replaceChildren(badge(on ? 'tools are on' : 'tools are off', on ? 'good' : 'bad'),
			el('button', { type: 'button', id: 'switch-button', class: on ? 'danger' : '', onclick: () => (allowed ? ask(!on) : askInVain()) },
					label));
	if (focused) {
		byId('switch-button').focus();
	}
	drawAlarm(on);
}

/** A bar over each view while tools are off, with who switched them off and since when. */
function drawAlarm(on) {
	const { tools_off: off, parts_off: some = [], switch_shared: shared } = state.hooks;
	const key = JSON.stringify([on, off, some]);
	if (byId('alarm').dataset.key === key) {
		// It is read out each time when it changes.
		return;
	}
	byId('alarm').dataset.key = key;
	byId('alarm').replaceChildren(...(on ? [] : [el('p', {}, el('strong', {}, shared ? 'Tools are off: all instances deny every call. '
			: 'Tools are off: this instance denies every call. '), ...since(off))]),
			...some.map((part) => el('p', {}, el('strong', {}, ...named(part), ' are off. '), ...since(part), ' ',
					el('button', { type: 'button', onclick: () => (endpoint('toolhooks')?.switch ? ask(true, part) : askInVain()) },
							'Switch on…'))));
	byId('alarm').hidden = on && some.length === 0;
}

/** The tools that are switched by themselves. */
function named(part) {
	return present(part.tool) ? ['Tools ', name(part.tool)] : ['All tools for agents ', name(part.agent)];
}

/** Since when something is off, and by whom. */
function since(off) {
	if (off?.through === 'store') {
		return ['The store that all instances share has not said yet what is off.'];
	}
	return !present(off?.since) ? ['Nobody has switched them since the start: the configuration did, or the application itself.']
			: ['Since ', time(off.since), ', by ', present(off.user) ? name(off.user) : off.through === 'application' ? 'the application' : 'somebody who was not logged in',
				present(off.user) && off.through === 'application' ? ', through the application' : '', '.'];
}

function askInVain() {
	const place = byId('question');
	byId('question-title').textContent = 'The kill switch cannot be used here';
	byId('question-text').replaceChildren('Writing to the endpoint is switched off. To allow it, set ',
			el('code', {}, 'management.endpoint.toolhooks.access: unrestricted'));
	byId('question-error').hidden = true;
	byId('question-yes').hidden = true;
	byId('question-no').textContent = 'Close';
	place.showModal();
}

/** Ask before all tools are switched, or a part of them. */
function ask(enabled, part = {}) {
	byId('question-title').textContent = !enabled ? 'Really switch all tools off?'
			: present(part.tool) || present(part.agent) ? 'Really switch them on?' : 'Really switch all tools on?';
	byId('question-text').replaceChildren(...(enabled ? [...(present(part.tool) || present(part.agent) ? [...named(part), ': '] : []),
		'Tools run again from now on, if the hooks approve.']
			: ['From now on ', state.hooks.switch_shared ? 'all instances of the application deny' : 'this instance of the application denies',
				' every tool call of every agent, until somebody switches tools on again',
				state.hooks.switch_shared ? '.' : ' or it restarts. Other instances go on.']));
	byId('question-error').hidden = true;
	byId('question-no').textContent = 'Cancel';
	const yes = byId('question-yes');
	yes.hidden = false;
	yes.disabled = false;
	yes.className = enabled ? 'primary' : 'danger solid';
	yes.textContent = enabled ? 'Switch on' : 'Switch off';
	yes.onclick = async () => {
		yes.disabled = true;
		try {
			const kind = ['tool', 'agent'].find((each) => present(part[each]));
			await post('toolhooks', kind ? { enabled, [kind]: part[kind] } : { enabled }, { path: kind ? `switch_${kind}` : 'switch' });
			byId('question').close();
			await pollHooks();
			byId('switch-button').focus();
		}
		catch (error) {
			byId('question-error').replaceChildren(visible(error.message));
			byId('question-error').hidden = false;
			yes.disabled = false;
		}
	};
	byId('question').showModal();
}

// The audit

async function verify() {
	const content = byId('audit-content');
	byId('verify').disabled = true;
	content.replaceChildren(empty('Verifying …'));
	try {
		drawAudit(await get('toolaudit'));
	}
	catch (error) {
		content.replaceChildren(notice('The audit could not be verified.', el('p', {}, visible(error.message))));
	}
	finally {
		byId('verify').disabled = false;
	}
}

/** Keep the records of a period in a file, and show what was found of all. */
async function exportPeriod(event) {
	event.preventDefault();
	const period = {};
	for (const name of ['from', 'until']) {
		const value = byId('export-form').elements[name].value;
		if (value) {
			period[name] = new Date(value + 'Z').toISOString();
		}
	}
	// Without a beginning and an end there is no export.
	period.from ??= '1970-01-01T00:00:00Z';
	byId('export-submit').disabled = true;
	byId('export-note').textContent = 'Reading …';
	try {
		const result = await get('toolaudit', { query: period });
		drawAudit(result);
		const records = result.records ?? [];
		const url = URL.createObjectURL(new Blob(records.map((record) => record + '\n'), { type: 'application/jsonl' }));
		el('a', { href: url, download: `audit-${new Date().toISOString().replaceAll(':', '-')}.jsonl` }).click();
		setTimeout(() => URL.revokeObjectURL(url), 10000);
		byId('export-note').textContent = `${records.length} records are in the file.`
				+ (result.truncated ? ' There are more: choose a shorter period, or use the command line.' : '');
	}
	catch (error) {
		byId('export-note').replaceChildren(visible(error.message));
	}
	finally {
		byId('export-submit').disabled = false;
	}
}

/** What cannot be proved may be as it was written, or not. */
function isUnproved(node) {
	return ['unknown_key', 'unproved'].includes(node.problem?.kind);
}

function foundBy(result, nodes) {
	if (result.unbroken) {
		return [badge('unbroken', 'good'), ' No record was changed, removed, reordered or added.'];
	}
	if (result.complete === false && !nodes.some((node) => present(node.problem))) {
		return [badge('incomplete', 'bad'), ' No record was changed, removed, reordered or added, but not all calls were recorded.'];
	}
	if (nodes.some((node) => present(node.problem) && !isUnproved(node))) {
		return [badge('broken', 'bad'), ' The log is not what was written.'];
	}
	if (nodes.some((node) => node.problem?.kind === 'unknown_key')) {
		return [badge('UNPROVED', 'warn'), ' Some records were made with a key that the application does not know, so nobody can '
				+ 'tell here whether they or later ones were changed. If it is a former key, write it in ',
				el('code', {}, 'hooks.audit.former_keys'), '.'];
	}
	return [badge('UNPROVED', 'warn'), ' Nobody can tell here whether the log is what was written: a proof is missing, as said below.'];
}

function drawAudit(result) {
	const nodes = result.nodes ?? [];
	const columns = [{ title: 'Node', class: 'main' }, { title: 'Records', class: 'number' }, { title: 'Not recorded', class: 'number' },
		{ title: 'Anchors', class: 'number' }, { title: 'Result', class: 'reason' }];
	byId('audit-content').replaceChildren(el('div', { class: 'card padded' },
			el('p', { class: 'verdict' }, ...foundBy(result, nodes)),
			result.keyed === false ? el('p', { class: 'quiet' },
					'Not all hashes were made with a key: without one, whoever can write the log can make them, too.') : '',
			facts([['Verified', time(new Date().toISOString())]])),
			nodes.length ? el('div', { class: 'card' }, table('Chains of records by node', columns, nodes.map((node) => [name(node.node),
				String(node.records ?? '–'), String(node.dropped ?? '–'), String(node.anchors ?? '–'),
				present(node.problem) ? el('span', {}, badge(node.problem.kind ?? 'broken', isUnproved(node) ? 'warn' : 'bad'), ' ',
						visible(node.problem.message ?? words(node.problem)), ' ', present(node.problem.place) ? place(node.problem.place) : '')
					: (node.dropped > 0) ? badge('incomplete', 'bad') : badge('unbroken', 'good')]))) : empty('There is no record yet.'));
}

// Asking again and again

function setLive(kind, text) {
	byId('live').className = `live ${kind}`;
	if (byId('live-text').textContent !== text) {
		byId('live-text').textContent = text;
	}
}

function showLive() {
	setLive(state.paused ? 'paused' : 'on', state.paused ? 'Paused' : 'Live');
}

function complain(error) {
	const text = error instanceof AnswerError ? error.message : String(error);
	const place = byId('notices');
	if (place.dataset.text !== text) {
		place.dataset.text = text;
		place.replaceChildren(notice('The console cannot show what happens now.', el('p', {}, visible(text)),
				error.status === 401 ? el('button', { type: 'button', onclick: () => location.reload() }, 'Reload') : ''));
	}
}

function repeat(id, poll, every, isOff) {
	let timer;
	let failures = 0;
	let running = false;
	async function round() {
		clearTimeout(timer);
		if (running || document.hidden || isOff()) {
			return;
		}
		running = true;
		try {
			await poll();
			failures = 0;
			if (byId('notices').dataset.from === id) {
				byId('notices').replaceChildren();
				delete byId('notices').dataset.text;
				delete byId('notices').dataset.from;
			}
			if (!byId('notices').dataset.from) {
				showLive();
			}
		}
		catch (error) {
			failures++;
			byId('notices').dataset.from = id;
			complain(error);
			setLive('off', 'Not connected');
		}
		finally {
			running = false;
			timer = setTimeout(round, Math.min(LONGEST_WAIT, every * 2 ** Math.min(failures, 5)));
		}
	}
	document.addEventListener('visibilitychange', round);
	round();
	return round;
}

async function start() {
	showView(false);
	window.addEventListener('hashchange', () => showView(true));
	byId('skip').addEventListener('click', (event) => {
		event.preventDefault();
		byId('main').focus();
	});
	byId('filters').addEventListener('submit', (event) => event.preventDefault());
	byId('filters').addEventListener('input', () => {
		state.outcome = byId('filter-outcome').value;
		write('calls', { q: byId('filter-text').value.trim(), outcome: state.outcome });
		drawCalls();
	});
	byId('charts-form').addEventListener('input', () => {
		write('charts', { since: byId('charts-range').value });
		drawCharts();
	});
	for (const [id, view, key] of [['call', 'calls', 'call'], ['asked', 'approvals', 'question']]) {
		byId(id).addEventListener('show', () => write(view, { [key]: byId(id).dataset[key] }, true));
		byId(id).addEventListener('close', () => {
			if (address().wanted === view) {
				write(view, { [key]: null });
			}
		});
	}
	byId('asked-close').addEventListener('click', () => byId('asked').close());
	byId('call-close').addEventListener('click', () => byId('call').close());
	byId('question-no').addEventListener('click', () => byId('question').close());
	for (const dialog of document.querySelectorAll('dialog')) {
		dialog.addEventListener('click', (event) => {
			if (event.target === dialog) {
				dialog.close();
			}
		});
	}
	try {
		state.settings = await loadSettings();
	}
	catch (error) {
		complain(error);
		setLive('off', 'Not connected');
		return;
	}
	showLive();
	drawFoot();
	setUp((tool) => state.calls.find((call) => call.tool === tool));
	if (endpoint('toolhooks')) {
		repeat('toolhooks', pollHooks, HOOKS_EVERY, () => false);
	}
	else {
		for (const id of ['chains-content', 'tools-content']) {
			byId(id).replaceChildren(missing('toolhooks', state.settings));
		}
	}
	if (endpoint('toolcalls')) {
		follow();
		const round = repeat('toolcalls', pollCalls, CALLS_EVERY, () => state.paused);
		state.askCharts = repeat('charts', pollCharts, CHARTS_EVERY, () => state.paused || state.view !== 'charts');
		byId('pause').addEventListener('click', () => {
			state.paused = !state.paused;
			byId('pause').setAttribute('aria-pressed', String(state.paused));
			showLive();
			round();
		});
	}
	else {
		byId('calls-table').className = '';
		byId('filters').hidden = true;
		byId('charts-form').hidden = true;
		byId('calls-table').replaceChildren(missing('toolcalls', state.settings));
		byId('charts-content').replaceChildren(missing('toolcalls', state.settings));
		state.view = view();
	}
	if (state.settings.approvals) {
		let refused = false;
		byId('approvals-link').hidden = false;
		let followed = false;
		repeat('approvals', () => pollApprovals().then(() => {
			if (!followed) {
				followed = true;
				follow();
			}
		}).catch((error) => {
			if (error.status !== 403) {
				throw error;
			}
			// Who watches calls need not be one of the people who decide.
			refused = true;
			byId('approvals-link').hidden = true;
		}), APPROVALS_EVERY, () => refused);
		setInterval(tick, 1000);
	}
	if (endpoint('toolaudit')) {
		byId('verify').hidden = false;
		byId('verify').addEventListener('click', verify);
		byId('export-form').hidden = false;
		byId('export-form').addEventListener('submit', exportPeriod);
		byId('audit-content').replaceChildren(el('div', { class: 'card padded' }, empty('Not verified yet. A long audit takes a while.')));
	}
	else {
		byId('audit-content').replaceChildren(missing('toolaudit', state.settings,
				[el('p', {}, 'It is there if the audit is on: ', el('code', {}, 'hooks.audit.enabled: true'))]));
	}
}

start();
