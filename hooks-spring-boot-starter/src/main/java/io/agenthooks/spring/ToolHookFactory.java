package io.agenthooks.spring;

import java.util.function.BiFunction;
import java.util.function.Function;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Makes hooks of one {@code type:} from their configuration. Every bean of this type adds
 * a type; the configuration is bound strictly to a record (or a class with setters) of
 * the factory's choice, and validated if Bean Validation is present.
 * <p>
 * An entry under {@code pre_call} needs a {@link PreToolHook}; if the hook is a
 * {@link PostToolHook} too, it also learns how the calls ended. An entry under
 * {@code post_call} needs a {@link ToolResultHook} or a {@link PostToolHook}. A hook that
 * is {@link AutoCloseable} is closed with the application context.
 *
 * @param <C> the type of the configuration
 * @since 0.1.0
 */
public interface ToolHookFactory<C> {

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
	ToolHook create(String name, C config);

	/**
	 * Make a hook for an entry under {@code post_call}, which may be another one.
	 * @param name the name of the hook in logs, metrics and audit
	 * @param config its configuration
	 * @return the hook; the same as for {@code pre_call} unless overridden
	 * @throws InvalidHookConfigException if the configuration cannot be used
	 */
	default ToolHook createForPostCall(String name, C config) {
		return create(name, config);
	}

	/**
	 * Whether a hook of this type that decides before calls may stand under
	 * {@code post_call}, too, where it only learns how they ended. Elsewhere that is
	 * taken for a mistake, since the hook would not decide.
	 * @return {@code false} unless overridden
	 */
	default boolean mayOnlyObserve() {
		return false;
	}

	/**
	 * A factory of hooks that do not need to know their name.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param hooks makes a hook from its configuration
	 * @return the factory
	 */
	static <C> ToolHookFactory<C> of(String type, Class<C> configType, Function<C, ? extends ToolHook> hooks) {
		return of(type, configType, (name, config) -> hooks.apply(config));
	}

	/**
	 * A factory of hooks.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param hooks makes a hook from its name and configuration
	 * @return the factory
	 */
	static <C> ToolHookFactory<C> of(String type, Class<C> configType,
			BiFunction<String, C, ? extends ToolHook> hooks) {
		return new ToolHookFactory<>() {

			@Override
			public String type() {
				return type;
			}

			@Override
			public Class<C> configType() {
				return configType;
			}

			@Override
			public ToolHook create(String name, C config) {
				return hooks.apply(name, config);
			}

		};
	}

}
