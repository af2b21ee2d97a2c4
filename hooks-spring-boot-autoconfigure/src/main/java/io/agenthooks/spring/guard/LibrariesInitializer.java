package io.agenthooks.spring.guard;

import java.util.Arrays;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;

/**
 * Stops the start with too old a library, before a class that it lacks is missed
 * somewhere in a call.
 */
final class LibrariesInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

	private static final int BOOT_MAJOR = 4;

	private static final int BOOT_MINOR = 1;

	/** A class of every Spring AI that can call tools. */
	private static final String SPRING_AI = "org.springframework.ai.tool.ToolCallback";

	/** The class that ends a turn gracefully, since Spring AI 2.0.1. */
	private static final String SPRING_AI_NEEDED = "org.springframework.ai.model.tool.ToolCallLimitExceededException";

	private static final String VALIDATOR = "com.networknt.schema.SchemaLocation";

	/**
	 * The class that reads schemas, with Jackson 3 since version 3.0 of the validator.
	 */
	private static final String VALIDATOR_NEEDED = "com.networknt.schema.SchemaRegistry";

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		checkSpringBoot(SpringBootVersion.getVersion());
		HookPropertySources hooks = HookPropertySources.of(context.getEnvironment());
		if (!Stream.of(HookSection.TOOL_CALL, HookSection.LLM_CALL, HookSection.RUN).allMatch(hooks::isDisabled)) {
			checkSpringAi(context.getClassLoader());
		}
		if (!hooks.isDisabled(HookSection.TOOL_CALL)) {
			checkValidator(context.getClassLoader());
		}
	}

	/**
	 * One that cannot be read, as in an image that was put together from class files, is
	 * not refused.
	 */
	static void checkSpringBoot(@Nullable String version) {
		String[] parts = String.valueOf(version).split("\\.", -1);
		try {
			int major = Integer.parseInt(parts[0]);
			if (major < BOOT_MAJOR
					|| (major == BOOT_MAJOR && parts.length > 1 && Integer.parseInt(parts[1]) < BOOT_MINOR)) {
				throw tooOld("Spring Boot %d.%d".formatted(BOOT_MAJOR, BOOT_MINOR), String.valueOf(version),
						"Set the version of 'spring-boot-starter-parent' or 'spring-boot-dependencies' to 4.1.0 or later, "
								+ "or remove 'hooks-spring-boot-starter'.");
			}
		}
		catch (NumberFormatException ex) {
			// Nothing is known.
		}
	}

	private static void checkSpringAi(@Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(SPRING_AI, classLoader) && !ClassUtils.isPresent(SPRING_AI_NEEDED, classLoader)) {
			@Nullable Package tools = ClassUtils.resolveClassName(SPRING_AI, classLoader).getPackage();
			@Nullable String version = (tools != null) ? tools.getImplementationVersion() : null;
			throw tooOld("Spring AI 2.0.1", (version != null) ? version : "an older one",
					"Set the version of 'spring-ai-bom' to 2.0.1 or later, or set 'bypass_hooks' below "
							+ "'hooks.tool_call', 'hooks.llm_call' and 'hooks.run' to true.");
		}
	}

	private static void checkValidator(@Nullable ClassLoader classLoader) {
		if (ClassUtils.isPresent(VALIDATOR, classLoader) && !readsTreesOfJackson3(classLoader)) {
			throw tooOld("json-schema-validator 3.0",
					UnsupportedLibraryException.versionOf("com.networknt/json-schema-validator", classLoader),
					"Remove the version of 'com.networknt:json-schema-validator' that the application sets, or set it "
							+ "to 3.0.1.");
		}
	}

	private static boolean readsTreesOfJackson3(@Nullable ClassLoader classLoader) {
		return ClassUtils.isPresent(VALIDATOR_NEEDED, classLoader)
				&& Arrays.stream(ClassUtils.resolveClassName(VALIDATOR_NEEDED, classLoader).getMethods())
					.flatMap((method) -> Arrays.stream(method.getParameterTypes()))
					.anyMatch((type) -> type.getName().equals("tools.jackson.databind.JsonNode"));
	}

	private static UnsupportedLibraryException tooOld(String needed, String found, String action) {
		return new UnsupportedLibraryException(
				"Agent Hooks needs %s or later, and this application has %s.".formatted(needed, found), action);
	}

}
