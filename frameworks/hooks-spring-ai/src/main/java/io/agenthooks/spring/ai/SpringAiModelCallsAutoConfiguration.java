package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.DefaultAroundAdvisorChain;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.assembly.DecidingHooks;
import io.agenthooks.spring.assembly.HookPresence;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.guard.BlindSpot;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.UnguardedConsequence;

/**
 * Lets model calls of Spring AI pass the hooks, of each model that is a bean, and calls
 * and runs of each {@code ChatClient} that is a bean or is made by a
 * {@code ChatClient.Builder} that is one.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class })
@ConditionalOnClass(ChatModel.class)
@Import(ClientAdvisors.Adding.class)
public final class SpringAiModelCallsAutoConfiguration {

	private static BlindSpot blindSpot(BooleanSupplier observed, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		return new BlindSpot(
				HookPresence.ofApplication(HookSection.LLM_CALL, LlmHookChain.class, beanFactory, environment),
				() -> ("a question to a ChatModel of Spring AI that is no bean, unless a guarded ChatClient asks it%s: "
						+ "make the model a bean")
					.formatted((observed.getAsBoolean())
							? " or the model was made with the ObservationRegistry bean, by which it is found" : ""));
	}

	@Configuration(proxyBeanMethods = false)
	static class ChatModels {

		@Bean
		static ChatModelGuard chatModelGuard(ObjectProvider<LlmHookChain> modelCalls,
				ObjectProvider<CallContextCustomizer> customizers, ConfigurableListableBeanFactory beanFactory,
				ConfigurableEnvironment environment, ObjectProvider<AbortedRuns> abortedRuns) {
			return new ChatModelGuard(ClientAdvisors.chain(modelCalls),
					SingletonSupplier.of(() -> customizers.orderedStream().toList())::obtain,
					HookPresence.of(HookSection.LLM_CALL, LlmHookChain.class, beanFactory, environment),
					HookPresence.ofApplication(HookSection.LLM_CALL, LlmHookChain.class, beanFactory, environment),
					SingletonSupplier.of(() -> abortedRuns.getIfAvailable(AbortedRuns::new))::obtain,
					CurrentUser.ofSpringSecurity(HookPropertySources.of(environment).claims()));
		}

		@Bean
		static GuardedType guardedChatModels(ObjectProvider<ChatModelGuard> guard, ObjectProvider<LlmHookChain> chain) {
			return new GuardedType("ChatModel", List.of(ChatModel.class), ChatModelGuard::isGuarded, (model,
					tools) -> (ChatModelGuard.isProved(model, chain.getObject())) ? 1 : GuardedType.Proof.FAILED,
					() -> guard.getObject().isWanted());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationHandler.class)
	static class ObservedModels {

		@Bean
		UnguardedModels unguardedModels(ObjectProvider<LlmHookChain> modelCalls,
				ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
			return new UnguardedModels(
					UnguardedConsequence.of(environment,
							DecidingHooks.expected(HookSection.LLM_CALL, beanFactory, environment)),
					HookPresence.ofApplication(HookSection.LLM_CALL, LlmHookChain.class, beanFactory, environment),
					ClientAdvisors.chain(modelCalls));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	static class ObservedBlindSpots {

		@Bean
		BlindSpot modelsOfSpringAiThatAreNotObserved(ObjectProvider<ObservationRegistry> registry,
				ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
			return blindSpot(() -> registry.stream().anyMatch((one) -> !one.isNoop()), beanFactory, environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass("io.micrometer.observation.ObservationRegistry")
	static class BlindSpots {

		@Bean
		BlindSpot modelsOfSpringAiThatAreNoBeans(ConfigurableListableBeanFactory beanFactory,
				ConfigurableEnvironment environment) {
			return blindSpot(() -> false, beanFactory, environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	@ImportRuntimeHints(ChainHints.class)
	static class ChatClients {

	}

	/** The fields by which a chain of advisors can be asked again. */
	static final class ChainHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (String name : List.of("callAdvisors", "streamAdvisors")) {
				hints.reflection()
					.registerField(
							Objects.requireNonNull(ReflectionUtils.findField(DefaultAroundAdvisorChain.class, name)));
			}
		}

	}

}
