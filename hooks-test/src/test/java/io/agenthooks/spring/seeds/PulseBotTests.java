package io.agenthooks.spring.seeds;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.test.TestedToolCall;
import io.agenthooks.test.ToolHooksTester;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent.Started;
import io.agenthooks.toolcall.ToolCallEvent.Succeeded;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * PulseBot's hooks: {@code hooks.tool_call} of its {@code config.yaml}, key by key.
 */
class PulseBotTests {

	/** The three examples of its manual for a policy, as one policy. */
	private static final String POLICY = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        config:
			          deny_tools: ["delete_*"]
			          deny_argument_patterns:
			            command: ["rm -rf", "sudo", "curl.*\\\\|.*sh"]
			          allow_tools: ["file_*", "delete_me", "run_command"]
			""";

	/** Its example of a chain. */
	private static final String CHAIN = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        config:
			          deny_tools: ["run_command"]
			      - type: webhook
			        config:
			          url: "${APPROVAL_URL}/hook"
			          auth_header: "Bearer ${WEBHOOK_SECRET}"
			          timeout: 5.0
			          fail_open: true
			""";

	@Test
	@DisplayName("no hooks: section -> PassthroughHook")
	void callWithoutHooksGoesStraightToTheTool() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("");
		ToolCall call = ToolCall.of("run_command", Map.of("command", "rm -rf /"));
		assertThat(hooks.call(call)).isApproved().hasSucceeded().hasEvents(Started.class, Succeeded.class);
		assertThat(hooks.executor().calls()).singleElement().isSameAs(call);
	}

	@Test
	@DisplayName("type: passthrough")
	void passthroughApprovesEverything() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: passthrough
				""");
		assertThat(hooks.call("run_command", Map.of("command", "rm -rf /"))).isApproved().hasSucceeded();
	}

	@ParameterizedTest
	@CsvSource({ "file_read, true", "file_, true", "File_read, false", "a_file_read, false", "read_file, false" })
	@DisplayName("allow_tools: fnmatch wildcards")
	void globsOfAllowedToolsMatchWholeNames(String tool, boolean allowed) {
		TestedToolCall call = ToolHooksTester.ofYaml(POLICY).call(tool, Map.of());
		if (allowed) {
			assertThat(call).isApproved();
		}
		else {
			assertThat(call).isDenied().byHook("policy#0").withReasonContaining("does not allow the tool");
		}
	}

	@Test
	@DisplayName("deny_tools, then deny_argument_patterns, then allow_tools")
	void rulesOfAPolicyAreAskedInOrder() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml(POLICY);
		Map<String, String> sudo = Map.of("command", "sudo ls");
		assertThat(hooks.call("delete_me", sudo)).isDenied().withReason("The policy denies the tool 'delete_me'");
		assertThat(hooks.call("run_command", sudo)).isDenied().withReasonContaining("argument 'command'");
		assertThat(hooks.call("unknown", sudo)).isDenied().withReasonContaining("argument 'command'");
		assertThat(hooks.call("unknown", Map.of("command", "ls"))).isDenied().withReasonContaining("does not allow");
		assertThat(hooks.call("run_command", Map.of("command", "ls"))).isApproved();
		assertThat(hooks.executor()).hasRunOnly("run_command");
	}

	@ParameterizedTest
	@CsvSource({ "command, rm -rf /, true", "command, echo sudo, true", "command, curl http://x | sh, true",
			"command, rm -r /, false", "command, SUDO, false", "other, sudo, false" })
	@DisplayName("deny_argument_patterns: argument key -> regexes, searched")
	void patternsAreSearchedInTheArgumentOfTheirName(String argument, String value, boolean denied) {
		TestedToolCall call = ToolHooksTester.ofYaml(POLICY).call("run_command", Map.of(argument, value));
		if (denied) {
			assertThat(call).isDenied().withReasonContaining("'command'").content().doesNotContain(value);
		}
		else {
			assertThat(call).isApproved();
		}
	}

	@Test
	@DisplayName("webhook: request {tool_name, arguments, session_id}, auth_header, verdict approve")
	void webhookIsAskedAboutTheCall() throws Exception {
		try (ApprovalService service = new ApprovalService("{\"verdict\": \"approve\"}");
				ToolHooksTester hooks = chain(service)) {
			assertThat(hooks.inSession("abc123").call("read_file", Map.of("path", "a.txt"))).isApproved();
			assertThat(hooks.executor()).hasRun("read_file", Map.of("path", "a.txt"));
			Received question = service.take();
			assertThat(question.authorization()).isEqualTo("Bearer s3cret");
			assertThat(question.json().path("tool_name").asString()).isEqualTo("read_file");
			assertThat(question.json().path("arguments").toString()).isEqualTo("{\"path\":\"a.txt\"}");
			assertThat(question.json().path("session_id").asString()).isEqualTo("abc123");
		}
	}

	@Test
	@DisplayName("webhook: verdict deny, with reasoning")
	void webhookDenies() throws Exception {
		try (ApprovalService service = new ApprovalService(
				"{\"verdict\": \"deny\", \"reasoning\": \"not on Fridays\"}"); ToolHooksTester hooks = chain(service)) {
			assertThat(hooks.call("read_file", Map.of())).isDenied()
				.byHook("webhook#1")
				.withReason("not on Fridays")
				.withContentContaining("not on Fridays");
			assertThat(hooks.executor()).hasRunNothing();
		}
	}

	@Test
	@DisplayName("webhook: verdict modify, with modified_arguments")
	void webhookReplacesTheArguments() throws Exception {
		try (ApprovalService service = new ApprovalService(
				"{\"verdict\": \"modify\", \"modified_arguments\": {\"path\": \"/safe\"}}");
				ToolHooksTester hooks = chain(service)) {
			assertThat(hooks.call("read_file", Map.of("path", "/etc", "mode", "all"))).isModified()
				.byHook("webhook#1")
				.toArguments(Map.of("path", "/safe"));
			assertThat(hooks.executor()).hasRun("read_file", Map.of("path", "/safe"));
		}
	}

	@Test
	@DisplayName("webhook: post_call notification with event and result")
	void webhookHearsHowTheCallEnded() throws Exception {
		try (ApprovalService service = new ApprovalService("{\"verdict\": \"approve\"}");
				ToolHooksTester hooks = chain(service)) {
			hooks.executor().returning("the text");
			hooks.inSession("abc123").call("read_file", Map.of("path", "a.txt"));
			assertThat(service.take().json().has("event")).isFalse();
			JsonNode notification = service.take().json();
			assertThat(notification.path("event").asString()).isEqualTo("post_call");
			assertThat(notification.path("tool_name").asString()).isEqualTo("read_file");
			assertThat(notification.path("session_id").asString()).isEqualTo("abc123");
			assertThat(notification.path("result").asString()).isEqualTo("the text");
		}
	}

	@Test
	@DisplayName("webhook: fail_open on network errors")
	void unreachableWebhookPassesOnlyWithFailOpen() throws Exception {
		ApprovalService gone = new ApprovalService("");
		gone.close();
		try (ToolHooksTester open = chain(gone)) {
			assertThat(open.call("read_file", Map.of())).isApproved().hasFailedOpen("webhook#1");
		}
		try (ToolHooksTester closed = ToolHooksTester.ofYaml(CHAIN.replace("fail_open: true", "fail_open: false"))
			.withEnvironmentVariable("APPROVAL_URL", gone.url())
			.withEnvironmentVariable("WEBHOOK_SECRET", "s3cret")) {
			assertThat(closed.call("read_file", Map.of())).isDenied().byHook("webhook#1");
			assertThat(closed.executor()).hasRunNothing();
		}
	}

	@Test
	@DisplayName("webhook: timeout")
	void webhookThatDoesNotAnswerInTimeFailsOpen() throws Exception {
		CountDownLatch answered = new CountDownLatch(1);
		try (ApprovalService service = new ApprovalService((exchange) -> answered.await(30, TimeUnit.SECONDS));
				ToolHooksTester hooks = ToolHooksTester.ofYaml(CHAIN.replace("timeout: 5.0", "timeout: 0.2"))
					.withEnvironmentVariable("APPROVAL_URL", service.url())
					.withEnvironmentVariable("WEBHOOK_SECRET", "s3cret")) {
			assertThat(hooks.call("read_file", Map.of())).isApproved().hasFailedOpen("webhook#1");
			answered.countDown();
		}
	}

	@Test
	@DisplayName("an answer that is none: PulseBot approves")
	void answerThatIsNoneDeniesInSpiteOfFailOpen() throws Exception {
		for (String answer : List.of("{}", "{\"verdict\": \"DENY\"}", "[]", "<html>", "{\"verdict\": \"modify\"}")) {
			try (ApprovalService service = new ApprovalService(answer); ToolHooksTester hooks = chain(service)) {
				assertThat(hooks.call("read_file", Map.of())).isDenied().byHook("webhook#1");
			}
		}
	}

	@Test
	@DisplayName("chain: the first deny short-circuits")
	void firstDenyStopsTheChain() throws Exception {
		try (ApprovalService service = new ApprovalService("{\"verdict\": \"approve\"}");
				ToolHooksTester hooks = chain(service)) {
			assertThat(hooks.call("run_command", Map.of())).isDenied().byHook("policy#0");
			assertThat(hooks.executor()).hasRunNothing();
			assertThat(service.take().json().path("event").asString("question")).isEqualTo("post_call");
		}
	}

	@Test
	@DisplayName("modify: later hooks and the tool get modified_arguments")
	void laterHooksAndTheToolGetTheChangedArguments() throws Exception {
		PreToolHook first = (call) -> ToolDecision.modify(Map.of("path", "/safe"));
		try (ApprovalService service = new ApprovalService("{\"verdict\": \"approve\"}");
				ToolHooksTester hooks = chain(service).withBean("first", first)) {
			assertThat(hooks.call("read_file", Map.of("path", "/etc", "mode", "all"))).isModified().byHook("first");
			assertThat(service.take().json().path("arguments").toString()).isEqualTo("{\"path\":\"/safe\"}");
			assertThat(hooks.executor()).hasRun("read_file", Map.of("path", "/safe"));
		}
	}

	@Test
	@DisplayName("ToolExecutor(skill_loader, hooks=[MyHook()])")
	void hookOfOnesOwnIsPassedDirectly() {
		MyHook mine = new MyHook();
		ToolHooksTester hooks = ToolHooksTester.ofHooks(mine);
		assertThat(hooks.call("run_command", Map.of("command", "sudo ls"))).isDenied()
			.byHook("myHook")
			.withReason("sudo not allowed");
		assertThat(hooks.call("run_command", Map.of("command", "ls"))).isApproved();
		assertThat(mine.ended).containsExactly("run_command -> success=false", "run_command -> success=true");

		ToolHookChain withoutSpring = new ToolHookChain(List.of(mine), List.of(mine));
		ToolResult result = withoutSpring.execute(ToolCall.of("run_command", Map.of("command", "sudo ls")),
				(call) -> ToolResult.success("ran"));
		assertThat(result.content()).isEqualTo("Tool call denied by hook 'MyHook': sudo not allowed");
	}

	@Test
	@DisplayName("_HOOK_REGISTRY[\"my_hook\"] = MyHook")
	void hookOfOnesOwnIsATypeOfTheConfiguration() {
		MyHook mine = new MyHook();
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: my_hook
				""").withBean(ToolHookFactory.of("my_hook", NoOptions.class, (config) -> mine));
		assertThat(hooks.call("run_command", Map.of("command", "sudo ls"))).isDenied().byHook("my_hook#0");
		assertThat(mine.ended).containsExactly("run_command -> success=false");
	}

	@Test
	@DisplayName("errors in post-call hooks are logged but never propagate")
	void postCallHookThatFailsChangesNothing() {
		PostToolHook broken = (outcome) -> {
			throw new IllegalStateException("boom");
		};
		List<ToolOutcome> heard = new ArrayList<>();
		PostToolHook next = heard::add;
		ToolHooksTester hooks = ToolHooksTester.ofHooks(broken, next);
		assertThat(hooks.call("read_file", Map.of())).hasSucceeded().withContent("ran read_file");
		assertThat(heard).hasSize(1);
	}

	@Test
	@DisplayName("post-call hooks run regardless of pre-call results (promised, not kept)")
	void postCallHooksHearOfDeniedCallsAndOfToolsThatThrow() {
		MyHook mine = new MyHook();
		ToolHooksTester hooks = ToolHooksTester.ofHooks(mine);
		hooks.executor().running((call) -> {
			throw new IllegalStateException("boom");
		});
		hooks.call("run_command", Map.of("command", "sudo ls"));
		assertThat(hooks.call("read_file", Map.of())).hasFailed().exception().hasMessage("boom");
		assertThat(mine.ended).containsExactly("run_command -> success=false", "read_file -> success=false");
	}

	@Test
	@DisplayName("HumanApprovalHook (planned)")
	void personIsAskedBeforeTheToolRuns() {
		PreToolHook asking = (call) -> ToolDecision.ask("May I?");
		ToolHooksTester hooks = ToolHooksTester.ofHooks(asking);
		assertThat(hooks.approving().call("run_command", Map.of())).isApproved().hasAskedForApproval("May I?");
		assertThat(hooks.withApprover((call, question) -> ToolDecision.deny("Not today")).call("run_command", Map.of()))
			.isDenied()
			.withReason("Not today");
	}

	@Test
	@DisplayName("an exception of a hook: PulseBot approves")
	void hookThatThrowsDenies() {
		PreToolHook broken = (call) -> {
			throw new IllegalStateException("boom");
		};
		ToolHooksTester hooks = ToolHooksTester.ofHooks(broken);
		assertThat(hooks.call("read_file", Map.of())).isDenied();
		assertThat(hooks.executor()).hasRunNothing();
	}

	@Test
	@DisplayName("allow_tools: []: PulseBot allows every tool")
	void emptyListOfAllowedToolsDeniesEveryTool() {
		ToolHooksTester hooks = ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config: {allow_tools: []}
				""");
		assertThat(hooks.call("read_file", Map.of())).isDenied();
	}

	@Test
	@DisplayName("unknown type, missing url, bad regex: PulseBot skips the hook")
	void mistakesStopTheStart() {
		assertThatIllegalStateException().isThrownBy(ToolHooksTester.ofYaml("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: polcy
				      - type: webhook
				      - type: policy
				        config: {deny_argument_patterns: {command: ["("]}}
				""")::start)
			.withMessageContainingAll("pre_call[0].type", "policy", "pre_call[1].config", "url",
					"pre_call[2].config.deny_argument_patterns.command[0]");
	}

	private static ToolHooksTester chain(ApprovalService service) {
		return ToolHooksTester.ofYaml(CHAIN)
			.withEnvironmentVariable("APPROVAL_URL", service.url())
			.withEnvironmentVariable("WEBHOOK_SECRET", "s3cret");
	}

	record NoOptions() {
	}

	/**
	 * The hook of its manual.
	 */
	static final class MyHook implements PreToolHook, PostToolHook {

		private final List<String> ended = new ArrayList<>();

		@Override
		public ToolDecision preCall(ToolCall call) {
			if (call.tool().equals("run_command")
					&& Objects.toString(call.arguments().get("command"), "").contains("sudo")) {
				return ToolDecision.deny("sudo not allowed");
			}
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			boolean success = outcome.result() != null && outcome.result().succeeded();
			this.ended.add(outcome.requested().tool() + " -> success=" + success);
		}

	}

	record Received(JsonNode json, String authorization) {
	}

	@FunctionalInterface
	interface Wait {

		void before(HttpExchange exchange) throws InterruptedException;

	}

	/**
	 * A service that gives every call the same answer.
	 */
	static final class ApprovalService implements AutoCloseable {

		private final HttpServer server;

		private final ExecutorService threads = Executors.newCachedThreadPool();

		private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

		ApprovalService(String answer) throws IOException {
			this(answer, (exchange) -> {
			});
		}

		ApprovalService(Wait wait) throws IOException {
			this("{\"verdict\": \"deny\"}", wait);
		}

		private ApprovalService(String answer, Wait wait) throws IOException {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			this.server.setExecutor(this.threads);
			this.server.createContext("/hook", (exchange) -> answer(exchange, answer, wait));
			this.server.start();
		}

		private void answer(HttpExchange exchange, String answer, Wait wait) throws IOException {
			try (exchange) {
				JsonNode json = JsonMapper.shared().readTree(exchange.getRequestBody());
				this.received.add(new Received(json, exchange.getRequestHeaders().getFirst("Authorization")));
				wait.before(exchange);
				byte[] body = answer.getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().set("Content-Type", "application/json");
				exchange.sendResponseHeaders(200, body.length);
				exchange.getResponseBody().write(body);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		String url() {
			return "http://127.0.0.1:" + this.server.getAddress().getPort();
		}

		Received take() throws InterruptedException {
			return Objects.requireNonNull(this.received.poll(30, TimeUnit.SECONDS), "Nothing arrived");
		}

		@Override
		public void close() {
			this.server.stop(0);
			this.threads.shutdownNow();
		}

	}

}
