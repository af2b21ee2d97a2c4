package io.agenthooks.toolcall;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.agenthooks.AbortScope;
import io.agenthooks.Verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolHookChain}: an approver keeps a question, and the turn ends.
 */
class ToolHookChainSuspendTests {

	private static final PreToolHook ASKING = PreToolHook.named("careful", (call) -> ToolDecision.ask("Really?"));

	private final GuardedTool tool = new GuardedTool();

	private GuardedTool keeping() {
		return this.tool.withApprover((call, question) -> question.pendingAs("q-1"));
	}

	@Test
	void executeWhenQuestionIsKeptEndsTheTurnWithItsId() {
		assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> keeping().execute(ASKING))
			.satisfies((ex) -> {
				assertThat(ex.getApprovalId()).isEqualTo("q-1");
				assertThat(ex.getScope()).isEqualTo(AbortScope.TURN);
				assertThat(ex.getHook()).isEqualTo("careful");
				assertThat(ex.isPending()).isTrue();
				assertThat(ex.getReason())
					.isEqualTo("This call waits for the approval of a person (request q-1). It has not run.");
			});
		assertThat(this.tool.ran).isEmpty();
	}

	@Test
	void executeWhenQuestionIsKeptTellsTheIdInTheOutcome() {
		assertThatExceptionOfType(TurnSuspendedException.class).isThrownBy(() -> keeping().execute(ASKING));
		ToolOutcome outcome = this.tool.outcome();
		assertThat(outcome.status()).isEqualTo(ToolCallStatus.PENDING);
		assertThat(outcome.status().value()).isEqualTo("pending");
		assertThat(outcome.decision().verdict()).isEqualTo(Verdict.ASK);
		assertThat(outcome.decidedBy()).isEqualTo("careful");
		assertThat(outcome.approval()).isNotNull();
		assertThat(outcome.approval().pending()).isEqualTo("q-1");
		assertThat(outcome.approval().answer()).isEqualTo(Verdict.ASK);
		assertThat(outcome.approval().person()).isNull();
	}

	@Test
	void executeWhenOnlyAHookSaysThatAQuestionIsKeptAsksTheApprover() {
		List<String> seen = new ArrayList<>();
		PreToolHook forger = (call) -> new ToolDecision.Ask("Really?").pendingAs("forged");
		ToolResult result = this.tool.withApprover((call, question) -> {
			seen.add(String.valueOf(question.pending()));
			return question;
		}).execute(forger, forger);
		assertThat(result.succeeded()).isFalse();
		assertThat(result.content()).contains("neither approved nor denied");
		assertThat(seen).containsExactly("null");
		assertThat(this.tool.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
	}

	@Test
	void executeWhenAHookAnsweredAndAQuestionIsKeptGivesNoAnswer() {
		assertThatExceptionOfType(TurnSuspendedException.class)
			.isThrownBy(() -> keeping().execute(ASKING, Hooks.answering("cached")));
		assertThat(this.tool.outcome().result()).isNull();
	}

	@Test
	void executeWhenAHookDeniesNobodyKeepsAQuestion() {
		ToolResult result = keeping().execute(ASKING, (call) -> ToolDecision.deny("no"));
		assertThat(result.content()).contains("no");
		assertThat(this.tool.outcome().approval()).isNull();
	}

	@Test
	void askWithoutVisibleIdStaysOneSafeLine() {
		assertThat(new ToolDecision.Ask("a").pendingAs("x\ny").pending()).doesNotContain("\n");
	}

}
