package io.agenthooks.spring;

import io.agenthooks.Hook;
import io.agenthooks.InvalidHookConfigException;

/**
 * Makes hooks of one {@code type:} from their configuration: what factories of all kinds
 * of hooks have in common.
 *
 * @param <H> the kind of hook
 * @param <C> the type of the configuration
 * @since 0.1.0
 */
public interface HookFactory<H extends Hook, C> {

	/**
	 * The name that configuration uses.
	 * @return the type, in lower case
	 */
	String type();

	/**
	 * What the {@code config} of an entry is bound to.
	 * @return a record or a class with setters
	 */
	Class<C> configType();

	/**
	 * Make a hook.
	 * @param name the name of the hook in logs, metrics and audit
	 * @param config its configuration
	 * @return the hook
	 * @throws InvalidHookConfigException if the configuration cannot be used
	 */
	H create(String name, C config);

	/**
	 * Make a hook for an entry of the list that is for what comes after the call.
	 * @param name the name of the hook in logs, metrics and audit
	 * @param config its configuration
	 * @return the hook, which is no other than elsewhere unless overridden
	 * @throws InvalidHookConfigException if the configuration cannot be used
	 */
	default H createForPost(String name, C config) {
		return create(name, config);
	}

}
