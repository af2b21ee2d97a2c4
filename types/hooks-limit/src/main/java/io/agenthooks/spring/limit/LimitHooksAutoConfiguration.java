package io.agenthooks.spring.limit;

import java.time.Clock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.expression.CallExpressions;
import io.agenthooks.spring.expression.MissingLanguage;
import io.agenthooks.spring.flow.FlowStores;
import io.agenthooks.spring.state.SharedStates;

/**
 * Adds the types that limit what agents do, around tools and models: {@code rate_limit},
 * {@code budget}, {@code concurrency} and {@code loop}.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class LimitHooksAutoConfiguration {

	@Bean
	static FeatureOptions<LimitConfig> hooksLimitOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>("limit", LimitConfig.class, LimitConfig.DEFAULT, environment, beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean
	LimitStores limitStores(FeatureOptions<LimitConfig> options, ObjectProvider<LimitStoreOpener> openers,
			ConfigurableEnvironment environment) {
		LimitConfig config = options.value();
		if (config.storeOrDefault() == LimitConfig.Store.MEMORY) {
			return LimitStores.IN_MEMORY;
		}
		return openers.stream()
			.filter((known) -> known.kind() == config.storeOrDefault())
			.findFirst()
			.orElseThrow(() -> InvalidLimitStoreException.noLibrary(config.storeOrDefault()))
			.opening()
			.apply(config, HookPropertySources.of(environment).application());
	}

	/**
	 * Rules on the flow of data share what sessions have read where limits are counted.
	 */
	@Bean
	@ConditionalOnMissingBean
	FlowStores hooksFlowStores(LimitStores stores) {
		return stores::flow;
	}

	@Bean
	@ConditionalOnMissingBean
	SharedStates hooksSharedStates(LimitStores stores) {
		return stores::shared;
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitToolHookFactory")
	ToolHookFactory<RateLimitConfig> rateLimitToolHookFactory(ObjectProvider<LimitStores> stores,
			ObjectProvider<CallExpressions> expressions) {
		return new QuickHookFactory<>("rate_limit", RateLimitConfig.class,
				(name, config) -> new RateLimitToolHook(name, config, reader(expressions), stores.getObject()));
	}

	private static KeyReader.Expressions reader(ObjectProvider<CallExpressions> expressions) {
		return (option, text) -> {
			CallExpressions reader = expressions.getIfAvailable();
			if (reader == null) {
				throw MissingLanguage.of(option);
			}
			return reader.read(option, text);
		};
	}

	/**
	 * {@code rate_limit} around tools is not here: it is also the limit of a
	 * {@code @ToolPolicy}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHookType({ "rate_limit", "budget", "concurrency", "loop" })
	static class LimitTypes {

		@Bean
		@ConditionalOnMissingBean(name = "budgetToolHookFactory")
		ToolHookFactory<BudgetConfig> budgetToolHookFactory(ObjectProvider<CallExpressions> expressions,
				ObjectProvider<Clock> clocks, ApplicationEventPublisher events, ObjectProvider<LimitStores> stores) {
			return new QuickHookFactory<>("budget", BudgetConfig.class,
					(name, config) -> new BudgetToolHook(name, config, reader(expressions), stores.getObject(),
							clocks.getIfUnique(Clock::systemUTC), events::publishEvent));
		}

		@Bean
		@ConditionalOnMissingBean(name = "concurrencyToolHookFactory")
		ToolHookFactory<ConcurrencyConfig> concurrencyToolHookFactory(ObjectProvider<CallExpressions> expressions,
				ObjectProvider<LimitStores> stores) {
			return ToolHookFactory.of("concurrency", ConcurrencyConfig.class,
					(name, config) -> new ConcurrencyToolHook(name, config, reader(expressions), stores.getObject()));
		}

		@Bean
		@ConditionalOnMissingBean(name = "loopToolHookFactory")
		ToolHookFactory<LoopConfig> loopToolHookFactory(ObjectProvider<LimitStores> stores) {
			return new QuickHookFactory<>("loop", LoopConfig.class,
					(name, config) -> new LoopToolHook(name, config, stores.getObject()));
		}

		@Bean
		@ConditionalOnMissingBean(name = "rateLimitLlmHookFactory")
		LlmHookFactory<LlmRateLimitConfig> rateLimitLlmHookFactory(ObjectProvider<LimitStores> stores) {
			return new QuickLlmHookFactory<>("rate_limit", LlmRateLimitConfig.class,
					(name, config) -> new RateLimitLlmHook(name, config, stores.getObject()));
		}

		@Bean
		@ConditionalOnMissingBean(name = "budgetLlmHookFactory")
		LlmHookFactory<LlmBudgetConfig> budgetLlmHookFactory(ObjectProvider<Clock> clocks,
				ApplicationEventPublisher events, ObjectProvider<LimitStores> stores) {
			return new QuickLlmHookFactory<>("budget", LlmBudgetConfig.class, (name, config) -> new LlmBudgetHook(name,
					config, stores.getObject(), clocks.getIfUnique(Clock::systemUTC), events::publishEvent));
		}

		@Bean
		@ConditionalOnMissingBean(name = "concurrencyLlmHookFactory")
		LlmHookFactory<LlmConcurrencyConfig> concurrencyLlmHookFactory(ObjectProvider<LimitStores> stores) {
			return LlmHookFactory.of("concurrency", LlmConcurrencyConfig.class,
					(name, config) -> new ConcurrencyLlmHook(name, config, stores.getObject()));
		}

		@Bean
		@ConditionalOnMissingBean(name = "loopLlmHookFactory")
		LlmHookFactory<LlmLoopConfig> loopLlmHookFactory(ObjectProvider<LimitStores> stores) {
			return new QuickLlmHookFactory<>("loop", LlmLoopConfig.class,
					(name, config) -> new LoopLlmHook(name, config, stores.getObject()));
		}

	}

}
