package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.Written.Mapping;
import io.agenthooks.redact.Written.Member;
import io.agenthooks.redact.Written.Scalar;
import io.agenthooks.redact.Written.Sequence;
import io.agenthooks.redact.Written.Style;

/**
 * Reads the lines of a text that are YAML: maps, lists, and texts in lines of their own,
 * as far as their indentation tells. Keys with spaces that are no names of secrets, tabs
 * before a line, and complex keys are left to patterns.
 */
final class YamlText {

	private static final int MAX_DEPTH = 60;

	private static final int MAX_NAME = 100;

	/** Keys of more words are sentences. */
	private static final int MAX_WORDS = 3;

	/** The cost of reading a character, compared to searching it. */
	private static final int READING = 3;

	/** The cost of reading a name. */
	private static final int NAME = 30;

	private final String text;

	private final Budget budget;

	private final List<Integer> starts = new ArrayList<>();

	private final List<Integer> ends = new ArrayList<>();

	private int line;

	/** The end of the lines without an empty one between them. */
	private int flowEnd;

	/** Whether there was more than names and values. */
	private boolean isNested;

	/** Whether there was a text that YAML wants in quotes. */
	private boolean isBroken;

	private int depth;

	private YamlText(String text, Budget budget) {
		this.text = text;
		this.budget = budget;
		for (int start = 0; start < text.length();) {
			int end = text.indexOf('\n', start);
			end = (end < 0) ? text.length() : end;
			this.starts.add(start);
			int last = end;
			while (last > start && (text.charAt(last - 1) == '\r' || text.charAt(last - 1) == ' ')) {
				last--;
			}
			this.ends.add(last);
			start = end + 1;
		}
	}

	static List<Written> find(String text, Budget budget) {
		if (!mayBe(text, budget)) {
			return List.of();
		}
		budget.spend((long) READING * text.length());
		return new YamlText(text, budget).find();
	}

	/**
	 * Whether there is a name that says that its value is a secret, or may say what a
	 * value beside it is: one with a colon, or behind the dash of a list.
	 */
	private static boolean mayBe(String text, Budget budget) {
		if (text.contains("kind: Secret") || text.contains("type: Opaque")
				|| (text.indexOf('[') >= 0 && WrittenValues.hasOption(text, budget))) {
			return true;
		}
		for (int i = text.indexOf(':'); i >= 0; i = text.indexOf(':', i + 1)) {
			budget.spend(NAME);
			if ((i + 1 == text.length() || " \r\n".indexOf(text.charAt(i + 1)) >= 0) && tellsBefore(text, i)) {
				return true;
			}
		}
		for (int i = text.indexOf("- "); i >= 0; i = text.indexOf("- ", i + 1)) {
			budget.spend(NAME);
			boolean isDash = i == 0 || " \n".indexOf(text.charAt(i - 1)) >= 0;
			if (isDash && tellsBehind(text, i + 2)) {
				return true;
			}
		}
		return false;
	}

	private static boolean tellsBefore(String text, int colon) {
		int end = (colon > 0 && isQuote(text.charAt(colon - 1))) ? colon - 1 : colon;
		int start = end;
		while (start > 0 && end - start < MAX_NAME && isInKey(text.charAt(start - 1))) {
			start--;
		}
		if (start == end) {
			return false;
		}
		String name = text.substring(start, end);
		return tells(name) || (SecretNames.isValueOfPair(name) && text.indexOf('\n') >= 0)
				|| (SecretNames.isNameOfPair(name) && tellsBehind(text, Math.min(colon + 2, text.length())));
	}

	private static boolean tellsBehind(String text, int start) {
		int first = (start < text.length() && isQuote(text.charAt(start))) ? start + 1 : start;
		int end = first;
		while (end < text.length() && end - first < MAX_NAME && isInKey(text.charAt(end))) {
			end++;
		}
		boolean isLast = end == text.length() || "\r\n\"'".indexOf(text.charAt(end)) >= 0;
		String name = text.substring(first, end);
		return isLast && tells(name);
	}

	private static boolean isQuote(char character) {
		return character == '"' || character == '\'';
	}

	private static boolean isInKey(char character) {
		return Character.isLetterOrDigit(character) || "_.$/@+~-\u200b".indexOf(character) >= 0;
	}

