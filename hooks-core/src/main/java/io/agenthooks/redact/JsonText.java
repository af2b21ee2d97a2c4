package io.agenthooks.redact;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.Written.Mapping;
import io.agenthooks.redact.Written.Member;
import io.agenthooks.redact.Written.Scalar;
import io.agenthooks.redact.Written.Sequence;
import io.agenthooks.redact.Written.Style;

/**
 * Reads JSON where it stands in a text. What is no JSON is {@code null}: this never
 * guesses. In other dialects it reads what YAML writes in brackets, and what Python and
 * JavaScript show of their objects.
 */
final class JsonText {

	/** Values that are nested deeper cannot be searched. */
	private static final int MAX_DEPTH = 200;

	/** The most characters of an object in angle brackets, as Python shows it. */
	private static final int MAX_SHOWN = 400;

	/** Numbers with more digits cannot be searched. */
	private static final int MAX_NUMBER = 1_000;

	/** The cost of reading a character, compared to searching it. */
	private static final int READING = 2;

	/** Values of Python and JavaScript that are neither text, number, list nor map. */
	private static final Set<String> SHOWN = Set.of("None", "True", "False", "null", "true", "false", "undefined",
			"nan", "inf", "NaN", "Infinity", "Object", "Array");

	private final String text;

	private final int limit;

	private final Dialect dialect;

	private int position;

	private int depth;

	/** Whether what ends too early, or goes on as no JSON, counts up to there. */
	private boolean isCutAllowed;

	/** Whether it did. */
	private boolean isCut;

	private JsonText(String text, int start, int limit, Dialect dialect) {
		this.text = text;
		this.position = start;
		this.limit = limit;
		this.dialect = dialect;
	}

	static JsonText at(String text, int start, int limit) {
		return new JsonText(text, start, limit, Dialect.JSON);
	}

	static JsonText flowAt(String text, int start, int limit) {
		return new JsonText(text, start, limit, Dialect.YAML);
	}

	static JsonText shownAt(String text, int start, int limit) {
		return new JsonText(text, start, limit, Dialect.SHOWN);
	}

	/** Read the value; {@code null} if there is none. */
	@Nullable Written read(Budget budget) {
		int start = this.position;
		Written value = value();
		budget.spend((long) READING * (this.position - start) + 1);
		return value;
	}

	/**
	 * Read the value, or what there is of it before the text ends or goes on as something
	 * else; {@code null} if that is no member of a map.
	 */
	@Nullable Written readBeginning(Budget budget) {
		this.isCutAllowed = isJson();
		return read(budget);
	}

	int position() {
		return this.position;
	}

	private @Nullable Written value() {
		if (this.position >= this.limit) {
			return null;
		}
		return switch (this.text.charAt(this.position)) {
			case '{' -> mapping();
			case '[' -> sequence(']');
			case '"' -> string();
			case '\'' -> (isJson()) ? null : singleQuoted();
			case '(' -> (isShown()) ? sequence(')') : other();
			default -> other();
		};
	}

	private @Nullable Written other() {
		return switch (this.dialect) {
			case JSON -> literal();
			case YAML -> word(false);
			case SHOWN -> shown();
		};
	}

	private boolean isJson() {
		return this.dialect == Dialect.JSON;
	}

	private boolean isShown() {
		return this.dialect == Dialect.SHOWN;
	}

	private @Nullable Written mapping() {
		int start = this.position++;
		List<Member> members = new ArrayList<>();
		descend();
		skipSpace();
		while (!isAt('}')) {
			Scalar name = name();
			skipSpace();
			if (name == null || this.isCut || !isAt(':')) {
				return cut(members.isEmpty(), new Mapping(members, start, this.position));
			}
			this.position++;
			skipSpace();
			Written value = value();
			if (value != null) {
				members.add(new Member(name, value));
			}
			if (value == null || this.isCut || !isEndOfElement('}')) {
				return cut(members.isEmpty(), new Mapping(members, start, this.position));
			}
		}
		this.position++;
		this.depth--;
		return new Mapping(members, start, this.position);
	}

	private @Nullable Written cut(boolean isEmpty, Written value) {
		this.isCut |= this.isCutAllowed;
		this.depth--;
		return (this.isCut && !isEmpty) ? value : null;
	}

	private void descend() {
		if (++this.depth > MAX_DEPTH) {
			throw new Budget.ExhaustedException();
		}
	}

	private @Nullable Scalar name() {
		if (this.position >= this.limit) {
			return null;
		}
		if (isAt('"')) {
			return string();
		}
		if (isJson()) {
			return null;
		}
		if (isAt('\'')) {
			return singleQuoted();
		}
		Scalar name = word(isShown());
		return (name != null)
				? new Scalar(this.text.substring(name.start(), name.end()), name.start(), name.end(), name.style())
				: null;
	}

