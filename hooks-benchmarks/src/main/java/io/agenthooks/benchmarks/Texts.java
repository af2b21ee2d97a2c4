package io.agenthooks.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Patterns and texts of the kinds that policies see. */
final class Texts {

	private static final List<String> BASE = List.of("rm -rf", "sudo", "curl.*\\|.*sh", "\\.\\./", "mkfs\\.\\w+",
			"dd\\s+if=.*of=/dev/", ":\\(\\)\\s*\\{\\s*:\\|:&\\s*\\};:", "chmod\\s+(-R\\s+)?777",
			"wget\\s+.*-O\\s*-\\s*\\|", "/etc/(passwd|shadow|sudoers)", "nc\\s+-[a-z]*e", "base64\\s+(-d|--decode)",
			"eval\\s*\\(", "python[23]?\\s+-c", "AKIA[0-9A-Z]{16}", "ghp_[A-Za-z0-9]{36}",
			"xox[baprs]-[A-Za-z0-9-]{10,48}", "-----BEGIN [A-Z ]+PRIVATE KEY", "(?i)drop\\s+table\\s+\\w+",
			"(?i)union\\s+(all\\s+)?select");

	private static final List<String> WORDS = List.of("git", "status", "push", "origin", "main", "ls", "-la",
			"src/main", "echo", "done", "curl", "https://example.com/api", "password", "reset", "mvn", "test", "grep",
			"-rn", "user", "{\"name\":\"value\"}", "return", "public", "class", "the", "quick", "removed", "format");

	private Texts() {
	}

	/**
	 * Patterns against dangerous commands and secrets: some written by hand, the rest
	 * made after the same kinds.
	 */
	static List<String> patterns(int count) {
		List<String> patterns = new ArrayList<>(BASE.subList(0, Math.min(count, BASE.size())));
		Random random = new Random(7);
		while (patterns.size() < count) {
			String word = word(random);
			String pattern = switch (patterns.size() % 5) {
				case 0 -> word + "\\s+(-\\w+\\s+)*--" + word(random);
				case 1 -> "(?i)[\\w.-]{0,50}?" + word + "[\\s'\"]{0,3}(=|:)[\\s'\"]{0,5}[a-z0-9]{20,40}";
				case 2 -> word + "_[A-Za-z0-9]{36}";
				case 3 -> "/" + word + "/(" + word(random) + "|" + word(random) + ")";
				default -> word + ".*\\|.*" + word(random);
			};
			patterns.add(pattern);
		}
		return patterns;
	}

	private static String word(Random random) {
		StringBuilder word = new StringBuilder();
		int length = 5 + random.nextInt(5);
		while (word.length() < length) {
			word.append((char) ('a' + random.nextInt(26)));
		}
		return word.toString();
	}

	/** Text like that of commands, code and prose, with near misses. */
	static String benign(int length) {
		Random random = new Random(11);
		StringBuilder text = new StringBuilder(length + 32);
		while (text.length() < length) {
			text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
		}
		return text.substring(0, length);
	}

	/** Random visible ASCII. */
	static String random(int length) {
		Random random = new Random(13);
		StringBuilder text = new StringBuilder(length);
		while (text.length() < length) {
			text.append((char) (' ' + random.nextInt(95)));
		}
		return text.toString();
	}

	/** Some parts in random order. */
	static String mixture(List<String> parts, int length) {
		Random random = new Random(17);
		StringBuilder text = new StringBuilder(length + 32);
		while (text.length() < length) {
			text.append(parts.get(random.nextInt(parts.size())));
		}
		return text.substring(0, length);
	}

	/** The beginnings of what patterns look for, one after the other. */
	static String beginnings(List<String> patterns, int length) {
		StringBuilder text = new StringBuilder(length + 32);
		for (int i = 0; text.length() < length; i++) {
			String letters = patterns.get(i % patterns.size()).replaceAll("[^a-z]", "");
			text.append(letters, 0, Math.max(0, letters.length() - 1)).append(' ');
		}
		return text.substring(0, length);
	}

}
