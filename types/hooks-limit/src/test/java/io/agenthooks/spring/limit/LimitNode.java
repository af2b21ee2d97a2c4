package io.agenthooks.spring.limit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.StateSql;
import io.agenthooks.spring.jdbc.TestPostgres;
import io.agenthooks.spring.redis.RedisState;
import io.agenthooks.spring.state.StateStore;

/**
 * A node that lets calls pass until a limit is used up, or until it is killed.
 */
public final class LimitNode {

	static final int THREADS = 4;

	/** How many calls run at the same time. */
	static final int SLOTS = 3;

	/** Long enough for a test to sweep up behind a node that it killed. */
	static final Duration LEASE = Duration.ofSeconds(8);

	/** Long enough for three nodes on a machine that is busy. */
	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	/** What calls that run make, one each. */
	private static final int TURNS = 50;

	private LimitNode() {
	}

	/**
	 * Print a line for each call that passed, and one for each that failed.
	 * @param arguments what is counted, joined by {@code +} what is at the same time, and
	 * by a comma what is one after the other, each when a line is read; how many calls
	 * pass in all; the port of Redis or the address of the database; how many threads
	 * call; how many calls each makes, or 0 if it goes on until none is left; the
	 * directory of calls that run
	 */
	public static void main(String[] arguments) throws Exception {
		int calls = Integer.parseInt(arguments[1]);
		int threads = Integer.parseInt(arguments[3]);
		int tries = Integer.parseInt(arguments[4]);
		List<List<Callable<Boolean>>> rounds = new ArrayList<>();
		for (String round : arguments[0].split(",", -1)) {
			List<Callable<Boolean>> callers = new ArrayList<>();
			for (String what : round.split("\\+", -1)) {
				IntPredicate passes = switch (what) {
					case "limit" -> limit(arguments[2], calls);
					case "budget" -> budget(arguments[2], calls);
					case "loop" -> loop(arguments[2], calls);
					default -> slots(arguments[2], Path.of(arguments[5]));
				};
				int turns = (what.equals("slots")) ? TURNS : tries;
				callers.addAll(Collections.nCopies(threads, () -> call(what, turns, passes)));
			}
			rounds.add(callers);
		}
		System.out.println("ready");
		for (List<Callable<Boolean>> callers : rounds) {
			boolean unused = System.in.read() >= 0;
			Executors.newFixedThreadPool(callers.size()).invokeAll(callers);
			System.out.println("round done");
		}
		System.out.println("done");
		System.exit(0);
	}

	private static boolean call(String what, int tries, IntPredicate passes) {
		boolean passed = true;
		for (int i = 0; passed && (tries == 0 || i < tries); i++) {
			try {
				passed = passes.test(i);
				if (passed) {
					System.out.println(what + " passed");
				}
			}
			catch (RuntimeException ex) {
				System.out.println(what + " failed");
				LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			}
		}
		return passed;
	}

	private static IntPredicate limit(String address, int calls) {
		SharedLimits limits = SharedLimits.of("node", List.of(WrittenLimit.of(calls + " per session")),
				Duration.ofDays(1), 10, SharedLimits.MAX_PLACES, SharedLimits.LEASE);
		LimitStore store = LimitStore.open(List.of(limits), states(address));
		LimitStore.Answer unused = store.look(List.of("k"), null);
		return (i) -> passes(store, i % 2 == 0);
	}

	private static boolean passes(LimitStore store, boolean atOnce) {
		if (atOnce) {
			return store.take(List.of("k"), null) instanceof LimitStore.Enough;
		}
		LimitStore.Answer answer = store.enter(List.of("k"), null);
		if (answer instanceof LimitStore.Enough enough) {
			store.leave(Objects.requireNonNull(enough.place()), true);
			return true;
		}
		// Others that run may fail, but here all succeed.
		return answer instanceof LimitStore.UsedUp usedUp && usedUp.running() && passes(store, true);
	}

	/**
	 * Calls that use up a tenth each. Some are given back, and are made again then.
	 */
	private static IntPredicate budget(String address, int calls) {
		SharedBudget budget = SharedBudget.of("node", "calls",
				new BudgetTerms(new BigDecimal(calls).movePointLeft(1), "year", BudgetPeriod.YEAR, ZoneOffset.UTC,
						new LimitKey(List.of(), null), OnMissingKey.DENY, BigDecimal.ONE.negate(), 10,
						Duration.ofDays(1)),
				SharedLimits.MAX_PLACES, SharedLimits.LEASE);
		BudgetStore store = BudgetStore.open(budget, states(address));
		BigDecimal tenth = new BigDecimal("0.1");
		BudgetStore.Answer unused = store.look("k", tenth);
		return (i) -> {
			for (int again = 0;; again++) {
				BudgetStore.Answer answer = (i % 2 == 0) ? store.take("k", tenth) : store.reserve("k", tenth);
				if (answer instanceof BudgetStore.Enough enough) {
					boolean counts = i % 5 != 0 || again > 0;
					store.settle(Objects.requireNonNull(enough.place()), counts);
					if (counts) {
						return true;
					}
				}
				else {
					// Whoever gives something back makes its call again.
					return false;
				}
			}
		};
	}

	/**
	 * Calls of a run that makes only so many.
	 */
	private static IntPredicate loop(String address, int calls) {
		LoopConfig.Steps never = new LoopConfig.Steps(0, 0, 0);
		LoopSettings settings = LoopSettings
			.of(new LoopConfig(never, never, never, new LoopConfig.Steps(0, calls, 0), null, null, null, null));
		LoopStore store = LoopStore.open("node", settings, SharedLimits.LEASE, states(address));
		RunCalls.Looked unused = store.look("run", "call", "tool");
		return (i) -> {
			String call = "call" + i;
			LoopStore.Entered entered = store.enter("run", call, "tool");
			boolean passes = entered.looked().finding().passes();
			if (passes) {
				store.end(entered.run(), call, "tool", "result" + i, false);
			}
			return passes;
		};
	}

	/**
	 * Calls that have a file while they run. They see whether there are too many.
	 */
	private static IntPredicate slots(String address, Path running) {
		Leases leases = SharedLeases.open("node", SLOTS, LEASE, states(address));
		SharedSlots slots = new SharedSlots(leases, LEASE);
		boolean unused = slots.hasRoom("k");
		return (i) -> {
			try {
				Slots.Slot slot = Objects.requireNonNull(slots.enter("k", Duration.ofSeconds(60)));
				Path file = Files.createTempFile(running, ProcessHandle.current().pid() + "-", "");
				try (Stream<Path> all = Files.list(running)) {
					if (all.count() > SLOTS) {
						System.out.println("too many");
					}
				}
				Files.delete(file);
				slots.leave(slot);
				return true;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		};
	}

	private static boolean isDatabase(String address) {
		return address.startsWith("jdbc:");
	}

	private static StateStore states(String address) {
		if (isDatabase(address)) {
			OwnTransactions transactions = new OwnTransactions(TestPostgres.pool(address));
			return JdbcState.store(transactions, transactions, Objects.requireNonNull(StateSql.of("PostgreSQL")));
		}
		return RedisState.store(redis(address), "test", TIMEOUT);
	}

	private static StringRedisTemplate redis(String port) {
		LettuceConnectionFactory redis = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", Integer.parseInt(port)),
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build());
		redis.afterPropertiesSet();
		redis.start();
		return new StringRedisTemplate(redis);
	}

}
