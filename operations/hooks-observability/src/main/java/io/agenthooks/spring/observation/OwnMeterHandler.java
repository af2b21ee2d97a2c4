package io.agenthooks.spring.observation;

import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;

/**
 * Spring Boot gives an observation only to the first meter handler that supports it. So
 * the one behind this does not see ours, nor look up meters at each call that there must
 * not be, for which the registry of meters takes a lock.
 */
final class OwnMeterHandler implements MeterObservationHandler<Observation.Context> {

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof CallObservationContext || context instanceof HookObservationContext;
	}

}
