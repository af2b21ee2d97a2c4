package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.PropertyResolver;
import org.springframework.util.PlaceholderResolutionException;
import org.springframework.util.PropertyPlaceholderHelper;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

final class TextReader {

	private static final String PATTERNS = "patterns";

	/**
	 * A variable of a shell, or something made of it, such as <code>${IFS:0:1}</code>: in
	 * a pattern for commands it is likely to be meant as it is written.
	 */
	private static final Pattern SHELL_VARIABLE = Pattern
		.compile("\\$\\{([A-Z_][A-Z0-9_]*)(}|:[-=?+]|:\\s*-?[0-9]+:|[^A-Za-z0-9_.:}-])");

	/** A property that the build has not replaced. */
	private static final Pattern OF_THE_BUILD = Pattern.compile("@[A-Za-z][A-Za-z0-9_.-]*@");

	private static final Pattern SIGN = Pattern.compile("[?+*^\\[]");

	private static final PropertyPlaceholderHelper PLACEHOLDERS = new PropertyPlaceholderHelper("${", "}", ":", '\\',
			false);

	private final PropertyResolver properties;

	private final List<Mistake> problems;

	private boolean foreignPlaceholders;

	TextReader(PropertyResolver properties, List<Mistake> problems) {
		this.properties = properties;
		this.problems = problems;
	}

	void withForeignPlaceholders(boolean foreign, Runnable reading) {
		boolean outer = this.foreignPlaceholders;
		this.foreignPlaceholders = foreign;
		reading.run();
		this.foreignPlaceholders = outer;
	}

	/** A placeholder that cannot be resolved is reported later. */
	boolean looksLikeList(String text) {
		try {
			String value = replacePlaceholders(text);
			return text.contains(",") || value.contains(",") || (value.startsWith("[") && value.endsWith("]"));
		}
		catch (IllegalArgumentException ex) {
			return text.contains(",");
		}
	}

	private String replacePlaceholders(String text) {
		return PLACEHOLDERS.replacePlaceholders(text, this.properties::getProperty);
	}

	/** Null if the text has a mistake. */
	@Nullable String resolve(PropertyNode node, String text) {
		// Spring takes the backslash away, so a pattern would arrive as another one.
		if (text.contains("\\${")) {
			problem(node, "escapes a placeholder, and Spring would take the backslash away",
					"To match a dollar sign and a brace, write [$][{].");
			return null;
		}
		Matcher variable = SHELL_VARIABLE.matcher(text);
		boolean pattern = PropertyNode.uniform(node.path()).contains(PATTERNS);
		if (pattern && variable.find()) {
			String name = variable.group(1);
			String end = (variable.group(2).equals("}")) ? "[}]" : SIGN.matcher(variable.group(2)).replaceAll("\\\\$0");
			problem(node, "has a ${%s}, which Spring replaces before any text is searched".formatted(name),
					"To match a dollar sign and braces, write '[$][{]%s%s'. To use the value of the variable, write ${%s}."
						.formatted(name, end, name.toLowerCase(Locale.ROOT).replace('_', '.')));
			return null;
		}
		if (!pattern && OF_THE_BUILD.matcher(text).matches()) {
			problem(node, "is a placeholder that the build has not replaced: " + text,
					"Let the build filter this file, as 'spring-boot-starter-parent' does for src/main/resources, or write a "
							+ "placeholder of Spring: ${...}.");
			return null;
		}
		try {
			String value = replacePlaceholders(text);
			if (value.contains("${")) {
				problem(node, "has a placeholder that does not end", "Write ${...} with both braces.");
				return null;
			}
			if (value.isEmpty()) {
				problem(node, "has no value, because its placeholder resolves to nothing",
						"Set the property that it names.");
				return null;
			}
			return value;
		}
		catch (PlaceholderResolutionException ex) {
			if (text.contains(ex.getPlaceholder())) {
				problem(node, "has a placeholder that cannot be resolved: ${" + ex.getPlaceholder() + "}",
						"Set '%1$s', or give a default: ${%1$s:...}.".formatted(ex.getPlaceholder())
								+ ((this.foreignPlaceholders)
										? " Braces are Spring's; for the hook write $%s.".formatted(ex.getPlaceholder())
										: "")
								+ ((pattern) ? " To match a dollar sign and braces, write '[$][{]%s[}]'."
									.formatted(ex.getPlaceholder()) : ""));
			}
			else {
				problem(node, "has a placeholder whose value has another one that cannot be resolved",
						"Correct the value that the placeholder stands for.");
			}
			return null;
		}
		catch (IllegalArgumentException ex) {
			problem(node, "has a placeholder that refers to itself", "Remove the cycle.");
			return null;
		}
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(Mistake.of(node, message, action));
	}

}
