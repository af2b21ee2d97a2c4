package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

import io.agenthooks.Hook;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.binding.HookSection;

/**
 * The hooks around models and runs of agents. Frameworks pass their calls to the chain
 * only if there are such hooks at the start.
 */
abstract class FrameworkHooks<H extends Hook> extends RunTimeHooks<H> {

	private static final Logger logger = LoggerFactory.getLogger(FrameworkHooks.class);

	private static final List<String> FRAMEWORKS = List.of("org.springframework.ai.chat.client.ChatClient",
			"dev.langchain4j.service.AiServices");

	private final HookSection<H> section;

	private final AssembledHooks<H> atStart;

	private final boolean isOwnChain;

	private final boolean hasFramework;

	/** Whether there are such hooks, beside those of ours that only count. */
	private final boolean wanted;

	FrameworkHooks(HookSection<H> section, HookAssembly<H> assembly, Object chain, Consumer<AssembledHooks<H>> replace,
			ConfigurableApplicationContext context) {
		super(assembly, chain, replace);
		assembly.checkReplacement(chain, "the hooks under 'hooks.%s'".formatted(section.key()));
		this.section = section;
		this.atStart = assembly.hooks();
		this.isOwnChain = assembly.isOwn(chain);
		this.hasFramework = FRAMEWORKS.stream()
			.anyMatch((framework) -> ClassUtils.isPresent(framework, context.getClassLoader()));
		this.wanted = !this.atStart.isEmpty() && HookPresence
			.ofApplication(section, chain.getClass(), context.getBeanFactory(), context.getEnvironment())
			.getAsBoolean();
		if (this.isOwnChain && !this.wanted && this.hasFramework) {
			refuseHooks(
					("at the start there was no hook under 'hooks.%s' and no %s bean, so clients and models may have "
							+ "been made that pass no hooks. List one hook there, or declare one such bean, also if it always "
							+ "approves; then more can be registered at run time.")
						.formatted(section.key(), section.hookTypes()));
		}
	}

	final void log(String title, String noun) {
		if (!this.isOwnChain || this.atStart.isEmpty()) {
			return;
		}
		logger.info(this.atStart.describe(title, noun, "response"));
		if (!this.hasFramework && this.wanted && this.atStart.haveOwn()) {
			logger.warn(
					"hooks.{} has hooks, but neither Spring AI's ChatClient nor LangChain4j's AI services are on "
							+ "the class path: the hooks run only if the application calls their chain",
					this.section.key());
		}
	}

	static final class OfModelCalls extends FrameworkHooks<LlmHook> implements LlmHooks {

		OfModelCalls(HookAssembly<LlmHook> assembly, LlmHookChain chain, ConfigurableApplicationContext context) {
			super(HookSection.LLM_CALL, assembly, chain,
					(hooks) -> chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreLlmHook.class),
							hooks.entries(Phase.RESULT, LlmResponseHook.class),
							hooks.entries(Phase.POST_CALL, PostLlmHook.class)),
					context);
			log("Every call of a model passes these hooks:", "call");
		}

	}

	static final class OfRuns extends FrameworkHooks<RunHook> implements RunHooks {

		OfRuns(HookAssembly<RunHook> assembly, RunHookChain chain, ConfigurableApplicationContext context) {
			super(HookSection.RUN, assembly, chain,
					(hooks) -> chain.replaceEntries(hooks.entries(Phase.PRE_CALL, PreRunHook.class),
							hooks.entries(Phase.POST_CALL, PostRunHook.class)),
					context);
			log("Every run of an agent passes these hooks:", "run");
		}

	}

}
