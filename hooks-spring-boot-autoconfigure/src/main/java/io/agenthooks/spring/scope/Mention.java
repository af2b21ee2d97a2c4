package io.agenthooks.spring.scope;

import java.util.Locale;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;

/**
 * A name, or a glob of names, by which a hook chooses calls.
 *
 * @param kind what has such a name
 * @param name the name or the glob
 * @param option where it is written, as the path of the option
 * @param hook the name of the hook, or {@code null} if the option is of none
 * @param place where it is written: file, line and column
 * @param anyCase whether case makes no difference
 * @since 0.1.0
 */
public record Mention(Named kind, String name, String option, @Nullable String hook, String place, boolean anyCase) {

	public Mention(Named kind, String name, String option, @Nullable String hook, String place) {
		this(kind, name, option, hook, place, false);
	}

	public boolean isFor(String other) {
		return names().test(other);
	}

	/** Whether it is for a name, for those who ask often. */
	Predicate<String> names() {
		if (!this.anyCase) {
			return KnownNames.named(this.name);
		}
		Predicate<String> lower = KnownNames.named(this.name.toLowerCase(Locale.ROOT));
		return (other) -> lower.test(other.toLowerCase(Locale.ROOT));
	}

	public String property() {
		return property(this.option, this.hook);
	}

	/**
	 * An option in words.
	 * @param option the path of the option
	 * @param hook the name of the hook, or {@code null} if the option is of none
	 * @return the option, and of which hook it is
	 */
	public static String property(String option, @Nullable String hook) {
		return (hook != null) ? "%s of the hook '%s'".formatted(option, SafeText.name(hook)) : option;
	}

}
