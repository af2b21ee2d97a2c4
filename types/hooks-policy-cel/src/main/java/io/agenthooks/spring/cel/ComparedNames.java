package io.agenthooks.spring.cel;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.scope.Named;

final class ComparedNames {

	private static final String CLAIMS = "user.claims";

	static final String ROLES = "user.roles";

	private static final Map<String, Named> FIELDS = Map.ofEntries(Map.entry("user.name", Named.USER),
			Map.entry("user.authorities", Named.AUTHORITY), Map.entry(ROLES, Named.AUTHORITY),
			Map.entry(CLAIMS, Named.CLAIM), Map.entry("call.agent", Named.AGENT), Map.entry("call.role", Named.ROLE),
			Map.entry("call.workspace", Named.WORKSPACE), Map.entry("tool.mcp.server", Named.MCP_SERVER),
			Map.entry("tool.name", Named.TOOL), Map.entry("tool.names", Named.TOOL));

	/** Lists names, or how they begin or end. */
	private static final Pattern LIST = Pattern
		.compile("(\\^?)(?:([\\w :@/-]+)|\\((?:\\?:)?([\\w :@/-]+(?:\\|[\\w :@/-]+)*)\\))(\\$?)");

	private static final String SPECIAL = "*?[]{}\\";

	private final Set<Name> names = new LinkedHashSet<>();

	void compared(@Nullable Field field, @Nullable Object value) {
		add(field, value, "", "");
	}

	void searched(String function, @Nullable Field field, @Nullable Object text) {
		switch (function) {
			case "startsWith" -> add(field, text, "", "*");
			case "endsWith" -> add(field, text, "*", "");
			case "contains" -> add(field, text, "*", "*");
			case "matches" -> {
				Matcher list = LIST.matcher((text instanceof String regex) ? regex : "");
				if (list.matches()) {
					String listed = (list.group(2) != null) ? list.group(2) : list.group(3);
					add(field, List.of(listed.split("\\|")), (list.group(1).isEmpty()) ? "*" : "",
							(list.group(4).isEmpty()) ? "*" : "");
				}
			}
			default -> {
				// What else is done with a text does not name anybody.
			}
		}
	}

	void member(@Nullable Field field, @Nullable Object name) {
		if (field != null && CLAIMS.equals(field.path())) {
			compared(field, name);
		}
	}

	private void add(@Nullable Field field, @Nullable Object value, String before, String after) {
		Named kind = (field != null) ? FIELDS.get(field.path()) : null;
		for (Object each : (value instanceof List<?> list) ? list : Collections.singletonList(value)) {
			if (kind != null && field != null && each instanceof String text && !text.isEmpty()
					&& (before.length() + after.length() == 0
							|| text.chars().noneMatch((sign) -> SPECIAL.indexOf(sign) >= 0))) {
				String prefix = (field.path().equals(ROLES) && before.isEmpty()) ? Roles.PREFIX : "";
				this.names.add(new Name(kind, prefix + before + text + after, field.anyCase()));
			}
		}
	}

	Set<Name> names() {
		return Collections.unmodifiableSet(this.names);
	}

	record Field(String path, boolean anyCase) {
	}

	record Name(Named kind, String name, boolean anyCase) {
	}

}
