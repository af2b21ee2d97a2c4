package io.agenthooks.redact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.pattern.GlobAsRegex;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.TextPattern;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * Reads a configuration and collects all mistakes in it, so that they are reported at
 * once.
 */
final class RedactReader {

	private static final int MAX_NAME_LENGTH = 40;

	private final List<Problem> problems = new ArrayList<>();

	private final RedactConfig config;

	RedactReader(RedactConfig config) {
		this.config = config;
		boolean hasPatterns = config.patterns() != null && !config.patterns().isEmpty();
		if (config.detectors() != null && config.detectors().isEmpty() && !hasPatterns) {
			problem(List.of("detectors"), "The list is empty and there are no patterns, so nothing would be redacted.",
					"Write detectors (%s) or 'patterns', or remove the list for secret, password, card and email."
						.formatted(known()));
		}
		else if (config.patterns() != null && !hasPatterns) {
			problem(List.of("patterns"), "There is no pattern.", "Write names with their patterns, or remove it.");
		}
	}

	private static String known() {
		return Detector.ids().stream().collect(Collectors.joining(", "));
	}

	void check() {
		if (!this.problems.isEmpty()) {
			throw new InvalidHookConfigException(this.problems);
		}
	}

	Set<Detector> detectors() {
		List<String> ids = this.config.detectors();
		if (ids == null) {
			return Detector.DEFAULTS;
		}
		Set<Detector> detectors = EnumSet.noneOf(Detector.class);
		for (int i = 0; i < ids.size(); i++) {
			Detector detector = Detector.of(ids.get(i));
			List<String> path = List.of("detectors", String.valueOf(i));
			if (detector == null) {
				problem(path, "There is no such detector.",
						"The detectors are %s; write a regular expression under 'patterns'.".formatted(known()));
			}
			else if (!detectors.add(detector)) {
				problem(path, "This detector stands twice in the list.", "Write it once.");
			}
		}
		return detectors;
	}

	Map<String, List<TextPattern>> patterns() {
		Map<String, List<TextPattern>> patterns = new LinkedHashMap<>();
		if (this.config.patterns() != null) {
			PatternReader reader = new PatternReader();
			this.config.patterns().forEach((name, pattern) -> {
				List<String> path = List.of("patterns", (name != null) ? name : "");
				if (isName(path, name)) {
					patterns.put(name, read(path, pattern, reader));
				}
			});
		}
		return patterns;
	}

	private boolean isName(List<String> path, @Nullable String name) {
		if (name == null || name.isEmpty() || name.length() > MAX_NAME_LENGTH
				|| !name.chars().allMatch(RedactReader::isInName)) {
			problem(path, "The name of a pattern stands in the place of what is found, and this one cannot.",
					"Write a name of at most %d letters, digits, '-', '_' and '.'.".formatted(MAX_NAME_LENGTH));
			return false;
		}
		if (Arrays.stream(Detector.values()).anyMatch((detector) -> detector.id().equalsIgnoreCase(name))) {
			problem(path, "The name of the pattern is that of a detector.", "Write another name.");
			return false;
		}
		return true;
	}

	private static boolean isInName(int character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || character == '-' || character == '_' || character == '.';
	}

	/** Read a pattern, with what it is without invisible characters. */
	private List<TextPattern> read(List<String> path, @Nullable String pattern, PatternReader reader) {
		try {
			List<TextPattern> forms = LiteralCharacters
				.formsForVisibleTexts((pattern != null) ? pattern : "", VisibleText::isInvisible)
				.stream()
				.map(reader::read)
				.toList();
			if (forms.stream().noneMatch(TextPattern::isFoundWithoutCharacters)) {
				return forms;
			}
			problem(path, "The pattern is found also where no character is, so there is nothing to redact.",
					"Write what has to be there: '+' for '*', no '?' behind the only part.");
		}
		catch (UnusablePatternException ex) {
			problem(path, String.valueOf(ex.getMessage()), actionOf(ex, pattern));
		}
		return List.of();
	}

	/** The fix, without the pattern: that may be the very secret. */
	private static String actionOf(UnusablePatternException ex, @Nullable String pattern) {
		return (pattern != null && GlobAsRegex.translate(pattern) != null)
				? "This is a regular expression: write '\\S*' for a '*' that is any word, '\\S' for such a '?', "
						+ "and a backslash before each other character that is no letter or digit."
				: ex.getAction();
	}

	private void problem(List<String> path, String message, String action) {
		this.problems.add(new Problem(path, message, action));
	}

}
