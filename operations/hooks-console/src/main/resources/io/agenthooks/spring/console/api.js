// Asks the endpoints of the actuator, as the settings of the console say where they are.

import { parse, write } from './json.js';

const FOLDER = new URL('.', import.meta.url);

export class AnswerError extends Error {

	constructor(status, message, mistakes = []) {
		super(message);
		this.status = status;
		this.mistakes = mistakes;
	}

}

let settings;

export async function loadSettings() {
	settings = await ask(new URL('settings.json', FOLDER));
	return settings;
}

export function endpoint(id) {
	return settings?.endpoints?.[id] ?? null;
}

function address(id, path, query) {
	const url = new URL(endpoint(id).url, FOLDER);
	if (path) {
		url.pathname += '/' + encodeURIComponent(path);
	}
	for (const [key, value] of Object.entries(query ?? {})) {
		url.searchParams.set(key, value);
	}
	return url;
}

export function get(id, { path, query } = {}) {
	return ask(address(id, path, query));
}

export function post(id, body, { path } = {}) {
	return postTo(address(id, path), body);
}

/** Questions to people. */
export function approvals({ query } = {}) {
	return ask(question('', query));
}

/** One question, with its arguments. */
export function approval(id) {
	return ask(question(id));
}

/** Answer a question, if it is still as the person saw it. */
export function decide(id, revision, body) {
	return postTo(question(id), body, { 'If-Match': `"${revision}"` });
}

function question(id, query) {
	const url = new URL(settings.approvals, FOLDER);
	if (id) {
		url.pathname += '/' + encodeURIComponent(id);
	}
	for (const [key, value] of Object.entries(query ?? {})) {
		url.searchParams.set(key, value);
	}
	return url;
}

async function postTo(url, body, more = {}) {
	const csrf = settings.csrf;
	// A cookie that scripts may read is there to be sent back as it is.
	const cookie = csrf?.header === 'X-XSRF-TOKEN'
			? document.cookie.split('; ').find((each) => each.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) : undefined;
	try {
		return await send(url, body, more, csrf?.header, cookie ? decodeURIComponent(cookie) : csrf?.token);
	}
	catch (error) {
		if (![401, 403].includes(error.status) || !csrf) {
			throw error;
		}
	}
	// The token may be of a session that has ended, or the application may want it in its other form.
	const fresh = (await loadSettings()).csrf;
	return send(url, body, more, fresh?.header, fresh?.token);
}

function send(url, body, more, header, token) {
	const headers = { 'Content-Type': 'application/json', ...more };
	if (header) {
		headers[header] = token;
	}
	return ask(url, { method: 'POST', body: write(body), headers });
}

async function ask(url, options = {}) {
	let answer;
	try {
		answer = await fetch(url, {
			...options,
			cache: 'no-cache',
			credentials: 'same-origin',
			redirect: 'manual',
			headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest', ...options.headers }
		});
	}
	catch {
		throw new AnswerError(0, 'The application does not answer.');
	}
	if (answer.type === 'opaqueredirect' || answer.status === 401) {
		throw new AnswerError(401, 'You are not logged in, or no longer. Reload the page to log in.');
	}
	if (!answer.ok) {
		throw await refusal(answer);
	}
	if (answer.status === 204) {
		return null;
	}
	const text = await answer.text();
	try {
		return text ? parse(text, 'arguments') : null;
	}
	catch {
		throw new AnswerError(answer.status, 'The answer is no JSON. Reload the page if you have to log in again.');
	}
}

async function refusal(answer) {
	const sentences = {
		403: 'You may not do that: the application refuses it (403).',
		404: 'There is no such thing (404).',
		405: 'This operation is switched off (405).',
		409: 'It is too late (409).',
		412: 'It has changed since you saw it (412).',
		422: 'The tool cannot take this (422).'
	};
	let detail = '';
	let mistakes = [];
	try {
		const body = await answer.json();
		mistakes = Array.isArray(body.mistakes) ? body.mistakes.map(String) : [];
		detail = (body.status !== undefined ? null : body.error) ?? body.detail ?? body.message ?? body.error_message ?? '';
	}
	catch {
		// No JSON: the status says enough.
	}
	const sentence = sentences[answer.status] ?? `The application answered with status ${answer.status}.`;
	return new AnswerError(answer.status, detail && detail !== 'No message available' ? `${sentence} ${detail}` : sentence, mistakes);
}
