package io.agenthooks.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.PriorityOrdered;

/**
 * A call that was made, and its events.
 *
 * @param result what the caller got, or {@code null} if there was an exception
 * @param failure the exception that reached the caller, or {@code null}
 * @param events what happened to the call, in order
 */
record Attempt<R, E>(@Nullable R result, @Nullable Exception failure, List<E> events, Duration duration) {

	/** Receives the events of the call that a thread is making. */
	private static final ThreadLocal<@Nullable Consumer<Object>> listeners = new ThreadLocal<>();

	/** Make a call, which may make others. */
	static <R, E> Attempt<R, E> of(Class<E> event, Predicate<E> own, Supplier<R> call) {
		Consumer<Object> outer = listeners.get();
		List<E> events = new ArrayList<>();
		listeners.set((published) -> {
			if (event.isInstance(published) && own.test(event.cast(published))) {
				events.add(event.cast(published));
			}
		});
		long start = System.nanoTime();
		R result = null;
		Exception failure = null;
		try {
			result = call.get();
		}
		catch (Exception ex) {
			failure = ex;
		}
		finally {
			listeners.set(outer);
		}
		return new Attempt<>(result, failure, List.copyOf(events), Duration.ofNanos(System.nanoTime() - start));
	}

	@Nullable E last() {
		return (this.events.isEmpty()) ? null : this.events.get(this.events.size() - 1);
	}

	/**
	 * Events come on the thread of their call, among those of calls that its hooks make.
	 * A listener that throws keeps them from those after it, so this comes first.
	 */
	static final class FirstListener implements ApplicationListener<ApplicationEvent>, PriorityOrdered {

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

		@Override
		public void onApplicationEvent(ApplicationEvent event) {
			Consumer<Object> listener = listeners.get();
			if (listener != null && event instanceof PayloadApplicationEvent<?> published) {
				listener.accept(published.getPayload());
			}
		}

	}

}
