package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.jdbc.PostgresExtension;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Brief;
import io.agenthooks.spring.suspend.ApprovalRequest.Choices;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallEffect;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EndedSessions}: which questions and decisions end with a session.
 */
class EndedSessionsTests {

	private static final CallContext CAROL = ApprovalApplication.CONTEXT;

	/** Other calls of the same session, or of another one. */
	private static final List<CallContext> CALLS = List.of(CAROL, CAROL.withUser("dan"), CAROL.withAgent("helper"),
			CAROL.withUser("dan").withAgent("helper"), CAROL.withUser(null), CAROL.withAgent(null),
			CAROL.withUser(null).withAgent(null), CAROL.withSessionId("s2"));

	@RegisterExtension
	static final PostgresExtension postgres = new PostgresExtension();

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	@AutoClose
	private final ApprovalApplication other = new ApprovalApplication();

	@TempDir
	private Path folder;

	private ApplicationContextRunner node(ApprovalApplication node, Store kind, String mode) {
		ApplicationContextRunner runner = node.asking()
			.withPropertyValues("hooks.approval.mode=" + mode, "hooks.approval.jdbc.initialize_schema=always",
					"hooks.approval.remember=session", "hooks.approval.remember_denials=true",
					"hooks.approval.max_pending_per_session=1000");
		return switch (kind) {
			case MEMORY -> runner;
			case POSTGRES -> runner.withBean(DataSource.class, postgres::database);
			case H2 -> runner.withBean(DataSource.class, () -> ApprovalApplication.h2(this.folder));
		};
	}

	@ParameterizedTest
	@EnumSource
	void endsWhatIsOfTheSessionAndOfTheUserAndAgentIfTheyAreNamed(Store kind) {
		List<End> all = ends();
		assertEnded(kind, (kind == Store.MEMORY) ? all
				: all.stream().filter((end) -> !"eve".equals(end.agent()) && end.session().equals("s1")).toList());
	}

	@Tag("slow")
	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void endsNothingElseWhateverIsNamed(Store kind) {
		assertEnded(kind, ends());
	}

	private static List<End> ends() {
		return Stream.of("s1", "s3")
			.flatMap((session) -> Stream.of("carol", "eve", "")
				.flatMap((user) -> Stream.of("clerk", "eve", "")
					.map((agent) -> new End(session, (user.isEmpty()) ? null : user,
							(agent.isEmpty()) ? null : agent))))
			.toList();
	}

	private void assertEnded(Store kind, List<End> ends) {
		this.application.run(node(this.application, kind, "block"), (context) -> {
			for (int i = 0; i < ends.size(); i++) {
				assertEnded(i, ends.get(i).session(), ends.get(i).user(), ends.get(i).agent());
			}
		});
	}

