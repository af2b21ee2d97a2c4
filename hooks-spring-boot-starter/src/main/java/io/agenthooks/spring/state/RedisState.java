package io.agenthooks.spring.state;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.Sha256;
import io.agenthooks.WarningThrottle;

/**
 * State in Redis. A node knows what it wrote last, makes the next state of it, and
 * {@linkplain CompareAndSet writes} that if no other node was there meanwhile; otherwise
 * it gets what the other one wrote, and tries again. So a change is one round trip, and
 * one more if another node was in between. Whoever was too late several times gets a
 * turn, in which the others wait, so that a node that is far away is not always too late.
 * <p>
 * A change goes by the time of Redis at which its node asked, as far as the node knows it
 * from the last answer: never later than the time of Redis, and hardly earlier.
 *
 * @param <S> what is kept of a key
 * @since 0.1.0
 */
public final class RedisState<S> implements KeyedState<S> {

	/** How many times a call may be too late before it wants a turn. */
	private static final int MAX_LATE = 3;

	/** Longer than it takes to ask once more. A node that is killed has it so long. */
	private static final Duration TURN = Duration.ofMillis(250);

	/** Whoever is too late for so long is denied. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final long MAX_PAUSE = Duration.ofMillis(4).toNanos();

	/** The keys of which a node knows what it wrote. */
	private static final int MAX_KNOWN = 1_000;

	private static final int LOCKS = 64;

	/** Whoever waits longer tries at the same time, so that none waits for many. */
	private static final long LOCK_MILLIS = 200;

	/** Clocks differ by less than such a part of the time. */
	private static final long DRIFT = 5_000;

	/** In microseconds: what Redis said of the time before is of no use. */
	private static final long MAX_AGE = 300_000_000;

