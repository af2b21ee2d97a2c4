package io.agenthooks.spring.scope;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules whose conditions read arguments of calls.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ArgumentsInConditions {

	/**
	 * Find what conditions say of arguments that no tool has, or that are never what they
	 * are taken for.
	 * @param tools the schemas of the arguments of each tool that the rules are asked
	 * about, as JSON, by its name; a tool without one may have any arguments
	 * @return what is found
	 */
	List<Found> check(Map<String, Set<String>> tools);

	/**
	 * A mistake in a condition.
	 *
	 * @param path the option that holds the condition, below {@code config}
	 * @param text the condition
	 * @param position which of its characters the mistake begins with
	 * @param message what is wrong, as a sentence
	 * @param action what to write instead, as a sentence
	 * @param suspicion whether it may be meant, and only is not safe
	 * @since 0.1.0
	 */
	record Found(List<String> path, String text, int position, String message, String action, boolean suspicion) {

		public Found(List<String> path, String text, int position, String message, String action) {
			this(path, text, position, message, action, false);
		}

	}

}
