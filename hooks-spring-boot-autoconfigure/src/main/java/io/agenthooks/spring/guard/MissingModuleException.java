package io.agenthooks.spring.guard;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.InvalidFeatureException;

/**
 * Modules are missing that the configuration or a framework needs, so the application
 * must not start: what somebody believes in would not be there.
 *
 * @since 0.1.0
 */
public final class MissingModuleException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	/** The module of each feature, with a class that it has. */
	private static final Map<String, Module> FEATURES = new TreeMap<>(
			Map.of("approval", new Module("hooks-approval", "approval.ApprovalAutoConfiguration"), "audit",
					new Module("hooks-audit", "audit.AuditAutoConfiguration"), "console",
					new Module("hooks-console", "console.ConsoleAutoConfiguration"), "journal",
					new Module("hooks-console", "actuator.JournalAutoConfiguration"), "limit",
					new Module("hooks-limit", "limit.LimitHooksAutoConfiguration"), "observation",
					new Module("hooks-observability", "observation.HooksObservationAutoConfiguration")));

	public MissingModuleException(List<String> modules) {
		super("The configuration or a framework needs modules of Agent Hooks that are not on the class path:\n\n   "
				+ String.join("\n   ", modules) + "\n",
				"Add these dependencies; hooks-bom manages their versions, and hooks-spring-boot-starter has most of "
						+ "them. Remove what is configured if it is not meant. To let the calls of a framework pass without "
						+ "hooks, set 'hooks.tool_call.unguarded' to 'warn'.",
				null);
	}

	public static List<String> ofFeatures(HookPropertySources hooks, @Nullable ClassLoader classLoader) {
		return FEATURES.entrySet()
			.stream()
			.filter((feature) -> hooks.isFeatureEnabled(feature.getKey()) && !feature.getValue().isPresent(classLoader))
			.map((feature) -> describe(feature.getValue().name(),
					"'hooks.%s' (%s)".formatted(feature.getKey(), hooks.placeOf(feature.getKey()))))
			.toList();
	}

	public static String describe(String module, String purpose) {
		return "io.agenthooks:%s, for %s".formatted(module, purpose);
	}

	/**
	 * A module.
	 *
	 * @param name the name of its artifact
	 * @param marker the name of a class of it, below the package of all modules
	 */
	private record Module(String name, String marker) {

		boolean isPresent(@Nullable ClassLoader classLoader) {
			return ClassUtils.isPresent("io.agenthooks.spring." + this.marker, classLoader);
		}

	}

}
