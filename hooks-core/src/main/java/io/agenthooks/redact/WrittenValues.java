package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.Written.Mapping;
import io.agenthooks.redact.Written.Scalar;

/**
 * Finds values that are written in a text: the text as a whole, its lines, or parts of
 * it, in JSON or YAML. What is neither is left to patterns.
 */
final class WrittenValues {

	/** The most readings of the text for values that turn out to be none. */
	private static final int ATTEMPTS = 20;

	/** The greatest length of a name before a value. */
	private static final int MAX_NAME = 100;

	private final String text;

	private final Budget budget;

	private final List<Written> found;

	/** Whether lists of words may have an option of secrets. */
	private final boolean hasOption;

	/** The characters that may still be read in vain. */
	private long attempts;

	private WrittenValues(String text, Budget budget) {
		this.text = text;
		this.budget = budget;
		this.attempts = (long) ATTEMPTS * text.length();
		this.found = new ArrayList<>();
		this.hasOption = hasOption(text, budget);
	}

	static List<Written> find(String text, Budget budget) {
		boolean mayBeJson = text.indexOf('{') >= 0 || text.indexOf('[') >= 0 || text.startsWith("\"");
		if (!mayBeJson && text.indexOf(':') < 0 && text.indexOf("- ") < 0) {
			return List.of();
		}
		WrittenValues values = new WrittenValues(text, budget);
		Written whole = (mayBeJson) ? values.whole() : null;
		if (whole != null) {
			return List.of(whole);
		}
		values.found.addAll(YamlText.find(text, budget));
		if (mayBeJson) {
			values.findJson();
		}
		return values.found;
	}

	/** The value that the text is as a whole, or {@code null} if it is none. */
	private @Nullable Written whole() {
		int start = 0;
		int end = this.text.length();
		while (start < end && isSpace(this.text.charAt(start))) {
			start++;
		}
		while (end > start && isSpace(this.text.charAt(end - 1))) {
			end--;
		}
		if (end - start < 2 || "{[\"".indexOf(this.text.charAt(start)) < 0
				|| "}]\"".indexOf(this.text.charAt(end - 1)) < 0) {
			return null;
		}
		Written value = JsonText.at(this.text, start, end).read(this.budget);
		if ((value == null || value.end() != end) && mayBeShown(start, end)) {
			value = JsonText.shownAt(this.text, start, end).read(this.budget);
		}
		return (value != null && value.end() == end) ? value : null;
	}

	/** Whether a map in which Python or JavaScript would show texts may begin here. */
	private boolean mayBeShown(int bracket, int end) {
		int next = skipSpace(bracket + 1, end);
		if (next < end && this.text.charAt(next) == '{') {
			next = skipSpace(next + 1, end);
		}
		return next < end && (this.text.charAt(next) == '\'' || Character.isLetter(this.text.charAt(next)));
	}

	/**
	 * Whether there is an option in quotes that says that the next word is a secret:
	 * {@code ["--password", "x"]}.
	 */
	static boolean hasOption(String text, Budget budget) {
		for (int i = text.indexOf("--"); i >= 0; i = text.indexOf("--", i + 2)) {
			budget.spend(1);
			int end = i + 2;
			while (end < text.length() && end - i < MAX_NAME
					&& (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '-')) {
				end++;
			}
			if (i > 0 && end < text.length() && "\"'".indexOf(text.charAt(i - 1)) >= 0
					&& text.charAt(end) == text.charAt(i - 1) && SecretNames.tells(text.substring(i, end))) {
				return true;
			}
		}
		return false;
	}

	private int skipSpace(int start, int end) {
		int position = start;
		while (position < end && isSpace(this.text.charAt(position))) {
			position++;
		}
		return position;
	}

	private static boolean isSpace(char character) {
		return character == ' ' || character == '\n' || character == '\r' || character == '\t';
	}

	private void findJson() {
		List<Written> before = List.copyOf(this.found);
		int position = 0;
		for (Written value : before) {
			findJson(position, value.start());
			position = value.end();
		}
		findJson(position, this.text.length());
		this.found.sort(Comparator.comparingInt(Written::start));
	}

	private void findJson(int start, int end) {
		for (int i = start; i < end; i++) {
			char character = this.text.charAt(i);
			if ((character != '{' && character != '[') || !mayBegin(character, i, end)) {
				continue;
			}
			int limit = (int) Math.min(end, i + this.attempts);
			JsonText json = (mayBeShown(i, end)) ? JsonText.shownAt(this.text, i, limit)
					: JsonText.at(this.text, i, limit);
			Written value = json.readBeginning(this.budget);
			if (value != null) {
				this.found.add(value);
				i = value.end() - 1;
			}
			else {
				this.attempts -= json.position() - i;
			}
		}
	}

	/** Whether a map or a list of maps begins here, or a list that is named. */
	private boolean mayBegin(char bracket, int position, int end) {
		int next = skipSpace(position + 1, end);
		if (next == end) {
			return false;
		}
		char first = this.text.charAt(next);
		if (bracket == '{') {
			return first == '"' || mayBeShown(position, end);
		}
		int inner = (first == '[') ? skipSpace(next + 1, end) : end;
		return first == '{' || (inner < end && this.text.charAt(inner) == '"')
				|| (first != ']' && isNamed(this.text, position, SecretNames::tells))
				|| (this.hasOption && (first == '"' || first == '\''));
	}

	/** Whether a name of secrets stands before a value. */
	static boolean isNamed(String text, int position, Predicate<String> tells) {
		int end = skipBack(text, position, " \t");
		if (end == 0 || ":=".indexOf(text.charAt(end - 1)) < 0) {
			return false;
		}
		end = skipBack(text, end - 1, " \t\"'\\");
		int start = end;
		while (start > 0 && end - start < MAX_NAME
				&& (Character.isLetterOrDigit(text.charAt(start - 1)) || "_-.".indexOf(text.charAt(start - 1)) >= 0)) {
			start--;
		}
		return start < end && tells.test(text.substring(start, end));
	}

	private static int skipBack(String text, int end, String characters) {
		int position = end;
		while (position > 0 && characters.indexOf(text.charAt(position - 1)) >= 0) {
			position--;
		}
		return position;
	}

	static void collect(Written value, List<Scalar> names, List<Scalar> scalars) {
		if (value instanceof Mapping mapping) {
			mapping.members().forEach((member) -> {
				names.add(member.name());
				collect(member.value(), names, scalars);
			});
		}
		else if (value instanceof Written.Sequence sequence) {
			sequence.elements().forEach((element) -> collect(element, names, scalars));
		}
		else if (value instanceof Scalar scalar) {
			scalars.add(scalar);
		}
	}

}
