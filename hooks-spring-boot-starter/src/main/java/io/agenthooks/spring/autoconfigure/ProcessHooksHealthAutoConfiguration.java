package io.agenthooks.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

import io.agenthooks.spring.process.ProcessPrograms;

/**
 * Tells with the health of the application how the programs of its {@code process} hooks
 * are.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { AgentHooksAutoConfiguration.class, ToolCallHooksAutoConfiguration.class })
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(ProcessPrograms.class)
public final class ProcessHooksHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "processHooksHealthIndicator")
	ProcessHooksHealthIndicator processHooksHealthIndicator(ProcessPrograms programs) {
		return new ProcessHooksHealthIndicator(programs);
	}

}
