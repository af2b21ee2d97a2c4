package io.agenthooks.sample.tools;

import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.stereotype.Component;

/**
 * All that the agent can do: what the {@code ChatClient} offers to its model, and what
 * the {@link ToolBox} runs by name. Not a bean of a type that the starter guards, because
 * each of those two is guarded itself.
 *
 * @since 0.1.0
 */
@Component
public class AgentTools {

	private final ToolCallback[] callbacks;

	AgentTools(FileTools files, RunCommandTool commands, SendEmailTool emails, DescribeMachineTool machine,
			RefundOrderTool refunds, ReadMailTool mails, SendMoneyTool money) {
		this.callbacks = ToolCallbacks.from(files, commands, emails, machine, refunds, mails, money);
	}

	/**
	 * The tools without hooks.
	 * @return the tools
	 */
	public ToolCallback[] callbacks() {
		return this.callbacks.clone();
	}

}
