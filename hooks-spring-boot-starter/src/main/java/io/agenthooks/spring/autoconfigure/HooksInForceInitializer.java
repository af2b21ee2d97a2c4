package io.agenthooks.spring.autoconfigure;

import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.binding.HooksProperties;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Stops the start if hooks are configured but the auto-configuration that puts them in
 * force is excluded: a policy that nobody applies must not look like one.
 */
final class HooksInForceInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Logger logger = LoggerFactory.getLogger(HooksInForceInitializer.class);

	/** What puts each part of the configuration in force. */
	private static final Map<HookSection<?>, Class<?>> IN_FORCE = Map.of(HookSection.TOOL_CALL,
			ToolCallHooksAutoConfiguration.HooksInForce.class, HookSection.LLM_CALL,
			AgentHooksAutoConfiguration.LlmCalls.class, HookSection.RUN, AgentHooksAutoConfiguration.Runs.class);

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		// Runs when all bean definitions are there and no bean yet.
		context.addBeanFactoryPostProcessor((beanFactory) -> check(beanFactory, context.getEnvironment()));
	}

	private static void check(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		HooksProperties hooks = HooksProperties.of(environment);
		if (IN_FORCE.entrySet()
			.stream()
			.allMatch((part) -> !hooks.isPresent(part.getKey()) || hooks.isDisabled(part.getKey())
					|| exists(part.getValue(), beanFactory))) {
			return;
		}
		if (!AutoConfigurationPackages.has(beanFactory) && !exists(ToolExecutor.class, beanFactory)) {
			// Not the application: a parent of its context, or a helper of Spring Cloud
			return;
		}
		if (!environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true)) {
			// A test of a slice of the application
			logger.warn("Hooks are configured, but auto-configuration is off here: calls pass no hooks");
			return;
		}
		throw new HooksNotInForceException();
	}

	private static boolean exists(Class<?> type, ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.getBeanNamesForType(type, true, false).length > 0;
	}

	/**
	 * Hooks are configured, but nothing puts them in force.
	 */
	static final class HooksNotInForceException extends RuntimeException {

		HooksNotInForceException() {
			super("Hooks are configured, but the auto-configuration that puts them in force is not active");
		}

	}

}
