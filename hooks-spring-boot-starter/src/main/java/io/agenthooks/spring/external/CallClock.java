package io.agenthooks.spring.external;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;

/**
 * Measures how long a call has taken when a hook gets its result.
 *
 * @since 0.1.0
 */
public final class CallClock implements ApplicationListener<PayloadApplicationEvent<ToolCallEvent.Started>> {

	private static final int MAX_CALLS = 10_000;

	private final Map<String, Long> starts = Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > MAX_CALLS;
		}

	});

	/**
	 * The clock of an application. It listens once a hook has asked for it, since to
	 * publish events takes time.
	 * @param context the application
	 * @return gives the clock
	 */
	public static Supplier<CallClock> of(ConfigurableApplicationContext context) {
		return SingletonSupplier.of(() -> {
			CallClock clock = new CallClock();
			context.addApplicationListener(clock);
			return clock;
		})::obtain;
	}

	/**
	 * Note that a call begins.
	 */
	@Override
	public void onApplicationEvent(PayloadApplicationEvent<ToolCallEvent.Started> event) {
		this.starts.put(event.getPayload().call().id(), System.nanoTime());
	}

	/**
	 * How long a call has taken so far, hooks included.
	 * @param call the call
	 * @return the time in nanoseconds; 0 if its start is unknown
	 */
	public long nanosOf(ToolCall call) {
		@Nullable Long start = this.starts.get(call.id());
		return (start != null) ? System.nanoTime() - start : 0;
	}

}
