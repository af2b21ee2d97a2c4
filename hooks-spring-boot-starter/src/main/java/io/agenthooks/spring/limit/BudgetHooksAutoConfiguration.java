package io.agenthooks.spring.limit;

import java.time.Clock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import io.agenthooks.SafeText;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.policy.CallExpressions;

/**
 * Adds the type {@code budget}, which limits how much calls use up.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class BudgetHooksAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(BudgetHooksAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean(name = "budgetToolHookFactory")
	ToolHookFactory<BudgetConfig> budgetToolHookFactory(ObjectProvider<CallExpressions> expressions,
			ObjectProvider<Clock> clocks, ApplicationEventPublisher events,
			ObjectProvider<LimitHooksAutoConfiguration.LimitConfigHolder> holder) {
		return new QuickHookFactory<>("budget", BudgetConfig.class, (name, config) -> {
			warnIfShared(name, holder);
			return new BudgetToolHook(name, config, LimitHooksAutoConfiguration.reader(expressions),
					clocks.getIfUnique(Clock::systemUTC), events::publishEvent);
		});
	}

	@Bean
	@ConditionalOnMissingBean(name = "budgetLlmHookFactory")
	LlmHookFactory<LlmBudgetConfig> budgetLlmHookFactory(ObjectProvider<Clock> clocks, ApplicationEventPublisher events,
			ObjectProvider<LimitHooksAutoConfiguration.LimitConfigHolder> holder) {
		return LlmHookFactory.of("budget", LlmBudgetConfig.class, (name, config) -> {
			warnIfShared(name, holder);
			return new LlmBudgetHook(name, config, clocks.getIfUnique(Clock::systemUTC), events::publishEvent);
		});
	}

	private static void warnIfShared(String name,
			ObjectProvider<LimitHooksAutoConfiguration.LimitConfigHolder> holder) {
		LimitHooksAutoConfiguration.LimitConfigHolder limits = holder.getIfAvailable();
		if (limits != null && limits.config().storeOrDefault() != LimitConfig.Store.MEMORY) {
			logger.warn("Hook '{}': each node has a budget of its own, and a restart begins it anew, whatever "
					+ "'hooks.limit.store' is", SafeText.name(name));
		}
	}

}
