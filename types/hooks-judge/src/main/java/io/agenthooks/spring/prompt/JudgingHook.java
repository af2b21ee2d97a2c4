package io.agenthooks.spring.prompt;

import io.agenthooks.Hook;
import io.agenthooks.spring.HookHealth;

/**
 * The common part of hooks of every kind that let a {@linkplain Judge judge} decide.
 */
interface JudgingHook extends Hook, HookHealth, AutoCloseable {

	/** The decider. */
	Judge<?, ?> judge();

	@Override
	default String name() {
		return judge().name();
	}

	@Override
	default Report health() {
		return judge().health();
	}

	@Override
	default void close() {
		judge().close();
	}

}
