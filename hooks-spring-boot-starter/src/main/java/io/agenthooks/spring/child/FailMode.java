package io.agenthooks.spring.child;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Decides in the place of a child that gave no verdict.
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
	 * Ask a child, and decide without it if need be.
	 * @param call the call that the question is about
	 * @param size how many bytes the question has
	 * @param question what the child is asked
	 * @return the decision
	 */
	public ToolDecision decide(ToolCall call, int size, Question question) {
		try {
			return question.ask();
		}
		catch (NoVerdictException ex) {
			boolean passes = ex.mayPass() && this.failOpen && size <= MAX_SIZE_TO_PASS
					&& !Thread.currentThread().isInterrupted();
			this.warnings.warn("Hook '%s': %s. The call '%s' of the tool '%s' %s".formatted(this.hook, ex.getMessage(),
					SafeText.name(call.id()), SafeText.name(call.tool()),
					(passes) ? "passes, because of fail_open" : "does not pass"));
			return (passes) ? ToolDecision.failedOpen(ex.getMessage()) : ToolDecision.deny(ex.getMessage());
		}
	}

	/**
	 * What a child is asked.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Question {

		/**
		 * Ask it.
		 * @return the decision of the child
		 * @throws NoVerdictException if there is none
		 */
		ToolDecision ask() throws NoVerdictException;

	}

}
