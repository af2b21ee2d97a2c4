package io.agenthooks.spring.cel;

import java.util.regex.Pattern;

import dev.cel.common.ast.CelExpr;
import org.jspecify.annotations.Nullable;

import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.TextPattern;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * Reads regular expressions as patterns of policies are: found wherever RE2 finds them.
 */
final class WrittenPatterns {

	private static final Pattern BRACKETS = Pattern.compile("\\[(\\^?\\]?(?:[^\\]\\\\]|\\\\.)*+)\\]", Pattern.DOTALL);

	private WrittenPatterns() {
	}

	/** In some text at least. */
	static void checkInSomeText(CelSource source, CelExpr part, String regex) {
		try {
			new PatternReader(new Budget()).read(regex);
		}
		catch (UnusablePatternException ex) {
			if (ex.isInNoText() && hasPlainBrackets(regex)) {
				String message = String.valueOf(ex.getMessage());
				throw source.mistake(part, message.substring(0, message.length() - 1), ex.getAction());
			}
		}
		catch (Budget.ExhaustedException ex) {
			// Nothing is known of it.
		}
	}

	static boolean isInEachText(String regex) {
		TextPattern pattern = read(regex);
		return regex.isEmpty() || (pattern != null && pattern.isInEachText());
	}

	static boolean needsAnyOf(String regex, char first, char last) {
		TextPattern pattern = read(regex);
		return pattern != null && pattern.needsAnyOf(first, last);
	}

	static String withoutBrackets(String regex) {
		return BRACKETS.matcher(regex).replaceAll("");
	}

	/** In those of RE2 there are no others, and {@code &&} are two letters. */
	private static boolean hasPlainBrackets(String regex) {
		return BRACKETS.matcher(regex)
			.results()
			.noneMatch((brackets) -> brackets.group(1).contains("&&") || brackets.group(1).indexOf('[') >= 0);
	}

	private static @Nullable TextPattern read(String regex) {
		if (!hasPlainBrackets(regex)) {
			return null;
		}
		try {
			return new PatternReader(new Budget()).read(regex);
		}
		catch (UnusablePatternException | Budget.ExhaustedException ex) {
			return null;
		}
	}

}
