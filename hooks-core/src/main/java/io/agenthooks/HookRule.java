package io.agenthooks;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The rule of a hook by which it decided, as operators find it again.
 *
 * @param name the name of the rule, or that of the list which it stands in, such as
 * {@code deny_tools}; one safe line
 * @param origin where the rule is written, such as {@code application.yaml:12:9}, or
 * {@code null} if that is not known
 * @since 0.1.0
 */
public record HookRule(String name, @Nullable String origin) {

	/**
	 * Create a rule; its name becomes one safe line.
	 */
	public HookRule {
		name = SafeText.name(Objects.requireNonNull(name, "'name' must not be null"));
	}

	/**
	 * A rule whose place in the configuration is unknown.
	 * @param name the name of the rule
	 * @return the rule
	 */
	public static HookRule of(String name) {
		return new HookRule(name, null);
	}

}