	private List<Written> find() {
		List<Written> found = new ArrayList<>();
		skipBlank();
		int top = this.line;
		while (skipBlank()) {
			this.isNested = false;
			this.isBroken = false;
			int first = this.line;
			Written block = block(indent());
			if (block == null) {
				this.line++;
				continue;
			}
			boolean isLong = this.line > first + 1 || this.text.endsWith("\n");
			boolean isAlone = (first == top && !skipBlank()) || isFenced(first);
			if (this.isNested || (isLong && isAlone && !this.isBroken)) {
				found.add(block);
			}
		}
		return found;
	}

	private boolean isFenced(int line) {
		return line > 0 && this.text.startsWith("```", this.starts.get(line - 1));
	}

	private boolean skipBlank() {
		while (this.line < this.starts.size()) {
			int start = this.starts.get(this.line) + indent();
			int end = this.ends.get(this.line);
			if (start < end && this.text.charAt(start) != '#' && !isMarker(start, end)) {
				return true;
			}
			this.line++;
		}
		return false;
	}

	private boolean isMarker(int start, int end) {
		return end - start == 3 && start == this.starts.get(this.line)
				&& (this.text.startsWith("---", start) || this.text.startsWith("...", start));
	}

	private int indent() {
		int start = this.starts.get(this.line);
		int position = start;
		while (position < this.ends.get(this.line) && this.text.charAt(position) == ' ') {
			position++;
		}
		return position - start;
	}

	/**
	 * Read what stands at an indentation: where the line starts, or behind a dash;
	 * {@code null} if it is neither list nor map.
	 */
	private @Nullable Written block(int indent) {
		int position = this.starts.get(this.line) + indent;
		if (isDash(position)) {
			return descend(() -> sequence(indent));
		}
		if (indent == 0 && "{[".indexOf(this.text.charAt(position)) >= 0) {
			return flow(position, endOfFlow());
		}
		return (endOfKey(position) > 0) ? descend(() -> mapping(indent)) : null;
	}

	private <T extends @Nullable Written> T descend(Supplier<T> reader) {
		if (++this.depth > MAX_DEPTH) {
			throw new Budget.ExhaustedException();
		}
		try {
			return reader.get();
		}
		finally {
			this.depth--;
		}
	}

	private boolean isDash(int position) {
		return position < this.ends.get(this.line) && this.text.charAt(position) == '-'
				&& (position + 1 == this.ends.get(this.line) || this.text.charAt(position + 1) == ' ');
	}

	/** The colon of a key, or -1 if there is no key. */
	private int endOfKey(int start) {
		int end = this.ends.get(this.line);
		int position = start;
		if (position < end && isQuote(this.text.charAt(position))) {
			position = find(this.text.substring(start, start + 1), start + 1, end) + 1;
		}
		else {
			while (position < end && isInKey(this.text.charAt(position))) {
				position++;
			}
			if (position > start && position < end && this.text.charAt(position) == ' ') {
				return endOfWords(start, position, end);
			}
		}
		boolean isKey = position > start && position < end && this.text.charAt(position) == ':'
				&& (position + 1 == end || this.text.charAt(position + 1) == ' ');
		return (isKey) ? position : -1;
	}

	/**
	 * The colon of a key of some words that is a name of secrets, with what is below it,
	 * or -1: other words in a row may be prose.
	 */
	private int endOfWords(int start, int space, int end) {
		int position = space;
		while (position < end && position - start < MAX_NAME
				&& (this.text.charAt(position) == ' ' || isInKey(this.text.charAt(position)))) {
			position++;
		}
		int behind = skipSpaces(Math.min(position + 1, end));
		boolean hasValueBelow = position < end && this.text.charAt(position) == ':'
				&& (behind == end || "{[".indexOf(this.text.charAt(behind)) >= 0);
		String name = (hasValueBelow) ? this.text.substring(start, position) : "";
		return (name.split(" ", MAX_WORDS + 1).length <= MAX_WORDS && tells(name)) ? position : -1;
	}

	private boolean isNextAt(int indent) {
		return skipBlank() && indent() == indent;
	}

	private Written sequence(int indent) {
		List<Written> elements = new ArrayList<>();
		int first = this.starts.get(this.line) + indent;
		do {
			int dash = this.starts.get(this.line) + indent;
			if (!isDash(dash)) {
				break;
			}
			int position = skipSpaces(dash + 1);
			if (position == this.ends.get(this.line)) {
				this.line++;
				elements.add(nested(indent, position));
			}
			else {
				int inner = position - this.starts.get(this.line);
				Written block = block(inner);
				elements.add((block != null) ? block : scalar(position, indent));
			}
		}
		while (isNextAt(indent));
		return new Sequence(elements, first, lastEnd());
	}

