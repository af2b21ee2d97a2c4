package io.agenthooks.spring.arguments;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Arguments that a framework reads twice. If a parameter of a method is no text, such as
 * a {@code URI}, a text for it that is JSON is read once more: an escape in quotation
 * marks is another letter to the method than to the hooks.
 *
 * @since 0.1.0
 */
public final class TextsReadTwice {

	/** No number that is read has more characters. */
	private static final int MAX_NUMBER = 1000;

	private TextsReadTwice() {
	}

	/**
	 * Whether there is a text that may be JSON, so that it matters what takes it.
	 * @param arguments the arguments of a call
	 * @return whether there is one
	 */
	public static boolean mayBeIn(Map<String, ? extends @Nullable Object> arguments) {
		for (Object value : arguments.values()) {
			if (mayBeJson(value)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Find an argument of which an unknown method could get letters that hooks do not
	 * see, if it reads the text as JSON: quotation marks go, and escapes become letters.
	 * @param arguments the arguments
	 * @return which argument could be read twice, without its value; {@code null} if none
	 */
	public static @Nullable String objection(Map<String, ? extends @Nullable Object> arguments) {
		for (Map.Entry<String, ? extends @Nullable Object> argument : arguments.entrySet()) {
			if (mayHideLetters(argument.getValue())) {
				return objection(argument.getKey());
			}
		}
		return null;
	}

	/**
	 * Find an argument that a method would get another value of than hooks see, since
	 * Spring AI reads it as JSON.
	 * @param method the method
	 * @param arguments the arguments
	 * @return which argument would be read twice, without its value; {@code null} if none
	 */
	public static @Nullable String objection(Method method, Map<String, ? extends @Nullable Object> arguments) {
		for (Parameter parameter : method.getParameters()) {
			String objection = takesText(parameter) ? null : objection(parameter.getName(), arguments);
			if (objection != null) {
				return objection;
			}
		}
		return null;
	}

	/**
	 * Say what is wrong with an argument that would be read as JSON if it is a text.
	 * @param name the name of the argument
	 * @param arguments the arguments
	 * @return what is wrong, without the value; {@code null} if nothing
	 */
	public static @Nullable String objection(String name, Map<String, ? extends @Nullable Object> arguments) {
		return (mayBeJson(arguments.get(name))) ? objection(name) : null;
	}

	private static String objection(String name) {
		return "The arguments cannot be used: /%s: a text that is JSON itself, or begins with it, would be read twice"
			.formatted(name);
	}

	/** Whether a text reaches a parameter as it is. A variable of a type is no class. */
	private static boolean takesText(Parameter parameter) {
		return parameter.getParameterizedType() instanceof Class<?> type && type.isAssignableFrom(String.class);
	}

	/**
	 * A number or a word has the same meaning as JSON if nothing follows: what does is
	 * not read.
	 */
	private static boolean mayBeJson(@Nullable Object value) {
		if (!(value instanceof String text)) {
			return false;
		}
		int begin = skipBlanks(text, 0);
		if (begin == text.length() || "\"{[".indexOf(text.charAt(begin)) >= 0) {
			return begin < text.length();
		}
		return begins("null", text, begin) || (begins("true", text, begin) && goesOn(text, begin + 4))
				|| (begins("false", text, begin) && goesOn(text, begin + 5)) || isNumberAndMore(text, begin);
	}

	private static boolean mayHideLetters(@Nullable Object value) {
		if (!(value instanceof String text)) {
			return false;
		}
		String json = text.stripLeading();
		return json.startsWith("\"") || ((json.startsWith("{") || json.startsWith("[")) && json.indexOf('\\') > 0);
	}

	private static boolean begins(String word, String text, int begin) {
		int end = begin + word.length();
		return text.startsWith(word, begin)
				&& (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
	}

	private static boolean goesOn(String text, int from) {
		return skipBlanks(text, from) < text.length();
	}

	private static int skipBlanks(String text, int from) {
		int place = from;
		while (place < text.length() && Character.isWhitespace(text.charAt(place))) {
			place++;
		}
		return place;
	}

	private static boolean isNumberAndMore(String text, int begin) {
		int end = begin;
		while (end < text.length() && "-+.eE0123456789".indexOf(text.charAt(end)) >= 0) {
			if (++end - begin > MAX_NUMBER) {
				return false;
			}
		}
		if (end == begin || end == text.length() || !Character.isWhitespace(text.charAt(end)) || !goesOn(text, end)) {
			return false;
		}
		try {
			new BigDecimal(text.substring(begin, end));
			return true;
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

}
