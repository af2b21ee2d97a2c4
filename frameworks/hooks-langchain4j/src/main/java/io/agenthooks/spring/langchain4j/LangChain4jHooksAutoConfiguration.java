package io.agenthooks.spring.langchain4j;

import java.util.List;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.spi.services.AiServiceContextFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.assembly.ConditionalOnHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.assembly.DecidingHooks;
import io.agenthooks.spring.assembly.HookPresence;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.guard.BlindSpot;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.UnguardedConsequence;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.UnmatchedNames;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Guards the models of LangChain4j, its AI services and agents, and their tools.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
		RunHooksAutoConfiguration.class })
@ConditionalOnClass(ChatModel.class)
public final class LangChain4jHooksAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AiServiceContextFactory.class)
	@ImportRuntimeHints(LangChain4jHints.class)
	static class AiServices {

		/** The guard itself reports what cannot be guarded. */
		@Bean
		static GuardedType guardedAiServices() {
			return new GuardedType("AI services", List.of(AiServiceGuard.class), (bean) -> true,
					(bean, chain) -> prove((AiServiceGuard) bean, chain), null);
		}

		private static int prove(AiServiceGuard guard, ToolHookChain chain) {
			if (!guard.guardsServices()) {
				return 0;
			}
			return (guard.isProved(chain)) ? 1 : GuardedType.Proof.FAILED;
		}

		@Bean
		NameSource langChain4jNames(ConfigurableListableBeanFactory beanFactory, AiServiceGuard guard) {
			return new LangChain4jNames(beanFactory, guard);
		}

		@Bean
		static GuardedType guardedRunsOfAiServices(ObjectProvider<RunHookChain> chain) {
			return new GuardedType("AI services (runs)", List.of(AiServiceGuard.class), (bean) -> true,
					(bean, tools) -> proveRuns((AiServiceGuard) bean, chain.getObject()),
					() -> chain.stream().anyMatch((hooks) -> !hooks.isEmpty()));
		}

		private static int proveRuns(AiServiceGuard guard, RunHookChain chain) {
			if (!guard.guardsRuns()) {
				return 0;
			}
			return (guard.isProved(chain)) ? 1 : GuardedType.Proof.FAILED;
		}

		@Bean
		static AiServiceGuard aiServiceGuard(ObjectProvider<ToolHookChain> tools, ObjectProvider<LlmHookChain> models,
				ObjectProvider<RunHookChain> runs, ObjectProvider<CallContextCustomizer> customizers,
				ObjectProvider<AbortedRuns> abortedRuns, ObjectProvider<SuspendedTurns> turns,
				ConfigurableEnvironment environment, ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<UnmatchedNames> names) {
			boolean active = beanFactory.getBeanNamesForType(ToolExecutorGuard.class, true, false).length > 0;
			AiServiceGuard guard = new AiServiceGuard(active,
					new ServiceHooks.Beans(tools, models, runs, customizers, abortedRuns, turns),
					UnguardedConsequence.of(environment,
							(active) ? DecidingHooks.aboutTools(beanFactory, environment)
									: DecidingHooks.expected(HookSection.RUN, beanFactory, environment)),
					CurrentUser.ofSpringSecurity(HookPropertySources.of(environment).claims()));
			SingletonSupplier<UnmatchedNames> unmatched = SingletonSupplier.of(names::getObject);
			guard.setOffered((tool) -> unmatched.obtain().know(tool));
			return guard;
		}

	}

	/**
	 * In the mode {@code block} the bean that the condition sees is {@code null}: the
	 * mode depends on the store, and that is known only when it is open.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AiServiceContextFactory.class)
	@ConditionalOnBean(SuspendedTurns.class)
	static class Approvals {

		@Bean
		AiServiceTools hooksAiServiceTools(AiServiceGuard guard) {
			return new AiServiceTools(guard);
		}

		@Bean
		LangChain4jApprovals hooksLangChain4jApprovals(ToolApprovals approvals, AiServiceGuard guard) {
			return new LangChain4jApprovals(approvals, guard);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(AiServiceContextFactory.class)
	@ConditionalOnBean(SuspendedTurns.class)
	@ConditionalOnProperty(name = "hooks.approval.resume", havingValue = "auto")
	static class Continuation {

		@Bean
		ConversationContinuation langChain4jContinuation(AiServiceGuard guard, ListableBeanFactory beanFactory) {
			return new LangChain4jContinuation(guard, beanFactory);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.LLM_CALL)
	static class Models {

		@Bean
		static GuardedType guardedLangChain4jModels(ObjectProvider<LlmHookChain> chain) {
			return new GuardedType("LangChain4j model", List.of(ChatModel.class, StreamingChatModel.class),
					ModelGuard::isGuarded,
					(bean, tools) -> (ModelGuard.isProved(bean, chain.getObject())) ? 1 : GuardedType.Proof.FAILED,
					() -> chain.stream().anyMatch((hooks) -> !hooks.isEmpty()));
		}

		/**
		 * LangChain4j has no place where all questions pass: listeners belong to one
		 * model, and what they throw is ignored.
		 */
		@Bean
		BlindSpot modelsOfLangChain4jThatAreNoBeans(ConfigurableListableBeanFactory beanFactory,
				ConfigurableEnvironment environment) {
			return new BlindSpot(
					HookPresence.ofApplication(HookSection.LLM_CALL, LlmHookChain.class, beanFactory, environment),
					() -> "a question to a ChatModel or StreamingChatModel of LangChain4j that is no bean, unless an AI "
							+ "service asks it: LangChain4j tells nobody of others, so make the model a bean");
		}

		@Bean
		static ModelGuard modelGuard(ObjectProvider<LlmHookChain> chain, ConfigurableEnvironment environment) {
			return new ModelGuard(chain, CurrentUser.ofSpringSecurity(HookPropertySources.of(environment).claims()));
		}

	}

}