	private static final Logger logger = LoggerFactory.getLogger(RedisState.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final RedisScripts scripts;

	private final StateTerms<S> terms;

	/** What all scripts are told. */
	private final List<String> common;

	private final Duration timeout;

	private final @Nullable LongSupplier time;

	/** With which all versions of this node begin. */
	private final String node = newNode();

	private final AtomicLong versions = new AtomicLong();

	private volatile @Nullable Clock clock;

	/** Calls of one key on one node need not make each other try again. */
	private final List<ReentrantLock> locks = Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

	/** What is known of the list of each space. Guarded by the copies. */
	private final List<Epoch> epochs;

	private final Map<String, Copy> copies = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Copy> eldest) {
			return size() > MAX_KNOWN;
		}

	};

	/**
	 * Create state.
	 * @param template asks Redis
	 * @param keyPrefix what the keys of all nodes of the application start with
	 * @param terms what is kept, and how much of it
	 * @param timeout how long a change is waited for, however often Redis is asked
	 * @param time tells the time in microseconds, or {@code null} to use that of Redis
	 */
	public RedisState(StringRedisTemplate template, String keyPrefix, StateTerms<S> terms, Duration timeout,
			@Nullable LongSupplier time) {
		String entry = (terms.spaces().size() == 1) ? terms.spaces().get(0)
				: Sha256.hex(String.join("\n", terms.spaces()));
		this.scripts = new RedisScripts(template, keyPrefix, entry);
		this.terms = terms;
		this.timeout = timeout;
		this.common = List.of(String.valueOf(TURN.toMillis()), String.valueOf(terms.maxKeys()),
				(terms.full() == StateTerms.WhenFull.FORGET_OLDEST) ? "1" : "0", (terms.restores()) ? "1" : "0");
		this.time = time;
		this.epochs = new ArrayList<>(terms.spaces().stream().map((space) -> Epoch.NONE).toList());
	}

	/**
	 * A store in Redis.
	 * @param template asks Redis
	 * @param keyPrefix what the keys of all nodes of the application start with
	 * @param timeout how long a change is waited for, however often Redis is asked
	 * @return the store
	 */
	public static StateStore store(StringRedisTemplate template, String keyPrefix, Duration timeout) {
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new RedisState<>(template, keyPrefix, terms, timeout, null);
			}

		};
	}

	private static String newNode() {
		byte[] bytes = new byte[9];
		new SecureRandom().nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "-";
	}

	private String newVersion() {
		return this.node + this.versions.incrementAndGet();
	}

	@Override
	public <T> T change(List<String> keys, T full, Change<S, T> change) {
		List<Key> counting = counting(keys);
		if (counting.isEmpty()) {
			return change.in(List.of(), 0);
		}
		return Deadline.within(this.timeout, () -> locked(counting, 0, () -> changeInTime(counting, full, change)));
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		List<Key> counting = counting(keys);
		if (counting.isEmpty()) {
			return change.in(List.of(), 0);
		}
		Answer found = look(counting);
		List<Kept<S>> kept = kept(counting, found.copies(), found.time());
		T answer = change.in(kept, found.time());
		boolean lacksRoom = IntStream.range(0, kept.size())
			.anyMatch((i) -> kept.get(i).isNew() && !found.copies().get(i).room());
		return (lacksRoom) ? full : answer;
	}

	private static List<Key> counting(List<String> keys) {
		return IntStream.range(0, keys.size())
			.filter((space) -> !keys.get(space).isEmpty())
			.mapToObj((space) -> new Key(space, keys.get(space)))
			.toList();
	}

	private <T> T changeInTime(List<Key> keys, T full, Change<S, T> change) {
		String writer = newVersion();
		List<Copy> copies = known(keys);
		long now = now();
		if (now < 0) {
			Answer found = look(keys);
			copies = found.copies();
			now = found.time();
		}
		long start = System.nanoTime();
		for (int late = 0; !Deadline.isOver() && System.nanoTime() - start < PATIENCE.toNanos(); late++) {
			List<Kept<S>> kept = kept(keys, copies, now);
			T answer = change.in(kept, now);
			String version = newVersion();
			List<Write> writes = writes(copies, kept, now, version);
			Answer found = ask(
					List.of("change", time(), String.valueOf(now), version, writer, (late >= MAX_LATE) ? "1" : "0"),
					keys, writes);
			switch (found.what()) {
				case "done" -> {
					keep(keys, writes, found);
					return answer;
				}
				case "full" -> {
					return full;
				}
				case "wait" -> {
					pause();
					now = Math.max(now, now());
				}
				default -> {
					copies = found.copies();
					now = found.time();
				}
			}
		}
		// How many calls of a key there are at once is up to the agent.
		throw StoreWatch.busy();
	}

	private List<Kept<S>> kept(List<Key> keys, List<Copy> copies, long now) {
		List<Kept<S>> kept = new ArrayList<>(keys.size());
		for (int i = 0; i < keys.size(); i++) {
			Copy copy = copies.get(i);
			int space = keys.get(i).space();
			kept.add((copy.isKnown(now)) ? new Kept<>(space, this.terms.codec().read(space, copy.state()))
					: new Kept<>(space, null, copy.lostUntil()));
		}
		return kept;
	}

	private List<Write> writes(List<Copy> copies, List<Kept<S>> kept, long now, String version) {
		List<Write> writes = new ArrayList<>(kept.size());
		for (int i = 0; i < kept.size(); i++) {
			Copy copy = copies.get(i);
			S state = kept.get(i).next();
			long overAt = kept.get(i).overAt();
			if (state != null && overAt > now) {
				writes.add(new Write("write", copy.expected(now),
						Copy.of(version, overAt, this.terms.codec().write(state))));
			}
			else {
				writes.add(new Write((state != null) ? "remove" : "keep", copy.expected(now),
						(state == null && copy.isKnown(now)) ? copy : Copy.NONE));
			}
		}
		return writes;
	}

	private Answer look(List<Key> keys) {
		return ask(List.of("look", time(), "", "", "", "0"), keys, keys.stream().map((key) -> Write.NOTHING).toList());
	}

	private String time() {
		LongSupplier fixed = this.time;
		return (fixed != null) ? String.valueOf(fixed.getAsLong()) : "";
	}

	/**
	 * Ask Redis.
	 * @param about what to do, as of when, and who does it
	 * @param writes what to do with each key
	 */
	private Answer ask(List<String> about, List<Key> keys, List<Write> writes) {
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

	private Answer read(List<Key> keys, List<String> answer) {
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

	private UnusableAnswerException lost(Key key, String mark) {
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
	 * The time of Redis, as far as it is known: a little earlier, never later.
	 * @return the time in microseconds, or below zero if it is not known
	 */
	private long now() {
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

	private List<Copy> known(List<Key> keys) {
		synchronized (this.copies) {
			return keys.stream().map((key) -> this.copies.getOrDefault(key.name(), Copy.NONE)).toList();
		}
	}

	/**
	 * Only what this node wrote or confirmed, so that what cannot be read is asked for
	 * again.
	 */
	private void keep(List<Key> keys, List<Write> writes, Answer found) {
		synchronized (this.copies) {
			for (int i = 0; i < keys.size(); i++) {
				Copy copy = writes.get(i).next();
				if (copy.version().isEmpty() || !copy.version().equals(found.copies().get(i).version())) {
					this.copies.remove(keys.get(i).name());
				}
				else {
					this.copies.put(keys.get(i).name(), copy);
				}
			}
		}
	}

	private Epoch epoch(int space) {
		synchronized (this.copies) {
			return this.epochs.get(space);
		}
	}

	private void learn(List<Key> keys, Answer answer) {
		synchronized (this.copies) {
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

	/**
	 * Also on a thread that is interrupted, which would otherwise not pause at all.
	 */
	private static void pause() {
		boolean interrupted = Thread.interrupted();
		LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Hold the locks of keys, in the order of the keys.
	 */
	private <T> T locked(List<Key> keys, int next, Supplier<T> work) {
		if (next == keys.size()) {
			return work.get();
		}
		ReentrantLock lock = this.locks.get(Math.floorMod(keys.get(next).name().hashCode(), LOCKS));
		boolean interrupted = Thread.interrupted();
		boolean locked = false;
		try {
			locked = lock.tryLock(Math.min(LOCK_MILLIS, this.timeout.toMillis() / 2), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		try {
			return locked(keys, next + 1, work);
		}
		finally {
			if (locked) {
				lock.unlock();
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * A key.
	 *
	 * @param space the space that it is in
	 * @param text the key
	 */
	private record Key(int space, String text) {

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
	 * What is kept of a key.
	 *
	 * @param version another one each time that it is written; empty if nothing is kept
	 * @param overAt when it is over
	 * @param state what is kept, as a text
	 * @param room whether there is room for the key, if it is new
	 * @param lostUntil until when the store has lost what was kept, or 0
	 * @param epoch what is known of its list
	 */
	private record Copy(String version, long overAt, String state, boolean room, long lostUntil, Epoch epoch) {

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

		/**
		 * What must be there so that this is replaced.
		 */
		String expected(long now) {
			if (isKnown(now)) {
				return this.version;
			}
			return (this.lostUntil > now) ? "lost" : "";
		}

	}

	/**
	 * What is done with a key.
	 *
	 * @param action to keep, write or remove it
	 * @param expected the version that must be there
	 * @param next what is there then
	 */
	private record Write(String action, String expected, Copy next) {

		static final Write NOTHING = new Write("keep", "", Copy.NONE);

	}

	/**
	 * What is known of a list of keys.
	 *
	 * @param id another one each time that the list begins
	 * @param till when its last key is over
	 */
	private record Epoch(String id, long till) {

		static final Epoch NONE = new Epoch("", 0);

	}

	/**
	 * The time of Redis.
	 *
	 * @param micros what it said
	 * @param nanos when this node heard it
	 */
	private record Clock(long micros, long nanos) {
	}

	/**
	 * What Redis answered.
	 *
	 * @param what what came of it
	 * @param time the time of Redis, or 0 if it said nothing else
	 * @param copies what is kept of each key
	 */
	private record Answer(String what, long time, List<Copy> copies) {
	}

}
