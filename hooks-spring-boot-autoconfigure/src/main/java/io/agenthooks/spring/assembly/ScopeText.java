package io.agenthooks.spring.assembly;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.HookScope;
import io.agenthooks.spring.scope.Named;

/** Says for which calls a hook is, in words. */
final class ScopeText {

	private static final int MAX_LISTED = 5;

	private ScopeText() {
	}

	static Map<Named, List<String>> lists(HookScope scope) {
		Map<Named, List<String>> lists = new EnumMap<>(Named.class);
		put(lists, Named.USER, scope.users());
		put(lists, Named.AUTHORITY, scope.authorities());
		put(lists, Named.AGENT, scope.agents());
		put(lists, Named.ROLE, scope.roles());
		put(lists, Named.WORKSPACE, scope.workspaces());
		put(lists, Named.MCP_SERVER, scope.mcpServers());
		return lists;
	}

	private static void put(Map<Named, List<String>> lists, Named kind, @Nullable List<String> names) {
		if (names != null) {
			lists.put(kind, names);
		}
	}

	/** A scope as it ends the line of a hook; empty if the hook is for all calls. */
	static String of(HookScope scope) {
		StringBuilder text = new StringBuilder();
		add(text, "match", scope.match());
		if (scope.matcher() != null) {
			text.append(begin(text)).append("matcher ").append(SafeText.name(scope.matcher()));
		}
		add(text, "except", scope.except());
		lists(scope).forEach((kind, names) -> add(text, kind.option(), names));
		return text.toString();
	}

	private static void add(StringBuilder text, String option, @Nullable List<String> names) {
		if (names != null) {
			text.append(begin(text))
				.append(option)
				.append(names.stream()
					.limit(MAX_LISTED)
					.map(SafeText::name)
					.collect(Collectors.joining(", ", " [", (names.size() > MAX_LISTED) ? ", ...]" : "]")));
		}
	}

	private static String begin(StringBuilder text) {
		return (text.isEmpty()) ? " for " : ", ";
	}

}
