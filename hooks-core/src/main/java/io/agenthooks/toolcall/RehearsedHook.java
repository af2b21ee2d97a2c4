package io.agenthooks.toolcall;

/**
 * A {@link PreToolHook} whose decision leaves a trace, such as a warning in the log, and
 * that can do without if it is only asked to explain what would happen to a call.
 *
 * @since 0.1.0
 */
public interface RehearsedHook extends PreToolHook {

	/**
	 * Decide about a call that is only explained and not made.
	 * @param call the call
	 * @return the decision, the same as about one that is made; the additional context of
	 * an approval may be what is worth knowing of it
	 */
	ToolDecision rehearse(ToolCall call);

}
