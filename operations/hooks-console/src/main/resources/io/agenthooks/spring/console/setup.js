// Says which property switches on what is missing.

import { endpoint } from './api.js';
import { el, notice } from './dom.js';

function property(text) {
	return el('pre', { class: 'code', tabindex: '0' }, text);
}

export function missing(id, settings, more) {
	if (!settings.actuator) {
		return notice('The console needs Spring Boot Actuator.',
				el('p', {}, 'Add this dependency, and expose the endpoints:'),
				property('org.springframework.boot:spring-boot-starter-actuator'), exposure());
	}
	return notice(`The endpoint '${id}' is not exposed.`, ...(more ?? []),
			el('p', {}, 'Expose it in the configuration of the application:'), exposure());
}

function exposure() {
	return property('management.endpoints.web.exposure.include: "health,toolhooks,toolcalls,toolaudit"');
}

/** Why something cannot be written, or nothing if it can. */
export function switchedOff(operation, what) {
	if (endpoint('toolhooks')?.[operation]) {
		return null;
	}
	return notice(`${what} is switched off.`, el('p', {}, 'To switch it on, allow writing to the endpoint:'),
			property('management.endpoint.toolhooks.access: unrestricted'));
}
