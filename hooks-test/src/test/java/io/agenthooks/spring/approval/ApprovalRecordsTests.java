package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.Verdict;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.audit.AuditRecord;
import io.agenthooks.spring.audit.AuditSink;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what outcomes and the audit say about decisions of people: who, by which
 * rule, about which question, whatever the mode.
 */
class ApprovalRecordsTests {

	private static final String RULES = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        name: house
			        config:
			          rules:
			            - name: commands
			              tools: [run_command]
			              when: args.command != 'ls'
			              then: ask
			""";

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	private final List<Map<String, @Nullable Object>> records = new CopyOnWriteArrayList<>();

	@TempDir
	private Path folder;

	private void run(String mode, ApprovalApplication.Test test, String... properties) {
		DataSource database = ApprovalApplication.h2(this.folder);
		ApplicationContextRunner runner = this.application.runner(RULES)
			.withConfiguration(AutoConfigurations.of(AuditAutoConfiguration.class))
			.withBean(DataSource.class, () -> database)
			.withBean(AuditSink.class, () -> new Records(this.records))
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always", "hooks.approval.mode=" + mode,
					"hooks.audit.enabled=true", "hooks.audit.node=n1",
					"hooks.audit.anchor.file=" + this.folder.resolve("anchors.jsonl"))
			.withPropertyValues(properties);
		this.application.run(runner, test);
	}

	/**
	 * Let alice decide about a call of the agent, which gets to know it.
	 */
	private ApprovalRequest decide(String mode, boolean approve) throws Exception {
		CompletableFuture<ToolResult> waiting = (mode.equals("block"))
				? this.application.start(ApprovalApplication.CALL) : null;
		ApprovalRequest asked = (waiting != null) ? this.application.pending() : SuspendedCallsContract
			.question(this.application, SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL));
		if (approve) {
			this.application.approve(asked, ApprovalApplication.ALICE);
		}
		else {
			this.application.deny(asked, ApprovalApplication.ALICE, "not today");
		}
		if (waiting != null) {
			ApprovalApplication.resultOf(waiting);
		}
		else {
			ResumedTurn unused = this.application.approvals().resume(asked.id());
		}
		return asked;
	}

	private Map<String, @Nullable Object> lastRecord() {
		List<ToolOutcome> outcomes = this.application.outcomes;
		List<Map<String, @Nullable Object>> calls = Awaitility.await()
			.until(() -> this.records.stream().filter((record) -> "tool_call".equals(record.get("kind"))).toList(),
					(all) -> all.size() == outcomes.size());
		return calls.get(calls.size() - 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "suspend" })
	void denialOfAPersonIsOnRecordWithPersonRuleAndQuestion(String mode) {
		run(mode, (context) -> {
			ApprovalRequest asked = decide(mode, false);
			ToolOutcome outcome = this.application.outcomes.get(this.application.outcomes.size() - 1);
			Approval approval = Objects.requireNonNull(outcome.approval());
			assertThat(approval.answer()).isEqualTo(Verdict.DENY);
			assertThat(approval.person()).isEqualTo("alice");
			assertThat(approval.approver()).isEqualTo("people");
			assertThat(approval.askedBy()).isEqualTo("house");
			assertThat(approval.request()).isEqualTo(asked.id());
			assertThat(approval.question().question()).isEqualTo(asked.reason());
			assertThat(Objects.requireNonNull(outcome.rule()).name()).isEqualTo("commands");
			assertThat(lastRecord()).containsEntry("outcome", "denied")
				.containsEntry("decided_by", "people")
				.containsEntry("rule", "commands")
				.containsEntry("reason", "A person denied this call: not today")
				.hasEntrySatisfying("rule_origin", (origin) -> assertThat(origin).asString().endsWith(":8:21"))
				.hasEntrySatisfying("approval",
						(member) -> assertThat(StrictJson.object((Map<?, ?>) Objects.requireNonNull(member)))
							.containsEntry("answer", "deny")
							.containsEntry("person", "alice")
							.containsEntry("approver", "people")
							.containsEntry("asked_by", "house")
							.containsEntry("rule", "commands")
							.containsEntry("request", asked.id())
							.containsKeys("rule_origin", "question"));
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void recordsOfADenialHaveTheSameMembersInBothModes() {
		List<Map<String, @Nullable Object>> denials = new ArrayList<>();
		for (String mode : List.of("block", "suspend")) {
			run(mode, (context) -> {
				ApprovalRequest unused = decide(mode, false);
				Map<String, @Nullable Object> denial = new LinkedHashMap<>(lastRecord());
				denials.add(denial);
			});
			this.records.clear();
			this.application.outcomes.clear();
		}
		assertThat(denials.get(1).keySet()).isEqualTo(denials.get(0).keySet());
		assertThat(StrictJson.object((Map<?, ?>) Objects.requireNonNull(denials.get(1).get("approval"))).keySet())
			.isEqualTo(StrictJson.object((Map<?, ?>) Objects.requireNonNull(denials.get(0).get("approval"))).keySet());
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "suspend" })
	void approvalOfAPersonIsOnRecordWithItsQuestion(String mode) {
		run(mode, (context) -> {
			ApprovalRequest asked = decide(mode, true);
			assertThat(lastRecord()).containsEntry("outcome", "succeeded")
				.hasEntrySatisfying("approval",
						(member) -> assertThat(StrictJson.object((Map<?, ?>) Objects.requireNonNull(member)))
							.containsEntry("answer", "approve")
							.containsEntry("person", "alice")
							.containsEntry("request", asked.id())
							.doesNotContainKey("remembered_since"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "suspend" })
	void questionThatNobodyAnsweredIsOnRecordWithoutAPerson(String mode) {
		run(mode, (context) -> {
			if (mode.equals("block")) {
				ApprovalApplication.resultOf(this.application.start(ApprovalApplication.CALL));
			}
			else {
				String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
				this.application.inState(id, ApprovalState.EXPIRED);
				ResumedTurn unused = this.application.approvals().resume(id);
			}
			assertThat(lastRecord()).containsEntry("outcome", "denied")
				.containsEntry("rule", "commands")
				.hasEntrySatisfying("approval",
						(member) -> assertThat(StrictJson.object((Map<?, ?>) Objects.requireNonNull(member)))
							.containsEntry("answer", "deny")
							.doesNotContainKey("person"));
		}, "hooks.approval.timeout=50ms");
	}

	private List<Map<String, @Nullable Object>> decisions(int many) {
		return Awaitility.await()
			.until(() -> this.records.stream().filter((record) -> "approval".equals(record.get("kind"))).toList(),
					(all) -> all.size() >= many);
	}

	private static Map<String, @Nullable Object> approvalOf(Map<String, @Nullable Object> record) {
		return StrictJson.object((Map<?, ?>) Objects.requireNonNull(record.get("approval")));
	}

	@Test
	void decisionIsARecordOfItsOwnWhenItIsTakenAlsoIfTheAgentNeverGoesOn() {
		run("suspend", (context) -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			this.application.edit(SuspendedCallsContract.question(this.application, id), ApprovalApplication.ALICE,
					"{\"command\":\"pwd\"}");
			this.application.deny(SuspendedCallsContract.question(this.application, id), ApprovalApplication.BOB, "no");
			List<Map<String, @Nullable Object>> decisions = decisions(2);
			assertThat(decisions).hasSize(2);
			assertThat(decisions.get(0)).containsEntry("id", ApprovalApplication.CALL.id())
				.containsEntry("session", "s1")
				.containsEntry("user", "carol")
				.containsEntry("state", "pending")
				.containsKeys("tool", "arguments_hash", "config")
				.doesNotContainKeys("outcome", "verdict");
			assertThat(approvalOf(decisions.get(0))).containsEntry("answer", "edit").containsEntry("person", "alice");
			assertThat(decisions.get(0).get("arguments")).isEqualTo(Map.of("command", "pwd"));
			assertThat(decisions.get(1)).containsEntry("state", "denied");
			assertThat(approvalOf(decisions.get(1))).containsEntry("answer", "deny")
				.containsEntry("person", "bob")
				.containsEntry("approver", "people")
				.containsEntry("request", id)
				.containsEntry("asked_by", "house")
				.containsEntry("rule", "commands")
				.containsEntry("reason", "no")
				.containsKeys("rule_origin", "question");
			assertThat(this.records).noneMatch((record) -> "denied".equals(record.get("outcome")));
		}, "hooks.approval.four_eyes=2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "suspend" })
	void decisionIsRecordedBeforeTheCallEnds(String mode) {
		this.application.listener = (request) -> {
			if (mode.equals("suspend") && request.state() == ApprovalState.DENIED) {
				ResumedTurn unused = this.application.approvals().resume(request.id());
			}
		};
		run(mode, (context) -> {
			ApprovalRequest unused = decide(mode, false);
			Map<String, @Nullable Object> ended = lastRecord();
			assertThat(this.records.indexOf(decisions(1).get(0))).isLessThan(this.records.indexOf(ended));
			assertThat(decisions(1)).hasSize(1);
		});
	}

	@Test
	void revocationIsRecordedToo() {
		run("suspend", (context) -> {
			ApprovalRequest asked = decide("suspend", true);
			this.application.approvals().revoke(asked.id(), ApprovalApplication.BOB);
			List<Map<String, @Nullable Object>> decisions = decisions(2);
			assertThat(approvalOf(decisions.get(1))).containsEntry("answer", "revoke").containsEntry("person", "bob");
			assertThat(decisions.get(1)).containsEntry("state", "claimed");
		}, "hooks.approval.remember=session");
	}

	@Test
	void callThatPassesByARememberedApprovalSaysWhoseAndSinceWhen() {
		run("suspend", (context) -> {
			ApprovalRequest asked = decide("suspend", true);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			assertThat(tools.execute(ApprovalApplication.CALL).content()).isEqualTo("ran");
			String since = SuspendedCallsContract.question(this.application, asked.id()).votes().get(0).at().toString();
			assertThat(approvalOf(lastRecord())).containsEntry("person", "alice")
				.containsEntry("request", asked.id())
				.containsEntry("remembered_since", since);
			assertThat(decisions(1)).hasSize(1);
		}, "hooks.approval.remember=session");
	}

	@ParameterizedTest
	@ValueSource(strings = { "block", "suspend" })
	void callThatARememberedNoDeniesSaysWhoseAndSinceWhen(String mode) {
		run(mode, (context) -> {
			ApprovalRequest asked = decide(mode, false);
			ToolResult again = context.getBean(ToolExecutor.class).execute(ApprovalApplication.CALL);
			assertThat(again.succeeded()).isFalse();
			assertThat(lastRecord()).containsEntry("outcome", "denied").containsEntry("rule", "commands");
			assertThat(approvalOf(lastRecord())).containsEntry("answer", "deny")
				.containsEntry("person", "alice")
				.containsEntry("request", asked.id())
				.containsEntry("asked_by", "house")
				.containsKeys("remembered_since", "rule", "question");
			assertThat(decisions(1)).hasSize(1);
		}, "hooks.approval.remember_denials=true");
	}

	/**
	 * Keeps what the audit writes.
	 */
	private record Records(List<Map<String, @Nullable Object>> records) implements AuditSink {

		@Override
		public @Nullable String lastLine(String node) {
			return null;
		}

		@Override
		public void write(List<AuditRecord> records) {
			StrictJson json = new StrictJson(1);
			records
				.forEach((record) -> this.records.add(json.readObject(record.line().getBytes(StandardCharsets.UTF_8))));
		}

	}

}
