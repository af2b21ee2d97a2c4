package io.agenthooks.spring.approval;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ShownArguments;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The adversarial cases of approvals, each with its own YAML.
 */
class ApprovalCasesTests {

	@TempDir
	Path directory;

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	private ApplicationContextRunner runner(String id) throws IOException {
		return this.application.runner(find(id).get("config_yaml").asString());
	}

	private static ToolCall call(String id) throws IOException {
		JsonNode node = find(id);
		return ToolCall.of(node.get("tool").asString(),
				Map.of("command", node.get("arguments").get("command").asString()), ApprovalApplication.CONTEXT);
	}

	private static JsonNode find(String id) throws IOException {
		try (InputStream cases = ApprovalCasesTests.class.getResourceAsStream("/cases/approval.json")) {
			return new JsonMapper().readTree(Objects.requireNonNull(cases))
				.valueStream()
				.filter((node) -> node.get("id").asString().equals(id))
				.findFirst()
				.orElseThrow();
		}
	}

	@Test
	void h01ArgumentsThatChangeAfterTheApprovalAreDenied() throws IOException {
		ToolCall call = call("H01");
		this.application.run(runner("H01"), (context) -> {
			CompletableFuture<ToolResult> result = this.application.start(call);
			ApprovalRequest question = this.application.pending();
			ApprovalRequest approved = ApprovalRules.answered(question,
					new ApprovalAnswer(ApprovalApplication.ALICE, ApprovalAnswer.Verdict.APPROVE, null, null), null,
					Instant.now());
			ApprovalRequest mutated = new ApprovalRequest(approved.id(), approved.state(), approved.revision(),
					approved.tool(), "{\"command\":\"rm -r /\"}", approved.fingerprint(), approved.callId(),
					approved.sessionId(), approved.runId(), approved.agent(), approved.user(), approved.askedBy(),
					approved.rule(), approved.reason(), approved.earlierCalls(), approved.askedAt(),
					approved.expiresAt(), approved.approvals(), approved.votes());
			assertThat(this.application.store().replace(question, mutated, Instant.now())).isTrue();
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void h03DecisionAfterTheTimeIsRejected() throws IOException {
		ToolCall call = call("H03");
		this.application.run(runner("H03"), (context) -> {
			CompletableFuture<ToolResult> result = this.application.start(call);
			ApprovalRequest question = this.application.pending();
			assertThat(Duration.between(question.askedAt(), question.expiresAt())).isEqualTo(Duration.ofSeconds(60));
			context.getBean(SharedApprovals.class).expire(question);
			ApprovalRefusedException refused = catchThrowableOfType(ApprovalRefusedException.class,
					() -> this.application.approve(question, ApprovalApplication.ALICE));
			assertThat(refused.reason()).isEqualTo(Reason.SETTLED);
			assertThat(ApprovalApplication.resultOf(result).content())
				.contains("Nobody approved this call within 60 s");
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void h05QuestionOutlivesARestartAndApprovesNothingByItself() throws IOException {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource
			.setURL("jdbc:h2:file:" + this.directory.resolve("approvals") + ";DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=2");
		ApplicationContextRunner runner = runner("H05").withBean(DataSource.class, () -> dataSource)
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always", "hooks.approval.mode=block");
		String[] id = new String[1];
		this.application.run(runner, (context) -> {
			assertThat(this.application.store()).isInstanceOf(JdbcApprovalStore.class);
			// Nobody waits for it: whoever asked was killed.
			Instant now = Instant.now();
			ApprovalRequest question = new ApprovalRequest("0123456789abcdef0123456789abcdef", ApprovalState.PENDING, 1,
					ApprovalApplication.CALL.identity(), ApprovalFingerprint.argumentsOf(ApprovalApplication.CALL),
					"f".repeat(64), ApprovalApplication.CALL.id(), "s1", null, null, null, "people", null, "why",
					List.of(), now, now.plusSeconds(60), 1, List.of());
			id[0] = context.getBean(SharedApprovals.class).ask(question).orElseThrow().id();
		});
		this.application.run(runner, (context) -> {
			assertThat(this.application.pending().id()).isEqualTo(id[0]);
			assertThat(this.application.approve(this.application.pending(), ApprovalApplication.ALICE).state())
				.isEqualTo(ApprovalState.APPROVED);
			assertThat(this.application.ran).isEmpty();
			CompletableFuture<ToolResult> again = this.application.start(ApprovalApplication.CALL);
			this.application.deny(this.application.pending(), ApprovalApplication.ALICE, "no");
			assertThat(ApprovalApplication.resultOf(again).succeeded()).isFalse();
			assertThat(this.application.ran).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, -1 })
	void h07ClockThatJumpsNeitherApprovesNorWaitsWithoutEnd(long hours) throws Exception {
		AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-23T10:00:00Z"));
		AtomicLong nanoTime = new AtomicLong();
		InstantSource source = now::get;
		Clock clock = source.withZone(ZoneOffset.UTC);
		ApprovalConfig config = new ApprovalConfig(true, null, null, Duration.ofSeconds(60), List.of("ROLE_APPROVER"),
				null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
				null, null, null, null);
		ApprovalFingerprint fingerprint = new ApprovalFingerprint((tool) -> "", (call) -> null, () -> "1");
		WaitingCalls waiting = new WaitingCalls();
		try (MemoryApprovalStore store = new MemoryApprovalStore()) {
			SharedApprovals approvals = new SharedApprovals(store, config, new EditCheck(() -> {
				throw new IllegalStateException("No edit");
			}, fingerprint, waiting, Questions.NO_TOOLS), (event) -> {
			}, () -> null, clock);
			PeopleApprover approver = new PeopleApprover(approvals, config, ApprovalMode.of(config, store), null,
					fingerprint, waiting, (call) -> List.of(),
					new ToolWords(config, KnownTools::new, new OfferedSchemas()), Questions.NO_EFFECTS, (call) -> null,
					nanoTime::get);
			CompletableFuture<ToolDecision> decision = CompletableFuture
				.supplyAsync(() -> approver.approve(ApprovalApplication.CALL, new ToolDecision.Ask("May I?")));
			ApprovalRequest question = Awaitility.await()
				.until(() -> store.pending(1), (pending) -> !pending.isEmpty())
				.get(0);
			now.set(Objects.requireNonNull(now.get()).plus(Duration.ofHours(hours)));
			if (hours < 0) {
				assertThat(approvals.pending(1)).hasSize(1);
				nanoTime.set(Duration.ofSeconds(61).toNanos());
			}
			assertThat(decision.get(20, TimeUnit.SECONDS)).isInstanceOf(ToolDecision.Deny.class);
			assertThat(store.find(question.id()).orElseThrow().state()).isEqualTo(ApprovalState.EXPIRED);
		}
	}

	@Test
	void h09PersonSeesAllArgumentsWithControlCharactersEscaped() throws IOException {
		ToolCall call = call("H09").withArguments(Map.of("command", "rm -r build\u202E\u0007" + "x".repeat(20_000)));
		this.application.run(runner("H09"), (context) -> {
			CompletableFuture<ToolResult> result = this.application.start(call);
			ApprovalRequest question = this.application.pending();
			assertThat(ShownArguments.of(question.arguments()))
				.isEqualTo("{\n  \"command\": \"rm -r build\\u{202E}\\u0007" + "x".repeat(20_000) + "\"\n}");
			this.application.deny(question, ApprovalApplication.ALICE, "no");
			assertThat(ApprovalApplication.resultOf(result).succeeded()).isFalse();
		});
	}

	@Test
	void h11IdHas128RandomBits() throws IOException {
		this.application.run(runner("H11"), (context) -> {
			Set<String> ids = new HashSet<>();
			for (int i = 0; i < 20; i++) {
				CompletableFuture<ToolResult> result = this.application.start(call("H11"));
				ApprovalRequest question = this.application.pending();
				assertThat(question.id()).matches("[0-9a-f]{32}");
				ids.add(question.id());
				this.application.deny(question, ApprovalApplication.ALICE, "no");
				ApprovalApplication.resultOf(result);
			}
			assertThat(ids).hasSize(20);
		});
	}

}
