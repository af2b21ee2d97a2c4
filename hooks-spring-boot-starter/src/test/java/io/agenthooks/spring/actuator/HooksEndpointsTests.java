package io.agenthooks.spring.actuator;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import tools.jackson.databind.JsonNode;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.actuator.WebApplication.Reply;
import io.agenthooks.spring.actuator.WebApplication.Stack;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.ended.AskedHooks;
import io.agenthooks.spring.limit.BudgetHooksAutoConfiguration;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HooksEndpointsAutoConfiguration} and its endpoints, over HTTP.
 */
class HooksEndpointsTests {

	private static final String EXPOSED = """
			management:
			  endpoints: {web: {exposure: {include: "*"}}}
			  endpoint: {toolhooks: {access: unrestricted}}
			""";

	private static final String HOOKS = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        name: house-rules
			        config:
			          deny_tools: ["delete_*"]
			          deny_argument_patterns: {command: ["sudo"]}
			      - type: webhook
			        name: mail-approval
			        match: ["send_email"]
			        timeout: 2s
			        config:
			          url: "http://127.0.0.1:1/approvals"
			          auth_header: "Bearer very-secret-token"
			    post_call:
			      - type: redact
			        name: no-secrets
			""";

	@TempDir
	Path directory;

	@ParameterizedTest
	@EnumSource
	void toolhooksListsHooksWithPlaceRulesAndOptionsAndNoConfiguration(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			Reply reply = app.get("/actuator/toolhooks");
			assertThat(reply.status()).isEqualTo(200);
			JsonNode rules = reply.json().at("/tool_call/pre_call/0");
			assertThat(rules.get("name").asString()).isEqualTo("house-rules");
			assertThat(rules.get("type").asString()).isEqualTo("policy");
			assertThat(rules.get("origin").asString()).startsWith("application.yaml:7:");
			assertThat(rules.get("order").asInt()).isEqualTo(Integer.MAX_VALUE);
			assertThat(rules.at("/rules/0/name").asString()).isEqualTo("deny_tools");
			assertThat(rules.at("/rules/0/tools/0").asString()).isEqualTo("delete_*");
			assertThat(rules.at("/rules/0/then").asString()).isEqualTo("deny");
			assertThat(rules.at("/rules/0/origin").asString()).startsWith("application.yaml:1");
			assertThat(rules.at("/rules/1/name").asString()).isEqualTo("deny_argument_patterns.command");
			JsonNode webhook = reply.json().at("/tool_call/pre_call/1");
			assertThat(webhook.at("/match/0").asString()).isEqualTo("send_email");
			assertThat(reply.json().at("/tool_call/post_call").findValuesAsString("name")).contains("no-secrets");
			assertThat(reply.json().get("llm_call").get("pre_call").isEmpty()).isTrue();
			assertThat(reply.json().get("tools_enabled").asBoolean()).isTrue();
			assertThat(reply.text("/version")).hasSize(32);
			assertThat(reply.body()).doesNotContain("very-secret-token", "127.0.0.1", "sudo");
		}
	}

	@Test
	void limitsSayWhatIsLeftAndWhereTheyCountAndNoKey() {
		String limits = """
				hooks:
				  tool_call:
				    pre_call:
				      - {type: rate_limit, name: refunds, match: [read], config: {limit: 3 per 1h, key: session}}
				      - {type: budget, name: money, match: [send_email], config: {limit: 5, sum: args.eur, per: session}}
				  llm_call:
				    pre_call:
				      - {type: budget, name: money, config: {limit: 1000, sum: tokens, per: session}}
				""";
		try (WebApplication app = WebApplication.start(Stack.SERVLET, EXPOSED + limits, Tools.class,
				LimitHooksAutoConfiguration.class, BudgetHooksAutoConfiguration.class)) {
			assertThat(app.get("/actuator/toolhooks").json().at("/tool_call/pre_call/0/limit").toString())
				.isEqualTo("{\"remaining\":null,\"store\":\"memory\"}");
			ToolExecutor executor = app.bean(ToolExecutor.class);
			executor.execute(ToolCall.of("read", Map.of(), CallContext.ofSession("secret-session")));
			executor.execute(ToolCall.of("send_email", Map.of("eur", 1.5), CallContext.ofSession("secret-session")));
			Reply hooks = app.get("/actuator/toolhooks");
			assertThat(hooks.json().at("/tool_call/pre_call/0/limit").toString())
				.isEqualTo("{\"remaining\":2,\"store\":\"memory\"}");
			assertThat(hooks.json().at("/tool_call/pre_call/1/limit/remaining").toString()).isEqualTo("3.5");
			assertThat(hooks.json().at("/llm_call/pre_call/0/limit/remaining").isNull()).isTrue();
			assertThat(hooks.json().at("/tool_call/post_call").findValues("limit")).isEmpty();
			assertThat(hooks.body()).doesNotContain("secret-session");
			JsonNode calls = app.get("/actuator/toolcalls").json().get("calls");
			assertThat(calls.at("/1/hooks/0/limit/remaining").asInt()).isEqualTo(2);
			assertThat(Instant.parse(calls.at("/1/hooks/0/limit/reset").asString())).isAfter(Instant.EPOCH);
			assertThat(calls.at("/0/hooks/0/limit").toString()).isEqualTo("{\"remaining\":3.5}");
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolhooksOfOneToolSaysWhatAppliesAndUnknownToolIsNotFound(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			Reply reply = app.get("/actuator/toolhooks/delete_user");
			assertThat(reply.status()).isEqualTo(200);
			assertThat(reply.text("/tools/0/guarded_by")).isEqualTo("ToolExecutor");
			assertThat(reply.text("/tools/0/source")).isEqualTo("bean 'executor'");
			assertThat(reply.text("/tools/0/rules/0/rule")).isEqualTo("deny_tools");
			assertThat(reply.json().at("/tools/0/pre_call").findValuesAsString("type")).containsExactly("policy");
			assertThat(app.get("/actuator/toolhooks/nobody").status()).isEqualTo(404);
			assertThat(app.get("/actuator/toolhooks/nobody").body()).contains("error").doesNotContain("trace");
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolsThatPassNoHooksStandFirst(Stack stack) {
		String bypassed = EXPOSED + "hooks: {tool_call: {bypass_hooks: true}}\n";
		try (WebApplication app = WebApplication.start(stack, bypassed, Tools.class)) {
			JsonNode tools = app.get("/actuator/toolhooks").json().get("tools");
			assertThat(tools).isNotEmpty()
				.allSatisfy((tool) -> assertThat(tool.get("guarded_by").asString()).isEqualTo("unguarded"));
			assertThat(app.post("/actuator/toolhooks/switch", "{\"enabled\":false}").status()).isEqualTo(409);
			assertThat(app.post("/actuator/toolhooks", "{\"tool_name\":\"x\"}").status()).isEqualTo(409);
		}
		List<FoundTool> sorted = new ArrayList<>(
				List.of(new FoundTool(ToolIdentity.ofApplication("a"), "bean 'x'", "hooks"),
						new FoundTool(ToolIdentity.ofApplication("z"), "bean 'y'", null)));
		sorted.sort(FoundTool.ORDER);
		assertThat(sorted).extracting((tool) -> tool.identity().name()).containsExactly("z", "a");
	}

	@ParameterizedTest
	@EnumSource
	void explainTakesACallWithArgumentsAndSaysWhoWouldDecide(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			Reply denied = app.post("/actuator/toolhooks", """
					{"tool_name": "run_command", "arguments": {"command": "sudo ls", "in": [1, null]},
					 "session_id": "s1", "agent": "clerk", "user": "bob", "authorities": ["ROLE_X"],
					 "claims": {"tenant": "a"}, "role": "agent", "workspace": "main", "live": false}
					""");
			assertThat(denied.status()).as(denied.body()).isEqualTo(200);
			assertThat(denied.text("/verdict")).isEqualTo("deny");
			assertThat(denied.text("/decided_by")).isEqualTo("house-rules");
			assertThat(denied.text("/reason")).isNotBlank();
			assertThat(denied.json().at("/arguments").toString())
				.isEqualTo("{\"command\":\"sudo ls\",\"in\":[1,null]}");
			assertThat(denied.text("/hooks/0/name")).isEqualTo("house-rules");
			assertThat(denied.text("/hooks/0/verdict")).isEqualTo("deny");
			assertThat(denied.text("/hooks/0/origin")).startsWith("application.yaml:");
			assertThat(denied.text("/hooks/0/rule")).isEqualTo("deny_argument_patterns.command");
			Reply unsure = app.post("/actuator/toolhooks", "{\"tool_name\": \"send_email\"}");
			assertThat(unsure.json().get("hooks").findValuesAsString("verdict")).contains("not_asked");
			assertThat(unsure.json().get("complete").asBoolean()).isFalse();
			assertThat(app.bean(Tools.class).executed).isEmpty();
			assertThat(app.get("/actuator/toolcalls").json().get("calls").isEmpty()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource
	void explainOfWhatIsNoCallIsABadRequestWithAReason(Stack stack) {
		Map<String, String> mistakes = new LinkedHashMap<>();
		mistakes.put("{'tool':'x'}", "'tool' is not known");
		mistakes.put("{}", "'tool_name' is missing");
		mistakes.put("{'tool_name':' '}", "'tool_name' is missing");
		mistakes.put("{'tool_name':7}", "'tool_name' has to be a text");
		mistakes.put("{'tool_name':'x','arguments':'a'}", "'arguments' has to be an object");
		mistakes.put("{'tool_name':'x','live':'yes'}", "'live' has to be true or false");
		mistakes.put("{'tool_name':'x','authorities':[1],'user':'b'}", "'authorities' has to be a list of texts");
		mistakes.put("{'tool_name':'x','authorities':['A']}", "user");
		mistakes.put("{'tool_name':'x','attempt':0}", "attempt");
		mistakes.put("{'tool_name':'x','server':'','server_tool':'y'}", "'server_tool' has to be the name");
		mistakes.put("{'tool_name':'x','server':'s','server_tool':' '}", "'server_tool' has to be the name");
		mistakes.put("{'tool_name':'x','tool_name':'y'}", "no JSON object");
		mistakes.put("[1]", "no JSON object");
		mistakes.put("{'tool_name':", "no JSON object");
		try (WebApplication app = WebApplication.start(stack, EXPOSED, Tools.class)) {
			mistakes.forEach((body, reason) -> {
				Reply reply = app.post("/actuator/toolhooks", body.replace('\'', '"'));
				assertThat(reply.status()).as(body + " " + reply.body()).isEqualTo(400);
				assertThat(reply.text("/error")).contains(reason);
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void explainTakesAToolOfAServerAsToolhooksListsIt(Stack stack) {
		String hooks = HOOKS.replace("\"delete_*\"", "\"files__read\", \"write\"");
		try (WebApplication app = WebApplication.start(stack, EXPOSED + hooks, Tools.class)) {
			Reply denied = app.post("/actuator/toolhooks", """
					{"tool_name": "alt_1_read", "server": "files", "server_tool": "read"}""");
			assertThat(denied.text("/verdict")).as(denied.body()).isEqualTo("deny");
			assertThat(denied.text("/tool")).isEqualTo("alt_1_read");
			assertThat(denied.text("/server")).isEqualTo("files");
			assertThat(denied.text("/server_tool")).isEqualTo("read");
			assertThat(app.post("/actuator/toolhooks", "{\"tool_name\":\"alt_1_read\",\"server\":\"files\"}")
				.text("/verdict")).isEqualTo("approve");
			assertThat(app.post("/actuator/toolhooks", "{\"tool_name\":\"alt_2\",\"server_tool\":\"write\"}")
				.text("/verdict")).isEqualTo("deny");
			// One that ran is known, so its own name is, too.
			ToolCall ran = ToolCall.of("c1", ToolIdentity.onServer("mails", "list", "alt_3_list"), Map.of(),
					CallContext.empty());
			app.bean(ToolExecutor.class).execute(ran);
			JsonNode listed = app.get("/actuator/toolhooks/alt_3_list").json().at("/tools/0");
			Reply same = app.post("/actuator/toolhooks", """
					{"tool_name": "%s", "server": "%s", "server_tool": "%s"}""".formatted(listed.get("name").asString(),
					listed.get("server").asString(), listed.get("server_tool").asString()));
			assertThat(same.text("/server") + " " + same.text("/server_tool")).isEqualTo("mails list");
			assertThat(app.post("/actuator/toolhooks", "{\"tool_name\":\"alt_3_list\"}").text("/server_tool"))
				.isEqualTo("list");
			Reply other = app.post("/actuator/toolhooks", """
					{"tool_name": "alt_3_list", "server": "mails", "server_tool": "write"}""");
			assertThat(other.text("/verdict")).isEqualTo("deny");
		}
	}

	@ParameterizedTest
	@EnumSource
	void bodyThatIsTooLargeIsRefused(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED, Tools.class)) {
			String large = "{\"tool_name\":\"" + "x".repeat(CallBody.MAX_BYTES) + "\"}";
			assertThat(app.post("/actuator/toolhooks", "").status()).isEqualTo(400);
			Reply refused = null;
			try {
				refused = app.post("/actuator/toolhooks", large);
			}
			catch (UncheckedIOException ex) {
				// A server may close the connection while the rest of the body comes.
				assertThat(stack).isEqualTo(Stack.REACTIVE);
			}
			assertThat(refused).satisfiesAnyOf((reply) -> assertThat(reply).isNull(),
					(reply) -> assertThat(reply).extracting(Reply::status).isEqualTo(413));
		}
	}

	@ParameterizedTest
	@EnumSource
	void switchTurnsAllToolsOffAndOn(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			ToolExecutor tools = app.bean(ToolExecutor.class);
			Reply off = app.post("/actuator/toolhooks/switch", "{\"enabled\": false}");
			assertThat(off.status()).isEqualTo(200);
			assertThat(off.json().get("tools_enabled").asBoolean()).isFalse();
			assertThat(tools.execute(ToolCall.of("read", Map.of())).succeeded()).isFalse();
			assertThat(app.get("/actuator/toolhooks").json().get("tools_enabled").asBoolean()).isFalse();
			app.post("/actuator/toolhooks/switch", "{\"enabled\": true}");
			assertThat(tools.execute(ToolCall.of("read", Map.of())).succeeded()).isTrue();
			for (String value : List.of("\"perhaps\"", "\"yes\"", "\"on\"", "1", "\"TRUE\"")) {
				Reply refused = app.post("/actuator/toolhooks/switch", "{\"enabled\": " + value + "}");
				assertThat(refused.status()).as(value).isEqualTo(400);
				assertThat(refused.text("/error")).as(value).isEqualTo("'enabled' has to be true or false");
			}
			assertThat(app.post("/actuator/toolhooks/switch", "{}").status()).isEqualTo(400);
			assertThat(app.post("/actuator/toolhooks/other", "{\"enabled\": true}").status()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource
	void withoutAccessNothingCanBeWritten(Stack stack) {
		String readOnly = "management: {endpoints: {web: {exposure: {include: \"*\"}}}}\n";
		try (WebApplication app = WebApplication.start(stack, readOnly + HOOKS, Tools.class)) {
			assertThat(app.get("/actuator/toolhooks").status()).isEqualTo(200);
			assertThat(app.post("/actuator/toolhooks", "{\"tool_name\":\"x\"}").status()).isEqualTo(405);
			assertThat(app.post("/actuator/toolhooks/switch", "{\"enabled\": false}").status()).isEqualTo(405);
			assertThat(app.bean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())).succeeded()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource
	void withoutExposureThereIsNoEndpointAndNoJournal(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, HOOKS, Tools.class)) {
			assertThat(app.get("/actuator/toolhooks").status()).isEqualTo(404);
			assertThat(app.get("/actuator/toolcalls").status()).isEqualTo(404);
			assertThat(app.context().getBeansOfType(CallJournal.class)).isEmpty();
			assertThat(app.context().getBeansOfType(AskedHooks.class)).isEmpty();
		}
	}

	@ParameterizedTest
	@EnumSource
	void explainWorksOnAManagementPortOfItsOwnAndAnotherPath(Stack stack) {
		String own = """
				management:
				  server: {port: 0}
				  endpoints: {web: {base-path: /ops, path-mapping: {toolhooks: gate}, exposure: {include: "*"}}}
				  endpoint: {toolhooks: {access: unrestricted}}
				""";
		try (WebApplication app = WebApplication.start(stack, own + HOOKS, Tools.class)) {
			assertThat(app.get("/ops/gate").status()).isEqualTo(200);
			Reply reply = app.post("/ops/gate", "{\"tool_name\":\"delete_user\",\"arguments\":{\"a\":{\"b\":1}}}");
			assertThat(reply.status()).as(reply.body()).isEqualTo(200);
			assertThat(reply.text("/verdict")).isEqualTo("deny");
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, /, /toolhooks", "REACTIVE, /, /toolhooks", "REACTIVE, /, /routed/toolhooks",
			"REACTIVE, /ops, /ops/toolhooks", "SERVLET, /ops, /ops/toolhooks" })
	void bodyOfTheApplicationsOwnRequestIsNotChanged(Stack stack, String basePath, String path) {
		String own = """
				management:
				  server: {port: 0}
				  endpoints: {web: {base-path: "%s", exposure: {include: "*"}}}
				  endpoint: {toolhooks: {access: unrestricted}}
				""".formatted(basePath);
		if (path.startsWith("/routed")) {
			own = own.replace("base-path: \"/\"", "base-path: /, path-mapping: {toolhooks: routed/toolhooks}");
		}
		try (WebApplication app = WebApplication.start(stack, own + HOOKS, Tools.class,
				(stack == Stack.SERVLET) ? OwnPage.class : OwnReactivePage.class)) {
			String body = "{\"tool_name\": \"delete_user\", \"arguments\": {\"a\": [1, 2]}}";
			Reply reply = app.postToApplication(path, body);
			assertThat(reply.status()).as(reply.body()).isEqualTo(200);
			assertThat(reply.body()).isEqualTo(body.length() + " " + body);
			Reply explained = app.post(path, body);
			assertThat(explained.status()).as(explained.body()).isEqualTo(200);
			assertThat(explained.text("/verdict")).isEqualTo("deny");
		}
	}

	@ParameterizedTest
	@EnumSource
	void explainTakesACallAlsoIfThePathIsEncoded(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			Reply reply = app.post("/actuator/%74oolhooks", "{\"tool_name\":\"delete_user\",\"arguments\":{\"a\":{}}}");
			assertThat(reply.status()).as(reply.body()).isEqualTo(200);
			assertThat(reply.text("/verdict")).isEqualTo("deny");
		}
	}

	@ParameterizedTest
	@EnumSource
	void toolcallsShowsTheLastCallsRedactedWithTheTimeOfEachHook(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
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

	@ParameterizedTest
	@EnumSource
	void toolcallsSaysWhoAnsweredAQuestion(Stack stack) {
		String asking = HOOKS.replace("deny_tools: [\"delete_*\"]", "ask_tools: [\"delete_*\"]");
		try (WebApplication app = WebApplication.start(stack, EXPOSED + asking, Tools.class, Alice.class)) {
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
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
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
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
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
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS + audit, Tools.class)) {
			app.post("/actuator/toolhooks/switch", "{\"enabled\": false}");
			app.bean(ToolHooksEndpoint.class).change("switch", "true", new LoggedIn("carol"));
			app.bean(ToolHooks.class).disableTools();
			Awaitility.await()
				.untilAsserted(() -> assertThat(switches(app))
					.extracting((line) -> line.replaceAll(".*(\"tools_enabled\":.*),\"hash\".*", "$1"))
					.containsExactly("\"tools_enabled\":false,\"through\":\"actuator\"",
							"\"tools_enabled\":true,\"through\":\"actuator\",\"user\":\"carol\"",
							"\"tools_enabled\":false,\"through\":\"application\""));
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
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS + audit, Tools.class)) {
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
		try (WebApplication app = WebApplication.start(stack, HOOKS + audit + "    key: {id: k1, " + former + "\n",
				Tools.class)) {
			app.bean(ToolExecutor.class).execute(ToolCall.of("delete_user", Map.of()));
		}
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS + audit + active, Tools.class)) {
			Reply unknown = app.get("/actuator/toolaudit");
			assertThat(unknown.json().get("unbroken").asBoolean()).isFalse();
			assertThat(unknown.text("/nodes/0/problem/kind")).isEqualTo("unknown_key");
			assertThat(unknown.text("/nodes/0/problem/message")).contains("'k1'").doesNotContain("is not what was");
		}
		String formerKeys = "    former_keys: [{id: k1, " + former + "]\n";
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS + audit + active + formerKeys,
				Tools.class)) {
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
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS + audit, Tools.class)) {
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
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			assertThat(app.get("/actuator/toolaudit").status()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource
	void infoCountsHooks(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			Reply info = app.get("/actuator/info");
			assertThat(info.json().at("/hooks/tool_call/pre_call").asInt()).isEqualTo(2);
			assertThat(info.json().at("/hooks/tool_call/result").asInt()).isEqualTo(1);
			assertThat(info.json().at("/hooks/llm_call/pre_call").asInt()).isZero();
			assertThat(info.text("/hooks/version")).hasSize(32);
		}
	}

	@Test
	void applicationWithoutTheActuatorStarts() {
		new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, HooksEndpointsAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(HooksEndpointsAutoConfiguration.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Tools {

		final List<ToolCall> executed = new CopyOnWriteArrayList<>();

		@Bean
		ToolExecutor executor() {
			return new Executor(this.executed);
		}

	}

	static class Executor implements ToolExecutor {

		private final List<ToolCall> executed;

		Executor(List<ToolCall> executed) {
			this.executed = executed;
		}

		@Override
		public ToolResult execute(ToolCall call) {
			this.executed.add(call);
			return ToolResult.success("done");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read", "delete_user", "send_email", "run_command");
		}

	}

	/**
	 * What the application itself serves. It says what it got.
	 */
	@RestController
	static class OwnPage {

		@PostMapping({ "/toolhooks", "/ops/toolhooks" })
		ResponseEntity<String> posted(@RequestBody String body, @RequestHeader("Content-Length") String length) {
			return ResponseEntity.ok(length + " " + body);
		}

	}

	/**
	 * The same for WebFlux, also by a router.
	 */
	@RestController
	static class OwnReactivePage extends OwnPage {

		@Bean
		RouterFunction<ServerResponse> routed() {
			return RouterFunctions.route(RequestPredicates.POST("/routed/toolhooks"),
					(request) -> request.bodyToMono(String.class)
						.flatMap((body) -> ServerResponse.ok()
							.bodyValue(request.headers().contentLength().orElse(-1) + " " + body)));
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
