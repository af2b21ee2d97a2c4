package io.agenthooks.spring;

import java.util.function.BiFunction;

import io.agenthooks.Hook;
import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.run.RunHook;
import io.agenthooks.toolcall.ToolHook;

abstract class FunctionFactory<H extends Hook, C> implements HookFactory<H, C> {

	private final String type;

	private final Class<C> configType;

	private final BiFunction<String, C, ? extends H> preCall;

	private final BiFunction<String, C, ? extends H> postCall;

	FunctionFactory(String type, Class<C> configType, BiFunction<String, C, ? extends H> preCall,
			BiFunction<String, C, ? extends H> postCall) {
		this.type = type;
		this.configType = configType;
		this.preCall = preCall;
		this.postCall = postCall;
	}

	@Override
	public final String type() {
		return this.type;
	}

	@Override
	public final Class<C> configType() {
		return this.configType;
	}

	@Override
	public final H create(String name, C config) {
		return this.preCall.apply(name, config);
	}

	@Override
	public final H createForPost(String name, C config) {
		return this.postCall.apply(name, config);
	}

	static final class ForToolHooks<C> extends FunctionFactory<ToolHook, C> implements ToolHookFactory<C> {

		ForToolHooks(String type, Class<C> configType, BiFunction<String, C, ? extends ToolHook> preCall,
				BiFunction<String, C, ? extends ToolHook> postCall) {
			super(type, configType, preCall, postCall);
		}

	}

	static final class ForLlmHooks<C> extends FunctionFactory<LlmHook, C> implements LlmHookFactory<C> {

		ForLlmHooks(String type, Class<C> configType, BiFunction<String, C, ? extends LlmHook> preCall,
				BiFunction<String, C, ? extends LlmHook> postCall) {
			super(type, configType, preCall, postCall);
		}

	}

	static final class ForRunHooks<C> extends FunctionFactory<RunHook, C> implements RunHookFactory<C> {

		ForRunHooks(String type, Class<C> configType, BiFunction<String, C, ? extends RunHook> preCall,
				BiFunction<String, C, ? extends RunHook> postCall) {
			super(type, configType, preCall, postCall);
		}

	}

}
