package io.agenthooks.spring.limit;

import java.util.Set;
import java.util.function.BiFunction;

import io.agenthooks.llmcall.LlmHook;
import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.LlmHookFactory;

/**
 * Makes hooks around model calls whose entries have no {@code timeout}, as
 * {@link QuickHookFactory} does for tool calls.
 */
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
