package io.agenthooks.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and attributes of observed calls. A bean of this type replaces the usual ones,
 * and so does a {@link io.micrometer.observation.GlobalObservationConvention} for the
 * context.
 *
 * @since 0.1.0
 */
public interface CallObservationConvention extends ObservationConvention<CallObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof CallObservationContext;
	}

}
