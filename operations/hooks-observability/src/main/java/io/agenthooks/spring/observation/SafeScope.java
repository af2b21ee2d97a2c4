package io.agenthooks.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.WatchedCall;

/**
 * Leaves the thread with the observation it had before, also if a handler throws:
 * Micrometer would go on with one that has ended.
 */
final class SafeScope implements WatchedCall.Binding {

	private final ObservationRegistry registry;

	private final Observation.@Nullable Scope before;

	private final Observation.Scope scope;

	private SafeScope(ObservationRegistry registry, Observation.@Nullable Scope before, Observation.Scope scope) {
		this.registry = registry;
		this.before = before;
		this.scope = scope;
	}

	static SafeScope open(Observation observation, ObservationRegistry registry) {
		Observation.Scope before = registry.getCurrentObservationScope();
		try {
			return new SafeScope(registry, before, observation.openScope());
		}
		catch (RuntimeException | Error ex) {
			closeHalfOpened(registry, before, ex);
			throw ex;
		}
	}

	/** Handlers before the one that threw, such as that of traces, have opened theirs. */
	private static void closeHalfOpened(ObservationRegistry registry, Observation.@Nullable Scope before,
			Throwable failure) {
		Observation.Scope opened = registry.getCurrentObservationScope();
		try {
			if (opened != null && !opened.equals(before)) {
				opened.close();
			}
		}
		catch (RuntimeException | Error ex) {
			failure.addSuppressed(ex);
		}
		finally {
			registry.setCurrentObservationScope(before);
		}
	}

	@Override
	public void close() {
		try {
			this.scope.close();
		}
		catch (RuntimeException | Error ex) {
			this.registry.setCurrentObservationScope(this.before);
			throw ex;
		}
	}

}
