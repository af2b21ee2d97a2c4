package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;
import io.agenthooks.toolcall.TurnSuspendedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CallNotes} and {@link CallNote}.
 */
class CallNotesTests {

	private static final ToolExecutor TOOL = (call) -> ToolResult.success("done");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Noting hook = new Noting();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void hookFindsItsNoteAtTheResultAndAtTheEnd() {
		List<String> seen = new ArrayList<>();
		CallNote<String> note = new CallNote<>();
		CallNote<String> another = new CallNote<>();
		ToolHookChain chain = new ToolHookChain(List.of((call) -> {
			assertThat(note.find()).isNull();
			assertThat(note.leave("asked")).isTrue();
			return ToolDecision.modify(Map.of("a", 2));
		}), List.of((call, result) -> {
			seen.add(note.find() + " " + another.find());
			assertThat(note.leave("seen")).isTrue();
			return ToolDecision.approve();
		}), List.of((outcome) -> {
			assertThat(note.leave("late")).isFalse();
			seen.add(note.take() + " " + note.take());
		}), ToolApprover.nobody(), null, new AbortedRuns());
		chain.execute(ToolCall.of("pay", Map.of("a", 1)), TOOL);
		assertThat(seen).containsExactly("asked null", "seen null");
		assertThat(CallNotes.ofThisThread()).isSameAs(CallNotes.NONE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "succeeds", "fails", "throws", "denied", "aborted", "answered", "withheld", "waits" })
	void noteIsFoundHoweverTheCallEnds(String how) {
		PreToolHook last = (call) -> switch (how) {
			case "denied" -> ToolDecision.deny("no");
			case "aborted" -> ToolDecision.abortTurn("no");
			case "answered" -> ToolDecision.respond(ToolResult.success("cached"));
			case "waits" -> ToolDecision.ask("May it?");
			default -> ToolDecision.approve();
		};
		ToolResultHook results = (call, result) -> (how.equals("withheld")) ? ToolDecision.deny("secret")
				: ToolDecision.approve();
		ToolApprover keeps = (call, question) -> question.pendingAs("q1");
		ToolHookChain chain = new ToolHookChain(List.of(this.hook, last), List.of(results), List.of(this.hook), keeps,
				null, new AbortedRuns());
		ToolCall call = ToolCall.of("pay", Map.of());
		ToolExecutor tool = (made) -> switch (how) {
			case "throws" -> throw new IllegalStateException("broken");
			case "fails" -> ToolResult.failure("failed");
			default -> ToolResult.success("done");
		};
		try {
			chain.execute(call, tool);
		}
		catch (RuntimeException ex) {
			assertThat(how).isIn("throws", "aborted", "waits");
		}
		assertThat(this.hook.taken).containsExactly("1");
	}