	private void assertEnded(int round, String session, @Nullable String user, @Nullable String agent) {
		SharedApprovals approvals = this.application.context().getBean(SharedApprovals.class);
		List<Question> questions = CALLS.stream()
			.flatMap((call) -> Stream.of(Kind.values()).map((one) -> new Question(call, one)))
			.toList();
		for (int i = 0; i < questions.size(); i++) {
			questions.get(i).keep(round + "-" + i, this.application);
		}
		this.application.context().getBean(ToolHooks.class).endSession(session, user, agent);
		for (int i = 0; i < questions.size(); i++) {
			Question question = questions.get(i);
			boolean ends = session.equals(question.call().sessionId())
					&& (user == null || user.equals(question.call().user()))
					&& (agent == null || agent.equals(question.call().agent()));
			ApprovalRequest last = approvals.find(round + "-" + i).orElseThrow();
			String what = "%s after the end of %s %s %s".formatted(question, session, user, agent);
			boolean remembered = approvals.remembered().find("f" + round + "-" + i, "").isPresent();
			switch (question.kind()) {
				case OPEN -> assertThat(last.rememberFor() == null && last.state() == ApprovalState.PENDING).as(what)
					.isEqualTo(ends);
				case UNUSED -> assertThat(last.state()).as(what)
					.isEqualTo((ends) ? ApprovalState.CANCELLED : ApprovalState.APPROVED);
				case USED, DENIED -> assertThat(remembered).as(what).isEqualTo(!ends);
			}
			approvals.cancel(last.id());
		}
		// The rounds must not see what was left.
		this.application.context().getBean(ToolHooks.class).endSession("s1", null, null);
		this.application.context().getBean(ToolHooks.class).endSession("s2", null, null);
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void approvalThatNoCallHasUsedIsNotTakenOnAnyNode(Store kind) {
		run(kind, "suspend", () -> {
			String id = SuspendedCallsContract.approved(this.application, ApprovalApplication.CALL);
			SuspendedCallsContract.keep(this.application, id);
			this.other.context().getBean(ToolHooks.class).endSession("s1", "carol", null);
			for (ApprovalApplication node : List.of(this.application, this.other)) {
				String again = SuspendedCallsContract.suspended(node, ApprovalApplication.CALL);
				assertThat(again).isNotEqualTo(id);
				assertThat(SuspendedCallsContract.text(node.approvals().resume(id), 1)).contains("became void");
				node.approvals()
					.revoke(node.approve(SuspendedCallsContract.question(node, again), ApprovalApplication.BOB).id(),
							ApprovalApplication.BOB);
			}
		});
		assertThat(this.application.ran).isEmpty();
		assertThat(this.other.ran).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void callOfALaterSessionDoesNotJoinTheQuestionOfTheOldOne(Store kind) {
		run(kind, "suspend", () -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			SuspendedCallsContract.keep(this.application, id);
			this.other.context().getBean(ToolHooks.class).endSession("s1", "carol", null);
			String waiting = SuspendedCallsContract.suspended(this.other, ApprovalApplication.CALL);
			assertThat(waiting).isNotEqualTo(id);
			this.other.deny(SuspendedCallsContract.question(this.other, waiting), ApprovalApplication.BOB, "no");
			this.application.approve(SuspendedCallsContract.question(this.application, id), ApprovalApplication.ALICE);
			assertThat(SuspendedCallsContract.text(this.other.approvals().resume(id), 1)).isEqualTo("ran");
		});
		assertThat(this.application.ran).isEmpty();
		assertThat(this.other.ran).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void callOfALaterSessionIsAskedAboutAfterPeopleApprovedThatOfTheOldOne(Store kind) {
		run(kind, "suspend", () -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			SuspendedCallsContract.keep(this.application, id);
			this.application.context().getBean(ToolHooks.class).endSession("s1", "carol", "clerk");
			this.application.approve(SuspendedCallsContract.question(this.application, id), ApprovalApplication.ALICE);
			for (ApprovalApplication node : List.of(this.application, this.other)) {
				assertThat(SuspendedCallsContract.suspended(node, ApprovalApplication.CALL)).isNotEqualTo(id);
			}
			assertThat(SuspendedCallsContract.text(this.other.approvals().resume(id), 1)).isEqualTo("ran");
		});
		assertThat(this.application.ran).isEmpty();
		assertThat(this.other.ran).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void decisionAfterTheEndOfAnotherUsersSessionCountsForTheCallThatIsMadeAgain(Store kind) {
		run(kind, "suspend", () -> {
			String id = SuspendedCallsContract.suspended(this.application, ApprovalApplication.CALL);
			this.application.context().getBean(ToolHooks.class).endSession("s1", "eve", null);
			this.application.approve(SuspendedCallsContract.question(this.application, id), ApprovalApplication.ALICE);
			assertThat(this.other.context().getBean(ToolExecutor.class).execute(ApprovalApplication.CALL).content())
				.isEqualTo("ran");
		});
		assertThat(this.other.ran).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(names = { "H2", "POSTGRES" })
	void callThatWaitsOnItsThreadDoesNotTakeAnApprovalThatIsVoid(Store kind) {
		run(kind, "block", () -> {
			// The call that waits hears of the decision of the other node, and then
			// claims.
			this.application.listener = (request) -> {
				if (request.state() == ApprovalState.APPROVED) {
					this.other.context().getBean(ToolHooks.class).endSession("s1", null, "clerk");
				}
			};
			CompletableFuture<ToolResult> waiting = this.application.start(ApprovalApplication.CALL);
			this.other.approve(this.other.pending(), ApprovalApplication.ALICE);
			assertThat(waiting).succeedsWithin(Duration.ofSeconds(20))
				.satisfies((result) -> assertThat(result.content()).contains("became void"));
		});
		assertThat(this.application.ran).isEmpty();
	}

	private void run(Store kind, String mode, Runnable test) {
		this.application.run(node(this.application, kind, mode),
				(one) -> this.other.run(node(this.other, kind, mode), (two) -> test.run()));
	}

	@Test
	void questionThatCannotBeReadDoesNotKeepTheOthers() {
		this.application.run(node(this.application, Store.POSTGRES, "suspend"), (context) -> {
			String changed = SuspendedCallsContract.approved(this.application, ApprovalApplication.call("changed"));
			String id = SuspendedCallsContract.approved(this.application, ApprovalApplication.CALL);
			JdbcClient.create(postgres.database())
				.sql("update agent_hooks_approval set revision = 7 where id = ?")
				.param(changed)
				.update();
			context.getBean(ToolHooks.class).endSession("s1", null, null);
			this.application.inState(id, ApprovalState.CANCELLED);
		});
	}

	@Test
	void endsMoreQuestionsThanAreReadAtOnce() {
		this.application.run(node(this.application, Store.H2, "suspend"), (context) -> {
			for (int i = 0; i < 120; i++) {
				new Question(CAROL, Kind.UNUSED).keep("q" + i, this.application);
			}
			context.getBean(ToolHooks.class).endSession("s1", "carol", "clerk");
			assertThat(this.application.approvals().settled(1000)).hasSize(120)
				.allMatch((request) -> request.state() == ApprovalState.CANCELLED);
		});
	}

	enum Store {

		MEMORY, H2, POSTGRES

	}

	private record End(String session, @Nullable String user, @Nullable String agent) {
	}

	enum Kind {

		OPEN, UNUSED, USED, DENIED

	}

	/**
	 * A question about a call.
	 */
	private record Question(CallContext call, Kind kind) {

		void keep(String id, ApprovalApplication node) {
			Instant now = Instant.now();
			ToolCall asked = ApprovalApplication.CALL;
			ApprovalRequest question = new ApprovalRequest(id, ApprovalState.PENDING, 1,
					ToolIdentity.ofApplication("run_command"), ApprovalFingerprint.argumentsOf(asked), "f" + id,
					asked.id(), Objects.requireNonNull(this.call.sessionId()), null, this.call.agent(),
					this.call.user(), List.of(new Asker("people", null)), "why", List.of(), now, now.plusSeconds(600),
					1, new Approvers(Set.of("ROLE_APPROVER"), false), List.of(), null, Duration.ofHours(1), Choices.ALL,
					Brief.NONE, CallEffect.NONE);
			ApprovalStore store = node.store();
			assertThat(store.ask(question, new ApprovalStore.Bounds(10_000, 10_000))).contains(question);
			if (this.kind == Kind.OPEN) {
				return;
			}
			ApprovalRequest decided = ApprovalRules.answered(question, new ApprovalAnswer(ApprovalApplication.ALICE,
					(this.kind == Kind.DENIED) ? Verdict.DENY : Verdict.APPROVE, null, null), null, now);
			assertThat(store.replace(question, decided, now)).isTrue();
			if (this.kind == Kind.USED) {
				assertThat(store.replace(decided, ApprovalRules.claimed(decided, now), now)).isTrue();
			}
		}

	}

}
