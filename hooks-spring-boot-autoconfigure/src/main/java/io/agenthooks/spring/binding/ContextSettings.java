package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The options of {@code hooks.context}: what hooks learn of who makes a call, and names
 * that the start cannot find by itself.
 *
 * @param claims Names of the claims about the user that hooks get, as the token has them.
 * None unless set.
 */
record ContextSettings(@Nullable List<String> claims, @Nullable List<String> users, @Nullable List<String> authorities,
		@Nullable List<String> agents, @Nullable List<String> roles, @Nullable List<String> workspaces,
		@Nullable List<String> mcpServers, @Nullable List<String> tools) {

	static final String KEY = "context";

	static final String CLAIMS = "claims";

	private static final String ACTION = "Write the name of each claim as the token has it, such as tenant.";

	private Map<String, List<String>> options() {
		Map<String, List<String>> options = new LinkedHashMap<>();
		add(options, CLAIMS, this.claims);
		add(options, "users", this.users);
		add(options, "authorities", this.authorities);
		add(options, "agents", this.agents);
		add(options, "roles", this.roles);
		add(options, "workspaces", this.workspaces);
		add(options, "mcp_servers", this.mcpServers);
		add(options, "tools", this.tools);
		return options;
	}

	private static void add(Map<String, List<String>> options, String name, @Nullable List<String> value) {
		if (value != null) {
			options.put(name, List.copyOf(value));
		}
	}

	private List<Problem> problems() {
		List<Problem> problems = new ArrayList<>();
		options().forEach((option, names) -> find(option, names, problems));
		return problems;
	}

	private static void find(String option, List<String> names, List<Problem> problems) {
		boolean claims = option.equals(CLAIMS);
		for (int i = 0; i < names.size(); i++) {
			String name = names.get(i);
			List<String> path = List.of(option, Integer.toString(i));
			if (name.isBlank() || !name.equals(name.strip())) {
				problems.add(new Problem(path, "is empty, or begins or ends with white space",
						(claims) ? ACTION : "Write a name or a glob."));
			}
			else if (claims && name.contains("*")) {
				problems.add(new Problem(path, "is a glob, which no claim is named", ACTION));
			}
			else if (names.indexOf(name) < i) {
				problems.add(new Problem(path,
						(claims) ? "names a claim for the second time" : "is written for the second time",
						"Remove it."));
			}
		}
	}

	/** Of each option, what the first source says that has it. */
	static Map<String, List<String>> read(List<PropertyNode> sources, StrictBinder binder) {
		Map<String, List<String>> options = new LinkedHashMap<>();
		for (PropertyNode source : sources) {
			ContextSettings settings = binder.bind(source, ContextSettings.class, List.of(), Set.of()).value();
			if (settings != null) {
				binder.report(settings.problems(), source, List.of(), true);
				settings.options().forEach(options::putIfAbsent);
			}
		}
		return options;
	}

}
