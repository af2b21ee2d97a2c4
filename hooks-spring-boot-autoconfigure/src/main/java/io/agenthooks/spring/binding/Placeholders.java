package io.agenthooks.spring.binding;

import org.springframework.core.env.PropertyResolver;
import org.springframework.util.PropertyPlaceholderHelper;

/**
 * Resolves <code>${...}</code>, and does not let one that cannot be resolved pass as
 * text.
 */
final class Placeholders {

	private static final PropertyPlaceholderHelper helper = new PropertyPlaceholderHelper("${", "}", ":", '\\', false);

	private final PropertyResolver properties;

	Placeholders(PropertyResolver properties) {
		this.properties = properties;
	}

	String resolve(String value) {
		return helper.replacePlaceholders(value, this.properties::getProperty);
	}

	/**
	 * Whether a placeholder is escaped. Spring takes the backslash away, so a pattern
	 * that wants to say {@code \$} would arrive as another one.
	 */
	static boolean hasEscaped(String value) {
		return value.contains("\\${");
	}

}
