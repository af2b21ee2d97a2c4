package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Keeps the calls of runs in Redis, for all nodes of the application. A node knows what
 * it wrote last, makes the next state of it, and writes that if no other node was there
 * meanwhile; otherwise it gets what the other one wrote, and tries again. So there is one
 * round trip for a call that enters and one for its end, and one more of each if another
 * node was in between. Whoever was too late several times gets a turn, in which the
 * others wait, so that a node that is far away is not always too late.
 */
final class RedisLoopStore implements LoopStore {

	/**
	 * Keys: the run, all runs of the hook, who has a turn. Arguments: what to do (look or
	 * enter, for which a run may be over; find or end, for which it is not while it is
	 * kept), the time or nothing to use that of Redis, which version is to be replaced or
	 * nothing if there is none, the new version, the id of the run, its calls, who writes
	 * that, whether it wants a turn, for how long, the time after which a run is over,
	 * how long it is kept, and how many are. Answers the version that is there then, the
	 * id and the calls of the run, or nothing of each; or that others have to wait.
	 */
	private static final RedisScript<List<Object>> SCRIPT = RedisScripts.list("""
			local op, now, expected, next = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
			local forget, keep, max = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
			local writes = op == 'enter' or op == 'end'
			local found = redis.call('HMGET', KEYS[1], 'version', 'born', 'used', 'calls')
			local version, born, used, calls = found[1], found[2], tonumber(found[3] or ''), found[4]
			-- The connection may have broken behind the first try.
			if writes and version and version == next then
				return { 'is', version, born, calls }
			end
			if not now then
				local time = redis.call('TIME')
				now = tonumber(time[1]) * 1000000 + tonumber(time[2])
			end
			local turn = writes and redis.call('GET', KEYS[3])
			if turn and turn ~= ARGV[7] then
				return { 'wait', '', '', '' }
			end
			if version and not (born and used and calls) then
				return { 'wrong' }
			end
			if not version or ((op == 'look' or op == 'enter') and now - used >= forget) then
				version, born, calls = '', '', ''
			end
			if not writes then
				return { 'is', version, born, calls }
			end
			if version ~= expected then
				if ARGV[8] == '1' then
					redis.call('SET', KEYS[3], ARGV[7], 'PX', ARGV[9])
				end
				return { 'is', version, born, calls }
			end
			local function digits(number)
				return string.format('%.0f', number)
			end
			redis.call('HMSET', KEYS[1], 'version', next, 'born', ARGV[5], 'used', digits(now), 'calls', ARGV[6])
			redis.call('PEXPIRE', KEYS[1], digits(keep / 1000))
			if turn then
				redis.call('DEL', KEYS[3])
			end
			if redis.call('ZADD', KEYS[2], digits(now), KEYS[1]) == 1 then
				redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. digits(now - keep))
				for i = 1, math.min(100, redis.call('ZCARD', KEYS[2]) - max) do
					local oldest = redis.call('ZRANGE', KEYS[2], 0, 1)
					if oldest[1] == KEYS[1] then
						oldest[1] = oldest[2]
					end
					redis.call('ZREM', KEYS[2], oldest[1])
					redis.call('DEL', oldest[1])
				end
			end
			redis.call('PEXPIRE', KEYS[2], digits(keep / 1000))
			return { 'is', next, ARGV[5], ARGV[6] }
			""");

	/** How many times a call may be too late before it wants a turn. */
	private static final int MAX_LATE = 3;

	/** Longer than it takes to ask once more. A node that is killed has it so long. */
	private static final Duration TURN = Duration.ofMillis(250);

	/** Then the call fails, as if Redis were away, unless it is to wait for less. */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final long MAX_PAUSE = Duration.ofMillis(4).toNanos();

	/** The runs of which a node knows what it wrote. */
	private static final int MAX_KNOWN = 1_000;

	private static final int LOCKS = 64;

