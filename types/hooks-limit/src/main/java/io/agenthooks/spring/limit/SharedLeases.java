package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateCodec;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * If the store has lost who runs, nobody enters until the last lease of them would have
 * ended; those that run are known again when they are renewed.
 */
final class SharedLeases implements Leases {

	private final KeyedState<Running> state;

	private final KeyedState<Running> renewed;

	private final int max;

	private final long lease;

	private SharedLeases(KeyedState<Running> state, KeyedState<Running> renewed, int max, Duration lease) {
		this.state = state;
		this.renewed = renewed;
		this.max = max;
		this.lease = SharedLimits.micros(lease);
	}

	static SharedLeases open(String entry, int max, Duration lease, StateStore states) {
		// Only calls that run hold places, so nobody counts the keys.
		StateTerms<Running> terms = new StateTerms<>(List.of(entry), Integer.MAX_VALUE, StateTerms.WhenFull.REFUSE,
				true, new Codec());
		return new SharedLeases(states.open(terms), states.openHurried(terms), max, lease);
	}

	@Override
	public boolean enter(String key, String id) {
		return this.state.change(key, false, (kept, now) -> {
			Running running = running(kept, now);
			if (!hasRoom(running, now)) {
				return false;
			}
			return keep(kept, running, id, now);
		});
	}

	private boolean hasRoom(Running running, long now) {
		return running.closedUntil() <= now && running.calls().size() < this.max;
	}

	@Override
	public void renew(String key, String id) {
		boolean unused = this.renewed.change(key, false, (kept, now) -> keep(kept, running(kept, now), id, now));
	}

	private boolean keep(Kept<Running> kept, Running running, String id, long now) {
		running.calls().put(id, now + this.lease);
		kept.keep(running, running.overAt());
		return true;
	}

	@Override
	public void leave(String key, String id) {
		boolean unused = this.state.change(key, false, (kept, now) -> {
			Running running = running(kept, now);
			boolean there = running.calls().remove(id) != null;
			if (there) {
				kept.keep(running, running.overAt());
			}
			return there;
		});
	}

	@Override
	public boolean hasRoom(String key) {
		return this.state.look(key, false, (kept, now) -> hasRoom(running(kept, now), now));
	}

	private static Running running(Kept<Running> kept, long now) {
		Running known = kept.state();
		Running running = (known != null) ? known : new Running(new LinkedHashMap<>(), kept.lostUntil());
		running.calls().values().removeIf((until) -> until <= now);
		return running;
	}

	private record Running(Map<String, Long> calls, long closedUntil) {

		long overAt() {
			return (this.calls.isEmpty()) ? this.closedUntil
					: Math.max(this.closedUntil, Objects.requireNonNull(Collections.max(this.calls.values())));
		}

	}

	private static final class Codec implements StateCodec<Running> {

		private static final String VERSION = "r2;";

		@Override
		public String write(Running running) {
			return running.calls()
				.entrySet()
				.stream()
				.map((call) -> call.getKey() + "=" + call.getValue())
				.collect(Collectors.joining(",", VERSION + running.closedUntil() + ";", ""));
		}

		@Override
		public Running read(int space, String text) {
			int end = text.indexOf(';', VERSION.length());
			if (!text.startsWith(VERSION) || end < 0) {
				throw unreadable();
			}
			Map<String, Long> calls = new LinkedHashMap<>();
			try {
				for (String call : text.substring(end + 1).split(",", -1)) {
					int equals = call.indexOf('=');
					if (equals > 0) {
						calls.put(call.substring(0, equals), Long.valueOf(call.substring(equals + 1)));
					}
				}
				return new Running(calls, Long.parseLong(text.substring(VERSION.length(), end)));
			}
			catch (NumberFormatException ex) {
				throw unreadable();
			}
		}

		private static UnusableAnswerException unreadable() {
			return new UnusableAnswerException("What is kept of calls that run cannot be read");
		}

	}

}
