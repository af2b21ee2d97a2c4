package io.agenthooks.spring.suspend;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.json.StrictJson;

/**
 * Makes arguments a text in which a person sees every character that a tool would get.
 * What has no look of its own, or changes the look of others, is written by its number:
 * <code>&#92;u{202E}</code>. No argument can imitate that, because a backslash in JSON
 * stands there twice.
 *
 * @since 0.1.0
 */
public final class ShownArguments {

	private static final int TAB = 2;

	private static final int MAX_INDENTED = 10;

	private static final StrictJson names = new StrictJson(0);

	private ShownArguments() {
	}

	/**
	 * The arguments, a line for each value.
	 * @param json arguments as canonical JSON
	 * @return the text
	 */
	public static String of(String json) {
		StringBuilder shown = new StringBuilder(json.length() * 2);
		boolean text = false;
		int depth = 0;
		for (int i = 0; i < json.length();) {
			int character = json.codePointAt(i);
			int next = i + Character.charCount(character);
			if (text && character == '\\' && next < json.length()) {
				shown.append('\\').append(json.charAt(next));
				next++;
			}
			else if (character == '"') {
				text = !text;
				shown.append('"');
			}
			else if (text) {
				append(shown, character);
			}
			else if (character == '{' || character == '[') {
				shown.append((char) character);
				if (next < json.length() && isEnd(json.charAt(next))) {
					shown.append(json.charAt(next));
					next++;
				}
				else {
					depth++;
					newLine(shown, depth);
				}
			}
			else if (isEnd(character)) {
				depth--;
				newLine(shown, depth);
				shown.append((char) character);
			}
			else if (character == ',') {
				shown.append(',');
				newLine(shown, depth);
			}
			else if (character == ':') {
				shown.append(": ");
			}
			else {
				append(shown, character);
			}
			i = next;
		}
		return shown.toString();
	}

	/**
	 * The arguments, a line for each value, in an order.
	 * @param json arguments as canonical JSON
	 * @param order the names of those that come first
	 * @return the text
	 */
	public static String of(String json, List<String> order) {
		return (order.isEmpty()) ? of(json)
				: of(members(json, order).stream()
					.map((member) -> member.name() + ":" + member.value())
					.collect(Collectors.joining(",", "{", "}")));
	}

	/**
	 * The arguments one by one.
	 * @param json arguments as canonical JSON
	 * @param order the names of those that come first
	 * @return the arguments
	 */
	public static List<Argument> each(String json, List<String> order) {
		return members(json, order).stream().map((member) -> {
			String label = of(member.name());
			return new Argument(nameOf(member.name()), label.substring(1, label.length() - 1), of(member.value()));
		}).toList();
	}

	private static List<Member> members(String json, List<String> order) {
		List<Member> members = new ArrayList<>();
		int start = 1;
		int colon = 0;
		int depth = 0;
		boolean text = false;
		for (int i = 1; i < json.length(); i++) {
			char character = json.charAt(i);
			if (text) {
				i += (character == '\\') ? 1 : 0;
				text = character != '"';
			}
			else if (depth == 0 && (character == ',' || character == '}')) {
				if (colon > start) {
					members.add(new Member(json.substring(start, colon), json.substring(colon + 1, i)));
				}
				start = i + 1;
				colon = 0;
			}
			else if (depth == 0 && character == ':') {
				colon = i;
			}
			else {
				text = character == '"';
				depth += (character == '{' || character == '[') ? 1 : (isEnd(character)) ? -1 : 0;
			}
		}
		Map<String, Integer> places = new HashMap<>();
		order.forEach((name) -> places.putIfAbsent(CanonicalJson.writeExact(name), places.size()));
		members.sort(Comparator.comparing((member) -> places.getOrDefault(member.name(), Integer.MAX_VALUE)));
		return members;
	}

	private static String nameOf(String json) {
		return (String) names.readExactly(("{" + json + ":0}").getBytes(StandardCharsets.UTF_8))
			.keySet()
			.iterator()
			.next();
	}

	/**
	 * A text in one line, such as the name of a user.
	 * @param text the text
	 * @return the line
	 */
	public static String line(String text) {
		StringBuilder shown = new StringBuilder(text.length());
		text.codePoints().forEach((character) -> append(shown, character));
		return shown.toString();
	}

	private static boolean isEnd(int character) {
		return character == '}' || character == ']';
	}

	/** The text would become a hundred times as long with deep values. */
	private static void newLine(StringBuilder shown, int depth) {
		shown.append('\n').append(" ".repeat(Math.min(Math.max(0, depth), MAX_INDENTED) * TAB));
	}

	private static void append(StringBuilder shown, int character) {
		if (isVisible(character)) {
			shown.appendCodePoint(character);
		}
		else {
			appendNumber(shown, character);
		}
	}

	static void appendNumber(StringBuilder shown, int character) {
		shown.append("\\u{")
			.append(HexFormat.of().toHexDigits(character, (character > 0xFFFF) ? 6 : 4).toUpperCase(Locale.ROOT))
			.append('}');
	}

	private static boolean isVisible(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				false;
			case Character.SPACE_SEPARATOR -> character == ' ';
			default -> !isBlank(character);
		};
	}

	/**
	 * Hangul fillers, Khmer vowels, variation selectors, the empty Braille pattern and
	 * the joiner of graphemes show nothing.
	 */
	private static boolean isBlank(int character) {
		return switch (character) {
			case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0 -> true;
			default -> (character >= 0x180B && character <= 0x180F) || (character >= 0xFE00 && character <= 0xFE0F)
					|| (character >= 0xE0000 && character <= 0xE0FFF);
		};
	}

	/**
	 * An argument as people see it.
	 *
	 * @param name the name as it is
	 * @param label the name as it is shown
	 * @param value the value as it is shown, a line for each value in it
	 * @since 0.1.0
	 */
	public record Argument(String name, String label, String value) {

		/** The argument without its value. */
		@Override
		public String toString() {
			return "Argument[name=%s]".formatted(this.label);
		}

	}

	private record Member(String name, String value) {
	}

}
