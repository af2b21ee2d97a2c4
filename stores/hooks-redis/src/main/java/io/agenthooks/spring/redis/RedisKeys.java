package io.agenthooks.spring.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.Sha256;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.UnusableAnswerException;

/**
 * The keys of state in Redis, which a node looks at, or replaces if they are still what
 * it knows, by {@link CompareAndSet}. Each answer tells the time of Redis and what there
 * is of the list of each space, so that a node notices if a list is lost.
 */
final class RedisKeys {

	/** Longer than it takes to ask once more. A node that is killed has it so long. */
	private static final Duration TURN = Duration.ofMillis(250);

	/** Clocks differ by less than such a part of the time. */
	private static final long DRIFT = 5_000;

	/** In microseconds: what Redis said of the time before is of no use. */
	private static final long MAX_AGE = 300_000_000;

	private static final Logger logger = LoggerFactory.getLogger(RedisKeys.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final RedisScripts scripts;

	private final List<String> common;

	private final @Nullable LongSupplier time;

	private volatile @Nullable Clock clock;

	/** The known epoch of the list of each space. Guarded by this list. */
	private final List<Epoch> epochs;

	/** The time is in microseconds, {@code null} to use that of Redis. */
	RedisKeys(StringRedisTemplate template, String keyPrefix, StateTerms<?> terms, @Nullable LongSupplier time) {
		String entry = (terms.spaces().size() == 1) ? terms.spaces().get(0)
				: Sha256.hex(String.join("\n", terms.spaces()));
		this.scripts = new RedisScripts(template, keyPrefix, entry);
		this.common = List.of(String.valueOf(TURN.toMillis()), String.valueOf(terms.maxKeys()),
				(terms.full() == StateTerms.WhenFull.FORGET_OLDEST) ? "1" : "0", (terms.restores()) ? "1" : "0");
		this.time = time;
		this.epochs = new ArrayList<>(terms.spaces().stream().map((space) -> Epoch.NONE).toList());
	}

	Answer look(List<SpaceKey> keys) {
		return ask(List.of("look", time(), "", "", "", "0"), keys, keys.stream().map((key) -> Write.NOTHING).toList());
	}

	/** Replace what there is, if it is what the writes expect. */
	Answer replace(List<SpaceKey> keys, List<Write> writes, long now, String version, String writer,
			boolean wantsTurn) {
		return ask(List.of("change", time(), String.valueOf(now), version, writer, (wantsTurn) ? "1" : "0"), keys,
				writes);
	}

	private String time() {
		LongSupplier fixed = this.time;
		return (fixed != null) ? String.valueOf(fixed.getAsLong()) : "";
	}

	private Answer ask(List<String> about, List<SpaceKey> keys, List<Write> writes) {
		List<String> arguments = new ArrayList<>(about);
		arguments.addAll(this.common);
		List<String> names = new ArrayList<>();
		for (int i = 0; i < keys.size(); i++) {
			names.add(keys.get(i).name());
			names.add(keys.get(i).list());
			Write write = writes.get(i);
			Epoch epoch = epoch(keys.get(i).space());
			arguments.addAll(List.of(write.expected(), write.action(), write.next().state(),
					String.valueOf(write.next().overAt()), epoch.id(), String.valueOf(epoch.till())));
		}
		names.add("turn:" + keys.get(0).name());
		Answer answer = read(keys, this.scripts.run(CompareAndSet.SCRIPT, names, arguments));
		if (answer.time() > 0) {
			this.clock = new Clock(answer.time(), System.nanoTime());
			learn(keys, answer);
		}
		return answer;
	}

	private Answer read(List<SpaceKey> keys, List<String> answer) {
		String what = (answer.isEmpty()) ? "" : answer.get(0);
		switch (what) {
			case "lost" -> throw lost(keys.get(Integer.parseInt(answer.get(1)) - 1), answer.get(2));
			case "full", "wait" -> {
				return new Answer(what, 0, List.of());
			}
			case "done", "late", "look" -> {
				if (answer.size() != 2 + CompareAndSet.ANSWERED * keys.size()) {
					throw new UnusableAnswerException("Redis gave no answer about a key");
				}
				List<Copy> copies = IntStream.range(0, keys.size())
					.mapToObj((i) -> Copy
						.read(answer.subList(2 + CompareAndSet.ANSWERED * i, 2 + CompareAndSet.ANSWERED * (i + 1))))
					.toList();
				return new Answer(what, Long.parseLong(answer.get(1)), copies);
			}
			default -> throw new UnusableAnswerException("Redis gave no answer about a key");
		}
	}

	private UnusableAnswerException lost(SpaceKey key, String mark) {
		String name = this.scripts.name(key.name());
		String list = this.scripts.name(key.list());
		String message = ("Redis dropped what was kept under '%s', so its calls are denied until that would be as good as "
				+ "new. Set its 'maxmemory-policy' to 'noeviction', unless somebody deleted the key. To begin anew, "
				+ "run: ZREM '%s' '%s' '%s'")
			.formatted(name, list, name, mark);
		this.warnings.warn(message);
		return UnusableAnswerException.lost(message,
				"Redis dropped what was kept; the log names it, and how it is begun anew");
	}

	/**
	 * The time of Redis in microseconds, as far as it is known: a little earlier, never
	 * later; below zero if it is not known.
	 */
	long now() {
		LongSupplier fixed = this.time;
		if (fixed != null) {
			return fixed.getAsLong();
		}
		Clock known = this.clock;
		if (known == null) {
			return -1;
		}
		long passed = (System.nanoTime() - known.nanos()) / 1_000;
		return (passed < MAX_AGE) ? known.micros() + passed - passed / DRIFT : -1;
	}

	private Epoch epoch(int space) {
		synchronized (this.epochs) {
			return this.epochs.get(space);
		}
	}

	private void learn(List<SpaceKey> keys, Answer answer) {
		synchronized (this.epochs) {
			for (int i = 0; i < keys.size(); i++) {
				Epoch learned = answer.copies().get(i).epoch();
				Epoch known = this.epochs.get(keys.get(i).space());
				// Of two answers on their way the one that knows more is the newer one.
				if (!learned.id().isEmpty() && (!learned.id().equals(known.id()) || learned.till() > known.till())) {
					this.epochs.set(keys.get(i).space(), learned);
				}
			}
		}
	}

	record SpaceKey(int space, String text) {

		String name() {
			return in("key:" + this.text);
		}

		String list() {
			return in("keys");
		}

		private String in(String name) {
			return (this.space == 0) ? name : this.space + ":" + name;
		}

	}

	/**
	 * Its version is another one each time that it is written; empty if nothing is kept.
	 */
	record Copy(String version, long overAt, String state, boolean room, long lostUntil, Epoch epoch) {

		static final Copy NONE = of("", 0, "");

		static Copy of(String version, long overAt, String state) {
			return new Copy(version, overAt, state, true, 0, Epoch.NONE);
		}

		static Copy read(List<String> parts) {
			return new Copy(parts.get(0), (parts.get(1).isEmpty()) ? 0 : Long.parseLong(parts.get(1)), parts.get(2),
					parts.get(3).equals("1"), Long.parseLong(parts.get(4)),
					new Epoch(parts.get(5), Long.parseLong(parts.get(6))));
		}

		boolean isKnown(long now) {
			return !this.version.isEmpty() && this.overAt > now;
		}

		/** The version that must be there so that this is replaced. */
		String expected(long now) {
			if (isKnown(now)) {
				return this.version;
			}
			return (this.lostUntil > now) ? "lost" : "";
		}

	}

	record Write(String action, String expected, Copy next) {

		static final Write NOTHING = new Write("keep", "", Copy.NONE);

	}

	record Epoch(String id, long till) {

		static final Epoch NONE = new Epoch("", 0);

	}

	private record Clock(long micros, long nanos) {
	}

	/** The answer of Redis. */
	record Answer(String what, long time, List<Copy> copies) {
	}

}