	private Written mapping(int indent) {
		List<Member> members = new ArrayList<>();
		int first = this.starts.get(this.line) + indent;
		do {
			int start = this.starts.get(this.line) + indent;
			int colon = endOfKey(start);
			if (colon < 0) {
				break;
			}
			Scalar name = new Scalar(unquoted(start, colon), start, colon, Style.QUOTED);
			members.add(new Member(name, member(name, indent, skipSpaces(colon + 1))));
		}
		while (isNextAt(indent));
		this.isNested |= members.size() > 1 && first > this.starts.get(0) && this.text.charAt(first - 1) == ' '
				&& isInList(first);
		return new Mapping(members, first, lastEnd());
	}

	/** Whether a map starts behind the dash of a list. */
	private boolean isInList(int position) {
		int before = position - 1;
		while (before > 0 && this.text.charAt(before) == ' ') {
			before--;
		}
		return this.text.charAt(before) == '-';
	}

	private Object unquoted(int start, int end) {
		String name = this.text.substring(start, end);
		return (isQuote(name.charAt(0)) && name.length() > 1) ? name.substring(1, name.length() - 1) : name;
	}

	private Written member(Scalar name, int indent, int position) {
		int start = skipProperties(position);
		if (start < this.ends.get(this.line) && this.text.charAt(start) != '#') {
			return scalar(start, indent);
		}
		this.line++;
		boolean isList = skipBlank() && indent() == indent && isDash(this.starts.get(this.line) + indent);
		Written nested = (isList) ? descend(() -> sequence(indent)) : nested(indent, position);
		this.isNested |= isList;
		if (tells(String.valueOf(name.value()))) {
			return withLinesBelow(nested, indent);
		}
		return nested;
	}

	private static boolean tells(String name) {
		return SecretNames.tells(name) || SecretNames.isCredentials(name);
	}

	/** All lines below a name of secrets belong to it, also those that cannot be read. */
	private Written withLinesBelow(Written nested, int indent) {
		List<Written> all = new ArrayList<>(List.of(nested));
		while (skipBlank() && indent() > indent) {
			int start = this.starts.get(this.line) + indent();
			all.add(new Scalar(this.text.substring(start, this.ends.get(this.line)), start, this.ends.get(this.line),
					Style.QUOTED));
			this.line++;
		}
		return (all.size() == 1) ? nested : new Sequence(all, nested.start(), lastEnd());
	}

	private Written nested(int indent, int position) {
		if (!skipBlank() || indent() <= indent) {
			return new Scalar(null, position, position, Style.PLAIN);
		}
		this.isNested = true;
		int inner = indent();
		Written block = block(inner);
		return (block != null) ? block : scalar(this.starts.get(this.line) + inner, indent);
	}

	private int skipSpaces(int start) {
		int position = start;
		while (position < this.ends.get(this.line) && this.text.charAt(position) == ' ') {
			position++;
		}
		return position;
	}

	/** Skip what says of which type a value is, or how it is called. */
	private int skipProperties(int start) {
		int position = start;
		int end = this.ends.get(this.line);
		while (position < end && (this.text.charAt(position) == '&' || this.text.charAt(position) == '!')) {
			int space = find(" ", position, end);
			position = (space < 0) ? end : skipSpaces(space);
		}
		return position;
	}

	private Written scalar(int position, int indent) {
		int end = this.ends.get(this.line);
		char first = this.text.charAt(position);
		if (first == '|' || first == '>') {
			return lines(position, indent);
		}
		if ((first == '[' && !Markers.isAt(this.text, position)) || first == '{') {
			Written flow = flow(position, endOfLinesBelow(indent));
			if (flow != null) {
				return flow;
			}
		}
		if (isQuote(first)) {
			int close = endOfQuoted(position, endOfLinesBelow(indent));
			if (close > 0 && isRestBlank(close)) {
				String inside = this.text.substring(position + 1, close - 1);
				String said = (first == '"') ? JsonText.unescaped(inside, 0, inside.length())
						: inside.replace("''", "'");
				moveBehind(close);
				return new Scalar((said != null) ? said : inside, position, close, Style.QUOTED);
			}
		}
		int comment = find(" #", position, end);
		int last = (comment > 0) ? comment : end;
		while (last > position + 1 && this.text.charAt(last - 1) == ' ') {
			last--;
		}
		this.line++;
		while (last == end && this.line < this.starts.size() && indent() > indent && isContinued()) {
			last = this.ends.get(this.line);
			end = last;
			this.line++;
		}
		this.isBroken |= find(": ", position, last) >= 0;
		return JsonText.plain(this.text, position, last);
	}

