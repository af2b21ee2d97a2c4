package io.agenthooks.spring.observation;

import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Takes the observations of calls and hooks, and makes no meters of them. Of the handlers
 * that make meters, Spring Boot gives an observation only to the first that supports it.
 * So the one behind this does not see ours, and does not look up meters at each call that
 * there must not be, for which the registry of meters takes a lock.
 */
final class OwnMeterHandler implements MeterObservationHandler<Observation.Context> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof CallObservationContext || context instanceof HookObservationContext;
	}

}
