package io.agenthooks.spring.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Endpoints that answer what those of the starter answer, about calls that a test makes
 * up: an attacker could not choose worse names.
 */
final class StandIns {

	private StandIns() {
	}

	static Map<String, @Nullable Object> call(String id, String tool, String outcome, String at,
			Map<String, ?> arguments) {
		Map<String, @Nullable Object> call = new LinkedHashMap<>();
		boolean denied = outcome.equals("denied");
		call.put("call_id", id);
		call.put("tool", tool);
		call.put("server", null);
		call.put("outcome", outcome);
		call.put("verdict", (denied) ? "deny" : "approve");
		call.put("decided_by", (denied) ? "house-rules" : null);
		call.put("origin", (denied) ? "application.yaml:8:9" : null);
		call.put("rule", (denied) ? "deny_tools" : null);
		call.put("rule_origin", (denied) ? "application.yaml:11:25" : null);
		call.put("reason", (denied) ? "The policy denies the tool '%s'".formatted(tool) : null);
		call.put("at", at);
		call.put("duration_ms", 12.4);
		call.put("session_id", "s-1");
		call.put("run_id", "r-1");
		call.put("agent", "helper");
		call.put("user", "ann");
		call.put("arguments", arguments);
		call.put("arguments_glimpse", new JsonMapper().writeValueAsString(arguments));
		if (outcome.equals("failed")) {
			call.put("error", "There is no file 'notes.txt'");
		}
		call.put("hooks",
				List.of(Map.of("name", "house-rules", "verdict", (denied) ? "deny" : "approve", "duration_ms", 0.04),
						Map.of("name", "three-mails", "verdict", "approve", "duration_ms", 11.2, "limit",
								Map.of("remaining", 2, "reset", at))));
		return call;
	}

	/**
	 * The calls.
	 */
	@Endpoint(id = "toolcalls")
	static final class Calls {

		final List<Map<String, @Nullable Object>> calls = new CopyOnWriteArrayList<>();

		@ReadOperation
		Map<String, Object> calls(@Nullable Integer limit) {
			return Map.of("calls", List.copyOf(this.calls), "dropped", 0);
		}

		@ReadOperation
		@Nullable Map<String, @Nullable Object> call(@Selector String id) {
			return this.calls.stream().filter((call) -> id.equals(call.get("call_id"))).findFirst().orElse(null);
		}

	}

	/**
	 * The chains, the tools, explain and the kill switch.
	 */
	@Endpoint(id = "toolhooks", defaultAccess = Access.READ_ONLY)
	static final class Hooks {

		volatile boolean enabled = true;

		volatile String version = "4f1c09aa";

		/** Those before the call. */
		volatile List<Map<String, Object>> before = List.of(
				hook("secret-files", "bean", "io.agenthooks.sample.SecretFileHook", -100),
				hook("house-rules", "policy", "application.yaml:8:9", 0),
				hook("mail-approval", "webhook", "application.yaml:17:9", 1));

		/** Globs of tools that are off. */
		final List<String> parts = new CopyOnWriteArrayList<>();

		@ReadOperation
		Map<String, @Nullable Object> hooks() {
			Map<String, @Nullable Object> hooks = new LinkedHashMap<>();
			hooks.put("tool_call", Map.of("pre_call", this.before, "post_call",
					List.of(hook("no-secrets", "redact", "application.yaml:72:9", 0))));
			hooks.put("llm_call", Map.of("pre_call", List.of(), "post_call", List.of()));
			hooks.put("run", Map.of("pre_run", List.of(), "post_run", List.of()));
			hooks.put("tools", List.of(tool("read_file", "spring-ai"), tool("send_email", "spring-ai"),
					tool("legacy_export", null)));
			hooks.put("tools_enabled", this.enabled);
			hooks.put("tools_off", (this.enabled) ? null : off());
			hooks.put("parts_off", this.parts.stream().map(Hooks::part).toList());
			hooks.put("version", this.version);
			return hooks;
		}

