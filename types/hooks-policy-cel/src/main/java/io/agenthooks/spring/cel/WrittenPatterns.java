package io.agenthooks.spring.cel;

import dev.cel.common.ast.CelExpr;
import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.TextPattern;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * Regular expressions of conditions, read as patterns of policies are: these are found
 * wherever RE2 finds them, and can tell where that is.
 */
final class WrittenPatterns {

	private WrittenPatterns() {
	}

	/** Check that a regular expression, which RE2 can read, is found in some text. */
	static void checkInSomeText(CelSource source, CelExpr part, String regex) {
		try {
			new PatternReader(new Budget()).read(regex);
		}
		catch (UnusablePatternException ex) {
			if (ex.isInNoText()) {
				String message = String.valueOf(ex.getMessage());
				throw source.mistake(part, message.substring(0, message.length() - 1), ex.getAction());
			}
		}
		catch (Budget.ExhaustedException ex) {
			// Nothing is known of it.
		}
	}

	/** Whether a regular expression is found in any text. */
	static boolean isInEachText(String regex) {
		TextPattern pattern = read(regex);
		return regex.isEmpty() || (pattern != null && pattern.isInEachText());
	}

	/**
	 * Whether a regular expression is found only in texts with one of some characters.
	 */
	static boolean needsAnyOf(String regex, char first, char last) {
		TextPattern pattern = read(regex);
		return pattern != null && pattern.needsAnyOf(first, last);
	}

	private static @Nullable TextPattern read(String regex) {
		try {
			return new PatternReader(new Budget()).read(regex);
		}
		catch (UnusablePatternException | Budget.ExhaustedException ex) {
			return null;
		}
	}

}
