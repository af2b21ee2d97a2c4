package io.agenthooks.redact;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells references of source code from values: {@code this.token = token;},
 * {@code login(token=token)}, {@code const token = request.token;},
 * {@code token: Token,}.
 */
final class Code {

	private static final int MAX_NAME = 100;

	/** Where the environment of a process is read. */
	private static final Pattern ENVIRONMENT = Pattern
		.compile("(?:process\\.env|import\\.meta\\.env|os\\.environ|os\\.env|ENV|env|System\\.env)[.\\[].*");

	private static final Set<String> TYPES = Set.of("string", "str", "text", "varchar", "char", "bytes", "byte", "id",
			"int", "integer", "number", "float", "bool", "boolean", "any", "unknown", "never", "object", "null",
			"undefined", "none", "optional", "option", "nullable", "list", "array", "vec", "box", "set", "map",
			"hashmap", "dict", "record", "readonly", "mut", "static", "u", "i", "uuid", "secretstr", "secretstring");

	/** The most characters of a type. */
	private static final int MAX_TYPE = 80;

	private Code() {
	}

	/** Whether a name is followed by a reference or a type rather than a value. */
	static boolean assigns(String text, int start, int end) {
		int last = end;
		while (last > start && ",;)}".indexOf(text.charAt(last - 1)) >= 0) {
			last--;
		}
		String value = text.substring(start, last);
		int sign = back(text, start);
		char assignment = (sign > 0) ? text.charAt(sign - 1) : ' ';
		boolean isDeclared = sign > 1 && text.startsWith(":=", sign - 2);
		int nameEnd = back(text, Math.max(0, sign - ((isDeclared) ? 2 : 1)));
		boolean isQuoted = nameEnd > 0 && "'\"".indexOf(text.charAt(nameEnd - 1)) >= 0;
		nameEnd = (isQuoted) ? nameEnd - 1 : nameEnd;
		int nameStart = nameEnd;
		while (nameStart > 0 && nameEnd - nameStart < MAX_NAME && isInReference(text.charAt(nameStart - 1))) {
			nameStart--;
		}
		String name = text.substring(nameStart, nameEnd);
		if (value.isEmpty() || isParameter(value, name) || ENVIRONMENT.matcher(value).matches()) {
			return !value.isEmpty();
		}
		if (assignment == ':' && isTypeAt(text, start)) {
			return true;
		}
		if (assignment == '=' && isField(text, nameStart, value, last)) {
			return true;
		}
		if (!value.chars().allMatch(Code::isInReference) || value.charAt(0) == '.') {
			return false;
		}
		char after = (last < text.length()) ? text.charAt(last) : '\n';
		if (assignment == ':') {
			return (isType(value, name) && ",;)<[".indexOf(after) >= 0)
					|| (isSame(value, name) && (",)}".indexOf(after) >= 0 || (isQuoted && after == '\n')));
		}
		return assignment == '=' && isReference(value, name, after(text, last), isDeclared, sign < start);
	}

	/** No more than is looked at, since there may be many names in a long text. */
	private static String after(String text, int end) {
		return text.substring(end, Math.min(text.length(), end + 4));
	}

	/** Whether this is a parameter of a statement: {@code password = :password}. */
	private static boolean isParameter(String value, String name) {
		return value.length() > 1 && ":@$".indexOf(value.charAt(0)) >= 0 && value.substring(1).equals(name);
	}

	/**
	 * Whether a text field of a message is declared with its number, as in protocol
	 * buffers: {@code string password = 2;}.
	 */
	private static boolean isField(String text, int name, String value, int end) {
		int type = back(text, name);
		boolean isText = type < name && (text.startsWith("string", type - 6) || text.startsWith("bytes", type - 5));
		return isText && value.length() <= 5 && value.chars().allMatch(Character::isDigit)
				&& (text.startsWith(";", end) || text.startsWith(" [", end));
	}

	/** Whether a name is given what another one refers to. */
	private static boolean isReference(String value, String name, String rest, boolean isDeclared, boolean isSpaced) {
		char after = (rest.isEmpty()) ? '\n' : rest.charAt(0);
		boolean isDotted = value.indexOf('.') > 0;
		boolean isSame = isSame(value, name) || value.equals(name.substring(name.lastIndexOf('.') + 1));
		if (!isSpaced) {
			return isSame && (after == ')' || after == ',' || rest.startsWith(" or ") || rest.startsWith(" || "));
		}
		boolean isOfObject = name.startsWith("this.") || name.startsWith("self.");
		return (isDeclared && isDotted) || isOfObject || (after == ';' && (isSame || isDotted));
	}

	/**
	 * Whether a reference ends with the name that it is given to: {@code user.password}.
	 */
	private static boolean isSame(String value, String name) {
		return value.substring(value.lastIndexOf('.') + 1).equals(name);
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
	 * Whether nothing but a type stands at a position, up to what ends it:
	 * {@code string | null;}, {@code Optional[str] = None}.
	 */
	static boolean isTypeAt(String text, int start) {
		int depth = 0;
		int words = 0;
		int end = start;
		for (; end < text.length() && end - start < MAX_TYPE; end++) {
			char character = text.charAt(end);
			if (Character.isLetter(character)) {
				int word = end;
				while (end < text.length() && Character.isLetter(text.charAt(end))) {
					end++;
				}
				boolean isGeneric = end < text.length() && "[<".indexOf(text.charAt(end)) >= 0
						&& Character.isUpperCase(text.charAt(word));
				if (depth == 0 && !isGeneric && !TYPES.contains(text.substring(word, end).toLowerCase(Locale.ROOT))) {
					return false;
				}
				words++;
				end--;
			}
			else if ("<[(".indexOf(character) >= 0) {
				depth++;
			}
			else if (">])".indexOf(character) >= 0 && depth > 0) {
				depth--;
			}
			else if (depth == 0 && "\r\n,;)=}".indexOf(character) >= 0) {
				break;
			}
			else if ("\r\n".indexOf(character) >= 0 || (" |&?!.'*_".indexOf(character) < 0 && depth == 0)) {
				return false;
			}
		}
		return words > 0 && depth == 0 && end - start < MAX_TYPE;
	}

	/** Whether this is a type that is named after what it holds. */
	private static boolean isType(String value, String name) {
		return Character.isUpperCase(value.charAt(0)) && !name.isEmpty()
				&& value.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
	}

}
