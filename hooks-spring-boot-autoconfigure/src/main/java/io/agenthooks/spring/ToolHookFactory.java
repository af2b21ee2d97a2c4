package io.agenthooks.spring;

import java.util.function.BiFunction;
import java.util.function.Function;

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
public interface ToolHookFactory<C> extends HookFactory<ToolHook, C> {

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
	 * A factory of hooks, the same for both lists.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param hooks makes a hook from its name and configuration
	 * @return the factory
	 */
	static <C> ToolHookFactory<C> of(String type, Class<C> configType,
			BiFunction<String, C, ? extends ToolHook> hooks) {
		return of(type, configType, hooks, hooks);
	}

	/**
	 * A factory of hooks, one kind for each list.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param preCall makes a hook for {@code pre_call}
	 * @param postCall makes a hook for {@code post_call}
	 * @return the factory
	 */
	static <C> ToolHookFactory<C> of(String type, Class<C> configType,
			BiFunction<String, C, ? extends ToolHook> preCall, BiFunction<String, C, ? extends ToolHook> postCall) {
		return new FunctionFactory.ForToolHooks<>(type, configType, preCall, postCall);
	}

}
