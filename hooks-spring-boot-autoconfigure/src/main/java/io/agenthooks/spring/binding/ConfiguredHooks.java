package io.agenthooks.spring.binding;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.SafeText;
import io.agenthooks.spring.HookOptions;

/**
 * The hooks that a part of the configuration lists.
 *
 * @param <H> the kind of hook
 * @param preCall those of the list of hooks that decide
 * @param postCall those of the list for what comes after
 * @param placedBeans the names of the beans that an entry puts into a list, also if the
 * entry is not enabled
 * @since 0.1.0
 */
public record ConfiguredHooks<H extends Hook>(List<Entry<H>> preCall, List<Entry<H>> postCall,
		Set<String> placedBeans) {

	/**
	 * Give up because of mistakes that show only when all beans are there.
	 * @param mistakes the mistakes, which may be none
	 * @throws RuntimeException if there are any; Spring Boot's failure analysis tells all
	 * of them
	 */
	public static void refuse(List<Mistake> mistakes) {
		if (!mistakes.isEmpty()) {
			throw new InvalidHooksConfigurationException(mistakes);
		}
	}

	/**
	 * A hook made from an entry of the configuration.
	 *
	 * @param <H> the kind of hook
	 * @param hook the hook
	 * @param name its name
	 * @param type its type
	 * @param place where it is written, such as {@code application.yaml:6:9}
	 * @param options what the entry says beside the type and its configuration
	 * @param ownFailOpen whether the hook itself sees to {@code fail_open}
	 * @param ownTimeout whether the hook itself sees to {@code timeout}
	 * @param proofs calls that it must deny at the start
	 * @param places finds where the options of the entry are written
	 * @since 0.1.0
	 */
	public record Entry<H extends Hook>(H hook, String name, String type, String place, HookOptions options,
			boolean ownFailOpen, boolean ownTimeout, List<Proof> proofs, Places places) {
	}

	/**
	 * A call that a hook must deny at the start.
	 *
	 * @param tool the name of the tool
	 * @param arguments the arguments, which stay out of logs
	 * @param property the property that it is written as
	 * @param place where it is written
	 * @since 0.1.0
	 */
	public record Proof(String tool, Map<String, @Nullable Object> arguments, String property, String place) {

		/** The call without its arguments, which may be secret. */
		@Override
		public String toString() {
			return "Proof[tool=%s, place=%s]".formatted(SafeText.name(this.tool), this.place);
		}

	}

	/**
	 * A mistake in the configuration.
	 *
	 * @param property what is mistaken
	 * @param place where it is written
	 * @param message what is wrong, as a sentence
	 * @param action what to write instead, as a sentence
	 * @since 0.1.0
	 */
	public record Mistake(String property, String place, String message, String action) {

		static Mistake of(PropertyNode node, String message, String action) {
			return new Mistake(node.path(), node.place(), message, action);
		}

		String sentence() {
			return (Character.isUpperCase(this.message.charAt(0))) ? "%s: %s".formatted(quoted(), this.message)
					: "%s %s.".formatted(quoted(), this.message);
		}

		/**
		 * Return what is mistaken, in quotes unless it has some itself: quotes within
		 * quotes mislead.
		 * @return the property
		 */
		public String quoted() {
			return (this.property.indexOf('\'') >= 0) ? this.property : "'" + this.property + "'";
		}

	}

}
