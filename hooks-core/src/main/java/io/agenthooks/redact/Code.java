package io.agenthooks.redact;

import java.util.Locale;

/**
 * Tells references of source code from values: {@code this.token = token;},
 * {@code login(token=token)}, {@code const token = request.token;},
 * {@code token: Token,}.
 */
final class Code {

	private static final int MAX_NAME = 100;

	private Code() {
	}

	/**
	 * Whether what stands behind a name is no value, but refers to one or to a type.
	 */
	static boolean assigns(String text, int start, int end) {
		int last = end;
		while (last > start && ",;)".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		String value = text.substring(start, last);
		if (value.isEmpty() || !value.chars().allMatch(Code::isInReference) || value.charAt(0) == '.') {
			return false;
		}
		int sign = back(text, start);
		char assignment = (sign > 0) ? text.charAt(sign - 1) : ' ';
		boolean isDeclared = sign > 1 && text.startsWith(":=", sign - 2);
		int nameEnd = back(text, Math.max(0, sign - ((isDeclared) ? 2 : 1)));
		int nameStart = nameEnd;
		while (nameStart > 0 && nameEnd - nameStart < MAX_NAME && isInReference(text.charAt(nameStart - 1))) {
			nameStart--;
		}
		String name = text.substring(nameStart, nameEnd);
		char after = (last < text.length()) ? text.charAt(last) : '\n';
		if (assignment == ':') {
			return isType(value, name) && ",;)<[".indexOf(after) >= 0;
		}
		return assignment == '=' && isReference(value, name, after, isDeclared, sign < start);
	}

	/**
	 * Whether a name is given what another one refers to.
	 */
	private static boolean isReference(String value, String name, char after, boolean isDeclared, boolean isSpaced) {
		boolean isDotted = value.indexOf('.') > 0;
		boolean isSame = value.equals(name.substring(name.lastIndexOf('.') + 1));
		if (!isSpaced) {
			return isSame && (after == ')' || after == ',');
		}
		boolean isOfObject = name.startsWith("this.") || name.startsWith("self.");
		return (isDeclared && isDotted) || isOfObject || (after == ';' && (isSame || isDotted));
	}

	private static int back(String text, int end) {
		int position = end;
		while (position > 0 && text.charAt(position - 1) == ' ') {
			position--;
		}
		return position;
	}

	private static boolean isInReference(int character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_'
				|| character == '.' || character == '$';
	}

	/**
	 * Whether this is a type that is named after what it holds.
	 */
	private static boolean isType(String value, String name) {
		return Character.isUpperCase(value.charAt(0)) && !name.isEmpty()
				&& (value.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT)) || value.equals("Option")
						|| value.equals("Optional") || value.equals("String"));
	}

}
