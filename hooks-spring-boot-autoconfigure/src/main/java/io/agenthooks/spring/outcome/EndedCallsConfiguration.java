package io.agenthooks.spring.outcome;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Beans shared by the features that record outcomes (audit, actuator).
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
public class EndedCallsConfiguration {

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE - 1)
	AskedHooks hooksAskedHooks() {
		return new AskedHooks();
	}

}
