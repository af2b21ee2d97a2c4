package io.agenthooks.spring.suspend;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.CanonicalJson;
import io.agenthooks.spring.json.StrictJson;

/**
 * One sentence that says what a call would do, made of a template of the configuration
 * and the arguments: {@code Refund {amount} EUR for order {orderId}}. What stands in an
 * argument is data: it is never read as a template, a text of more than one plain word is
 * quoted, and what shows nothing or changes the order of other characters is written by
 * its number.
 *
 * @since 0.1.0
 */
public final class QuestionSentence {

	private static final int MAX_TEMPLATE = 300;

	private static final int MAX_VALUE = 120;

	private static final int MAX_NUMBER = 40;

	private static final Pattern PART = Pattern.compile("\\{\\{|}}|\\{([^{}]*)}|[{}]");

	private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}_.-]{1,100}");

	/** A text that cannot be taken for words of the sentence. */
	private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@:/+#-]{0,119}");

	private static final String NONE = "(none)";

	private static final StrictJson json = new StrictJson(1);

	private QuestionSentence() {
	}

	/**
	 * Find the mistake in a template.
	 * @param template the template
	 * @return the mistake, or {@code null} if there is none
	 */
	public static @Nullable String mistakeIn(String template) {
		if (template.isBlank() || template.length() > MAX_TEMPLATE || !ShownArguments.line(template).equals(template)) {
			return "is not one line of visible characters, at most %d".formatted(MAX_TEMPLATE);
		}
		Matcher part = PART.matcher(template);
		while (part.find()) {
			String name = part.group(1);
			if (name == null && part.group().length() == 1) {
				return "has a brace that opens or closes nothing";
			}
			if (name != null && !NAME.matcher(name).matches()) {
				return "has braces around something that is no name of an argument";
			}
		}
		return null;
	}

	/**
	 * The sentence.
	 * @param template the template, without mistakes
	 * @param arguments arguments as canonical JSON
	 * @return the sentence, in one line
	 */
	public static String of(String template, String arguments) {
		Map<?, ?> values = json.readExactly(arguments.getBytes(StandardCharsets.UTF_8));
		StringBuilder sentence = new StringBuilder();
		Matcher part = PART.matcher(template);
		int last = 0;
		while (part.find()) {
			sentence.append(template, last, part.start());
			String name = part.group(1);
			sentence.append((name != null) ? valueOf(name, values) : part.group().substring(0, 1));
			last = part.end();
		}
		return sentence.append(template, last, template.length()).toString();
	}

	/**
	 * An argument that a tool does not know may have the name of a member of another:
	 * both are shown.
	 */
	private static String valueOf(String name, Map<?, ?> values) {
		int dot = name.indexOf('.');
		String inner = (dot > 0 && values.get(name.substring(0, dot)) instanceof Map<?, ?> members)
				? valueOf(name.substring(dot + 1), members) : NONE;
		if (!values.containsKey(name)) {
			return inner;
		}
		String own = shown(values.get(name));
		return (inner.equals(NONE) || inner.equals(own)) ? own : own + " (or " + inner + ")";
	}

	private static String shown(@Nullable Object value) {
		if (value == null) {
			return NONE;
		}
		if (value instanceof String text) {
			return (PLAIN.matcher(text).matches()) ? text
					: "\"" + cut(text.replace("\\", "\\\\").replace("\"", "\\\"")) + "\"";
		}
		if (value instanceof BigDecimal decimal) {
			String number = decimal.toString();
			return (number.length() <= MAX_NUMBER) ? number : cut(number);
		}
		if (value instanceof Map<?, ?> || value instanceof List<?>) {
			return cut(CanonicalJson.writeExact(value));
		}
		return cut(String.valueOf(value));
	}

	private static String cut(String text) {
		List<Integer> characters = new ArrayList<>();
		text.codePoints().limit(MAX_VALUE + 1L).forEach(characters::add);
		StringBuilder cut = new StringBuilder();
		characters.stream().limit(MAX_VALUE).forEach((character) -> append(cut, character));
		return (characters.size() <= MAX_VALUE) ? cut.toString() : cut.append("...").toString();
	}

	private static void append(StringBuilder shown, int character) {
		switch (Character.getDirectionality(character)) {
			case Character.DIRECTIONALITY_RIGHT_TO_LEFT, Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC,
					Character.DIRECTIONALITY_ARABIC_NUMBER ->
				ShownArguments.appendNumber(shown, character);
			default -> shown.append(ShownArguments.line(Character.toString(character)));
		}
	}

}
