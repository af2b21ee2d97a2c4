package io.agenthooks.spring.process;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.AbstractAotProcessor;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessHooksAutoConfiguration}.
 */
class ProcessHooksAutoConfigurationTests {

	@Test
	void healthIsNoConditionForHooks() {
		new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true")
			.run((context) -> assertThat(context).hasNotFailed().hasBean("processToolHookFactory"));
	}

}