	private @Nullable Written flow(int position, int limit) {
		Written shown = JsonText.shownAt(this.text, position, limit).read(this.budget);
		Written flow = (shown != null && isRestBlank(shown.end())) ? shown
				: JsonText.flowAt(this.text, position, limit).read(this.budget);
		if (flow == null || !isRestBlank(flow.end())) {
			return null;
		}
		this.isNested = true;
		moveBehind(flow.end());
		return flow;
	}

	/**
	 * Where a document that is one value in brackets ends at the latest: before an empty
	 * line, or a line that tells documents apart.
	 */
	private int endOfFlow() {
		if (this.starts.get(this.line) < this.flowEnd) {
			return this.flowEnd;
		}
		int line = this.line;
		while (line + 1 < this.starts.size() && this.starts.get(line + 1) < this.ends.get(line + 1)
				&& !this.text.startsWith("---", this.starts.get(line + 1))) {
			line++;
		}
		this.flowEnd = this.ends.get(line);
		return this.flowEnd;
	}

	/** Find some characters in a line, and not in all lines behind it. */
	private int find(String characters, int start, int end) {
		for (int i = start; i + characters.length() <= end; i++) {
			if (this.text.startsWith(characters, i)) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * Whether a line goes on with the text of the line before: it is neither empty nor a
	 * key.
	 */
	private boolean isContinued() {
		int start = this.starts.get(this.line) + indent();
		return start < this.ends.get(this.line) && this.text.charAt(start) != '#' && endOfKey(start) < 0;
	}

	/**
	 * Where the lines end that are further in than an indentation, with the line itself.
	 */
	private int endOfLinesBelow(int indent) {
		int current = this.line;
		int end = this.ends.get(current);
		this.line++;
		while (this.line < this.starts.size()
				&& (indent() > indent || this.starts.get(this.line).equals(this.ends.get(this.line))
						|| "]}".indexOf(this.text.charAt(this.starts.get(this.line) + indent())) >= 0)) {
			end = this.ends.get(this.line);
			this.line++;
		}
		this.budget.spend((long) end - this.ends.get(current));
		this.line = current;
		return end;
	}

	private int endOfQuoted(int start, int limit) {
		char quote = this.text.charAt(start);
		for (int i = start + 1; i < limit; i++) {
			char character = this.text.charAt(i);
			if (character == '\\' && quote == '"') {
				i++;
			}
			else if (character == quote) {
				if (quote == '"' || i + 1 >= limit || this.text.charAt(i + 1) != '\'') {
					return i + 1;
				}
				i++;
			}
		}
		return -1;
	}

	/** Whether nothing but a comment stands behind a value in its line. */
	private boolean isRestBlank(int position) {
		int end = this.text.indexOf('\n', position);
		String rest = this.text.substring(position, (end < 0) ? this.text.length() : end).strip();
		return rest.isEmpty() || rest.charAt(0) == '#';
	}

	private void moveBehind(int position) {
		while (this.line < this.starts.size() && this.starts.get(this.line) < position) {
			this.line++;
		}
	}

	private Written lines(int position, int indent) {
		StringBuilder said = new StringBuilder();
		int end = this.ends.get(this.line);
		int inner = -1;
		this.line++;
		this.isNested = true;
		while (this.line < this.starts.size()) {
			int start = this.starts.get(this.line);
			boolean isBlank = start + indent() >= this.ends.get(this.line);
			if (!isBlank && indent() <= indent) {
				break;
			}
			inner = (inner < 0 && !isBlank) ? indent() : inner;
			if (isBlank) {
				said.append('\n');
			}
			else {
				said.append(this.text, Math.min(start + inner, start + indent()), this.ends.get(this.line))
					.append('\n');
				end = this.ends.get(this.line);
			}
			this.line++;
		}
		return new Scalar(said.toString(), position, end, Style.BLOCK);
	}

	private int lastEnd() {
		int last = Math.min(this.line, this.starts.size()) - 1;
		while (last > 0 && this.starts.get(last).equals(this.ends.get(last))) {
			last--;
		}
		return this.ends.get(last);
	}

}
