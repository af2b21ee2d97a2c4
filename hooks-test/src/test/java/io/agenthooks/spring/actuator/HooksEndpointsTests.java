package io.agenthooks.spring.actuator;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
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
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.actuator.WebApplication.Reply;
import io.agenthooks.spring.actuator.WebApplication.Stack;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.limit.LimitHooksAutoConfiguration;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.spring.webhook.WebhookHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HooksEndpointsAutoConfiguration} and the endpoint of hooks, over HTTP.
 */
class HooksEndpointsTests {

	static final String EXPOSED = """
			management:
			  endpoints: {web: {exposure: {include: "*"}}}
			  endpoint: {toolhooks: {access: unrestricted}}
			""";

	static final String HOOKS = """
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

	private static final Map<String, WebApplication> shared = new HashMap<>();

	@AfterAll
	static void closeShared() {
		shared.values().forEach(WebApplication::close);
		shared.clear();
	}

	/**
	 * An application for tests that only read, or that are refused.
	 */
	private static WebApplication shared(Stack stack) {
		return shared("for readers", stack);
	}

	private static WebApplication shared(String key, Stack stack) {
		return shared.computeIfAbsent(key + stack,
				(absent) -> WebApplication.start(stack, EXPOSED + HOOKS, Tools.class));
	}

	@ParameterizedTest
	@EnumSource
	void toolhooksListsHooksWithPlaceRulesAndOptionsAndNoConfiguration(Stack stack) {
		WebApplication app = shared(stack);
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
				LimitHooksAutoConfiguration.class)) {
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
		WebApplication app = shared(stack);
		Reply reply = app.get("/actuator/toolhooks/delete_user");
		assertThat(reply.status()).isEqualTo(200);
		assertThat(reply.text("/tools/0/guarded_by")).isEqualTo("ToolExecutor");
		assertThat(reply.text("/tools/0/source")).isEqualTo("bean 'executor'");
		assertThat(reply.text("/tools/0/rules/0/rule")).isEqualTo("deny_tools");
		assertThat(reply.json().at("/tools/0/pre_call").findValuesAsString("type")).containsExactly("policy");
		assertThat(app.get("/actuator/toolhooks/nobody").status()).isEqualTo(404);
		assertThat(app.get("/actuator/toolhooks/nobody").body()).contains("error").doesNotContain("trace");
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
		WebApplication app = shared(stack);
		Reply denied = app.post("/actuator/toolhooks", """
				{"tool_name": "run_command", "arguments": {"command": "sudo ls", "in": [1, null]},
				 "session_id": "s1", "agent": "clerk", "user": "bob", "authorities": ["ROLE_X"],
				 "claims": {"tenant": "a"}, "role": "agent", "workspace": "main", "live": false}
				""");
		assertThat(denied.status()).as(denied.body()).isEqualTo(200);
		assertThat(denied.text("/verdict")).isEqualTo("deny");
		assertThat(denied.text("/decided_by")).isEqualTo("house-rules");
		assertThat(denied.text("/reason")).isNotBlank();
		assertThat(denied.json().at("/arguments").toString()).isEqualTo("{\"command\":\"sudo ls\",\"in\":[1,null]}");
		assertThat(denied.json().get("known_tool").asBoolean()).isTrue();
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

	@Test
	void explainSaysThatNobodyKnowsATool() {
		try (WebApplication app = WebApplication.start(Stack.SERVLET, EXPOSED, Tools.class, Unsaid.class)) {
			Reply unknown = app.post("/actuator/toolhooks", "{\"tool_name\": \"raed\"}");
			assertThat(unknown.text("/verdict")).as(unknown.body()).isEqualTo("approve");
			assertThat(unknown.json().get("known_tool").asBoolean()).isFalse();
			assertThat(
					app.post("/actuator/toolhooks", "{\"tool_name\": \"read\"}").json().get("known_tool").asBoolean())
				.isTrue();
		}
	}

	@Test
	void notificationsThatNobodyGotAreCountedByTheirSender() {
		try (WebApplication app = WebApplication.start(Stack.SERVLET, EXPOSED, Tools.class)) {
			assertThat(app.get("/actuator/toolhooks").json().get("lost_notifications")).isEmpty();
			HookCounts counts = new HookCounts() {
				@Override
				public long droppedNotifications() {
					return 2;
				}
			};
			app.bean(LostNotifications.class).join("approval-notify-0", counts);
			assertThat(app.get("/actuator/toolhooks").json().get("lost_notifications").toString())
				.isEqualTo("{\"approval-notify-0\":2}");
		}
	}

	@Test
	void toolsThatAreOffFromTheStartNameNobody() {
		String off = EXPOSED + "hooks: {tool_call: {kill_switch: true}}\n";
		try (WebApplication app = WebApplication.start(Stack.SERVLET, off, Tools.class)) {
			assertThat(app.get("/actuator/toolhooks").json().get("tools_off").toString())
				.isEqualTo("{\"since\":null,\"user\":null,\"through\":null}");
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
		mistakes.put("{'tool_name':'x','tool_name':'y'}", "not a readable JSON object");
		mistakes.put("[1]", "not a readable JSON object");
		mistakes.put("{'tool_name':", "not a readable JSON object");
		WebApplication app = shared(stack);
		mistakes.forEach((body, reason) -> {
			Reply reply = app.post("/actuator/toolhooks", body.replace('\'', '"'));
			assertThat(reply.status()).as(body + " " + reply.body()).isEqualTo(400);
			assertThat(reply.text("/error")).contains(reason);
		});
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
		WebApplication app = shared(stack);
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

	@ParameterizedTest
	@EnumSource
	void switchTurnsAllToolsOffAndOn(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			ToolExecutor tools = app.bean(ToolExecutor.class);
			assertThat(app.get("/actuator/toolhooks").json().get("tools_off").isNull()).isTrue();
			Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
			Reply off = app.post("/actuator/toolhooks/switch", "{\"enabled\": false}");
			assertThat(off.status()).isEqualTo(200);
			assertThat(off.json().get("tools_enabled").asBoolean()).isFalse();
			assertThat(tools.execute(ToolCall.of("read", Map.of())).succeeded()).isFalse();
			JsonNode hooks = app.get("/actuator/toolhooks").json();
			assertThat(hooks.get("tools_enabled").asBoolean()).isFalse();
			assertThat(Instant.parse(hooks.at("/tools_off/since").asString())).isBetween(before, Instant.now());
			assertThat(hooks.at("/tools_off/through").asString()).isEqualTo("actuator");
			assertThat(hooks.at("/tools_off/user").isNull()).isTrue();
			app.post("/actuator/toolhooks/switch", "{\"enabled\": true}");
			assertThat(app.get("/actuator/toolhooks").json().get("tools_off").isNull()).isTrue();
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
	void switchTurnsSomeToolsOffAndOnOrThoseOfAnAgent(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			ToolExecutor tools = app.bean(ToolExecutor.class);
			ToolCall read = ToolCall.of("read", Map.of());
			Reply off = app.post("/actuator/toolhooks/switch_tool", "{\"enabled\": false, \"tool\": \"rea*\"}");
			assertThat(off.status()).as(off.body()).isEqualTo(200);
			assertThat(off.json().get("tools_enabled").asBoolean()).isTrue();
			assertThat(off.json().at("/parts_off/0/tool").asString()).isEqualTo("rea*");
			assertThat(tools.execute(read).content()).contains("The tool is switched off");
			assertThat(tools.execute(ToolCall.of("write", Map.of())).succeeded()).isTrue();
			app.post("/actuator/toolhooks/switch_agent", "{\"enabled\": false, \"agent\": \"clerk\"}");
			JsonNode hooks = app.get("/actuator/toolhooks").json();
			assertThat(hooks.get("tools_off").isNull()).isTrue();
			assertThat(hooks.get("switch_shared").asBoolean()).isFalse();
			assertThat(hooks.get("parts_off").findValuesAsString("through")).containsExactly("actuator", "actuator");
			assertThat(hooks.at("/parts_off/1/agent").asString()).isEqualTo("clerk");
			assertThat(
					tools.execute(ToolCall.of("write", Map.of(), CallContext.empty().withAgent("clerk"))).succeeded())
				.isFalse();
			JsonNode explained = app.post("/actuator/toolhooks", "{\"tool_name\": \"read\"}").json();
			assertThat(explained.get("decided_by").asString()).isEqualTo("kill-switch");
			app.post("/actuator/toolhooks/switch_tool", "{\"enabled\": true, \"tool\": \"rea*\"}");
			assertThat(tools.execute(read).succeeded()).isTrue();
			assertThat(app.get("/actuator/toolhooks").json().get("parts_off")).hasSize(1);
		}
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', delimiter = ';',
			value = { "switch_tool; {\"enabled\": true, \"tool\": \"rea*\"}; 409; Nothing is switched off",
					"switch_tool; {\"enabled\": true, \"tools\": \"rea*\"}; 400; Write 'tool'",
					"switch_tool; {\"enabled\": false, \"tool\": \"a\", \"agent\": \"b\"}; 400; and no 'agent'",
					"switch_agent; {\"enabled\": true, \"tool\": \"rea*\"}; 400; Write 'agent'",
					"switch; {\"enabled\": true, \"tool\": \"rea*\"}; 400; is for all tools",
					"switch; {\"enabled\": true, \"agent\": \"a\"}; 400; is for all tools",
					"switch_tools; {\"enabled\": true}; 404; The operations here are",
					"switch_tool; {\"enabled\": false, \"tool\": \"\"}; 400; 1 to 100 characters",
					"switch_tool; {\"enabled\": false, \"tool\": \"^rea.*$\"}; 400; regular expression" })
	void switchThatSaysNothingIsRefused(String operation, String body, int status, String error) {
		WebApplication app = shared("tools off", Stack.SERVLET);
		app.bean(ToolHooks.class).disableTools();
		Reply refused = app.post("/actuator/toolhooks/" + operation, body);
		assertThat(refused.status()).as(refused.body()).isEqualTo(status);
		assertThat(refused.text("/error")).contains(error);
		assertThat(app.get("/actuator/toolhooks").json().get("parts_off")).isEmpty();
		assertThat(app.bean(ToolHooks.class).areToolsEnabled()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void modeOfAHookHasAPathAndAnAccessOfItsOwn(Stack stack) {
		String body = "{\"name\": \"house-rules\", \"mode\": \"observe\", \"duration\": \"1m\"}";
		String modes = EXPOSED.replace("toolhooks:", "hookmodes:");
		try (WebApplication app = WebApplication.start(stack, modes + HOOKS, Tools.class)) {
			Reply anonymous = app.post("/actuator/hookmodes", body);
			assertThat(anonymous.status()).as(anonymous.body()).isEqualTo(403);
			assertThat(app.post("/actuator/hookmodes", "{\"name\": \"house-rules\"}").status()).isEqualTo(400);
			assertThat(app.post("/actuator/toolhooks", body).status()).isEqualTo(405);
			assertThat(app.post("/actuator/toolhooks", "{\"tool_name\":\"x\"}").status()).isEqualTo(405);
		}
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			assertThat(app.post("/actuator/hookmodes", body).status()).isEqualTo(404);
			Reply call = app.post("/actuator/toolhooks", body);
			assertThat(call.status()).isEqualTo(400);
			assertThat(call.text("/error")).contains("is not known");
			assertThat(app.get("/actuator/toolhooks").json().get("observing_until")).isEmpty();
		}
	}

	/**
	 * As the page on the actuator says: a rule about the path of the switch is too
	 * narrow.
	 */
	@ParameterizedTest
	@EnumSource
	void bodyMayNameTheSwitchBelowHooksAndNotAtTheirPath(Stack stack) {
		try (WebApplication app = WebApplication.start(stack, EXPOSED + HOOKS, Tools.class)) {
			String body = "{\"operation\": \"switch\", \"enabled\": false}";
			assertThat(app.post("/actuator/toolhooks", body).status()).isEqualTo(400);
			assertThat(app.post("/actuator/toolhooks?operation=switch&enabled=false", "{}").status()).isEqualTo(400);
			assertThat(app.get("/actuator/toolhooks").json().get("tools_enabled").asBoolean()).isTrue();
			assertThat(app.post("/actuator/toolhooks/other", body).status()).isEqualTo(200);
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
		WebApplication app = shared(stack);
		Reply reply = app.post("/actuator/%74oolhooks", "{\"tool_name\":\"delete_user\",\"arguments\":{\"a\":{}}}");
		assertThat(reply.status()).as(reply.body()).isEqualTo(200);
		assertThat(reply.text("/verdict")).isEqualTo("deny");
	}

	@ParameterizedTest
	@EnumSource
	void infoCountsHooks(Stack stack) {
		WebApplication app = shared(stack);
		Reply info = app.get("/actuator/info");
		assertThat(info.json().at("/hooks/tool_call/pre_call").asInt()).isEqualTo(2);
		assertThat(info.json().at("/hooks/tool_call/result").asInt()).isEqualTo(1);
		assertThat(info.json().at("/hooks/llm_call/pre_call").asInt()).isZero();
		assertThat(info.text("/hooks/version")).hasSize(32);
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
	@ImportAutoConfiguration(WebhookHooksAutoConfiguration.class)
	static class Tools {

		final List<ToolCall> executed = new CopyOnWriteArrayList<>();

		@Bean
		ToolExecutor executor() {
			return new Executor(this.executed);
		}

	}

	/** Tools that nobody knows at the start. */
	@Configuration(proxyBeanMethods = false)
	static class Unsaid {

		@Bean
		ToolExecutor silent() {
			return (call) -> ToolResult.success("done");
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
			Object error = call.arguments().get("fail");
			return (error != null) ? ToolResult.failure(error.toString()) : ToolResult.success("done");
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

}
