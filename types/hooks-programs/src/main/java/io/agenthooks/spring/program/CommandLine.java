package io.agenthooks.spring.program;

import java.util.List;

/**
 * A program and its arguments, as an option of a hook. In the configuration a text is for
 * the shell, and a list is a program with its arguments, which no shell reads.
 *
 * @param words the program, then each argument
 * @param isForShell whether the program is the shell and reads a line
 * @since 0.1.0
 */
public record CommandLine(List<String> words, boolean isForShell) {

	static final String SHELL = "/bin/sh";

	public CommandLine {
		words = List.copyOf(words);
	}

	public static CommandLine of(String line) {
		return new CommandLine(List.of(SHELL, "-c", line), true);
	}

	public static CommandLine of(List<String> words) {
		return new CommandLine(words, false);
	}

	@Override
	public String toString() {
		return "CommandLine[***]";
	}

}
