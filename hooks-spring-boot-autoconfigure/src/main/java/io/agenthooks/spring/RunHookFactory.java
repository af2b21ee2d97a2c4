package io.agenthooks.spring;

import java.util.function.BiFunction;

import io.agenthooks.run.RunHook;

/**
 * Makes hooks around runs of agents of one {@code type:} from their configuration. Every
 * bean of this type adds a type, by the rules of {@link ToolHookFactory}.
 * <p>
 * An entry under {@code pre_run} needs a {@link io.agenthooks.run.PreRunHook}, an entry
 * under {@code post_run} a {@link io.agenthooks.run.PostRunHook}.
 *
 * @param <C> the type of the configuration
 * @since 0.1.0
 */
public interface RunHookFactory<C> extends HookFactory<RunHook, C> {

	/**
	 * A factory of hooks, the same for both lists.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param hooks makes a hook from its name and configuration
	 * @return the factory
	 */
	static <C> RunHookFactory<C> of(String type, Class<C> configType, BiFunction<String, C, ? extends RunHook> hooks) {
		return of(type, configType, hooks, hooks);
	}

	/**
	 * A factory of hooks, one kind for each list.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param preRun makes a hook for {@code pre_run}
	 * @param postRun makes a hook for {@code post_run}
	 * @return the factory
	 */
	static <C> RunHookFactory<C> of(String type, Class<C> configType, BiFunction<String, C, ? extends RunHook> preRun,
			BiFunction<String, C, ? extends RunHook> postRun) {
		return new FunctionFactory.ForRunHooks<>(type, configType, preRun, postRun);
	}

}
