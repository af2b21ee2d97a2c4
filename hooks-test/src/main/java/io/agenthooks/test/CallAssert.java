package io.agenthooks.test;

import io.agenthooks.AbortScope;
import io.agenthooks.HookOutcome;
import io.agenthooks.Verdict;

/**
 * The common assertions about calls of tools and of models.
 *
 * @param <S> the assertions
 * @param <A> the call and what became of it
 * @param <E> what happens to calls
 * @since 0.1.0
 */
public abstract sealed class CallAssert<S extends CallAssert<S, A, E>, A extends Tested<? extends HookOutcome, E>, E>
		extends HookedAssert<S, A, E> permits TestedToolCallAssert, TestedLlmCallAssert {

	private final String what;

	private final String reached;

	private final String changed;

	CallAssert(A actual, Class<S> selfType, String what, String reached, String changed) {
		super(actual, selfType, "to reach " + what + " and fail there");
		this.what = what;
		this.reached = reached;
		this.changed = changed;
	}

	/**
	 * Verify that the call was made as a hook, or the approver, changed it. It may have
	 * failed, and its result may have been replaced.
	 * @return this
	 */
	public S isModified() {
		return check(verdict() == Verdict.MODIFY, "to be modified");
	}

	/**
	 * Verify that a hook answered the call.
	 * @return this
	 */
	public S isAnswered() {
		return check(hasStatus("ANSWERED"), "to be answered");
	}

	/**
	 * Verify that the call ended the turn or the run.
	 * @param scope how much ended
	 * @return this
	 */
	public S isAborted(AbortScope scope) {
		return check(tested().outcome().decision().scope() == scope, "to abort the " + word(scope));
	}

	@Override
	String whatHappened(String hook) {
		return switch (tested().outcome().status().name()) {
			case "DENIED" -> hook + " denied it: \"" + reason() + '"';
			case "ANSWERED" -> hook + " answered it";
			case "ABORTED" -> aborted(hook);
			case "PENDING" -> "it waits for people";
			case "DISABLED" -> "tools are switched off";
			case "CANCELLED" -> "it was cancelled";
			default -> this.what + ' ' + this.reached
					+ ((verdict() == Verdict.MODIFY) ? ", with " + this.changed + " changed by " + hook + "," : "")
					+ ((hasStatus("SUCCEEDED")) ? " and succeeded" : " and failed");
		};
	}

}
