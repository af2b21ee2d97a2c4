// JSON in which numbers stay as they are written: JavaScript rounds those above 2^53, and 1.0 to 1.

const TOKEN = /\s*(?:([{}[\],:])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?\d[\d.eE+-]*)|([a-z]+))/y;

/** A number that JavaScript would write in another way. */
export class ExactNumber {

	constructor(text) {
		this.text = text;
	}

	valueOf() {
		return Number(this.text);
	}

	toString() {
		return this.text;
	}

	toJSON() {
		return this.text;
	}

}

/**
 * Read JSON. Numbers below members of this name are exact, or all of them.
 */
export function parse(text, exactly = null) {
	// Refuses what is none, and is enough if there is no such member.
	const rounded = JSON.parse(text);
	if (exactly !== null && !text.includes(`"${exactly}"`)) {
		return rounded;
	}
	TOKEN.lastIndex = 0;
	return read(text, next(text), exactly);
}

function next(text) {
	return TOKEN.exec(text).slice(1);
}

function read(text, [sign, string, number, word], exactly) {
	if (string !== undefined || word !== undefined) {
		return JSON.parse(string ?? word);
	}
	if (number !== undefined) {
		return exactly === null && String(Number(number)) !== number ? new ExactNumber(number) : Number(number);
	}
	const made = sign === '[' ? [] : {};
	for (let token = next(text); token[0] !== ']' && token[0] !== '}'; token = next(text)) {
		if (token[0] === ',') {
			continue;
		}
		if (sign === '[') {
			made.push(read(text, token, exactly));
			continue;
		}
		const key = JSON.parse(token[1]);
		next(text);
		const value = read(text, next(text), key === exactly ? null : exactly);
		// A plain assignment would make '__proto__' something else than a member.
		Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true });
	}
	return made;
}

/** Write JSON, with numbers as they were read. */
export function write(value, indent = '', before = '\n') {
	if (value instanceof ExactNumber) {
		return value.text;
	}
	if (value === null || typeof value !== 'object') {
		return JSON.stringify(value);
	}
	const inner = before + indent;
	const parts = Array.isArray(value) ? value.map((each) => write(each, indent, inner))
			: Object.entries(value).filter(([, each]) => each !== undefined)
				.map(([key, each]) => JSON.stringify(key) + (indent ? ': ' : ':') + write(each, indent, inner));
	const [open, close] = Array.isArray(value) ? '[]' : '{}';
	return parts.length && indent ? open + inner + parts.join(',' + inner) + before + close : open + parts.join(',') + close;
}
