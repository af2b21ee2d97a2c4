package io.agenthooks.spring.jdbc;

import java.util.List;
import java.util.function.ToLongFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The statements in which databases differ.
 *
 * @param insert adds a row, unless there is one
 * @param time asks for the time of the database in microseconds, which is that of the
 * statement
 * @param alone waits until no other transaction has the lock of two numbers, and has it
 * until the transaction ends; {@code null} if there is no such lock
 * @since 0.1.0
 */
public record StateSql(String insert, ToLongFunction<JdbcClient> time, @Nullable String alone) {

	/** Tells these locks from those of others. */
	private static final int LOCKS = "agent_hooks_limit".hashCode();

	/** Locks rows that are over, but for those that calls of other nodes hold. */
	static final String OVER = "select hook, limit_key from agent_hooks_limit where over_at <= ? order by over_at "
			+ "fetch first ? rows only for update skip locked";

	private static final String INSERT = "insert into agent_hooks_limit (hook, limit_key, over_at, kept) "
			+ "values (?, ?, ?, ?)";

	/**
	 * Find the statements for a database.
	 * @param product its name
	 * @return what to say, or {@code null} if nobody knows
	 */
	public static @Nullable StateSql of(String product) {
		return switch (product) {
			case "PostgreSQL" -> new StateSql(INSERT + " on conflict do nothing", time("clock_timestamp()"),
					"select pg_advisory_xact_lock(?, ?)");
			case "H2" -> new StateSql(INSERT, time("current_timestamp"), null);
			default -> null;
		};
	}

	private static ToLongFunction<JdbcClient> time(String function) {
		String select = "select cast(extract(epoch from %s) * 1000000 as bigint)".formatted(function);
		return (client) -> client.sql(select).query(Long.class).single();
	}

	/** If the database can tell. */
	void waitForOthers(JdbcClient client, String hook) {
		if (this.alone != null) {
			List<Boolean> unused = client.sql(this.alone)
				.params(LOCKS, hook.hashCode())
				.query((row, number) -> true)
				.list();
		}
	}

	/**
	 * The time of the database.
	 * @param client asks it
	 * @return the time in microseconds
	 */
	public long now(JdbcClient client) {
		return this.time.applyAsLong(client);
	}

}
