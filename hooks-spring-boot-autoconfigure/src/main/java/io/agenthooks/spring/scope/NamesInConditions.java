package io.agenthooks.spring.scope;

import java.util.List;

/**
 * Rules whose conditions compare who makes a call, and which tool is called, with texts.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NamesInConditions {

	List<Compared> compared();

	/**
	 * Whether a rule is for calls of a tool.
	 * @param rule the position of the rule
	 * @param tool the name of the tool
	 * @return whether it is asked about them
	 */
	default boolean isFor(int rule, String tool) {
		return true;
	}

	/**
	 * Whether a rule can match in a way in which only some tools are meant, one of them
	 * this. A rule that leaves it out ({@code tool.name != 'x'}) does not mean it.
	 * @param rule the position of the rule
	 * @param tool the name of the tool
	 * @return whether it is one of those
	 */
	default boolean means(int rule, String tool) {
		return false;
	}

	/**
	 * A name in a condition.
	 *
	 * @param rule the position of the rule, or {@link #NO_RULE}
	 * @param option {@code when} or {@code unless} of the rule, or the option of the hook
	 * @param kind what has such a name
	 * @param name the name, or a glob of what its text begins with, ends with or has in
	 * it
	 * @param anyCase whether case makes no difference
	 * @since 0.1.0
	 */
	record Compared(int rule, String option, Named kind, String name, boolean anyCase) {

		/** In place of a position, of a condition that is not of a rule. */
		public static final int NO_RULE = -1;

		public List<String> path() {
			return (this.rule == NO_RULE) ? List.of(this.option)
					: List.of("rules", String.valueOf(this.rule), this.option);
		}

		/**
		 * The place of the condition, as people write it.
		 * @return the option, such as {@code rules[0].when}
		 */
		public String written() {
			return (this.rule == NO_RULE) ? this.option : "rules[%d].%s".formatted(this.rule, this.option);
		}

	}

}