		@ReadOperation
		Map<String, Object> tool(@Selector String name) {
			Map<String, @Nullable Object> tool = tool(name, "spring-ai");
			tool.put("schema",
					Map.of("type", "object", "properties",
							Map.of("to", Map.of("type", "string"), "copies", Map.of("type", "integer")), "required",
							List.of("to")));
			return Map.of("tool", name, "tools", List.of(tool));
		}

		private static Map<String, @Nullable Object> part(String tool) {
			Map<String, @Nullable Object> part = off();
			part.put("tool", tool);
			part.put("agent", null);
			return part;
		}

		private static Map<String, @Nullable Object> off() {
			Map<String, @Nullable Object> off = new LinkedHashMap<>();
			off.put("since", Instant.now().minusSeconds(60).toString());
			off.put("user", "ann");
			off.put("through", "actuator");
			return off;
		}

		static Map<String, Object> hook(String name, String type, String origin, int order) {
			return Map.of("name", name, "type", type, "origin", origin, "order", order, "match", List.of());
		}

		private static Map<String, @Nullable Object> tool(String name, @Nullable String guardedBy) {
			Map<String, @Nullable Object> tool = new LinkedHashMap<>();
			tool.put("name", name);
			tool.put("server", null);
			tool.put("source", "FileTools");
			tool.put("guarded_by", guardedBy);
			tool.put("rules", (guardedBy != null) ? List.of("house-rules") : List.of());
			tool.put("last_call", (guardedBy != null) ? Instant.now().toString() : null);
			return tool;
		}

		/**
		 * Says that there is explain; a filter answers, as operations take no objects.
		 */
		@WriteOperation
		void explain() {
		}

		byte[] explain(byte[] body) {
			JsonNode call = new JsonMapper().readTree(body);
			JsonNode arguments = call.get("arguments");
			boolean denied = arguments.toString().contains("rm -rf");
			List<Map<String, Object>> hooks = new ArrayList<>();
			hooks.add(Map.of("name", "house-rules", "type", "policy", "verdict", (denied) ? "deny" : "approve",
					"reason", (denied) ? "The policy denies this value of the argument 'command'" : "", "origin",
					"application.yaml:8:9", "rule", "deny_argument_patterns", "rule_origin", "application.yaml:12:22"));
			hooks.add(Map.of("name", "mail-approval", "type", "webhook", "verdict", "not_asked", "origin",
					"application.yaml:17:9"));
			Map<String, Object> answer = new LinkedHashMap<>();
			answer.put("verdict", (denied) ? "deny" : "approve");
			if (denied) {
				answer.put("decided_by", "house-rules");
				answer.put("reason", "The policy denies this value of the argument 'command'");
			}
			answer.put("tool", call.get("tool_name"));
			answer.put("known_tool",
					List.of("read_file", "send_email", "run_command").contains(call.get("tool_name").asString()));
			answer.put("arguments", arguments);
			answer.put("hooks", hooks);
			return new JsonMapper().writeValueAsBytes(answer);
		}

		@WriteOperation
		Map<String, Object> write(@Selector String name, boolean enabled, @Nullable String tool) {
			if (tool != null) {
				this.parts.remove(tool);
			}
			else {
				this.enabled = enabled;
			}
			return Map.of("tools_enabled", enabled);
		}

	}

	/**
	 * The audit of two nodes, of which one is long and broken.
	 */
	@Endpoint(id = "toolaudit")
	static final class Audit {

		@ReadOperation
		Map<String, Object> audit() {
			return Map.of("unbroken", false, "keyed", true, "nodes",
					List.of(node("shop-1"),
							Map.of("node", "a-node-with-a-name-that-is-as-long-as-names-of-pods-are-7f9c6d5b8-x2x4q",
									"records", 123_456_789, "dropped", 12, "anchors", 4_321, "problem",
									Map.of("kind", "changed_record", "message",
											"The record 17 was changed, or one before it", "place",
											"/var/log/shop/audit/2026-11-29/shop-1-000000017.jsonl:17"))));
		}

		private static Map<String, Object> node(String name) {
			return Map.of("node", name, "records", 10_003, "dropped", 0, "anchors", 12);
		}

	}

}
