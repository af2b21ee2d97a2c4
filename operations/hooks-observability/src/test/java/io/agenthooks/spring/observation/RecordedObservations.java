package io.agenthooks.spring.observation;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the observations that have ended, in that order.
 */
public final class RecordedObservations implements ObservationHandler<Observation.Context> {

	private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();

	private final List<Observation.Context> open = new CopyOnWriteArrayList<>();

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

	@Override
	public void onScopeOpened(Observation.Context context) {
		this.open.add(context);
	}

	@Override
	public void onScopeClosed(Observation.Context context) {
		this.open.remove(this.open.lastIndexOf(context));
	}

	@Override
	public void onStop(Observation.Context context) {
		this.ended.add(context);
	}

	public List<Observation.Context> all() {
		return List.copyOf(this.ended);
	}

	public List<Observation.Context> named(String name) {
		return this.ended.stream().filter((context) -> name.equals(context.getName())).toList();
	}

	public Observation.Context only(String name) {
		List<Observation.Context> found = named(name);
		if (found.size() != 1) {
			throw new AssertionError("Not one '%s' but %s".formatted(name, found));
		}
		return found.get(0);
	}

	/**
	 * How many scopes are open, or what was closed twice.
	 */
	public int openScopes() {
		return this.open.size();
	}

	public static @Nullable String value(Observation.Context context, String key) {
		return context.getAllKeyValues()
			.stream()
			.filter((value) -> value.getKey().equals(key))
			.map(KeyValue::getValue)
			.findFirst()
			.orElse(null);
	}

	public static @Nullable String low(Observation.Context context, String key) {
		KeyValue value = context.getLowCardinalityKeyValue(key);
		return (value != null) ? value.getValue() : null;
	}

	public static Observation.Context parent(Observation.Context context) {
		ObservationView parent = Objects.requireNonNull(context.getParentObservation());
		return (Observation.Context) parent.getContextView();
	}

	/**
	 * All that a trace could show of an observation.
	 */
	public static String text(Observation.Context context) {
		Throwable error = context.getError();
		Stream<String> values = context.getAllKeyValues().stream().map(KeyValue::toString);
		return Stream
			.concat(Stream.of(String.valueOf(context.getName()), String.valueOf(context.getContextualName()),
					String.valueOf(error), (error != null) ? String.valueOf(error.getCause()) : ""), values)
			.collect(Collectors.joining("\n"));
	}

}
