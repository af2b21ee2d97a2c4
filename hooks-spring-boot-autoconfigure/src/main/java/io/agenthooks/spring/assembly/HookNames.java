package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.agenthooks.BuiltInDecider;

/**
 * Finds hooks that share a name with a bean, a method or a built-in decider: logs,
 * metrics and audit could not tell them apart.
 */
final class HookNames {

	private final Map<String, String> taken = new HashMap<>();

	private final List<String> problems = new ArrayList<>();

	void use(String name, String origin) {
		if (BuiltInDecider.ofName(name) != null) {
			this.problems.add(("The hook '%s' of %s has the name of a decision that Agent Hooks makes itself. Give it "
					+ "another.")
				.formatted(name, origin));
		}
		String other = this.taken.get(name);
		if (other != null) {
			this.problems.add("The hook '%s' of %s has the same name as the hook of the %s. Give it another."
				.formatted(name, origin, other));
		}
	}

	void take(String name, String origin) {
		this.taken.putIfAbsent(name, origin);
	}

	void check() {
		if (!this.problems.isEmpty()) {
			throw new InvalidHookBeanException(String.join("\n", this.problems),
					"Each hook needs a name of its own: write another 'name' at the entry, or rename the bean. To put a "
							+ "bean into the list, write an entry of the type 'bean' with its name.");
		}
	}

}
