package io.agenthooks.spring.approval;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.agenthooks.CallContext;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for calls that are equal to one that runs because people approved it, down to the
 * id, as loops with ids of their own make them.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApprovalIsUsedOnceTests {

	private static final ToolCall CALL = ApprovalApplication.CALL;

	private static final ToolCall WITHOUT_SESSION = ToolCall.of("c1", "run_command", CALL.arguments(),
			CallContext.empty().withUser("carol"));

	@AutoClose
	private final ApprovalApplication application = new ApprovalApplication();

	/** What a hook does when it is asked about a call. */
	private final AtomicReference<@Nullable Runnable> hook = new AtomicReference<>();

	private final AtomicInteger runs = new AtomicInteger();

	@TempDir
	private Path folder;

	private void run(ApprovalApplication.Test test) {
		DataSource database = ApprovalApplication.h2(this.folder);
		this.application.run(this.application.asking()
			.withBean(DataSource.class, () -> database)
			.withBean("inner", PreToolHook.class, () -> PreToolHook.named("inner", (call) -> {
				Runnable once = this.hook.getAndSet(null);
				if (once != null) {
					once.run();
				}
				return ToolDecision.approve();
			}))
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always"), test);
	}

	/**
	 * Make the same call as often as it may come at once.
	 * @return the questions that were asked about it
	 */
	private List<String> repeat(ToolCall call) {
		ToolExecutor tools = this.application.context().getBean(ToolExecutor.class);
		List<CompletableFuture<String>> calls = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			CompletableFuture<String> asked = new CompletableFuture<>();
			new Thread(() -> asked.complete(asked(tools, call))).start();
			calls.add(asked);
		}
		return calls.stream().map((asked) -> asked.orTimeout(30, TimeUnit.SECONDS).join()).toList();
	}

	private static String asked(ToolExecutor tools, ToolCall call) {
		TurnSuspendedException ex = catchThrowableOfType(TurnSuspendedException.class, () -> tools.execute(call));
		return (ex != null) ? ex.getApprovalId() : "ran";
	}

	/**
	 * The tool, during whose run something else happens.
	 */
	private ResumableTools tool(Runnable meanwhile) {
		return (call) -> (same) -> {
			this.runs.incrementAndGet();
			meanwhile.run();
			return ToolResult.success("slow");
		};
	}

	private void isAskedAboutWhileItRuns(ToolCall call) {
		run((context) -> {
			String id = SuspendedCallsContract.approved(this.application, call);
			CountDownLatch running = new CountDownLatch(1);
			CountDownLatch end = new CountDownLatch(1);
			ResumableTools slow = tool(() -> {
				running.countDown();
				await(end);
			});
			CompletableFuture<ResumedTurn> resumed = new CompletableFuture<>();
			new Thread(() -> resumed.complete(this.application.approvals().resume(id, slow))).start();
			await(running);
			List<String> asked = repeat(call);
			end.countDown();
			assertThat(SuspendedCallsContract.text(resumed.get(30, TimeUnit.SECONDS), 0)).isEqualTo("slow");
			assertThat(asked).doesNotContain(id, "ran");
			assertThat(this.application.ran).isEmpty();
			assertThat(this.runs).hasValue(1);
		});
	}

	@Test
	void equalCallWithTheSameIdIsAskedAboutWhileTheApprovedOneRuns() {
		isAskedAboutWhileItRuns(CALL);
	}

	@Test
	void equalCallWithoutASessionIsAskedAboutWhileTheApprovedOneRuns() {
		isAskedAboutWhileItRuns(WITHOUT_SESSION);
	}

	@Test
	void callThatTheToolMakesItselfIsAskedAbout() {
		run((context) -> {
			String id = SuspendedCallsContract.approved(this.application, CALL);
			ToolExecutor tools = context.getBean(ToolExecutor.class);
			List<String> asked = new ArrayList<>();
			ToolCall again = CALL.withArguments(CALL.arguments());
			ResumedTurn turn = this.application.approvals().resume(id, tool(() -> asked.addAll(repeat(again))));
			assertThat(SuspendedCallsContract.text(turn, 0)).isEqualTo("slow");
			assertThat(asked).hasSize(3).doesNotContain(id, "ran");
			assertThat(asked(tools, again)).isNotEqualTo(id);
			assertThat(this.application.ran).isEmpty();
		});
	}

	@Test
	void callThatComesBeforeTheApprovedOneIsClaimedIsNeverCarriedOutByItsClaim() {
		run((context) -> {
			String id = SuspendedCallsContract.approved(this.application, WITHOUT_SESSION);
			List<String> asked = new ArrayList<>();
			this.hook.set(() -> asked.addAll(repeat(WITHOUT_SESSION)));
			ResumedTurn turn = this.application.approvals().resume(id, tool(() -> {
			}));
			assertThat(SuspendedCallsContract.text(turn, 0)).isEqualTo("slow");
			assertThat(asked).hasSize(3).doesNotContain(id, "ran");
			assertThat(this.application.ran).isEmpty();
			assertThat(this.runs).hasValue(1);
		});
	}

	@Test
	void equalCallOfTheSessionThatIsQuickerTakesTheApprovalFromTheResumedOne() {
		run((context) -> {
			String id = SuspendedCallsContract.approved(this.application, CALL);
			List<String> asked = new ArrayList<>();
			this.hook.set(() -> asked.addAll(repeat(CALL)));
			ResumedTurn turn = this.application.approvals().resume(id, tool(() -> {
			}));
			assertThat(SuspendedCallsContract.text(turn, 0)).isEqualTo(TurnReplies.LATER_TURN);
			assertThat(asked).containsOnlyOnce("ran");
			assertThat(this.application.ran).hasSize(1);
			assertThat(this.runs).hasValue(0);
		});
	}

	@Test
	void executionGivesItsApprovalOnceAndRunsItsToolOnce() {
		run((context) -> {
			String id = SuspendedCallsContract.approved(this.application, CALL);
			SharedApprovals approvals = context.getBean(SharedApprovals.class);
			ApprovalFingerprint fingerprint = context.getBean(ApprovalAutoConfiguration.ApprovalBinding.class)
				.fingerprint();
			Resumption resumption = new Resumption(approvals, fingerprint, Questions.NO_EFFECTS,
					approvals.find(id).orElseThrow());
			ToolDecision.Ask question = new ToolDecision.Ask("May I?", null, null, null, null, AskTerms.ANY, List.of(),
					List.of(new Asker("people", null)));
			assertThat(resumption.approve(CALL, question).person()).isEqualTo("alice");
			assertThat(resumption.approve(CALL, question)).isInstanceOf(ToolDecision.Deny.class);
			ToolExecutor tool = resumption.claiming((same) -> ToolResult.success("ran"));
			assertThat(tool.execute(CALL).content()).isEqualTo("ran");
			assertThat(catchThrowableOfType(Resumption.NotClaimedException.class, () -> tool.execute(CALL)))
				.isNotNull();
		});
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
