package io.agenthooks.policy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Makes one text of a list or map, in the ways in which frameworks do that when a tool
 * wants a text and the model wrote something else. What a tool may get as a text must
 * have been searched as that text. A {@code null} is left out, as everywhere in a search.
 */
final class WrittenValue {

	/** What writing a character costs, compared to searching it. */
	private static final int WRITING = 6;

	private final Style style;

	private final Budget budget;

	private final StringBuilder written = new StringBuilder();

	private WrittenValue(Style style, Budget budget) {
		this.style = style;
		this.budget = budget;
	}

	/**
	 * Whether a value is a list or map of which a text can be made.
	 */
	static boolean hasParts(@Nullable Object value) {
		return (value instanceof Map<?, ?> map && !map.isEmpty()) || (value instanceof List<?> list && !list.isEmpty());
	}

	/**
	 * Write a value.
	 * @throws Budget.ExhaustedException if the text would be too long
	 */
	static String write(@Nullable Object value, Style style, Budget budget) {
		WrittenValue writer = new WrittenValue(style, budget);
		writer.add(value);
		String written = writer.written.toString();
		return (style == Style.SPACED) ? written.stripTrailing() : written;
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
			append(SearchText.of(number, this.budget));
		}
		else if (value != null) {
			append(value.toString());
		}
	}

	private void addMap(Map<?, ?> map) {
		append(this.style.startOfMap);
		for (Iterator<? extends Map.Entry<?, ?>> members = map.entrySet().iterator(); members.hasNext();) {
			Map.Entry<?, ?> member = members.next();
			addText((String) member.getKey());
			append(this.style.is);
			add(member.getValue());
			append((members.hasNext()) ? this.style.separator : "");
		}
		append(this.style.endOfMap);
	}

	private void addList(List<?> list) {
		append(this.style.startOfList);
		for (Iterator<?> elements = list.iterator(); elements.hasNext();) {
			add(elements.next());
			append((elements.hasNext()) ? this.style.separator : "");
		}
		append(this.style.endOfList);
	}

	private void addText(String text) {
		if (this.style != Style.JSON) {
			append(text);
			return;
		}
		this.budget.spend((long) WRITING * text.length());
		this.written.append('"');
		for (int i = 0; i < text.length(); i++) {
			addEscaped(text.charAt(i));
		}
		this.written.append('"');
	}

	private void addEscaped(char character) {
		switch (character) {
			case '"', '\\' -> this.written.append('\\').append(character);
			case '\b' -> this.written.append("\\b");
			case '\t' -> this.written.append("\\t");
			case '\n' -> this.written.append("\\n");
			case '\f' -> this.written.append("\\f");
			case '\r' -> this.written.append("\\r");
			default -> {
				if (character < ' ') {
					this.budget.spend(WRITING * 6L);
					this.written.append("\\u00")
						.append(Character.forDigit(character >> 4, 16))
						.append(Character.toUpperCase(Character.forDigit(character & 0xF, 16)));
				}
				else {
					this.written.append(character);
				}
			}
		}
	}

	/**
	 * Append a text. White space between parts is single, so that parts which are empty
	 * do not make others seem further apart.
	 */
	private void append(String text) {
		this.budget.spend(1 + (long) WRITING * text.length());
		if (this.style == Style.SPACED && text.equals(" ")
				&& (this.written.isEmpty() || this.written.charAt(this.written.length() - 1) == ' ')) {
			return;
		}
		this.written.append(text);
	}

	/**
	 * A way to make a text of a list or map.
	 */
	enum Style {

		/** As {@code toString()} of Java's collections does. */
		JAVA("{", "=", "}", "[", ", ", "]"),

		/** As JSON without white space. */
		JSON("{", ":", "}", "[", ",", "]"),

		/** Names and values joined by single spaces. */
		SPACED("", " ", "", "", " ", ""),

		/** Names and values joined by nothing. */
		GLUED("", "", "", "", "", "");

		private final String startOfMap;

		private final String is;

		private final String endOfMap;

		private final String startOfList;

		private final String separator;

		private final String endOfList;

		Style(String startOfMap, String is, String endOfMap, String startOfList, String separator, String endOfList) {
			this.startOfMap = startOfMap;
			this.is = is;
			this.endOfMap = endOfMap;
			this.startOfList = startOfList;
			this.separator = separator;
			this.endOfList = endOfList;
		}

	}

}
