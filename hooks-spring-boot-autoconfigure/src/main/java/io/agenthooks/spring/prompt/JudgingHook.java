package io.agenthooks.spring.prompt;

import io.agenthooks.Hook;
import io.agenthooks.spring.HookHealth;

/**
 * What hooks of every kind have that let a {@linkplain Judge judge} decide.
 */
interface JudgingHook extends Hook, HookHealth, AutoCloseable {

	/**
	 * Who decides.
	 * @return the judge
	 */
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
