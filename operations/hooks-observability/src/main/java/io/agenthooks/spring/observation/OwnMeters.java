package io.agenthooks.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The observation of ours that begins or ends just now on a thread. Meters of it would
 * count each call twice.
 */
final class OwnMeters {

	private static final String ACTIVE = ".active";

	private static final ThreadLocal<Observation.@Nullable Context> ofThread = new ThreadLocal<>();

	private OwnMeters() {
	}

	static void start(Observation observation) {
		ofThread.set(observation.getContext());
		try {
			observation.start();
		}
		finally {
			ofThread.remove();
		}
	}

	static void stop(Observation observation) {
		ofThread.set(observation.getContext());
		try {
			observation.stop();
		}
		finally {
			ofThread.remove();
		}
	}

	/** Handlers of the application may have meters of other names. */
	static boolean isOfObservation(String meter) {
		Observation.Context context = ofThread.get();
		String name = (context != null) ? context.getName() : null;
		return name != null && (meter.equals(name) || (meter.length() == name.length() + ACTIVE.length()
				&& meter.startsWith(name) && meter.endsWith(ACTIVE)));
	}

}
