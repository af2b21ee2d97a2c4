package io.agenthooks.spring.assembly;

import org.springframework.context.ConfigurableApplicationContext;

import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.binding.HookSection;

/**
 * Adds hooks around model calls.
 */
final class LlmHookRegistry extends FrameworkHooks<LlmHook> implements LlmHooks {

	LlmHookRegistry(HookAssembly<LlmHook> assembly, LlmHookChain chain, ConfigurableApplicationContext context) {
		super(HookSection.LLM_CALL, assembly, chain,
				(hooks) -> chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreLlmHook.class),
						hooks.entries(Phase.RESULT, LlmResponseHook.class),
						hooks.entries(Phase.POST_CALL, PostLlmHook.class)),
				context);
		log("Every call of a model passes these hooks:", "call");
	}

}
