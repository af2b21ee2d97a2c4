package io.agenthooks.spring.assembly;

import org.springframework.context.ConfigurableApplicationContext;

import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.binding.HookSection;

/**
 * Adds hooks around runs of agents.
 */
final class RunHookRegistry extends FrameworkHooks<RunHook> implements RunHooks {

	RunHookRegistry(HookAssembly<RunHook> assembly, RunHookChain chain, ConfigurableApplicationContext context) {
		super(HookSection.RUN, assembly, chain,
				(hooks) -> chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreRunHook.class),
						hooks.entries(Phase.POST_CALL, PostRunHook.class)),
				context);
		log("Every run of an agent passes these hooks:", "run");
	}

}
