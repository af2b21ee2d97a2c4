package io.agenthooks.spring.limit;

import java.util.Set;
import java.util.function.BiFunction;

import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.LlmHookFactory;

/** As {@link QuickHookFactory}, around model calls. */
record QuickLlmHookFactory<C>(String type, Class<C> configType,
		BiFunction<String, C, LlmHook> hooks) implements LlmHookFactory<C> {

	@Override
	public Set<EntryOption> takenOver() {
		return Set.of(EntryOption.TIMEOUT);
	}

	@Override
	public LlmHook create(String name, C config) {
		return this.hooks.apply(name, config);
	}

}
