package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * What is written under {@code hooks.context}: what hooks learn of who makes a call, and
 * names that the start cannot find by itself.
 *
 * @param claims Names of the claims about the user that hooks get, as the token has them.
 * None unless set.
 * @param users Globs of names of users that hooks may name, beside those that the start
 * finds.
 * @param authorities Globs of authorities that the application grants in a form of its
 * own, such as REFUND. Those that begin with ROLE_, SCOPE_ or FACTOR_ need not be listed.
 * @param agents Globs of names of agents that hooks may name, beside those that the start
 * finds.
 * @param roles Globs of roles that the application gives to calls.
 * @param workspaces Globs of workspaces that the application gives to calls.
 * @param mcpServers Globs of names of MCP servers that hooks may name, beside those that
 * the start finds.
 * @param tools Globs of names of tools that hooks may name, beside those that the start
 * finds.
 */
record ContextSettings(@Nullable List<String> claims, @Nullable List<String> users, @Nullable List<String> authorities,
		@Nullable List<String> agents, @Nullable List<String> roles, @Nullable List<String> workspaces,
		@Nullable List<String> mcpServers, @Nullable List<String> tools) {

	/** The name below {@code hooks}. */
	static final String KEY = "context";

	/** The option that names claims. */
	static final String CLAIMS = "claims";

	private static final String ACTION = "Write the name of each claim as the token has it, such as tenant.";

	/**
	 * What is written, by the name of the option.
	 */
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

	/**
	 * Read what the sources write: of each option, what the first source says that has
	 * it.
	 * @param binder gets the problems
	 * @return the names by option
	 */
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
