package io.agenthooks.spring.child;

import java.util.function.Function;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Decides in the place of a child, or of a judge, that gave no verdict.
 *
 * @since 0.1.0
 */
public final class FailMode {

	/**
	 * The largest question, in bytes, that may pass without an answer: the agent chooses
	 * the size, and it may be what broke the child.
	 */
	private static final int MAX_SIZE_TO_PASS = 256 * 1024;

	private static final Logger logger = LoggerFactory.getLogger(FailMode.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final String hook;

	private final boolean failOpen;

	/**
	 * Create the fail mode of a hook.
	 * @param hook the name of the hook
	 * @param failOpen whether what the child should have judged passes when it fails
	 */
	public FailMode(String hook, boolean failOpen) {
		this.hook = hook;
		this.failOpen = failOpen;
	}

	/**
	 * Ask a child about a call of a tool, and decide without it if need be.
	 * @param call the call that the question is about
	 * @param size how many bytes the question has
	 * @param question what the child is asked
	 * @return the decision
	 */
	public ToolDecision decide(ToolCall call, int size, Question<ToolDecision> question) {
		return decide(
				() -> "call '%s' of the tool '%s'".formatted(SafeText.name(call.id()), SafeText.name(call.tool())),
				() -> {
					try {
						return question.ask();
					}
					catch (NoVerdictException ex) {
						throw (size > MAX_SIZE_TO_PASS) ? NoVerdictException.refusal(ex.getMessage()) : ex;
					}
				}, ToolDecision::failedOpen, ToolDecision::deny);
	}

	/**
	 * Ask somebody, and decide without them if need be.
	 * @param <D> the kind of decision
	 * @param call what the question is about, for the log
	 * @param question what is asked
	 * @param passing lets the call pass although nobody decided
	 * @param denying denies it
	 * @return the decision
	 */
	public <D> D decide(Supplier<String> call, Question<D> question, Function<String, D> passing,
			Function<String, D> denying) {
		try {
			return question.ask();
		}
		catch (NoVerdictException ex) {
			boolean passes = ex.mayPass() && this.failOpen && !Thread.currentThread().isInterrupted();
			this.warnings.warn("Hook '%s': %s. The %s %s".formatted(this.hook, ex.getMessage(), call.get(),
					(passes) ? "passes, because of fail_open" : "does not pass"));
			return ((passes) ? passing : denying).apply(ex.getMessage());
		}
	}

	/**
	 * What is asked.
	 *
	 * @param <D> the kind of decision
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
