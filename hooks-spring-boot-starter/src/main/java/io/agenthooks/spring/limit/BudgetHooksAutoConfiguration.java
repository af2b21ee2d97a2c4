package io.agenthooks.spring.limit;

import java.time.Clock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.expression.CallExpressions;

/**
 * Adds the type {@code budget}, which limits how much calls use up.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class BudgetHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "budgetToolHookFactory")
	ToolHookFactory<BudgetConfig> budgetToolHookFactory(ObjectProvider<CallExpressions> expressions,
			ObjectProvider<Clock> clocks, ApplicationEventPublisher events, ObjectProvider<LimitStores> stores) {
		return new QuickHookFactory<>("budget", BudgetConfig.class,
				(name, config) -> new BudgetToolHook(name, config, LimitHooksAutoConfiguration.reader(expressions),
						stores.getIfAvailable(() -> LimitStores.IN_MEMORY), clocks.getIfUnique(Clock::systemUTC),
						events::publishEvent));
	}

	@Bean
	@ConditionalOnMissingBean(name = "budgetLlmHookFactory")
	LlmHookFactory<LlmBudgetConfig> budgetLlmHookFactory(ObjectProvider<Clock> clocks, ApplicationEventPublisher events,
			ObjectProvider<LimitStores> stores) {
		return new QuickLlmHookFactory<>("budget", LlmBudgetConfig.class,
				(name, config) -> new LlmBudgetHook(name, config, stores.getIfAvailable(() -> LimitStores.IN_MEMORY),
						clocks.getIfUnique(Clock::systemUTC), events::publishEvent));
	}

}
