package io.agenthooks.spring;

import java.util.Set;

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
	 * Return the type that the {@code config} of an entry is bound to. An option whose
	 * type has static methods {@code of(String)} and {@code of(List)} may be written as a
	 * text or a list; one whose type is a record with {@code of(String)} alone, as a text
	 * or as options.
	 * @return a record, also a private one, or a class with setters
	 */
	Class<C> configType();

	/**
	 * The options of an entry that the configuration of its hook takes over. Such an
	 * option may be written in the entry or in its {@code config}, not in both; what the
	 * entry says becomes a part of the configuration. The hook alone then sees to it: the
	 * starter sets the hook no limit of time, and denies the call if the hook throws an
	 * exception, as if the entry said nothing.
	 * @return the options, which are those that the {@linkplain #configType() type of the
	 * configuration} has components for, {@code timeout} and {@code failOpen}, unless
	 * overridden. A factory whose component of such a name means something else leaves it
	 * out, and the starter sees to the option of the entry. One that takes over an option
	 * without a component for it refuses that option: to write it is a mistake.
	 */
	default Set<EntryOption> takenOver() {
		return EntryOption.of(configType());
	}

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
