package io.agenthooks.spring.observation;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The options of {@code hooks.observation}. The annotation is for the metadata of IDEs;
 * it is read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param enabled Whether calls and hooks are observations of Micrometer, if there is an
 * ObservationRegistry.
 * @param genaiAttributes Whether observations also have attributes of OpenTelemetry's
 * conventions for generative AI, which may still change.
 * @param mdc Whether the log context (MDC) has the ids of call, session and run.
 */
@ConfigurationProperties("hooks.observation")
record ObservationOptions(@Nullable Boolean enabled, @Nullable Boolean genaiAttributes, @Nullable Boolean mdc) {

	boolean isEnabled() {
		return !Boolean.FALSE.equals(this.enabled);
	}

	boolean hasGenaiAttributes() {
		return Boolean.TRUE.equals(this.genaiAttributes);
	}

	boolean hasMdc() {
		return !Boolean.FALSE.equals(this.mdc);
	}

}
