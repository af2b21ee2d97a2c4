package io.agenthooks.policy;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.pattern.GlobAsRegex;
import io.agenthooks.pattern.LiteralCharacters;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.TextPattern;
import io.agenthooks.pattern.UnusablePatternException;
import io.agenthooks.toolcall.ToolNames;

final class PatternList {

	/** How many numbers and references the automata of a policy may keep: some 40 MB. */
	static final long CELLS = 1 << 23;

	private final PatternReader reader = new PatternReader();

	private final List<Problem> problems;

	PatternList(List<Problem> problems) {
		this.problems = problems;
	}

	PatternSet read(List<String> path, List<String> patterns, long cells) {
		List<TextPattern> usable = new ArrayList<>();
		for (int i = 0; i < patterns.size(); i++) {
			String pattern = patterns.get(i);
			try {
				String written = (pattern != null) ? pattern : "";
				for (String form : LiteralCharacters.formsForPlainTexts(written, ToolNames::isInvisible)) {
					usable.add(this.reader.read(form).writtenAs(written));
					String composed = Normalizer.normalize(form, Normalizer.Form.NFC);
					if (!composed.equals(form)) {
						// Texts are searched with their marks composed, too.
						usable.add(this.reader.read(composed).writtenAs(written));
					}
				}
			}
			catch (UnusablePatternException ex) {
				List<String> position = new ArrayList<>(path);
				position.add(String.valueOf(i));
				this.problems.add(new Problem(position, String.valueOf(ex.getMessage()), actionOf(ex, pattern)));
			}
		}
		return new PatternSet(usable, cells);
	}

	/** The fix: the regular expression that is meant, if the pattern is a glob. */
	private static String actionOf(UnusablePatternException ex, @Nullable String pattern) {
		String meant = (pattern != null) ? GlobAsRegex.translate(pattern) : null;
		return (meant != null)
				? "Write '%s': this is a regular expression, in which '.*' is any text. ".formatted(meant)
						+ "If a character stands for itself, write a backslash before it."
				: ex.getAction();
	}

}
