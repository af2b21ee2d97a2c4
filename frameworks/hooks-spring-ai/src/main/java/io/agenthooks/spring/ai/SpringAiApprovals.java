package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;

import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * Resumes conversations of Spring AI whose turn ended with an
 * {@link io.agenthooks.spring.suspend.ApprovalPendingException}, on any node, once people
 * have decided.
 *
 * @since 0.1.0
 */
public final class SpringAiApprovals {

	private final Supplier<ToolApprovals> approvals;

	private final SpringAiTools tools;

	private final SpringAiToolHooks hooks;

	SpringAiApprovals(Supplier<ToolApprovals> approvals, SpringAiTools tools, SpringAiToolHooks hooks) {
		this.approvals = approvals;
		this.tools = tools;
		this.hooks = hooks;
	}

	/**
	 * Run a call that people approved, and put its result into the conversation; of one
	 * that they denied, or that nobody approved in time, the reason of the denial. The
	 * call runs at most once, for whom it was made, and only if all hooks let it pass
	 * now. To resume a call again whose result is known gives the same conversation.
	 * @param approvalId the id of the question
	 * @param tools tools that are no beans, and may be that of the call. They need not be
	 * guarded. Tools that are beans are found
	 * @return the conversation
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException if nothing can be
	 * run, as {@link ToolApprovals#resume(String)} says
	 * @throws io.agenthooks.AgentAbortedException if a hook ends the turn or the run
	 * @throws IllegalStateException if another framework kept the conversation; nothing
	 * has run
	 */
	public ResumedConversation resume(String approvalId, ToolCallback... tools) {
		return resume(approvalId, tools, null);
	}

	/**
	 * Run a call that people approved, as {@link #resume(String, ToolCallback...)} does,
	 * of a tool that needs a context: it is not kept with the call.
	 * @param approvalId the id of the question
	 * @param toolContext what Spring AI gives to the tool as its {@code ToolContext}
	 * @param tools tools that are no beans, and may be that of the call
	 * @return the conversation
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException as above
	 * @throws io.agenthooks.AgentAbortedException as above
	 * @throws IllegalStateException as above
	 */
	public ResumedConversation resume(String approvalId, Map<String, Object> toolContext, ToolCallback... tools) {
		return resume(approvalId, tools, new ToolContext(toolContext));
	}

	/**
	 * Read the conversation of a turn that was resumed, for a
	 * {@link io.agenthooks.spring.suspend.ConversationContinuation} of the application.
	 * @param turn the turn
	 * @return the conversation
	 * @throws IllegalStateException if another framework kept the conversation
	 */
	public ResumedConversation conversation(ResumedTurn turn) {
		return new ResumedConversation(turn, this.hooks.callers().user(), () -> this.hooks.calls().refusalFor(null));
	}

	/**
	 * Tools to run a call with that people approved, for a
	 * {@link io.agenthooks.spring.suspend.ConversationContinuation} of the application.
	 * @param toolContext what Spring AI gives to the tool as its {@code ToolContext}
	 * @param tools tools that are no beans, and may be that of the call
	 * @return the tools, and those that are beans
	 */
	public ResumableTools tools(Map<String, Object> toolContext, ToolCallback... tools) {
		return tools(List.of(tools), new ToolContext(toolContext));
	}

	ResumableTools tools(List<ToolCallback> tools, @Nullable ToolContext toolContext) {
		return this.tools.with(tools, toolContext);
	}

	private ResumedConversation resume(String approvalId, ToolCallback[] tools, @Nullable ToolContext toolContext) {
		Objects.requireNonNull(approvalId, "'approvalId' must not be null");
		return conversation(this.approvals.get().resume(approvalId, tools(List.of(tools), toolContext)));
	}

}