	@Test
	void callThatIsDeniedBeforeTheHookIsAskedHasNoNote() {
		PreToolHook denies = (call) -> ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(denies, this.hook), List.of(this.hook));
		chain.execute(ToolCall.of("pay", Map.of()), TOOL);
		chain.setToolsEnabled(false);
		chain.execute(ToolCall.of("pay", Map.of()), TOOL);
		assertThat(this.hook.taken).containsExactly((String) null, null);
	}

	@Test
	void callsOfOneIdAreTwoCalls() throws Exception {
		ToolCall call = ToolCall.of("id", "pay", Map.of(), ToolCall.of("pay", Map.of()).context());
		CyclicBarrier inTool = new CyclicBarrier(2);
		ToolHookChain chain = new ToolHookChain(List.of(this.hook), List.of(this.hook));
		List<Future<ToolResult>> twins = IntStream.range(0, 2)
			.mapToObj((i) -> this.threads.submit(() -> chain.execute(call, (same) -> {
				await(inTool);
				return ToolResult.success("done");
			})))
			.toList();
		for (Future<ToolResult> twin : twins) {
			twin.get();
		}
		assertThat(this.hook.taken).containsExactlyInAnyOrder("1", "2");
	}

	@Test
	void callInsideOfAnotherHasNotesOfItsOwn() {
		ToolHookChain chain = new ToolHookChain(List.of(this.hook), List.of(this.hook));
		ToolCall call = ToolCall.of("pay", Map.of());
		chain.execute(call, (outer) -> chain.execute(ToolCall.of(call.id(), "pay", Map.of("a", 1), call.context()),
				(inner) -> ToolResult.success("done")));
		assertThat(this.hook.taken).containsExactly("2", "1");
	}

	@Test
	void notesGoWithTheWorkOfTheHookToAnotherThread() {
		ToolHookChain chain = new ToolHookChain(
				List.of((call) -> onAnotherThread(() -> this.hook.preCall(call)), this.hook.again()),
				List.of((outcome) -> onAnotherThread(() -> {
					this.hook.postCall(outcome);
					return "told";
				})));
		chain.execute(ToolCall.of("pay", Map.of()), TOOL);
		assertThat(this.hook.taken).containsExactly("1");
		assertThat(this.hook.found).containsExactly("1");
	}

	@Test
	void hookThatNobodyWaitsForAnyMoreLeavesNoNote() {
		CallNote<String> note = new CallNote<>();
		CountDownLatch ended = new CountDownLatch(1);
		List<Future<Boolean>> late = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of((call) -> {
			Supplier<Boolean> work = Nesting.ofThisThread().carry(() -> {
				await(ended);
				return note.leave("late");
			});
			late.add(this.threads.submit(work::get));
			return ToolDecision.approve();
		}), List.of());
		chain.execute(ToolCall.of("pay", Map.of()), TOOL);
		ended.countDown();
		assertThat(late).singleElement().satisfies((left) -> assertThat(left.get()).isFalse());
	}

	@Test
	void threadThatWorksForNoCallKeepsNothing() {
		CallNote<String> note = new CallNote<>();
		assertThat(note.leave("nobody's")).isFalse();
		assertThat(note.find()).isNull();
		assertThat(note.take()).isNull();
		assertThat(CallNotes.ofThisThread().nanos()).isZero();
		CallNotes notes = CallNotes.of(ToolCall.of("pay", Map.of()));
		assertThat(notes.execute(() -> note.leave("a test's"))).isTrue();
		assertThat(notes.execute(note::take)).isEqualTo("a test's");
		assertThat(note.find()).isNull();
	}

	@Test
	void notesAreBounded() {
		CallNotes.of(ToolCall.of("pay", Map.of())).execute(() -> {
			CallNote<Integer> first = new CallNote<>();
			assertThat(first.leave(0)).isTrue();
			for (int i = 1; i < CallNotes.MAX; i++) {
				assertThat(new CallNote<Integer>().leave(i)).isTrue();
			}
			assertThat(new CallNote<Integer>().leave(CallNotes.MAX)).isFalse();
			assertThat(first.leave(1)).isTrue();
			return first;
		});
	}

	@Test
	void callKnowsHowLongItTookWhenItsResultIsSeen() {
		List<Long> nanos = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of(), List.of((call, result) -> {
			nanos.add(CallNotes.ofThisThread().nanos());
			return ToolDecision.approve();
		}), List.of(), ToolApprover.nobody(), null, new AbortedRuns());
		long before = System.nanoTime();
		chain.execute(ToolCall.of("pay", Map.of()), TOOL);
		assertThat(nanos).singleElement()
			.satisfies((took) -> assertThat(took).isBetween(1L, System.nanoTime() - before));
	}

	@Test
	void callThatWaitedForPeopleIsResumed() {
		List<Boolean> resumed = new ArrayList<>();
		RehearsedHook asks = new RehearsedHook() {

			@Override
			public ToolDecision preCall(ToolCall call) {
				return rehearse(call);
			}

			@Override
			public ToolDecision rehearse(ToolCall call) {
				resumed.add(CallNotes.ofThisThread().isResumed());
				return ToolDecision.ask("May it?");
			}

		};
		ToolHookChain chain = new ToolHookChain(List.of(asks, this.hook), List.of(this.hook),
				(call, question) -> question.pendingAs("q1"));
		ToolCall call = ToolCall.of("pay", Map.of());
		assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> chain.execute(call, TOOL));
		CallNotes.of(call.withArguments(Map.of("a", 1))).execute(() -> chain.explain(call, TOOL, true));
		chain.explain(call, TOOL, true);
		ToolCall other = ToolCall.of("pay", Map.of());
		CallNotes.of(other).execute(() -> chain.explain(call, TOOL, true));
		chain.execute(call, TOOL, (same, question) -> ToolDecision.approve());
		assertThat(resumed).containsExactly(false, true, false, false, true);
		assertThat(this.hook.taken).hasSize(2).doesNotContainNull().doesNotHaveDuplicates();
	}

	@Test
	void explanationLeavesNoNote() {
		CallNote<String> note = new CallNote<>();
		List<Boolean> left = new ArrayList<>();
		ToolHookChain chain = new ToolHookChain(List.of((call) -> {
			left.add(note.leave("explained"));
			return ToolDecision.approve();
		}), List.of());
		chain.explain(ToolCall.of("pay", Map.of()), TOOL, true);
		assertThat(left).containsExactly(false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "finish", "fail", "cancel" })
	void streamEndsOnAnotherThread(String how) {
		CallNote<String> note = new CallNote<>();
		List<@Nullable String> taken = new ArrayList<>();
		PreLlmHook pre = (call) -> (note.leave(call.id())) ? LlmDecision.approve() : LlmDecision.deny("no note");
		PostLlmHook post = (outcome) -> taken.add(note.take());
		LlmHookChain chain = new LlmHookChain(List.of(HookEntry.of(pre)), List.of(), List.of(HookEntry.of(post)), null,
				new AbortedRuns());
		LlmCall call = LlmCall.of(LlmMessage.user("hello"));
		LlmCallInProgress progress = chain.begin(call);
		LlmCallInProgress twin = chain.begin(call);
		String ended = onAnotherThread(() -> {
			switch (how) {
				case "finish" -> progress.finish(LlmResponse.of("done"));
				case "fail" -> progress.fail(new IllegalStateException("broken"));
				default -> progress.cancel();
			}
			return how;
		});
		assertThat(ended).isEqualTo(how);
		assertThat(taken).containsExactly(call.id());
		twin.cancel();
		assertThat(taken).containsExactly(call.id(), call.id());
		assertThat(CallNotes.ofThisThread()).isSameAs(CallNotes.NONE);
	}

	@Test
	void threadIsLeftAsItWasWhateverIsThrown() {
		ToolHookChain chain = new ToolHookChain(List.of(this.hook), List.of());
		assertThatIllegalStateException().isThrownBy(() -> chain.execute(ToolCall.of("pay", Map.of()), (call) -> {
			throw new IllegalStateException("broken");
		}));
		assertThat(CallNotes.ofThisThread()).isSameAs(CallNotes.NONE);
	}

	private <T> T onAnotherThread(Supplier<T> work) {
		try {
			return this.threads.submit(Nesting.ofThisThread().carry(work)::get).get();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Leaves the number of each call as a note.
	 */
	private static final class Noting implements PreToolHook, PostToolHook {

		private final CallNote<String> note = new CallNote<>();

		private final List<@Nullable String> taken = new ArrayList<>();

		private final List<@Nullable String> found = new ArrayList<>();

		private int asked;

		@Override
		public synchronized ToolDecision preCall(ToolCall call) {
			this.asked++;
			return (this.note.leave(String.valueOf(this.asked))) ? ToolDecision.approve()
					: ToolDecision.deny("no note");
		}

		@Override
		public synchronized void postCall(ToolOutcome outcome) {
			this.taken.add(this.note.take());
		}

		PreToolHook again() {
			return (call) -> {
				this.found.add(this.note.find());
				return ToolDecision.approve();
			};
		}

	}

}
