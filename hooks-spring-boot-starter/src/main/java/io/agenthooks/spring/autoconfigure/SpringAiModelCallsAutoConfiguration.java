package io.agenthooks.spring.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.client.advisor.DefaultAroundAdvisorChain;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.ai.LlmHooksAdvisor;
import io.agenthooks.spring.ai.RunHooksAdvisor;

/**
 * Lets the runs and the model calls of each {@code ChatClient} that is made by the
 * {@code ChatClient.Builder} bean pass the hooks.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(ChatClient.class)
@ImportRuntimeHints(SpringAiModelCallsAutoConfiguration.ChainHints.class)
public final class SpringAiModelCallsAutoConfiguration {

	/**
	 * The first to customize: of advisors with the same order, the one that was added
	 * first is the closest to the model.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	ChatClientBuilderCustomizer hookedModelCalls(ObjectProvider<LlmHookChain> modelCalls,
			ObjectProvider<RunHookChain> runs, ObjectProvider<AbortedRuns> abortedRuns,
			ObjectProvider<CallContextCustomizer> customizers) {
		Supplier<List<CallContextCustomizer>> ordered = SingletonSupplier
			.of(() -> customizers.orderedStream().toList())::obtain;
		return (client) -> {
			LlmHookChain aroundCalls = modelCalls.getIfAvailable();
			if (aroundCalls != null && !aroundCalls.isEmpty()) {
				client.defaultAdvisors(new LlmHooksAdvisor(aroundCalls, ordered));
			}
			RunHookChain aroundRuns = runs.getIfAvailable();
			if (aroundRuns != null && !aroundRuns.isEmpty()) {
				client.defaultAdvisors(
						new RunHooksAdvisor(aroundRuns, abortedRuns.getIfAvailable(AbortedRuns::new), ordered));
			}
		};
	}

	/**
	 * The fields by which a chain of advisors can be asked again.
	 */
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
