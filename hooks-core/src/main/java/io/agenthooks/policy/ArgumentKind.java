package io.agenthooks.policy;

import java.util.Locale;

/**
 * The most likely content of an argument, by the last word of its name.
 *
 * @since 0.1.0
 */
public enum ArgumentKind {

	/** The path of a file or a folder. */
	PATH("path", "file", "filename", "filepath", "pathname", "dir", "directory", "folder", "cwd", "workdir", "src",
			"dst", "dest"),

	/** A URL, or a host. */
	URL("url", "uri", "href", "link", "host", "hostname", "domain", "endpoint", "server", "website", "site", "webhook"),

	/** Mail addresses. */
	MAIL("mail", "email", "to", "cc", "bcc", "recipient", "sender"),

	/** A command of a shell. */
	COMMAND("command", "cmd", "script", "shell", "bash", "args", "argv"),

	/** Something else. */
	OTHER;

	private static final int MAX_LENGTH = 200;

	/** With a space before and behind each. */
	private final String words;

	ArgumentKind(String... words) {
		this.words = " " + String.join(" ", words) + " ";
	}

	/**
	 * The kind of an argument.
	 * @param name its name, in any style
	 * @return its kind
	 */
	public static ArgumentKind of(String name) {
		if (name.length() > MAX_LENGTH) {
			return OTHER;
		}
		String[] words = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1);
		String last = words[words.length - 1];
		String before = (words.length > 1) ? words[words.length - 2] : "";
		if ((last.equals("name") || last.equals("names") || last.equals("address") || last.equals("addresses"))
				&& of(before) != OTHER) {
			return of(before);
		}
		for (ArgumentKind kind : values()) {
			if (kind.has(last) || (last.endsWith("s") && kind.has(last.substring(0, last.length() - 1)))
					|| (last.equals("directories") && kind == PATH)) {
				return kind;
			}
		}
		return OTHER;
	}

	/** It may be in the name of the outer one, as of {@code name} in {@code file}. */
	static ArgumentKind of(String outer, String name) {
		ArgumentKind kind = of(name);
		return (kind != OTHER || outer.isEmpty()) ? kind : of(outer + "_" + name);
	}

	private boolean has(String word) {
		return !word.isEmpty() && this.words.contains(" " + word + " ");
	}

}
