package io.agenthooks.spring.external;

import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookDecision;
import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.FailMode;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Decides when an external decider gave no verdict.
 *
 * @param <C> the calls
 * @param <D> the decisions about them
 * @since 0.1.0
 */
public final class NoVerdictMode<C, D extends HookDecision> {

	private static final Logger logger = LoggerFactory.getLogger(NoVerdictMode.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final String hook;

	private final FailMode mode;

	private final Function<C, String> describing;

	private final Function<String, D> passing;

	private final Function<String, D> denying;

	private NoVerdictMode(String hook, boolean failOpen, Function<C, String> describing, Function<String, D> passing,
			Function<String, D> denying) {
		this.hook = hook;
		this.mode = FailMode.of(failOpen);
		this.describing = describing;
		this.passing = passing;
		this.denying = denying;
	}

	/**
	 * The fail mode of a hook around tool calls.
	 * @param hook the name of the hook
	 * @param failOpen whether what the child should have judged passes when it fails
	 * @return the fail mode
	 */
	public static NoVerdictMode<ToolCall, ToolDecision> ofToolCalls(String hook, boolean failOpen) {
		return new NoVerdictMode<>(hook, failOpen,
				(call) -> "call '%s' of the tool '%s'".formatted(SafeText.name(call.id()), SafeText.name(call.tool())),
				ToolDecision::failedOpen, ToolDecision::deny);
	}

	/**
	 * The fail mode of a hook around model calls.
	 * @param hook the name of the hook
	 * @param failOpen whether what the child should have judged passes when it fails
	 * @return the fail mode
	 */
	public static NoVerdictMode<LlmCall, LlmDecision> ofModelCalls(String hook, boolean failOpen) {
		return new NoVerdictMode<>(hook, failOpen, (call) -> "model call '%s'".formatted(SafeText.name(call.id())),
				LlmDecision::failedOpen, LlmDecision::deny);
	}

	/**
	 * The fail mode of a hook around runs.
	 * @param hook the name of the hook
	 * @param failOpen whether what the child should have judged passes when it fails
	 * @return the fail mode
	 */
	public static NoVerdictMode<AgentRun, RunDecision> ofRuns(String hook, boolean failOpen) {
		return new NoVerdictMode<>(hook, failOpen, (run) -> "run '%s'".formatted(SafeText.name(run.id())),
				RunDecision::failedOpen, RunDecision::deny);
	}

	/**
	 * Ask a decider whose questions have no limit of size, and decide without it if need
	 * be.
	 * @param call the call that the question is about
	 * @param question what is asked
	 * @return the decision
	 */
	public D decide(C call, Question<D> question) {
		return decide(call, 0, question);
	}

	/**
	 * Ask a child, and decide without it if need be.
	 * @param call the call that the question is about
	 * @param size how many bytes the question has
	 * @param question what the child is asked
	 * @return the decision
	 */
	public D decide(C call, int size, Question<D> question) {
		try {
			return question.ask();
		}
		catch (NoVerdictException ex) {
			boolean passes = ex.mayPass() && this.mode.passesWithoutAnswer(size);
			this.warnings.warn("Hook '%s': %s. The %s %s".formatted(this.hook, ex.getMessage(),
					this.describing.apply(call), (passes) ? "passes, because of fail_open" : "does not pass"));
			D decision = ((passes) ? this.passing : this.denying).apply(ex.getMessage());
			Unanswered.note(decision, ex.isTimeout());
			return decision;
		}
	}

	/**
	 * The question to a decider.
	 *
	 * @param <D> the decisions
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Question<D> {

		/**
		 * Ask it.
		 * @return the decision
		 * @throws NoVerdictException if there is none
		 */
		D ask() throws NoVerdictException;

	}

}
