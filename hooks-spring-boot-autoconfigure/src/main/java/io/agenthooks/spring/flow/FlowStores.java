package io.agenthooks.spring.flow;

import org.jspecify.annotations.Nullable;

import io.agenthooks.flow.FlowStore;

/**
 * Opens what keeps for all nodes what sessions have read.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface FlowStores {

	/**
	 * Open the store of a rule.
	 * @param rule the name of the rule and what it says, by which nodes find what belongs
	 * to it
	 * @return the store, which may say {@linkplain io.agenthooks.spring.HookHealth how it
	 * is}; or {@code null} if each node remembers for itself
	 * @throws RuntimeException if it cannot be used
	 */
	@Nullable FlowStore open(String rule);

}
