package io.agenthooks.policy;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;

/**
 * Reads texts as those do who act on them: a database runs what stands in
 * {@code /*! comments}, and whoever opens a {@code file:} URL decodes percent signs.
 */
final class PackText {

	private static final int READING = 4;

	/** The digits of the version from which on MySQL and MariaDB run a comment. */
	private static final int MAX_VERSION = 6;

	private PackText() {
	}

	/** The text that is run or opened, or {@code null} if that is the text itself. */
	static @Nullable String read(String clean, Budget budget) {
		String read = clean;
		if (clean.contains("/*!") || clean.contains("/*M!")) {
			budget.spend((long) READING * clean.length());
			read = withExecutedComments(clean, false);
			// What looks like another comment may stand in a text or a line comment.
			String whole = withExecutedComments(clean, true);
			read = (whole.equals(read)) ? read : read + "\n;\n" + whole;
		}
		if (clean.indexOf('%') >= 0 && isFileUrl(clean)) {
			for (int i = 0; i < PercentEncoding.MAX_ROUNDS && read.indexOf('%') >= 0; i++) {
				budget.spend((long) READING * read.length());
				read = PercentEncoding.decode(read);
			}
		}
		return (read.equals(clean)) ? null : read;
	}

	private static boolean isFileUrl(String text) {
		String lower = text.toLowerCase(Locale.ROOT);
		return lower.contains("file:") || lower.contains("file%");
	}

	private static String withExecutedComments(String text, boolean withOthers) {
		StringBuilder read = new StringBuilder(text.length());
		boolean executed = false;
		for (int i = 0; i < text.length();) {
			int content = executedAt(text, i);
			if (content > 0) {
				executed = true;
				read.append(' ');
				i = content;
			}
			else if (text.startsWith("/*", i)) {
				int end = (withOthers) ? i : text.indexOf("*/", i + 2);
				read.append(' ');
				i = (end < 0) ? text.length() : end + 2;
			}
			else if (executed && text.startsWith("*/", i)) {
				executed = false;
				read.append(' ');
				i += 2;
			}
			else {
				read.append(text.charAt(i++));
			}
		}
		return read.toString();
	}

	private static int executedAt(String text, int start) {
		int content = text.startsWith("/*!", start) ? start + 3 : text.startsWith("/*M!", start) ? start + 4 : -1;
		for (int digits = 0; content > 0 && digits < MAX_VERSION && content < text.length()
				&& Character.isDigit(text.charAt(content)); digits++) {
			content++;
		}
		return content;
	}

}
