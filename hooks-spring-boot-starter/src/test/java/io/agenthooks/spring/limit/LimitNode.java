package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * A node that lets calls pass until a limit is used up, or until it is killed.
 */
public final class LimitNode {

	static final int THREADS = 4;

	private LimitNode() {
	}

	/**
	 * Print a line for each call that passed.
	 * @param arguments the limit, and the port of Redis or the address of the database
	 */
	public static void main(String[] arguments) throws Exception {
		LimitStore store = store(arguments[1], SharedLimits.of("node", List.of(WrittenLimit.of(arguments[0])),
				Duration.ofDays(1), 10, SharedLimits.LEASE));
		LimitStore.Answer unused = store.look("k");
		System.out.println("ready");
		boolean go = System.in.read() >= 0;
		Callable<Boolean> caller = () -> {
			boolean passed = go;
			for (int i = 0; passed; i++) {
				passed = passes(store, i % 2 == 0);
				if (passed) {
					System.out.println("passed");
				}
			}
			return passed;
		};
		Executors.newFixedThreadPool(THREADS).invokeAll(Collections.nCopies(THREADS, caller));
		System.out.println("done");
		System.exit(0);
	}

	private static boolean passes(LimitStore store, boolean atOnce) {
		if (atOnce) {
			return store.take("k") instanceof LimitStore.Enough;
		}
		LimitStore.Answer answer = store.enter("k");
		if (answer instanceof LimitStore.Enough enough) {
			store.leave(Objects.requireNonNull(enough.place()), true);
			return true;
		}
		// Others that run may fail, but here all succeed.
		return answer instanceof LimitStore.UsedUp usedUp && usedUp.running() && passes(store, true);
	}

	private static LimitStore store(String address, SharedLimits limits) {
		if (address.startsWith("jdbc:")) {
			return new JdbcLimitStore(new OwnTransactions(new DriverManagerDataSource(address)),
					Objects.requireNonNull(LimitSql.of("PostgreSQL")), limits);
		}
		LettuceConnectionFactory redis = new LettuceConnectionFactory("127.0.0.1", Integer.parseInt(address));
		redis.afterPropertiesSet();
		redis.start();
		return new RedisLimitStore(new StringRedisTemplate(redis), "test", limits);
	}

}
