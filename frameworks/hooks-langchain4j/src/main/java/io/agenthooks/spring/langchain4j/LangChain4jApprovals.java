package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.AiServiceContext;
import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Resumes calls of AI services that waited for people. A bean if
 * {@code hooks.approval.enabled} is true. In the mode {@code block} there is no question
 * that can be resumed, so each is refused as unknown.
 *
 * @since 0.1.0
 */
public final class LangChain4jApprovals {

	private final ToolApprovals approvals;

	private final AiServiceGuard guard;

	LangChain4jApprovals(ToolApprovals approvals, AiServiceGuard guard) {
		this.approvals = approvals;
		this.guard = guard;
	}

	/**
	 * Run a call that people approved, or learn why it is denied, as
	 * {@link ToolApprovals#resume(String)} does. Its tool is looked for in the AI
	 * services that the start of the application made, if it is a tool of one of them
	 * only; further tools are those of beans.
	 * @param approvalId the id of the question
	 * @return the conversation with the result
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException if nothing can be run
	 * @throws io.agenthooks.AgentAbortedException if a hook ends the turn or the run; the
	 * call has its result nevertheless
	 */
	public ResumedMessages resume(String approvalId) {
		return new ResumedMessages(this.approvals.resume(approvalId)).learned();
	}

	/**
	 * Run a call that people approved, as {@link #resume(String)} does, by a tool of the
	 * application.
	 * @param approvalId the id of the question
	 * @param objectsWithTools objects with methods that are tools, as given to
	 * {@code AiServices.tools}; if none of them has the tool, it is looked for as above
	 * @return the conversation with the result
	 */
	public ResumedMessages resume(String approvalId, Object... objectsWithTools) {
		return resumeWith(approvalId, (service) -> service.tools(List.of(objectsWithTools)));
	}

	/**
	 * Run a call that people approved, as {@link #resume(String)} does, by a tool of the
	 * application.
	 * @param approvalId the id of the question
	 * @param tools the tools, as given to {@code AiServices.tools}; if the tool is not
	 * among them, it is looked for as above
	 * @return the conversation with the result
	 */
	public ResumedMessages resume(String approvalId,
			Map<ToolSpecification, dev.langchain4j.service.tool.ToolExecutor> tools) {
		return resumeWith(approvalId, (service) -> service.tools(tools));
	}

	private ResumedMessages resumeWith(String approvalId, Consumer<GuardedToolService> tools) {
		GuardedToolService given = new GuardedToolService(AiServiceContext.create(LangChain4jApprovals.class),
				this.guard);
		tools.accept(given);
		return new ResumedMessages(this.approvals.resume(approvalId, new GivenTools(given))).learned();
	}

	private record GivenTools(GuardedToolService tools) implements ResumableTools {

		@Override
		public @Nullable ToolExecutor find(ToolCall call) {
			ResumableTool tool = ResumableTool.find(this.tools, call, true);
			return (tool != null) ? tool.prepare(call) : null;
		}

		@Override
		public String format() {
			return KeptTurn.FORMAT;
		}

	}

}
