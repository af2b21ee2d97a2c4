package io.agenthooks.spring.limit;

import java.util.Set;
import java.util.function.BiFunction;

import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.ToolHook;

/**
 * No entry of these hooks has a {@code timeout}: it would ask them on another thread than
 * the call's, by which they tell calls apart, and one that is late would count a call
 * that has ended.
 */
record QuickHookFactory<C>(String type, Class<C> configType,
		BiFunction<String, C, ToolHook> hooks) implements ToolHookFactory<C> {

	@Override
	public Set<EntryOption> takenOver() {
		return Set.of(EntryOption.TIMEOUT);
	}

	@Override
	public ToolHook create(String name, C config) {
		return this.hooks.apply(name, config);
	}

}
