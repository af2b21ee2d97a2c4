package io.agenthooks.spring.suspend;

import org.jspecify.annotations.Nullable;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * The tools of a framework, to run a call that waited for people. Beans of this type are
 * asked by {@link ToolApprovals#resume(String)}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ResumableTools {

	/**
	 * Find the tool of a call.
	 * @param call the call as it was made, with the arguments that people approved
	 * @return what runs the raw tool, since the caller asks the hooks; it checks the
	 * schema of the tool in {@link ToolExecutor#objection}, and makes known for whom the
	 * call is made, for agents inside of the tool. {@code null} if the tool is not known
	 * here
	 * @throws ApprovalRefusedException if several tools could be the one, as
	 * {@link ApprovalRefusedException#severalTools()}
	 */
	@Nullable ToolExecutor find(ToolCall call);

	/**
	 * The format of the turns whose calls these tools are for. Another framework may have
	 * a tool of the same name: a call of a turn that a framework kept is run by a tool of
	 * this framework.
	 * @return as in {@link SuspendedTurn#format()}, or nothing if the tools are for calls
	 * of any turn
	 */
	default String format() {
		return "";
	}

}
