package io.agenthooks.spring.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * Tells why a program cannot be run, which otherwise every call would tell, and less
 * well.
 */
record ProgramFile(Path file) {

	private static final String ENV = "/usr/bin/env";

	/** Systems read no longer first lines. */
	private static final int MAX_LINE = 256;

	static Problem notFound(String word, Path dir) {
		if (word.startsWith("~")) {
			return problem("The command begins with '~', which only a shell replaces.",
					"Write the whole path, or the command as one text.");
		}
		if (!word.contains("/")) {
			return problem("The command names a program that does not exist.",
					"Check its name, and the PATH: that of the application, unless 'env' sets one.");
		}
		Path file = path(word, dir);
		if (file != null && Files.isDirectory(file)) {
			return problem("The command names a directory, not a program.", "Write the path of the program.");
		}
		if (file != null && Files.exists(file)) {
			return problem("The command names a file that is not executable.",
					"Make it executable (chmod +x), or write before it what runs it, like python3.");
		}
		return problem("The command names a program that does not exist.",
				(word.startsWith("/")) ? "Check its path."
						: "Check its path, which is seen from " + ((dir.equals(Path.of("").toAbsolutePath()))
								? dir + ", where the application runs." : "the 'dir' of the hook."));
	}

	static Problem allInOneWord() {
		return problem("The command is a list of one word that has spaces in it.",
				"Write a list with a word for each argument, or a text instead of the list.");
	}

	private static @Nullable Path path(String word, Path dir) {
		try {
			return dir.resolve(word);
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	private static Problem problem(String message, String action) {
		return new Problem(List.of("command"), message, action);
	}

	/** A script names what runs it, in a way that the system understands. */
	void check(Function<String, @Nullable Path> programs, List<Problem> problems) {
		String line = firstLine();
		if (!line.startsWith("#!")) {
			return;
		}
		if (line.endsWith("\r")) {
			problems.add(problem("The command is a script with Windows line ends, so nothing can run it.",
					"Save it with the line ends of Unix (LF)."));
			return;
		}
		String[] words = line.substring(2).strip().split("\\s+", 3);
		if (words[0].isEmpty()) {
			return;
		}
		boolean looksUp = words.length > 1 && words[0].equals(ENV)
				&& words[1].matches("[A-Za-z0-9_./+][A-Za-z0-9_./+-]*");
		if (programs.apply((looksUp) ? words[1] : words[0]) == null) {
			problems.add(problem("The command is a script whose first line (#!) names a program that does not exist.",
					"Correct that line, or write before the script what runs it, like python3."));
		}
	}

	/** Nothing if it does not end where it should. */
	private String firstLine() {
		try (InputStream stream = Files.newInputStream(this.file)) {
			String start = new String(stream.readNBytes(MAX_LINE), StandardCharsets.ISO_8859_1);
			return (start.contains("\n")) ? start.substring(0, start.indexOf('\n')) : "";
		}
		catch (IOException ex) {
			// Who may run it may not have to read it.
			return "";
		}
	}

}
