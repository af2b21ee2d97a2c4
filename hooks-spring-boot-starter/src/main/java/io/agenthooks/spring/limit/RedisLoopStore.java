package io.agenthooks.spring.limit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
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
 * node was in between.
 */
final class RedisLoopStore implements LoopStore {

	/**
	 * Keys: the run, all runs of the hook. Arguments: what to do (look or enter, for
	 * which a run may be over; find or end, for which it is not while it is kept), the
	 * time or nothing to use that of Redis, which version is to be replaced or nothing if
	 * there is none, the new version, the id of the run, its calls, the time after which
	 * a run is over, how long it is kept, and how many are. Answers the version that is
	 * there then, the id and the calls of the run, or nothing of each.
	 */
	private static final RedisScript<List<Object>> SCRIPT = RedisScripts.list("""
			local op, now, expected, next = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
			local forget, keep, max = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
			if not now then
				local time = redis.call('TIME')
				now = tonumber(time[1]) * 1000000 + tonumber(time[2])
			end
			local found = redis.call('HMGET', KEYS[1], 'version', 'born', 'used', 'calls')
			local version, born, used, calls = found[1], found[2], tonumber(found[3] or ''), found[4]
			if version and not (born and used and calls) then
				return { 'wrong' }
			end
			if not version or ((op == 'look' or op == 'enter') and now - used >= forget) then
				version, born, calls = '', '', ''
			end
			if op == 'look' or op == 'find' or version ~= expected then
				return { 'is', version, born, calls }
			end
			local function digits(number)
				return string.format('%.0f', number)
			end
			redis.call('HMSET', KEYS[1], 'version', next, 'born', ARGV[5], 'used', digits(now), 'calls', ARGV[6])
			redis.call('PEXPIRE', KEYS[1], digits(keep / 1000))
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

	/** Other nodes that were there first. */
	private static final int MAX_TRIES = 100;

	/** The runs of which a node knows what it wrote. */
	private static final int MAX_KNOWN = 1_000;

	private static final int TURNS = 64;

	/** Whoever waits longer tries without its turn, so that none waits for many. */
	private static final long TURN_MILLIS = 200;

	private final RedisScripts scripts;

	private final LoopSettings settings;

	private final Supplier<String> time;

	private final List<String> terms;

	/** With which all versions of this node begin. */
	private final String node = SharedLimits.newId();

	private final AtomicLong versions = new AtomicLong();

	/** Calls of one run on one node need not make each other try again. */
	private final List<ReentrantLock> turns = Stream.generate(ReentrantLock::new).limit(TURNS).toList();

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
		this(template, keyPrefix, entry, settings, () -> "");
	}

	/**
	 * Create a store.
	 * @param time tells the time in microseconds, or nothing to use that of Redis
	 */
	RedisLoopStore(StringRedisTemplate template, String keyPrefix, String entry, LoopSettings settings,
			Supplier<String> time) {
		this.scripts = new RedisScripts(template, keyPrefix, entry);
		this.settings = settings;
		this.time = time;
		long forgetAfter = SharedLimits.micros(settings.forgetAfter());
		this.terms = Stream
			.of(forgetAfter, forgetAfter + SharedLimits.micros(SharedLimits.LEASE), (long) settings.maxRuns())
			.map(String::valueOf)
			.toList();
	}

	@Override
	public Entered enter(String run, String call, String tool) {
		return inTurn(run, () -> {
			Copy copy = known(run);
			for (int i = 0; i < MAX_TRIES; i++) {
				RunCalls calls = (copy != null) ? RunCalls.read(this.settings, copy.calls())
						: new RunCalls(this.settings);
				RunCalls.Looked looked = calls.enter(call, tool);
				Copy next = next(copy, calls);
				copy = ask("enter", run, copy, next);
				if (copy != null && copy.isSame(next)) {
					keep(run, copy);
					return new Entered(looked, new RedisRun(run, copy.born()));
				}
			}
			throw tooManyTries();
		});
	}

	@Override
	public void end(Run run, String call, String tool, String result, @Nullable Boolean failed) {
		change(run, (calls) -> {
			calls.end(call, tool, result, failed);
			return calls;
		});
	}

	@Override
	public void leave(Run run) {
		change(run, (calls) -> {
			calls.leave();
			return calls;
		});
	}

	/**
	 * Change a run, unless it was forgotten. A call that ends keeps it, however long it
	 * took, as long as it is there.
	 */
	private void change(Run run, Function<RunCalls, RunCalls> use) {
		RedisRun changed = (RedisRun) run;
		boolean unused = inTurn(changed.key(), () -> {
			Copy copy = known(changed.key());
			if (copy == null || !copy.born().equals(changed.born())) {
				copy = ask("find", changed.key(), null, Copy.NOTHING);
			}
			for (int i = 0; i < MAX_TRIES; i++) {
				if (copy == null || !copy.born().equals(changed.born())) {
					return false;
				}
				Copy next = next(copy, use.apply(RunCalls.read(this.settings, copy.calls())));
				copy = ask("end", changed.key(), copy, next);
				if (copy != null && copy.isSame(next)) {
					keep(changed.key(), copy);
					return true;
				}
			}
			throw tooManyTries();
		});
	}

	private static IllegalStateException tooManyTries() {
		return new IllegalStateException("Other nodes change a run all the time");
	}

	@Override
	public RunCalls.Looked look(String run, String call, String tool) {
		Copy copy = ask("look", run, null, Copy.NOTHING);
		RunCalls calls = (copy != null) ? RunCalls.read(this.settings, copy.calls()) : new RunCalls(this.settings);
		return calls.look(call, tool);
	}

	private Copy next(@Nullable Copy copy, RunCalls calls) {
		String version = this.node + this.versions.incrementAndGet();
		return new Copy(version, (copy != null) ? copy.born() : version, calls.write());
	}

	/**
	 * Ask Redis.
	 * @param copy what is to be replaced, or {@code null} for nothing
	 * @param next what is to be written if that is so
	 * @return what is there now, or {@code null} for nothing
	 */
	private @Nullable Copy ask(String what, String run, @Nullable Copy copy, Copy next) {
		List<String> arguments = Stream
			.concat(Stream.of(what, this.time.get(), (copy != null) ? copy.version() : "", next.version(), next.born(),
					next.calls()), this.terms.stream())
			.toList();
		List<String> answer = this.scripts.run(SCRIPT, List.of("run:" + run, "runs"), arguments);
		if (answer.size() != Copy.PARTS + 1 || !answer.get(0).equals("is")) {
			throw new UnusableAnswerException("Redis gave no answer about a run");
		}
		return (answer.get(1).isEmpty()) ? null : new Copy(answer.get(1), answer.get(2), answer.get(3));
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

	private <T> T inTurn(String run, Supplier<T> work) {
		ReentrantLock turn = this.turns.get(Math.floorMod(run.hashCode(), TURNS));
		boolean locked = false;
		try {
			locked = turn.tryLock(TURN_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		try {
			return work.get();
		}
		finally {
			if (locked) {
				turn.unlock();
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

		/**
		 * Whether this is what was written, now or by a first try behind which the
		 * connection broke.
		 */
		boolean isSame(Copy written) {
			return this.version.equals(written.version);
		}

	}

}
