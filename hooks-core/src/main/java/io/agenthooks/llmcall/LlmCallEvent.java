package io.agenthooks.llmcall;

/**
 * Something that happened to a model call. Every call begins with {@link Started} and
 * ends with exactly one {@link Ended}.
 * <p>
 * Events hold the messages and responses of calls, which may be secret; their
 * {@code toString()} does not tell them.
 *
 * @since 0.1.0
 */
public sealed interface LlmCallEvent {

	/**
	 * The call as it was when this happened.
	 * @return the call
	 */
	LlmCall call();

	/**
	 * The agent made a call; no hook was asked yet.
	 *
	 * @param call the call
	 * @since 0.1.0
	 */
	record Started(LlmCall call) implements LlmCallEvent {
	}

	/**
	 * A hook changed the call.
	 *
	 * @param before the call as it was
	 * @param call the call as it is now
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	record Modified(LlmCall before, LlmCall call, String hook) implements LlmCallEvent {
	}

	/**
	 * A {@link LlmResponseHook} replaced or withheld the response.
	 *
	 * @param call the call
	 * @param before the response as it was
	 * @param response the response as it is now
	 * @param hook the name of the hook
	 * @since 0.1.0
	 */
	record ResponseReplaced(LlmCall call, LlmResponse before, LlmResponse response,
			String hook) implements LlmCallEvent {
	}

	/**
	 * A hook threw or decided nothing.
	 *
	 * @param call the call
	 * @param hook the name of the hook
	 * @param failure the class of what it threw, or what else was wrong; its message may
	 * be secret
	 * @since 0.1.0
	 */
	record HookFailed(LlmCall call, String hook, String failure) implements LlmCallEvent {
	}

	/**
	 * A hook failed open: the call goes on.
	 *
	 * @param call the call
	 * @param hook the name of the hook
	 * @param failure what failed, without secrets
	 * @since 0.1.0
	 */
	record FailedOpen(LlmCall call, String hook, String failure) implements LlmCallEvent {
	}

	/**
	 * The call is over: the one last event of every call.
	 *
	 * @param outcome how it ended, as post-call hooks saw it
	 * @since 0.1.0
	 */
	record Ended(LlmOutcome outcome) implements LlmCallEvent {

		@Override
		public LlmCall call() {
			return this.outcome.effective();
		}

	}

}
