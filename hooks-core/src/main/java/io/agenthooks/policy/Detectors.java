package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookRule;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.pattern.Budget;
import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.Redactor;

/** Searches with the detectors of {@code redact}. */
final class Detectors {

	private final String option;

	private final List<String> names;

	private final @Nullable Redactor redactor;

	private Detectors(String option, List<String> names, @Nullable Redactor redactor) {
		this.option = option;
		this.names = names;
		this.redactor = redactor;
	}

	static Detectors read(String option, @Nullable List<String> names, String consequence, List<Problem> problems) {
		if (names == null) {
			return new Detectors(option, List.of(), null);
		}
		if (names.isEmpty()) {
			problems.add(new Problem(List.of(option), "The list is empty, so " + consequence + ".",
					"Fill it, or remove it."));
			return new Detectors(option, List.of(), null);
		}
		try {
			return new Detectors(option, names, new Redactor(new RedactConfig(names, null, null)));
		}
		catch (InvalidHookConfigException ex) {
			ex.getProblems().forEach((problem) -> problems.add(in(option, problem)));
			return new Detectors(option, names, null);
		}
	}

	/**
	 * A mistake in the list where it is written here; regular expressions have options of
	 * their own.
	 */
	private static Problem in(String option, Problem problem) {
		List<String> path = new ArrayList<>(problem.path());
		path.set(0, option);
		String action = problem.action();
		int patterns = action.indexOf("; write a regular expression");
		return new Problem(path, problem.message(), (patterns > 0) ? action.substring(0, patterns) + "." : action);
	}

	@Nullable Finding find(@Nullable Object value, Budget budget) {
		Set<String> found = (this.redactor != null) ? this.redactor.find(value, budget) : Set.of();
		return (found.isEmpty()) ? null : new Finding(String.join(", ", found),
				List.of(this.option, String.valueOf(this.names.indexOf(found.iterator().next()))));
	}

	record Finding(String what, List<String> path) {

		HookRule rule(Function<List<String>, @Nullable String> places) {
			return new HookRule(this.path.get(0), places.apply(this.path)).withDetail(this.what);
		}

	}

}
