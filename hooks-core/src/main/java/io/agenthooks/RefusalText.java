package io.agenthooks;

import java.util.Locale;
import java.util.Objects;

/**
 * The text that a person in front of an agent reads where hooks refuse something and no
 * model is between them. Why is for the model, and for operators.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RefusalText {

	/** The text unless another one is configured. */
	String DEFAULT = "This is not allowed.";

	/**
	 * The text in a language.
	 * @param locale the language of the person
	 * @return the text, the same whatever is refused
	 */
	String in(Locale locale);

	/**
	 * The same text in all languages.
	 * @param text the text
	 * @return what gives it
	 */
	static RefusalText of(String text) {
		Objects.requireNonNull(text, "'text' must not be null");
		return (locale) -> text;
	}

}
