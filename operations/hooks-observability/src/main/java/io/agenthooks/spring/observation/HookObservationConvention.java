package io.agenthooks.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and attributes of observed hooks. A bean of this type replaces the usual ones,
 * and so does a {@link io.micrometer.observation.GlobalObservationConvention} for the
 * context.
 *
 * @since 0.1.0
 */
public interface HookObservationConvention extends ObservationConvention<HookObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof HookObservationContext;
	}

}
