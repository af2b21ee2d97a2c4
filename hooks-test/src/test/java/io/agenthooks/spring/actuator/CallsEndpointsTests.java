package io.agenthooks.spring.actuator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.JsonNode;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.actuator.WebApplication.Reply;
import io.agenthooks.spring.actuator.WebApplication.Stack;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the endpoints of the last calls and of the audit, over HTTP.
 */
class CallsEndpointsTests {

	@TempDir
	Path directory;

	@ParameterizedTest
	@EnumSource
	void toolcallsShowsTheLastCallsRedactedWithTheTimeOfEachHook(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS,
				HooksEndpointsTests.Tools.class)) {
			ToolExecutor tools = app.bean(ToolExecutor.class);
			CallContext context = CallContext.ofSession("s1").withRunId("r1").withAgent("clerk").withUser("bob");
			ToolCall read = ToolCall.of("read", Map.of("password", "hunter2hunter2", "path", "a.txt"), context);
			tools.execute(read);
			tools.execute(ToolCall.of("delete_user", Map.of("name", "ada"), context.withSessionId("s2")));
			Reply reply = app.get("/actuator/toolcalls");
			assertThat(reply.body()).doesNotContain("hunter2hunter2");
			JsonNode denied = reply.json().at("/calls/0");
			assertThat(denied.get("tool").asString()).isEqualTo("delete_user");
			assertThat(denied.get("outcome").asString()).isEqualTo("denied");
			assertThat(denied.get("verdict").asString()).isEqualTo("deny");
			assertThat(denied.get("decided_by").asString()).isEqualTo("house-rules");
			assertThat(denied.get("origin").asString()).startsWith("application.yaml:7:");
			assertThat(denied.get("rule").asString()).isEqualTo("deny_tools");
			assertThat(denied.get("rule_origin").asString()).startsWith("application.yaml:");
			assertThat(denied.get("reason").asString()).contains("delete_user");
			assertThat(denied.get("at").asString()).endsWith("Z");
			assertThat(denied.get("duration_ms").asDouble()).isPositive();
			assertThat(denied.at("/hooks/0/name").asString()).isEqualTo("house-rules");
			assertThat(denied.at("/hooks/0/verdict").asString()).isEqualTo("deny");
			assertThat(denied.at("/hooks/0/duration_ms").isNumber()).isTrue();
			assertThat(reply.json().get("dropped").asInt()).isZero();
			Reply one = app.get("/actuator/toolcalls/" + read.id());
			assertThat(one.text("/arguments/path")).isEqualTo("a.txt");
			assertThat(one.text("/session_id") + one.text("/run_id") + one.text("/agent") + one.text("/user"))
				.isEqualTo("s1r1clerkbob");
			assertThat(app.get("/actuator/toolcalls/unknown").status()).isEqualTo(404);
			assertThat(ids(app, "tool=read")).containsExactly(read.id());
			assertThat(ids(app, "outcome=denied")).hasSize(1);
			assertThat(ids(app, "outcome=succeeded")).containsExactly(read.id());
			assertThat(ids(app, "session=s1")).containsExactly(read.id());
			assertThat(ids(app, "hook=house-rules")).hasSize(2);
			assertThat(ids(app, "hook=nobody")).isEmpty();
			assertThat(ids(app, "limit=1")).hasSize(1);
			assertThat(denied.has("arguments")).isFalse();
			assertThat(app.get("/actuator/toolcalls?limit=0").status()).isEqualTo(400);
			assertThat(app.get("/actuator/toolcalls?outcome=refused").text("/error")).contains("denied", "succeeded");
			assertThat(app.get("/actuator/toolcalls?limit=1001").status()).isEqualTo(400);
			assertThat(app.get("/actuator/toolcalls?limit=many").status()).isEqualTo(400);
			assertThat(app.get("/actuator/toolhooks/read").text("/tools/0/last_call")).endsWith("Z");
		}
	}

	@Test
	void listHasAGlimpseOfArgumentsWithoutSecretsAndWhyAToolFailed() {
		try (WebApplication app = WebApplication.start(Stack.SERVLET,
				HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS, HooksEndpointsTests.Tools.class)) {
			ToolExecutor tools = app.bean(ToolExecutor.class);
			String secret = "hunter2hunter2";
			tools.execute(ToolCall.of("read", Map.of("password", secret, "path", "a.txt")));
			// The secret stands where the glimpse ends.
			tools.execute(ToolCall.of("read", Map.of("text", "x".repeat(180) + " password=" + secret)));
			tools.execute(ToolCall.of("read", Map.of("path", "b.txt", "text", "x ".repeat(5_000))));
			tools.execute(ToolCall.of("read", Map.of("fail", "No such file, password=" + secret)));
			Reply reply = app.get("/actuator/toolcalls");
			assertThat(reply.body()).doesNotContain("hunter");
			JsonNode calls = reply.json().get("calls");
			assertThat(calls.at("/3/arguments_glimpse").asString()).contains("\"path\":\"a.txt\"", "password");
			assertThat(calls.at("/2/arguments_glimpse").asString()).startsWith("{\"text\":\"xxx").endsWith("...");
			assertThat(calls.at("/1/arguments_glimpse").asString().split(", ")).containsExactlyInAnyOrder("path",
					"text");
			assertThat(calls.at("/0/outcome").asString()).isEqualTo("failed");
			assertThat(calls.at("/0/error").asString()).startsWith("No such file");
			assertThat(calls.at("/3").has("error")).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolcallsSaysWhoAnsweredAQuestion(Stack stack) {
		String asking = HooksEndpointsTests.HOOKS.replace("deny_tools: [\"delete_*\"]", "ask_tools: [\"delete_*\"]");
		try (WebApplication app = WebApplication.start(stack, HooksEndpointsTests.EXPOSED + asking,
				HooksEndpointsTests.Tools.class, Alice.class)) {
			ToolCall call = ToolCall.of("delete_user", Map.of());
			app.bean(ToolExecutor.class).execute(call);
			JsonNode shown = app.get("/actuator/toolcalls/" + call.id()).json();
			assertThat(shown.get("decided_by").asString()).isEqualTo("alicesDesk");
			assertThat(shown.get("reason").asString()).isEqualTo("not today");
			assertThat(shown.get("rule").asString()).isEqualTo("ask_tools");
			assertThat(shown.get("origin").isNull()).isTrue();
			assertThat(ids(app, "hook=house-rules")).contains(call.id());
			assertThat(ids(app, "hook=alicesDesk")).contains(call.id());
			JsonNode approval = shown.get("approval");
			assertThat(approval.get("answer").asString()).isEqualTo("deny");
			assertThat(approval.get("person").asString()).isEqualTo("alice");
			assertThat(approval.get("approver").asString()).isEqualTo("alicesDesk");
			assertThat(approval.get("asked_by").asString()).isEqualTo("house-rules");
			ToolCall unasked = ToolCall.of("read", Map.of());
			app.bean(ToolExecutor.class).execute(unasked);
			assertThat(app.get("/actuator/toolcalls/" + unasked.id()).json().has("approval")).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolcallsAfterACallAreThoseThatEndedLater(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS,
				HooksEndpointsTests.Tools.class)) {
			List<String> made = new ArrayList<>();
			for (String tool : List.of("read", "delete_user", "read")) {
				ToolCall call = ToolCall.of(tool, Map.of());
				app.bean(ToolExecutor.class).execute(call);
				made.add(0, call.id());
			}
			assertThat(ids(app, "after=" + made.get(2))).containsExactly(made.get(0), made.get(1));
			assertThat(ids(app, "after=" + made.get(2) + "&outcome=denied")).containsExactly(made.get(1));
			assertThat(ids(app, "after=" + made.get(0))).isEmpty();
			assertThat(app.get("/actuator/toolcalls?after=" + made.get(0)).text("/after")).isEqualTo(made.get(0));
			assertThat(ids(app, "after=unknown")).isEqualTo(made);
			assertThat(app.get("/actuator/toolcalls?after=unknown").json().get("after").isNull()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolcallsSaysWhichFilterHolds(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS,
				HooksEndpointsTests.Tools.class)) {
			assertThat(app.get("/actuator/toolcalls?outcome=denied&hook=h").json().get("filter").toString())
				.isEqualTo("{\"outcome\":\"denied\",\"hook\":\"h\"}");
			assertThat(app.get("/actuator/toolcalls?outcom=denied").json().get("filter").isEmpty()).isTrue();
		}
	}

	private static List<String> ids(WebApplication app, String query) {
		return app.get("/actuator/toolcalls?" + query).json().get("calls").findValuesAsString("call_id");
	}

	@ParameterizedTest
	@EnumSource
	void switchIsRecordedAtOnceWithWhoDidIt(Stack stack) {
		String audit = """
				  audit:
				    enabled: true
				    node: n1
				    file: {path: "%s"}
				    anchor: {file: "%s"}
				""".formatted(this.directory.resolve("audit"), this.directory.resolve("anchors/n1.jsonl"));
		try (WebApplication app = WebApplication.start(stack,
				HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS + audit, HooksEndpointsTests.Tools.class)) {
			app.post("/actuator/toolhooks/switch", "{\"enabled\": false}");
			app.bean(ToolHooksEndpoint.class).change("switch", "true", null, null, new LoggedIn("carol"));
			app.bean(ToolHooks.class).disableTools();
			app.bean(ToolHooksEndpoint.class).change("switch_tool", "false", "send_*", null, new LoggedIn("carol"));
			Awaitility.await()
				.untilAsserted(() -> assertThat(switches(app))
					.extracting((line) -> line.replaceAll(".*(\"tools_enabled\":.*),\"hash\".*", "$1"))
					.containsExactly("\"tools_enabled\":false,\"through\":\"actuator\"",
							"\"tools_enabled\":true,\"through\":\"actuator\",\"user\":\"carol\"",
							"\"tools_enabled\":false,\"through\":\"application\"",
							"\"tools_enabled\":false,\"switched_tool\":\"send_*\",\"through\":\"actuator\","
									+ "\"user\":\"carol\""));
			assertThat(app.get("/actuator/toolaudit").json().get("unbroken").asBoolean()).isTrue();
		}
	}

	/**
	 * The records of the audit that tell of the switch.
	 */
	private static List<String> switches(WebApplication app) {
		return app.get("/actuator/toolaudit?from=2020-01-01T00:00:00Z")
			.json()
			.get("records")
			.valueStream()
			.map(JsonNode::asString)
			.filter((line) -> line.contains("\"kind\":\"switch\""))
			.toList();
	}

	@ParameterizedTest
	@EnumSource
	void toolauditVerifiesAndExports(Stack stack) throws Exception {
		String audit = """
				  audit:
				    enabled: true
				    node: n1
				    key: {id: k1, secret: "0123456789abcdef0123456789abcdef"}
				    file: {path: "%s"}
				    anchor: {file: "%s"}
				""".formatted(this.directory.resolve("audit"), this.directory.resolve("anchors/n1.jsonl"));
		try (WebApplication app = WebApplication.start(stack,
				HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS + audit, HooksEndpointsTests.Tools.class)) {
			app.bean(ToolExecutor.class).execute(ToolCall.of("delete_user", Map.of()));
			Awaitility.await().until(() -> app.get("/actuator/toolaudit").json().at("/nodes/0/records").asInt() >= 3);
			Reply unbroken = app.get("/actuator/toolaudit");
			assertThat(unbroken.json().get("unbroken").asBoolean()).isTrue();
			assertThat(unbroken.json().get("keyed").asBoolean()).isTrue();
			assertThat(unbroken.json().has("records")).isFalse();
			Reply export = app.get("/actuator/toolaudit?from=2020-01-01T00:00:00Z");
			assertThat(export.text("/records/2")).contains("\"kind\":\"tool_call\"", "\"hash\":");
			assertThat(app.get("/actuator/toolaudit?until=2020-01-01T00:00:00Z").json().get("records").isEmpty())
				.isTrue();
			assertThat(app.get("/actuator/toolaudit?from=2020-01-01T00:00:00Z&limit=1")
				.json()
				.get("truncated")
				.asBoolean()).isTrue();
			assertThat(app.get("/actuator/toolaudit?from=yesterday").status()).isEqualTo(400);
			Path file;
			try (Stream<Path> files = Files.list(this.directory.resolve("audit"))) {
				file = files.filter((one) -> one.toString().endsWith(".jsonl")).findFirst().orElseThrow();
			}
			Files.writeString(file, Files.readString(file).replace("delete_user", "delete_none"));
			Reply broken = app.get("/actuator/toolaudit");
			assertThat(broken.json().get("unbroken").asBoolean()).isFalse();
			assertThat(broken.text("/nodes/0/problem/kind")).isEqualTo("changed");
			assertThat(app.get("/actuator/toolhooks").text("/version"))
				.isEqualTo(app.get("/actuator/info").text("/hooks/version"));
			assertThat(export.text("/records/1")).contains(app.get("/actuator/info").text("/hooks/version"));
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolauditTellsARecordOfAnUnknownKeyFromAChangedOne(Stack stack) throws Exception {
		String file = """
				    file: {path: "%s"}
				    anchor: {file: "%s"}
				""".formatted(this.directory.resolve("audit"), this.directory.resolve("anchors/n1.jsonl"));
		String audit = "  audit:\n    enabled: true\n    node: n1\n" + file;
		String former = "secret: \"0123456789abcdef0123456789abcdef\"}";
		String active = "    key: {id: k2, secret: \"fedcba9876543210fedcba9876543210\"}\n";
		try (WebApplication app = WebApplication.start(stack,
				HooksEndpointsTests.HOOKS + audit + "    key: {id: k1, " + former + "\n",
				HooksEndpointsTests.Tools.class)) {
			app.bean(ToolExecutor.class).execute(ToolCall.of("delete_user", Map.of()));
		}
		try (WebApplication app = WebApplication.start(stack,
				HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS + audit + active,
				HooksEndpointsTests.Tools.class)) {
			Reply unknown = app.get("/actuator/toolaudit");
			assertThat(unknown.json().get("unbroken").asBoolean()).isFalse();
			assertThat(unknown.text("/nodes/0/problem/kind")).isEqualTo("unknown_key");
			assertThat(unknown.text("/nodes/0/problem/message")).contains("'k1'").doesNotContain("is not what was");
		}
		String formerKeys = "    former_keys: [{id: k1, " + former + "]\n";
		try (WebApplication app = WebApplication.start(stack,
				HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS + audit + active + formerKeys,
				HooksEndpointsTests.Tools.class)) {
			Reply unbroken = app.get("/actuator/toolaudit");
			assertThat(unbroken.json().get("unbroken").asBoolean()).as(unbroken.body()).isTrue();
			assertThat(unbroken.body()).doesNotContain("0123456789abcdef", "fedcba9876543210");
			try (Stream<Path> files = Files.list(this.directory.resolve("audit"))) {
				Path first = files.filter((one) -> one.toString().endsWith(".jsonl")).findFirst().orElseThrow();
				Files.writeString(first, Files.readString(first).replace("delete_user", "delete_none"));
			}
			assertThat(app.get("/actuator/toolaudit").text("/nodes/0/problem/kind")).isEqualTo("changed");
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolauditSaysThatRecordsInTheLogCannotBeRead(Stack stack) {
		String audit = "  audit: {enabled: true, node: n1, store: log, anchor: {file: \"%s\"}}\n"
			.formatted(this.directory.resolve("n1.jsonl"));
		try (WebApplication app = WebApplication.start(stack,
				HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS + audit, HooksEndpointsTests.Tools.class)) {
			for (String query : List.of("", "?from=2020-01-01T00:00:00Z")) {
				Reply reply = app.get("/actuator/toolaudit" + query);
				assertThat(reply.status()).isEqualTo(409);
				assertThat(reply.text("/error")).contains("in the log", "io.agenthooks.audit");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolauditIsNotThereWithoutAnAudit(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, HooksEndpointsTests.EXPOSED + HooksEndpointsTests.HOOKS,
				HooksEndpointsTests.Tools.class)) {
			assertThat(app.get("/actuator/toolaudit").status()).isEqualTo(404);
		}
	}

	/**
	 * Somebody who has logged in.
	 */
	private record LoggedIn(String name) implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return () -> this.name;
		}

		@Override
		public boolean isUserInRole(String role) {
			return false;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Alice {

		@Bean
		ToolApprover alicesDesk() {
			return (call, question) -> ToolDecision.deny("not today").answeredBy("alice");
		}

	}

}
