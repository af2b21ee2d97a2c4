package io.agenthooks;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The configuration of a hook cannot be used. Names every mistake at once, and never
 * quotes a value that may be secret.
 *
 * @since 0.1.0
 */
public class InvalidHookConfigException extends IllegalArgumentException {

	private final transient List<Problem> problems;

	/**
	 * Create the exception.
	 * @param problems the mistakes, at least one
	 */
	public InvalidHookConfigException(List<Problem> problems) {
		super(problems.stream().map(Problem::toString).collect(Collectors.joining(" ")));
		this.problems = List.copyOf(problems);
	}

	/**
	 * The mistakes.
	 * @return the mistakes, at least one
	 */
	public List<Problem> getProblems() {
		return this.problems;
	}

	/**
	 * A mistake in the configuration of a hook.
	 *
	 * @param path where it is, from the hook's {@code config} down: names as written
	 * there, in snake case, and positions in lists; empty for the configuration as a
	 * whole
	 * @param message what is wrong, as a sentence
	 * @param action what to write instead, as a sentence
	 * @param position where it is in the text that is written there, in characters from
	 * its beginning, or -1 for the text as a whole
	 * @since 0.1.0
	 */
	public record Problem(List<String> path, String message, String action, int position) {

		public Problem {
			path = List.copyOf(path);
		}

		/**
		 * Create a problem with the whole of what is written at its place.
		 * @param path where it is, as above
		 * @param message what is wrong, as a sentence
		 * @param action what to write instead, as a sentence
		 */
		public Problem(List<String> path, String message, String action) {
			this(path, message, action, -1);
		}

		@Override
		public String toString() {
			return ((this.path.isEmpty()) ? "" : String.join(".", this.path) + ": ") + this.message + " " + this.action;
		}

	}

}
