package io.agenthooks.spring.approval;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.external.NotifyServer;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what endpoints are told about questions.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class ApprovalNotifyTests {

	private static final String SECRET = "hooks.approval.links.secret=0123456789abcdef0123456789abcdef";

	private static final String BASE = "hooks.approval.links.base_url=https://agents.example.com/app/";

	private static final String POLICY = "hooks.tool_call.pre_call[1].type=policy";

	private static final String PATTERN = "hooks.tool_call.pre_call[1].config.ask_argument_patterns.command[0]=ls";

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	@AutoClose
	private final NotifyServer server = new NotifyServer();

	@TempDir
	Path directory;

	private ApplicationContextRunner asking(ApprovalApplication application, String... options) {
		ApplicationContextRunner runner = application.asking()
			.withConfiguration(AutoConfigurations.of(ApprovalLinksAutoConfiguration.class,
					ApprovalLinksWebAutoConfiguration.class, ApprovalNotifyAutoConfiguration.class))
			.withPropertyValues("hooks.approval.notify[0].url=" + this.server.url());
		for (String option : options) {
			runner = runner
				.withPropertyValues((option.startsWith("hooks.")) ? option : "hooks.approval.notify[0]." + option);
		}
		return runner;
	}

	private void run(ApprovalApplication.Test test, String... options) {
		this.application.run(asking(this.application, options), test);
	}

	/**
	 * Ask about a call, and deny it.
	 * @return what was told about both
	 */
	private List<JsonNode> askAndDeny(ToolCall call) throws Exception {
		CompletableFuture<ToolResult> result = this.application.start(call);
		JsonNode asked = this.server.take().json();
		this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "Not `that` <!here>");
		JsonNode settled = this.server.take().json();
		assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
		return List.of(asked, settled);
	}

	@Test
	void endpointIsToldTheQuestionAndItsEndWithoutArguments() {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			NotifyServer.Message first = this.server.take();
			ApprovalRequest question = this.application.pending();
			JsonNode asked = first.json();
			assertThat(asked.propertyNames()).containsExactly("event", "id", "state", "revision", "mode", "approvers",
					"decisions", "scope", "max_scope", "max_time", "tool", "tool_name", "server", "description",
					"call_id", "session_id", "run_id", "agent", "user", "askers", "reason", "earlier_calls", "asked_at",
					"expires_at", "approvals", "votes", "link");
			assertThat(asked.get("event").asString()).isEqualTo("approval_requested");
			assertThat(asked.get("id").asString()).isEqualTo(question.id());
			assertThat(asked.get("state").asString()).isEqualTo("pending");
			assertThat(asked.get("tool").asString()).isEqualTo("run_command");
			assertThat(asked.get("link").isNull()).isTrue();
			assertThat(first.body()).doesNotContain("rm -r build");
			assertThat(first.headers().getFirst("Content-Type")).isEqualTo("application/json");
			assertThat(first.headers()).doesNotContainKey("Webhook-signature");

			this.application.approve(question, ApprovalApplication.ALICE);
			JsonNode settled = this.server.take().json();
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			assertThat(settled.get("event").asString()).isEqualTo("approval_settled");
			assertThat(settled.get("state").asString()).isEqualTo("approved");
			assertThat(settled.at("/votes/0/person").asString()).isEqualTo("alice");
			this.application.inState(question.id(), ApprovalState.CLAIMED);
		});
		// That the call runs is not told.
		assertThat(this.server.messages).isEmpty();
	}

	@Test
	void argumentsAreToldAsPeopleSeeThemIfThatIsWritten() {
		run((context) -> {
			List<JsonNode> told = askAndDeny(ApprovalApplication.call("ls \u202E"));
			assertThat(told.get(0).get("display").asString()).contains("\"command\": \"ls \\u{202E}\"");
			assertThat(told.get(0).has("arguments")).isFalse();
			assertThat(askAndDeny(ApprovalApplication.call("x".repeat(9_000))).get(0).get("display").isNull()).isTrue();
		}, "arguments=shown");
	}

	@Test
	void endpointsAreToldWhatTheQuestionIsAboutWithTheArguments() {
		ToolCall call = ApprovalApplication.call("ls");
		run((context) -> assertThat(askAndDeny(call).get(0).get("about")).extracting(JsonNode::asString)
			.containsExactly("command"), "arguments=shown", POLICY, PATTERN);
		run((context) -> assertThat(askAndDeny(call).get(0).has("about")).isFalse(), POLICY, PATTERN);
		run((context) -> assertThat(askAndDeny(call).get(0).at("/blocks").toString())
			.contains("*Asked because of*\\n`command`"), "arguments=shown", "format=slack", POLICY, PATTERN);
		run((context) -> assertThat(askAndDeny(call).get(0).toString()).doesNotContain("Asked because of"),
				"format=slack", POLICY, PATTERN);
	}

	@Test
	void endpointsAreToldThePreviewWithTheArguments() {
		this.application.run(
				asking(this.application, "arguments=shown", "format=slack").withBean("said", Said.class)
					.withPropertyValues("hooks.approval.previews.run_command=said.preview"),
				(context) -> assertThat(askAndDeny(ApprovalApplication.CALL).get(0).at("/blocks").toString())
					.contains("as its tool says", "Deletes 7 files", "u{0060}", "&lt;!here&gt;"));
		this.application.run(
				asking(this.application, "arguments=shown").withBean("said", Said.class)
					.withPropertyValues("hooks.approval.previews.run_command=said.preview"),
				(context) -> assertThat(askAndDeny(ApprovalApplication.CALL).get(0).get("preview").propertyNames())
					.containsExactly("digest", "more", "missing", "display", "must_match"));
		this.application.run(
				asking(this.application).withBean("said", Said.class)
					.withPropertyValues("hooks.approval.previews.run_command=said.preview"),
				(context) -> assertThat(askAndDeny(ApprovalApplication.CALL).get(0).toString())
					.doesNotContain("Deletes", "preview"));
	}

	@ParameterizedTest
	@CsvSource({ "approval_requested, approval_requested", "approval_settled, approval_settled" })
	void onlyWhatIsWrittenIsTold(String events, String told) {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
			ApprovalApplication.resultOf(result);
		}, "events[0]=" + events);
		assertThat(this.server.messages).extracting((message) -> message.json().get("event").asString())
			.containsExactly(told);
	}

	@ParameterizedTest
	@EnumSource(names = { "EXPIRED", "CANCELLED" })
	void approvalThatNobodyUsesIsToldAgain(ApprovalState end) {
		run((context) -> {
			SharedApprovals approvals = context.getBean(SharedApprovals.class);
			ApprovalRequest question = approvals.ask(MemoryApprovals.question("q", "carol", "{}")).orElseThrow();
			assertThat(this.server.take().json().get("event").asString()).isEqualTo("approval_requested");
			this.application.approve(question, ApprovalApplication.ALICE);
			assertThat(this.server.take().json().get("state").asString()).isEqualTo("approved");
			if (end == ApprovalState.EXPIRED) {
				approvals.expire(question);
			}
			else {
				approvals.cancel("q");
			}
			JsonNode again = this.server.take().json();
			assertThat(again.get("event").asString()).isEqualTo("approval_settled");
			assertThat(again.get("state").asString()).isEqualTo(end.name().toLowerCase(Locale.ROOT));
		});
		assertThat(this.server.messages).isEmpty();
	}

	@Test
	void questionThatNobodyAnswersIsToldAsExpired() {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			this.server.take();
			assertThat(this.server.take().json().get("state").asString()).isEqualTo("expired");
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
		}, "hooks.approval.timeout=100ms");
		assertThat(this.server.messages).isEmpty();
	}

	@Test
	void messagesAreSignedAndHaveHeaders() throws Exception {
		byte[] key = Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			NotifyServer.Message message = this.server.take();
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(key, "HmacSHA256"));
			String signed = "%s.%s.%s".formatted(message.headers().getFirst("webhook-id"),
					message.headers().getFirst("webhook-timestamp"), message.body());
			assertThat(message.headers().getFirst("webhook-signature")).isEqualTo(
					"v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
			assertThat(message.headers().getFirst("X-Tenant")).isEqualTo("acme");
			assertThat(message.headers().getFirst("Authorization")).isEqualTo("Bearer hunter3");
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
			ApprovalApplication.resultOf(result);
		}, "secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "headers.X-Tenant=acme",
				"headers.Authorization=Bearer hunter3");
	}

	@Test
	void slackIsToldInBlocksThatNoValueCanLeave() {
		String injected = "`<!channel> <@U1> *bold* ```\n<https://evil.example|Approve>&";
		run((context) -> {
			List<JsonNode> told = askAndDeny(ApprovalApplication.call(injected));
			for (JsonNode message : told) {
				assertThat(message.toString()).doesNotContain("<!channel>", "<@U1>", "<https:", "<!here>");
				assertThat(message.get("unfurl_links").asBoolean(true)).isFalse();
				assertThat(message.findValues("verbatim")).isNotEmpty().allMatch(JsonNode::booleanValue);
			}
			assertThat(told.get(0).get("text").asString()).isEqualTo("A call of `run_command` waits for a person.");
			assertThat(told.get(0).get("blocks")).extracting((block) -> block.at("/text/text").asString(""))
				.contains(
						"```\n{\n  \"command\": \"\\u{0060}&lt;!channel&gt; &lt;@U1&gt; *bold* \\u{0060}\\u{0060}\\u{0060}\\n"
								+ "&lt;https://evil.example|Approve&gt;&amp;\"\n}\n```");
			assertThat(told.get(1).get("text").asString()).isEqualTo("The call of `run_command` is denied.");
			assertThat(told.get(1).toString()).contains("*Decided by*\\n`alice`",
					"*Reason*\\n`Not \\\\u{0060}that\\\\u{0060} &lt;!here&gt;`");
			assertThat(told.get(0).findValues("type").toString()).doesNotContain("button");
		}, "format=slack", "arguments=shown");
	}

	@Test
	void slackMessageKeepsTheLengthsThatSlackTakes() {
		run((context) -> {
			JsonNode asked = askAndDeny(ApprovalApplication.call("<&>".repeat(5_000))).get(0);
			assertThat(asked.get("blocks")).hasSizeLessThan(50);
			for (JsonNode block : asked.get("blocks")) {
				if (block.get("type").asString().equals("section") && block.has("text")) {
					assertThat(block.at("/text/text").asString()).hasSizeBetween(1, 3_000);
				}
				if (block.has("fields")) {
					assertThat(block.get("fields").size()).isBetween(1, 10);
					block.get("fields")
						.forEach((field) -> assertThat(field.get("text").asString()).hasSizeBetween(1, 2_000));
				}
			}
			assertThat(asked.toString()).contains("More than fits here");
		}, "format=slack", "arguments=shown");
	}

	@Test
	void slackHasAButtonWithTheLinkOfThePersonWhoIsNamed() {
		run((context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			JsonNode asked = this.server.take().json();
			List<String> urls = asked.findValuesAsString("url");
			assertThat(urls).singleElement()
				.asString()
				.startsWith("https://agents.example.com/app/hooks/approvals/links/");
			String token = URI.create(urls.get(0)).getPath().replaceFirst(".*/", "");
			LinkHttp http = new LinkHttp(context.getBean(SignedLinks.class), this.application.approvals());
			assertThat(new String(http.show(token).getBody(), StandardCharsets.UTF_8)).contains("rm -r build");
			assertThat(http.decide(token, Map.of("verdict", List.of("approve"))).getStatusCode().value())
				.isEqualTo(200);
			assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			assertThat(this.server.take().body()).doesNotContain("/links/");
			assertThat(http.show(token).getStatusCode().value()).isEqualTo(404);
		}, SECRET, BASE, "format=slack", "as.name=alice", "as.authorities=ROLE_APPROVER");
	}

	@Test
	void nobodyGetsALinkToTheOwnQuestion() {
		run((context) -> {
			List<JsonNode> told = askAndDeny(ApprovalApplication.CALL);
			assertThat(told.get(0).get("link").isNull()).isTrue();
		}, SECRET, BASE, "as.name=Carol", "as.authorities=ROLE_APPROVER");
	}

	@Test
	void outageIsTriedAgainAndARefusalIsNot(CapturedOutput output) {
		this.server.statuses.addAll(List.of(503, 200, 404));
		Counts counts = new Counts();
		this.application.run(asking(this.application).withBean(HookCountsReader.class, () -> counts), (context) -> {
			CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
			NotifyServer.Message first = this.server.take();
			NotifyServer.Message again = this.server.take();
			assertThat(again.body()).isEqualTo(first.body());
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
			this.server.take();
			ApprovalApplication.resultOf(result);
			Awaitility.await().untilAsserted(() -> assertThat(counts.counts.failedNotifications()).isEqualTo(1));
			assertThat(counts.counts.droppedNotifications()).isZero();
			assertThat(counts.name).isEqualTo("approval-notify-0");
			assertThat(context.getBean(LostNotifications.class).all())
				.containsExactly(Map.entry("approval-notify-0", 1L));
		});
		assertThat(this.server.messages).isEmpty();
		assertThat(output).contains("'hooks.approval.notify[0]': a notification did not arrive (1 so far): ")
			.doesNotContain("hunter2", "rm -r build");
	}

	@Test
	void endpointThatHangsHoldsUpNobody() {
		CountDownLatch held = this.server.hold();
		run((context) -> {
			long start = System.nanoTime();
			for (int i = 0; i < 20; i++) {
				CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.call("" + i));
				this.application.approve(this.application.pending(), ApprovalApplication.ALICE);
				assertThat(ApprovalApplication.resultOf(result).content()).isEqualTo("ran");
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
			held.countDown();
			for (int i = 0; i < 40; i++) {
				this.server.take();
			}
		});
	}

	@Test
	void changeIsToldByTheNodeThatMadeItAlone() throws Exception {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:approvals-notify;DB_CLOSE_DELAY=-1");
		try (ApprovalApplication other = new ApprovalApplication()) {
			this.application.run(
					asking(this.application, "headers.X-Node=one", "hooks.approval.mode=block")
						.withBean(DataSource.class, () -> dataSource),
					(first) -> other.run(asking(other, "headers.X-Node=two", "hooks.approval.mode=block")
						.withBean(DataSource.class, () -> dataSource), (second) -> {
							CompletableFuture<ToolResult> result = this.application.start(ApprovalApplication.CALL);
							ApprovalRequest question = other.pending();
							// The same question, which waits on both nodes.
							CompletableFuture<ToolResult> same = other.start(ApprovalApplication.CALL);
							Awaitility.await()
								.until(() -> other.events.stream().anyMatch((event) -> event.revision() == 1));
							other.approve(question, ApprovalApplication.ALICE);
							List<ToolResult> results = new ArrayList<>(
									List.of(ApprovalApplication.resultOf(result), ApprovalApplication.resultOf(same)));
							assertThat(results).filteredOn(ToolResult::succeeded).hasSize(1);
							NotifyServer.Message asked = this.server.take();
							NotifyServer.Message settled = this.server.take();
							assertThat(
									List.of(asked.headers().getFirst("X-Node"), settled.headers().getFirst("X-Node")))
								.containsExactlyInAnyOrder("one", "two");
						}));
		}
		assertThat(this.server.messages).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hooks.approval.notify[0].url=ftp://x            | hooks.approval.notify[0].url
			hooks.approval.notify[0].url=https://a:b@x      | hooks.approval.notify[0].url
			hooks.approval.notify[0].format=teams           | hooks.approval.notify[0].format
			hooks.approval.notify[0].secret=short           | hooks.approval.notify[0].secret
			hooks.approval.notify[0].headers.Host=x         | hooks.approval.notify[0].headers.Host
			hooks.approval.notify[0].headers.a_b c=x        | hooks.approval.notify[0].headers
			hooks.approval.notify[0].events[0]=asked        | hooks.approval.notify[0].events[0]
			hooks.approval.notify[0].arguments=all          | hooks.approval.notify[0].arguments
			hooks.approval.notify[0].as.name=ann            | hooks.approval.notify[0].as
			hooks.approval.notify[1].format=json            | hooks.approval.notify[1].url
			hooks.approval.notify[0].secrets=x              | hooks.approval.notify[0].secrets
			hooks.approval.links.base_url=https://x.example | hooks.approval.links.secret
			hooks.approval.links.secret=short               | hooks.approval.links.secret
			hooks.approval.links.secret=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | hooks.approval.links.secret
			hooks.approval.links.secret=replace-this-secret-with-a-long-random-one | hooks.approval.links.secret
			hooks.approval.notify[0].secret=changemechangemechangemechangeme | hooks.approval.notify[0].secret
			""")
	void mistakeStopsTheStart(String property, String place) {
		asking(this.application, property)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining("'" + place));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			base_url=http://agents.example.com         | base_url
			base_url=https://agents.example.com/?a=b   | base_url
			base_url=https://a:b@agents.example.com    | base_url
			base_url=agents                            | base_url
			valid_for=30s                              | valid_for
			valid_for=8d                               | valid_for
			former_secrets[0]=short                    | former_secrets[0]
			former_secrets[0]=secretsecretsecretsecretsecretsecret | former_secrets[0]
			""")
	void mistakeInLinksStopsTheStart(String option, String place) {
		asking(this.application, SECRET, BASE, "hooks.approval.links." + option)
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("'hooks.approval.links." + place + "'")
				.satisfies((failure) -> assertThat(failure).hasMessageNotContaining("0123456789abcdef")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost:8080", "http://127.0.0.1/app", "https://agents.example.com" })
	void addressOfThisMachineNeedsNoTls(String address) {
		asking(this.application, SECRET, "hooks.approval.links.base_url=" + address)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ApprovalLinks.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://chat.example.com/x", "HTTP://10.0.0.7", "http://localhost.example.com" })
	void linkOfAPersonIsNotSentInPlainText(String url) {
		String address = "hooks.approval.notify[0].url=" + url;
		asking(this.application, SECRET, BASE, "as.name=alice", "as.authorities=ROLE_APPROVER", address)
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("'hooks.approval.notify[0].url' does not begin with https://")
				.satisfies((failure) -> assertThat(failure).hasMessageNotContaining("chat.example.com")));
		asking(this.application, SECRET, BASE, address).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://chat.example.com/x", "http://localhost:1", "http://[::1]:1/x" })
	void linkOfAPersonIsSentByTlsOrToThisMachine(String url) {
		asking(this.application, SECRET, BASE, "as.name=alice", "as.authorities=ROLE_APPROVER",
				"hooks.approval.notify[0].url=" + url)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void missingClientStopsTheStart() {
		asking(this.application).withClassLoader(new FilteredClassLoader(WebClient.class))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContainingAll("no HTTP client is available to notify", "io.agenthooks:hooks-webhook"));
	}

	@Test
	void withoutBothNothingIsThere() {
		this.application.asking()
			.withConfiguration(
					AutoConfigurations.of(ApprovalLinksAutoConfiguration.class, ApprovalNotifyAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ApprovalLinks.class)
				.doesNotHaveBean(ApprovalNotifier.class));
	}

	/**
	 * What is counted.
	 */
	private static final class Counts implements HookCountsReader {

		private volatile HookCounts counts = new HookCounts() {
		};

		private volatile String name = "";

		@Override
		public void join(String name, HookCounts counts) {
			if (name.startsWith("approval-notify")) {
				this.name = name;
				this.counts = counts;
			}
		}

	}

	static class Said {

		String preview() {
			return "Deletes 7 files ``` <!here>";
		}

	}

}
