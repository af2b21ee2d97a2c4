package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * What is written under {@code hooks.context}: what hooks learn of who makes a call.
 *
 * @param claims Names of the claims about the user that hooks get, as the token has them.
 * None unless set.
 */
record ContextSettings(@Nullable List<String> claims) {

	/** The name below {@code hooks}. */
	static final String KEY = "context";

	private static final String ACTION = "Write the name of each claim as the token has it, such as tenant.";

	private List<Problem> problems() {
		List<Problem> problems = new ArrayList<>();
		List<String> names = (this.claims != null) ? this.claims : List.of();
		for (int i = 0; i < names.size(); i++) {
			String name = names.get(i);
			if (name.isBlank() || !name.equals(name.strip())) {
				problems.add(new Problem(List.of("claims", Integer.toString(i)),
						"is empty, or begins or ends with white space", ACTION));
			}
			else if (name.contains("*")) {
				problems.add(new Problem(List.of("claims", Integer.toString(i)), "is a glob, which no claim is named",
						ACTION));
			}
			else if (names.indexOf(name) < i) {
				problems.add(new Problem(List.of("claims", Integer.toString(i)), "names a claim for the second time",
						"Remove it."));
			}
		}
		return problems;
	}

	/**
	 * Read what the sources write: of each option, what the first source says that has
	 * it.
	 * @param binder gets the problems
	 * @return the names of claims
	 */
	static List<String> read(List<PropertyNode> sources, StrictBinder binder) {
		List<String> names = null;
		for (PropertyNode source : sources) {
			ContextSettings settings = binder.bind(source, ContextSettings.class, List.of(), Set.of()).value();
			if (settings != null) {
				binder.report(settings.problems(), source, List.of(), true);
			}
			if (names == null && settings != null) {
				names = settings.claims();
			}
		}
		return (names != null) ? List.copyOf(names) : List.of();
	}

}
