package io.agenthooks.spring;

import java.util.function.BiFunction;

import io.agenthooks.llmcall.LlmHook;

/**
 * Makes hooks around model calls of one {@code type:} from their configuration. Every
 * bean of this type adds a type, by the rules of {@link ToolHookFactory}.
 * <p>
 * An entry under {@code pre_call} needs a {@link io.agenthooks.llmcall.PreLlmHook}. An
 * entry under {@code post_call} needs a {@link io.agenthooks.llmcall.LlmResponseHook} or
 * a {@link io.agenthooks.llmcall.PostLlmHook}.
 *
 * @param <C> the type of the configuration
 * @since 0.1.0
 */
public interface LlmHookFactory<C> extends HookFactory<LlmHook, C> {

	/**
	 * A factory of hooks, the same for both lists.
	 * @param <C> the type of the configuration
	 * @param type the name that configuration uses
	 * @param configType what the {@code config} of an entry is bound to
	 * @param hooks makes a hook from its name and configuration
	 * @return the factory
	 */
	static <C> LlmHookFactory<C> of(String type, Class<C> configType, BiFunction<String, C, ? extends LlmHook> hooks) {
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
	static <C> LlmHookFactory<C> of(String type, Class<C> configType, BiFunction<String, C, ? extends LlmHook> preCall,
			BiFunction<String, C, ? extends LlmHook> postCall) {
		return new FunctionFactory.ForLlmHooks<>(type, configType, preCall, postCall);
	}

}
