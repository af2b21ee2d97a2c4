package io.agenthooks.spring.binding;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Modules are missing that the configuration or a framework needs, so the application
 * must not start: what somebody believes in would not be there.
 *
 * @since 0.1.0
 */
public final class MissingModuleException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param modules the modules, each with what it is needed for
	 */
	public MissingModuleException(List<String> modules) {
		super("The configuration or a framework needs modules of Agent Hooks that are not on the class path:\n\n   "
				+ String.join("\n   ", modules) + "\n",
				"Add these dependencies; hooks-bom manages their versions, and hooks-spring-boot-starter has most of "
						+ "them. Remove what is configured if it is not meant. To let the calls of a framework pass without "
						+ "hooks, set 'hooks.tool_call.unguarded' to 'warn'.",
				null);
	}

	/**
	 * Find the modules of features that are switched on.
	 * @param hooks the configuration
	 * @param classLoader finds what is there
	 * @return each module that is missing, with where its feature is written
	 */
	public static List<String> ofFeatures(HookPropertySources hooks, @Nullable ClassLoader classLoader) {
		return Modules.missingFeatures(hooks, classLoader);
	}

	/**
	 * Describe a module that is missing.
	 * @param module its name
	 * @param purpose what it is needed for
	 * @return the dependency, and for what
	 */
	public static String describe(String module, String purpose) {
		return "io.agenthooks:%s, for %s".formatted(module, purpose);
	}

	/**
	 * Describe what has to be added to keep something in a store.
	 * @param store the store, such as {@code jdbc}
	 * @param library the library that its module needs
	 * @return the module if that is missing, or else the library
	 */
	public static String dependencyOf(String store, String library) {
		String module = Modules.missing("store." + store);
		return (module != null) ? module : library;
	}

}