	private @Nullable Written sequence(char end) {
		int start = this.position++;
		List<Written> elements = new ArrayList<>();
		descend();
		skipSpace();
		while (!isAt(end)) {
			Written element = value();
			if (element != null) {
				elements.add(element);
			}
			if (element == null || this.isCut || !isEndOfElement(end)) {
				return cut(elements.isEmpty(), new Sequence(elements, start, this.position));
			}
		}
		this.position++;
		this.depth--;
		return new Sequence(elements, start, this.position);
	}

	private boolean isEndOfElement(char end) {
		skipSpace();
		if (isAt(end)) {
			return true;
		}
		if (!isAt(',')) {
			return false;
		}
		this.position++;
		skipSpace();
		return !isJson() || !isAt(end);
	}

	private boolean isAt(char character) {
		return this.position < this.limit && this.text.charAt(this.position) == character;
	}

	private void skipSpace() {
		while (this.position < this.limit && " \t\r\n".indexOf(this.text.charAt(this.position)) >= 0) {
			this.position++;
		}
	}

	private @Nullable Scalar string() {
		int start = this.position++;
		boolean isEscaped = false;
		for (; this.position < this.limit; this.position++) {
			char character = this.text.charAt(this.position);
			if (character == '"') {
				this.position++;
				String said = this.text.substring(start + 1, this.position - 1);
				String value = (isEscaped) ? unescaped(said, 0, said.length()) : said;
				value = (value == null && isShown()) ? said : value;
				return (value != null) ? new Scalar(value, start, this.position, Style.QUOTED) : null;
			}
			if (character < ' ' && (isJson() || character == 0)) {
				return cutString(start);
			}
			if (character == '\\') {
				isEscaped = true;
				this.position++;
			}
		}
		return cutString(start);
	}

	private @Nullable Scalar cutString(int start) {
		int end = Math.min(this.position, this.limit);
		// What is read no further may go on.
		boolean isEnd = this.position < this.limit || this.limit == this.text.length();
		String value = (this.isCutAllowed && isEnd) ? unescaped(this.text, start + 1, end) : null;
		this.isCut |= value != null;
		return (value != null) ? new Scalar(value, start, end, Style.QUOTED) : null;
	}

	/** The text with its escapes of JSON decoded, or {@code null} if one is none. */
	static @Nullable String unescaped(String text, int start, int end) {
		StringBuilder said = new StringBuilder(end - start);
		for (int i = start; i < end; i++) {
			char character = text.charAt(i);
			if (character != '\\') {
				said.append(character);
				continue;
			}
			if (++i == end) {
				return null;
			}
			int escape = "\"\\/bfnrt".indexOf(text.charAt(i));
			if (escape >= 0) {
				said.append("\"\\/\b\f\n\r\t".charAt(escape));
				continue;
			}
			int code = (text.charAt(i) == 'u') ? hexAt(text, i + 1, end) : -1;
			if (code < 0) {
				return null;
			}
			said.append((char) code);
			i += 4;
		}
		return said.toString();
	}

	private static int hexAt(String text, int start, int end) {
		if (start + 4 > end) {
			return -1;
		}
		int code = 0;
		for (int i = start; i < start + 4; i++) {
			int digit = (text.charAt(i) < 0x80) ? Character.digit(text.charAt(i), 16) : -1;
			if (digit < 0) {
				return -1;
			}
			code = code << 4 | digit;
		}
		return code;
	}

	private @Nullable Scalar singleQuoted() {
		int start = this.position++;
		for (; this.position < this.limit; this.position++) {
			char character = this.text.charAt(this.position);
			if (character == '\\' && isShown()) {
				this.position++;
			}
			else if (character == '\'') {
				this.position++;
				if (isShown() || !isAt('\'')) {
					String said = this.text.substring(start + 1, this.position - 1);
					return new Scalar((isShown()) ? shownText(said) : said.replace("''", "'"), start, this.position,
							(isShown()) ? Style.SINGLE : Style.QUOTED);
				}
			}
		}
		return null;
	}

	private static String shownText(String said) {
		String unescaped = (said.indexOf('\\') < 0) ? said
				: unescaped(said.replace("\\'", "'"), 0, said.replace("\\'", "'").length());
		return (unescaped != null) ? unescaped : said;
	}

	/**
	 * Read a number, or what stands for a value that is neither text nor list: a word of
	 * the language, or a call. Any other word is code, and no value.
	 */
	private @Nullable Scalar shown() {
		int start = this.position;
		if (isAt('<')) {
			int end = this.text.substring(start, Math.min(this.limit, start + MAX_SHOWN)).indexOf('>');
			this.position = (end > 0) ? start + end + 1 : this.limit;
			return new Scalar(null, start, this.position, Style.QUOTED);
		}
		Scalar word = word(false);
		if (word == null || !(word.value() instanceof String said) || SHOWN.contains(said)) {
			return word;
		}
		boolean isCall = said.endsWith(")") && said.indexOf('(') > 0 && Character.isLetter(said.charAt(0));
		return (isCall) ? new Scalar(said, start, this.position, Style.QUOTED) : null;
	}

