package io.agenthooks;

/**
 * A hook of any kind. It has a name.
 *
 * @since 0.1.0
 */
public interface Hook {

	/** The name of a hook that has none: a lambda. */
	String UNNAMED = "hook";

	/**
	 * The name of this hook in logs, metrics and audit; a chain asks for it once. The
	 * starter names a bean by its bean name unless this is overridden.
	 * @return the simple name of the class, or {@value #UNNAMED} if that is generated
	 */
	default String name() {
		String name = getClass().getSimpleName();
		return (getClass().isHidden() || name.isEmpty()) ? UNNAMED : name;
	}

	/**
	 * Whether this hook may be asked only to explain what would happen to a call: that is
	 * cheap, changes nothing, in the hook or elsewhere, and reaches nobody. A policy need
	 * not say so: it may be asked anyway.
	 * @return {@code false} unless overridden
	 */
	default boolean isExplainable() {
		return false;
	}

}
