package io.agenthooks.spring.policy;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.scope.Named;

/**
 * Collects the names of users, agents and such that a condition compares with.
 */
final class ComparedNames {

	private static final String CLAIMS = "user.claims";

	private static final Map<String, Named> FIELDS = Map.of("user.name", Named.USER, "user.authorities",
			Named.AUTHORITY, CLAIMS, Named.CLAIM, "call.agent", Named.AGENT, "call.role", Named.ROLE, "call.workspace",
			Named.WORKSPACE, "tool.mcp.server", Named.MCP_SERVER);

	private final Map<Named, Set<String>> names = new EnumMap<>(Named.class);

	/**
	 * Note what a field is compared with.
	 * @param field such as {@code user.name}, or {@code null} if it is none
	 */
	void compared(@Nullable String field, @Nullable Object value) {
		Named kind = (field != null) ? FIELDS.get(field) : null;
		if (kind != null) {
			for (Object each : (value instanceof List<?> list) ? list : Collections.singletonList(value)) {
				add(kind, each);
			}
		}
	}

	/**
	 * Note the member of a field that a condition reads.
	 */
	void member(@Nullable String field, @Nullable Object name) {
		if (CLAIMS.equals(field)) {
			add(Named.CLAIM, name);
		}
	}

	private void add(Named kind, @Nullable Object name) {
		if (name instanceof String text && !text.isEmpty()) {
			this.names.computeIfAbsent(kind, (absent) -> new LinkedHashSet<>()).add(text);
		}
	}

	Map<Named, Set<String>> names() {
		return Collections.unmodifiableMap(this.names);
	}

}