	/** Whoever waits longer tries at the same time, so that none waits for many. */
	private static final long LOCK_MILLIS = 200;

	private final RedisScripts scripts;

	private final LoopSettings settings;

	private final Duration patience;

	private final Supplier<String> time;

	private final List<String> terms;

	/** With which all versions of this node begin. */
	private final String node = SharedLimits.newId();

	private final AtomicLong versions = new AtomicLong();

	/** Calls of one run on one node need not make each other try again. */
	private final List<ReentrantLock> locks = Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

	private final Map<String, Copy> known = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Copy> eldest) {
			return size() > MAX_KNOWN;
		}

	};

	/**
	 * Create a store.
	 * @param keyPrefix what the keys of all nodes of the application start with
	 * @param entry tells these runs from those of other hooks
	 */
	RedisLoopStore(StringRedisTemplate template, String keyPrefix, String entry, LoopSettings settings) {
		this(template, keyPrefix, entry, settings, PATIENCE);
	}

	/**
	 * Create a store.
	 * @param timeout how long a call is waited for that enters or ends, however often
	 * Redis is asked
	 */
	RedisLoopStore(StringRedisTemplate template, String keyPrefix, String entry, LoopSettings settings,
			Duration timeout) {
		this(template, keyPrefix, entry, settings, timeout, () -> "");
	}

	/**
	 * Create a store.
	 * @param time tells the time in microseconds, or nothing to use that of Redis
	 */
	RedisLoopStore(StringRedisTemplate template, String keyPrefix, String entry, LoopSettings settings,
			Duration timeout, Supplier<String> time) {
		this.patience = (timeout.compareTo(PATIENCE) < 0) ? timeout : PATIENCE;
		this.scripts = new RedisScripts(template, keyPrefix, entry);
		this.settings = settings;
		this.time = time;
		long forgetAfter = SharedLimits.micros(settings.forgetAfter());
		this.terms = Stream
			.of(TURN.toMillis(), forgetAfter, forgetAfter + SharedLimits.micros(SharedLimits.LEASE),
					(long) settings.maxRuns())
			.map(String::valueOf)
			.toList();
	}

	@Override
	public Entered enter(String run, String call, String tool) {
		return locked(run, () -> {
			Written<RunCalls.Looked> written = Objects
				.requireNonNull(write(run, null, known(run), (calls) -> calls.enter(call, tool)));
			return new Entered(written.answer(), new RedisRun(run, written.born()));
		});
	}

	@Override
	public void end(Run run, String call, String tool, String result, @Nullable Boolean failed) {
		change(run, (calls) -> calls.end(call, tool, result, failed));
	}

	@Override
	public void leave(Run run) {
		change(run, RunCalls::leave);
	}

	/**
	 * Change a run, unless it was forgotten. A call that ends keeps it, however long it
	 * took, as long as it is there.
	 */
	private void change(Run run, Consumer<RunCalls> use) {
		RedisRun changed = (RedisRun) run;
		boolean unused = locked(changed.key(), () -> {
			Copy copy = known(changed.key());
			if (copy == null || !copy.born().equals(changed.born())) {
				copy = ask("find", changed.key(), null, Copy.NOTHING, "", false).copy();
			}
			return write(changed.key(), changed.born(), copy, (calls) -> {
				use.accept(calls);
				return true;
			}) != null;
		});
	}

	/**
	 * Write the next state of a run.
	 * @param born the id of the run for a call that ends, or {@code null} for one that
	 * enters
	 * @param before what is known of the run, or {@code null} for nothing
	 * @param use makes the next state
	 * @return what came of it, or {@code null} if the run was forgotten
	 */
	private <T> @Nullable Written<T> write(String run, @Nullable String born, @Nullable Copy before,
			Function<RunCalls, T> use) {
		String writer = newVersion();
		Copy copy = before;
		for (int late = 0; !Deadline.isOver(); late++) {
			if (born != null && (copy == null || !copy.born().equals(born))) {
				return null;
			}
			RunCalls calls = read(copy);
			T answer = use.apply(calls);
			String version = newVersion();
			Copy next = new Copy(version, (copy != null) ? copy.born() : version, calls.write());
			Found found = ask((born != null) ? "end" : "enter", run, copy, next, writer, late >= MAX_LATE);
			if (found.waits()) {
				pause();
				continue;
			}
			copy = found.copy();
			// Or by a first try behind which the connection broke.
			if (copy != null && copy.version().equals(version)) {
				keep(run, copy);
				return new Written<>(copy.born(), answer);
			}
		}
		throw new IllegalStateException("Other nodes change a run all the time");
	}

	@Override
	public RunCalls.Looked look(String run, String call, String tool) {
		return read(ask("look", run, null, Copy.NOTHING, "", false).copy()).look(call, tool);
	}

	private RunCalls read(@Nullable Copy copy) {
		return (copy != null) ? RunCalls.read(this.settings, copy.calls()) : new RunCalls(this.settings);
	}

	private String newVersion() {
		return this.node + this.versions.incrementAndGet();
	}

	/**
	 * Ask Redis.
	 * @param copy what is to be replaced, or {@code null} for nothing
	 * @param next what is to be written if that is so
	 * @param writer who writes
	 * @param isLate whether it wants a turn if that is not so
	 */
	private Found ask(String what, String run, @Nullable Copy copy, Copy next, String writer, boolean isLate) {
		List<String> arguments = Stream
			.concat(Stream.of(what, this.time.get(), (copy != null) ? copy.version() : "", next.version(), next.born(),
					next.calls(), writer, (isLate) ? "1" : "0"), this.terms.stream())
			.toList();
		List<String> answer = this.scripts.run(SCRIPT, List.of("run:" + run, "runs", "turn:" + run), arguments);
		if (answer.size() != Copy.PARTS + 1) {
			throw new UnusableAnswerException("Redis gave no answer about a run");
		}
		return new Found(answer.get(0).equals("wait"),
				(answer.get(1).isEmpty()) ? null : new Copy(answer.get(1), answer.get(2), answer.get(3)));
	}

	private @Nullable Copy known(String run) {
		synchronized (this.known) {
			return this.known.get(run);
		}
	}

	/**
	 * Only what this node wrote, so that what cannot be read is asked for again.
	 */
	private void keep(String run, Copy copy) {
		synchronized (this.known) {
			this.known.put(run, copy);
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

	private <T> T locked(String run, Supplier<T> work) {
		return Deadline.within(this.patience, () -> lockedInTime(run, work));
	}

	private <T> T lockedInTime(String run, Supplier<T> work) {
		ReentrantLock lock = this.locks.get(Math.floorMod(run.hashCode(), LOCKS));
		boolean interrupted = Thread.interrupted();
		boolean locked = false;
		try {
			locked = lock.tryLock(Math.min(LOCK_MILLIS, this.patience.toMillis() / 2), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		try {
			return work.get();
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
	 * A run.
	 *
	 * @param key which
	 * @param born tells it from those that were forgotten
	 */
	private record RedisRun(String key, String born) implements Run {
	}

	/**
	 * What is kept of a run.
	 *
	 * @param version another one each time that it is written
	 * @param born tells the run from those that were forgotten
	 * @param calls its calls
	 */
	private record Copy(String version, String born, String calls) {

		static final int PARTS = 3;

		static final Copy NOTHING = new Copy("", "", "");

	}

	/**
	 * What Redis answered.
	 *
	 * @param waits whether another call has its turn
	 * @param copy what is there now, or {@code null} for nothing
	 */
	private record Found(boolean waits, @Nullable Copy copy) {
	}

	/**
	 * What came of a change.
	 *
	 * @param born the id of the run
	 * @param answer what the change answered
	 */
	private record Written<T>(String born, T answer) {
	}

}
