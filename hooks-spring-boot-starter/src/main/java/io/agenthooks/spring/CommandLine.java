package io.agenthooks.spring;

import java.util.List;

/**
 * A program and its arguments, as an option of a hook. In the configuration a text is for
 * the shell, and a list is a program with its arguments, which no shell reads.
 *
 * @since 0.1.0
 */
public sealed interface CommandLine {

	/**
	 * A line for the shell.
	 *
	 * @param line the line
	 * @since 0.1.0
	 */
	record Shell(String line) implements CommandLine {

		/**
		 * The command without its text, which may hold a secret.
		 */
		@Override
		public String toString() {
			return "Shell[***]";
		}

	}

	/**
	 * A program and its arguments.
	 *
	 * @param words the program, then each argument
	 * @since 0.1.0
	 */
	record Exec(List<String> words) implements CommandLine {

		/**
		 * Create the command.
		 */
		public Exec {
			words = List.copyOf(words);
		}

		/**
		 * The command without its text, which may hold a secret.
		 */
		@Override
		public String toString() {
			return "Exec[***]";
		}

	}

}
