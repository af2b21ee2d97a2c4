package io.agenthooks.spring.ai;

import java.util.List;

import org.springframework.ai.chat.client.advisor.api.Advisor;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.guard.BeanGuard;

/**
 * Guards of Spring AI for tests of other packages.
 */
public final class Guards {

	private Guards() {
	}

	public static BeanGuard ofModels(LlmHookChain chain) {
		return new ChatModelGuard(() -> chain, List::of, () -> true, () -> true, AbortedRuns::new,
				CurrentUser.ofSpringSecurity());
	}

	public static Advisor ofTools(SpringAiToolHooks hooks, int order) {
		return new ToolHooksAdvisor(hooks, order);
	}

}