	private @Nullable Scalar literal() {
		int start = this.position;
		while (this.position < this.limit && isInLiteral(this.text.charAt(this.position))) {
			this.position++;
		}
		Object value = literalOf(this.text, start, this.position);
		return (value != null) ? new Scalar((NULL.equals(value)) ? null : value, start, this.position, Style.QUOTED)
				: null;
	}

	private static boolean isInLiteral(char character) {
		return (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '-'
				|| character == '+' || character == '.' || character == 'E';
	}

	static final Object NULL = new Object();

	/**
	 * The value of a word of JSON, {@link #NULL} for that word, or {@code null} if it is
	 * none.
	 */
	static @Nullable Object literalOf(String text, int start, int end) {
		if (start == end) {
			return null;
		}
		return switch (text.charAt(start)) {
			case 't' -> (isWord(text, start, end, "true")) ? Boolean.TRUE : null;
			case 'f' -> (isWord(text, start, end, "false")) ? Boolean.FALSE : null;
			case 'n' -> (isWord(text, start, end, "null")) ? NULL : null;
			default -> (isNumber(text, start, end)) ? numberOf(text, start, end) : null;
		};
	}

	private static boolean isWord(String text, int start, int end, String word) {
		return end - start == word.length() && text.startsWith(word, start);
	}

	private static boolean isNumber(String text, int start, int end) {
		int position = (text.charAt(start) == '-') ? start + 1 : start;
		int digits = endOfDigits(text, position, end);
		if (digits == position || (text.charAt(position) == '0' && digits > position + 1)) {
			return false;
		}
		position = digits;
		if (position < end && text.charAt(position) == '.') {
			digits = endOfDigits(text, position + 1, end);
			if (digits == position + 1) {
				return false;
			}
			position = digits;
		}
		if (position < end && (text.charAt(position) == 'e' || text.charAt(position) == 'E')) {
			position++;
			if (position < end && (text.charAt(position) == '+' || text.charAt(position) == '-')) {
				position++;
			}
			digits = endOfDigits(text, position, end);
			return digits > position && digits == end;
		}
		return position == end;
	}

	private static int endOfDigits(String text, int start, int end) {
		int position = start;
		while (position < end && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
			position++;
		}
		return position;
	}

	/** A number, or what cannot be searched if it is too long. */
	private static Object numberOf(String text, int start, int end) {
		if (end - start > MAX_NUMBER) {
			return new Object();
		}
		try {
			return new BigDecimal(text.substring(start, end));
		}
		catch (NumberFormatException ex) {
			return new Object();
		}
	}

	/** Read a word without quotes, up to what ends it in brackets. */
	private @Nullable Scalar word(boolean isName) {
		int start = this.position;
		int calls = 0;
		while (this.position < this.limit) {
			char character = this.text.charAt(this.position);
			if (isShown() && (character == '(' || (character == ')' && calls > 0))) {
				calls += (character == '(') ? 1 : -1;
			}
			else if (isShown() && (character == ')' || (isName && character == ':'))) {
				break;
			}
			else if (calls > 0 && "\r\n".indexOf(character) < 0) {
				this.position++;
				continue;
			}
			if (",[]{}\r\n".indexOf(character) >= 0 || (character == ':' && (this.position + 1 >= this.limit
					|| " \r\n,]}".indexOf(this.text.charAt(this.position + 1)) >= 0))) {
				break;
			}
			this.position++;
		}
		int end = this.position;
		while (end > start && (this.text.charAt(end - 1) == ' ' || this.text.charAt(end - 1) == '\t')) {
			end--;
		}
		return (end > start) ? plain(this.text, start, end) : null;
	}

	/** A word without quotes, which may be a number or none. */
	static Scalar plain(String text, int start, int end) {
		Object literal = (end - start == 1 && text.charAt(start) == '~') ? NULL : literalOf(text, start, end);
		Object value = (literal != null) ? literal : text.substring(start, end);
		return new Scalar((NULL.equals(value)) ? null : value, start, end, Style.PLAIN);
	}

	static String write(@Nullable Object value) {
		if (value == null) {
			return "null";
		}
		String text = value.toString();
		StringBuilder json = new StringBuilder(text.length() + 2).append('"');
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			int escape = "\"\\\b\f\n\r\t".indexOf(character);
			if (escape >= 0) {
				json.append('\\').append("\"\\bfnrt".charAt(escape));
			}
			else if (character < ' ') {
				json.append("\\u00")
					.append(Character.forDigit(character >> 4, 16))
					.append(Character.toUpperCase(Character.forDigit(character & 0xF, 16)));
			}
			else {
				json.append(character);
			}
		}
		return json.append('"').toString();
	}

	/** The dialects that are read beside JSON. */
	private enum Dialect {

		JSON, YAML, SHOWN

	}

}
