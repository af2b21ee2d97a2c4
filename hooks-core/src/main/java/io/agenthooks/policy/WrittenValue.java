package io.agenthooks.policy;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Makes one text of a list or map, as frameworks do when a tool wants a text: what a tool
 * may get as a text must have been searched as that text. A {@code null} is left out.
 */
final class WrittenValue {

	private static final int WRITING = 6;

	private static final int STYLES = 4;

	private static final int SIGNS = 12;

	private final Budget budget;

	/** As {@code toString()} of Java's collections does. */
	private final StringBuilder java = new StringBuilder();

	/** As JSON without white space. */
	private final StringBuilder json = new StringBuilder();

	/** Names and values joined by single spaces. */
	private final StringBuilder spaced = new StringBuilder();

	/** Names and values joined by nothing. */
	private final StringBuilder glued = new StringBuilder();

	private WrittenValue(Budget budget) {
		this.budget = budget;
	}

	static boolean hasParts(@Nullable Object value) {
		return (value instanceof Map<?, ?> map && !map.isEmpty()) || (value instanceof List<?> list && !list.isEmpty());
	}

	/** All ways at once, for the way through the value takes longer than the writing. */
	static List<String> write(@Nullable Object value, Budget budget) {
		WrittenValue writer = new WrittenValue(budget);
		writer.add(value);
		return List.of(writer.java.toString(), writer.json.toString(), writer.spaced.toString().stripTrailing(),
				writer.glued.toString());
	}

	private void add(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			addMap(map);
		}
		else if (value instanceof List<?> list) {
			addList(list);
		}
		else if (value instanceof String text) {
			addText(text);
		}
		else if (value instanceof Number number) {
			addPlain(SearchText.of(number, this.budget));
		}
		else if (value != null) {
			addPlain(value.toString());
		}
	}

	private void addMap(Map<?, ?> map) {
		boolean isFirst = true;
		addSign("{", "{", false);
		for (Map.Entry<?, ?> member : map.entrySet()) {
			if (!isFirst) {
				addSign(", ", ",", true);
			}
			isFirst = false;
			addText((String) member.getKey());
			addSign("=", ":", true);
			add(member.getValue());
		}
		addSign("}", "}", false);
	}

	private void addList(List<?> list) {
		boolean isFirst = true;
		addSign("[", "[", false);
		for (Object element : list) {
			if (!isFirst) {
				addSign(", ", ",", true);
			}
			isFirst = false;
			add(element);
		}
		addSign("]", "]", false);
	}

	private void addSign(String inJava, String inJson, boolean isBetween) {
		this.budget.spend(SIGNS);
		this.java.append(inJava);
		this.json.append(inJson);
		if (isBetween) {
			addSpace();
		}
	}

	/**
	 * White space is single, so that empty parts do not make others seem further apart.
	 */
	private void addSpace() {
		int length = this.spaced.length();
		if (length > 0 && this.spaced.charAt(length - 1) != ' ') {
			this.spaced.append(' ');
		}
	}

	private void addPlain(String text) {
		this.budget.spend(STYLES * (1 + (long) WRITING * text.length()));
		this.json.append(text);
		addToOthers(text);
	}

	private void addText(String text) {
		this.budget.spend(STYLES * (1 + (long) WRITING * text.length()));
		this.json.append('"');
		for (int i = 0; i < text.length(); i++) {
			addEscaped(text.charAt(i));
		}
		this.json.append('"');
		addToOthers(text);
	}

	private void addToOthers(String text) {
		this.java.append(text);
		this.glued.append(text);
		if (text.equals(" ")) {
			addSpace();
		}
		else {
			this.spaced.append(text);
		}
	}

	private void addEscaped(char character) {
		switch (character) {
			case '"', '\\' -> this.json.append('\\').append(character);
			case '\b' -> this.json.append("\\b");
			case '\t' -> this.json.append("\\t");
			case '\n' -> this.json.append("\\n");
			case '\f' -> this.json.append("\\f");
			case '\r' -> this.json.append("\\r");
			default -> {
				if (character < ' ') {
					this.budget.spend(WRITING * 6L);
					this.json.append("\\u00")
						.append(Character.forDigit(character >> 4, 16))
						.append(Character.toUpperCase(Character.forDigit(character & 0xF, 16)));
				}
				else {
					this.json.append(character);
				}
			}
		}
	}

}
