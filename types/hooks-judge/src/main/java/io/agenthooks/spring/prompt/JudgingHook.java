package io.agenthooks.spring.prompt;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Hook;
import io.agenthooks.LocatableHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;

/**
 * The common part of hooks of every kind that let a {@linkplain Judge judge} decide.
 */
interface JudgingHook extends LocatableHook, HookCounts, HookHealth, AutoCloseable {

	/** The decider. */
	Judge<?, ?> judge();

	@Override
	default String name() {
		return judge().name();
	}

	@Override
	default Hook writtenAt(Function<List<String>, @Nullable String> places) {
		judge().writtenAt(places.apply(List.of()));
		return this;
	}

	@Override
	default long callsWithoutObjection() {
		return judge().callsWithoutObjection();
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
