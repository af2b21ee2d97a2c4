package io.agenthooks.spring.ai;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;

/**
 * Stops the start with a Spring AI that is older than what the guards are made for,
 * before a class that it does not have is missed somewhere in a call.
 */
final class SpringAiVersionInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	/** What every Spring AI has that can call tools. */
	private static final String TOOL = "org.springframework.ai.tool.ToolCallback";

	/** What ends a turn gracefully, since 2.0.1. */
	private static final String LIMIT = "org.springframework.ai.model.tool.ToolCallLimitExceededException";

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ClassLoader classLoader = context.getClassLoader();
		if (!ClassUtils.isPresent(TOOL, classLoader) || ClassUtils.isPresent(LIMIT, classLoader)) {
			return;
		}
		HookPropertySources hooks = HookPropertySources.of(context.getEnvironment());
		if (!Stream.of(HookSection.TOOL_CALL, HookSection.LLM_CALL, HookSection.RUN).allMatch(hooks::isDisabled)) {
			throw new OldSpringAiException(versionOf(classLoader));
		}
	}

	private static @Nullable String versionOf(@Nullable ClassLoader classLoader) {
		@Nullable Package tools = ClassUtils.resolveClassName(TOOL, classLoader).getPackage();
		return (tools != null) ? tools.getImplementationVersion() : null;
	}

	/**
	 * The Spring AI of the application is too old.
	 */
	static final class OldSpringAiException extends RuntimeException {

		OldSpringAiException(@Nullable String version) {
			super("Agent Hooks needs Spring AI 2.0.1 or later, and this application has "
					+ ((version != null) ? version : "an older one") + ".");
		}

	}

}
