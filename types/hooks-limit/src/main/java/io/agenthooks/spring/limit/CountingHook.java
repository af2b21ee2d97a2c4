package io.agenthooks.spring.limit;

import java.util.function.Consumer;

import io.agenthooks.spring.outcome.LimitLeft;
import io.agenthooks.spring.outcome.LimitedHook;

interface CountingHook extends LimitedHook {

	CallsLeft left();

	@Override
	default double remainingCalls() {
		return left().least();
	}

	@Override
	default String limitStore() {
		return left().store();
	}

	@Override
	default void tellLeft(Consumer<LimitLeft> listener) {
		left().tell(listener);
	}

}
