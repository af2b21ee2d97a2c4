package io.agenthooks.spring.redis;

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
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.redis.RedisKeys.Answer;
import io.agenthooks.spring.redis.RedisKeys.Copy;
import io.agenthooks.spring.redis.RedisKeys.SpaceKey;
import io.agenthooks.spring.redis.RedisKeys.Write;
import io.agenthooks.spring.state.Deadline;
import io.agenthooks.spring.state.Kept;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.StoreWatch;

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

	/** The times that a call may be too late before it wants a turn. */
	private static final int MAX_LATE = 3;

	/** Whoever is too late for so long is denied. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final long MAX_PAUSE = Duration.ofMillis(4).toNanos();

	/** The keys of which a node knows what it wrote. */
	private static final int MAX_KNOWN = 1_000;

	/** Copies have a bound together: longer states are asked for again. */
	private static final int MAX_LENGTH = 50_000;

	private static final int LOCKS = 64;

	/** Whoever waits longer tries at the same time, so that none waits for many. */
	private static final long LOCK_MILLIS = 200;

	private final RedisKeys redis;

	private final StateTerms<S> terms;

	private final Duration timeout;

	private final String node = newNode();

	private final AtomicLong versions = new AtomicLong();

	/** Calls of one key on one node need not make each other try again. */
	private final List<ReentrantLock> locks = Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

	/** The copies that this node wrote. Guarded by this map. */
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
		this.redis = new RedisKeys(template, keyPrefix, terms, time);
		this.terms = terms;
		this.timeout = timeout;
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
		List<SpaceKey> counting = counting(keys);
		if (counting.isEmpty()) {
			return change.in(List.of(), 0);
		}
		return Deadline.within(this.timeout, () -> locked(counting, 0, () -> changeInTime(counting, full, change)));
	}

	@Override
	public <T> T look(List<String> keys, T full, Change<S, T> change) {
		List<SpaceKey> counting = counting(keys);
		if (counting.isEmpty()) {
			return change.in(List.of(), 0);
		}
		Answer found = this.redis.look(counting);
		List<Kept<S>> kept = kept(counting, found.copies(), found.time());
		T answer = change.in(kept, found.time());
		boolean lacksRoom = IntStream.range(0, kept.size())
			.anyMatch((i) -> kept.get(i).isNew() && !found.copies().get(i).room());
		return (lacksRoom) ? full : answer;
	}

	private static List<SpaceKey> counting(List<String> keys) {
		return IntStream.range(0, keys.size())
			.filter((space) -> !keys.get(space).isEmpty())
			.mapToObj((space) -> new SpaceKey(space, keys.get(space)))
			.toList();
	}

	private <T> T changeInTime(List<SpaceKey> keys, T full, Change<S, T> change) {
		String writer = newVersion();
		List<Copy> copies = known(keys);
		long now = this.redis.now();
		if (now < 0) {
			Answer found = this.redis.look(keys);
			copies = found.copies();
			now = found.time();
		}
		long start = System.nanoTime();
		for (int late = 0; !Deadline.isOver() && System.nanoTime() - start < PATIENCE.toNanos(); late++) {
			List<Kept<S>> kept = kept(keys, copies, now);
			T answer = change.in(kept, now);
			String version = newVersion();
			List<Write> writes = writes(copies, kept, now, version);
			Answer found = this.redis.replace(keys, writes, now, version, writer, late >= MAX_LATE);
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
					now = Math.max(now, this.redis.now());
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

	private List<Kept<S>> kept(List<SpaceKey> keys, List<Copy> copies, long now) {
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

	private List<Copy> known(List<SpaceKey> keys) {
		synchronized (this.copies) {
			return keys.stream().map((key) -> this.copies.getOrDefault(key.name(), Copy.NONE)).toList();
		}
	}

	/** Only what this node wrote or confirmed, so that the rest is asked for again. */
	private void keep(List<SpaceKey> keys, List<Write> writes, Answer found) {
		synchronized (this.copies) {
			for (int i = 0; i < keys.size(); i++) {
				Copy copy = writes.get(i).next();
				if (copy.version().isEmpty() || !copy.version().equals(found.copies().get(i).version())
						|| copy.state().length() > MAX_LENGTH) {
					this.copies.remove(keys.get(i).name());
				}
				else {
					this.copies.put(keys.get(i).name(), copy);
				}
			}
		}
	}

	/** Also on a thread that is interrupted, which would otherwise not pause at all. */
	private static void pause() {
		boolean interrupted = Thread.interrupted();
		LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE));
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private <T> T locked(List<SpaceKey> keys, int next, Supplier<T> work) {
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

}
