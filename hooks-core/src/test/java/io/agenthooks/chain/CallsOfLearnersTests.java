package io.agenthooks.chain;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallInProgress;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.run.RunOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Nesting}: a hook that begins something whenever something of that kind
 * has ended comes to an end.
 */
class CallsOfLearnersTests {

	/** So that a test of what has no end ends. */
	private static final int ENOUGH = 100;

	@ParameterizedTest
	@ValueSource(strings = { "finish", "fail", "cancel" })
	void runsThatBeginWheneverOneEndsAreBlockedAtLast(String how) {
		List<RunOutcome> ended = new ArrayList<>();
		List<RunHookChain> self = new ArrayList<>();
		PostRunHook again = (outcome) -> {
			ended.add(outcome);
			if (ended.size() < ENOUGH) {
				run(self.get(0), how);
			}
		};
		self.add(new RunHookChain(List.of(), List.of(again)));
		run(self.get(0), how);
		assertThat(ended).hasSize(Nesting.MAX_DEPTH + 1);
		assertThat(ended.get(Nesting.MAX_DEPTH).decidedBy()).isEqualTo("nesting-limit");
		assertThat(Nesting.ofThisThread().depth()).isZero();
	}

	private static void run(RunHookChain chain, String how) {
		RunInProgress run = chain.begin(AgentRun.of("Go", CallContext.empty()));
		switch (how) {
			case "finish" -> run.finish("done", null);
			case "fail" -> run.fail(new IllegalStateException("broken"));
			default -> run.cancel();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "finish", "fail", "cancel" })
	void modelCallsThatAreMadeWheneverOneEndsAreDeniedAtLast(String how) {
		List<LlmOutcome> ended = new ArrayList<>();
		List<LlmHookChain> self = new ArrayList<>();
		PostLlmHook again = (outcome) -> {
			ended.add(outcome);
			if (ended.size() < ENOUGH) {
				ask(self.get(0), how);
			}
		};
		self.add(new LlmHookChain(List.of(), List.of(), List.of(again)));
		ask(self.get(0), how);
		assertThat(ended).hasSize(Nesting.MAX_DEPTH + 1);
		assertThat(ended.get(Nesting.MAX_DEPTH).decidedBy()).isEqualTo("nesting-limit");
		assertThat(Nesting.ofThisThread().depth()).isZero();
	}

	private static void ask(LlmHookChain chain, String how) {
		LlmCallInProgress call = chain.begin(LlmCall.of());
		if (call.settled() != null) {
			return;
		}
		switch (how) {
			case "finish" -> call.finish(LlmResponse.of("done"));
			case "fail" -> call.fail(new IllegalStateException("broken"));
			default -> call.cancel();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "finish", "fail", "cancel" })
	void callEndsEvenWhereNoFurtherOneCanBegin(String how) {
		List<LlmOutcome> ended = new ArrayList<>();
		PostLlmHook learns = ended::add;
		LlmHookChain chain = new LlmHookChain(List.of(), List.of(), List.of(learns));
		LlmCallInProgress call = chain.begin(LlmCall.of());
		Nesting nesting = Nesting.ofThisThread();
		while (!nesting.isTooDeep()) {
			nesting.enter();
		}
		try {
			assertThatIllegalStateException().isThrownBy(nesting::enter);
			switch (how) {
				case "finish" -> call.finish(LlmResponse.of("done"));
				case "fail" -> call.fail(new IllegalStateException("broken"));
				default -> call.cancel();
			}
			assertThat(nesting.isTooDeep()).isTrue();
		}
		finally {
			while (nesting.depth() > 0) {
				nesting.leave();
			}
		}
		assertThat(ended).hasSize(1);
	}

}
