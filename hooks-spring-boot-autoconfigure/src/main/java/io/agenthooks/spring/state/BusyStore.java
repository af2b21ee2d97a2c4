package io.agenthooks.spring.state;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.chain.NotAskedException;

/**
 * Tells a store that is busy with others from one that is away: other calls change the
 * same rows all the time, or others, also tools, have all connections of the
 * application's pool. How much that is is up to the agent. What may be either is busy.
 */
final class BusyStore {

	private static final int MAX_CAUSES = 40;

	/**
	 * Messages of pools that have no free connection since some are in use: HikariCP,
	 * Tomcat, Commons DBCP, UCP and H2.
	 */
	private static final Pattern TAKEN = Pattern.compile("\\(total=\\d+, active=[1-9]\\d*, idle=\\d+, waiting=\\d+\\)"
			+ "|\\[size:\\d+; busy:[1-9]|Timeout waiting for idle object|Pool exhausted"
			+ "|All connections in the Universal Connection Pool are in use|^Login timeout$");

	/** Messages of HikariCP and Tomcat about a pool that could open no connection. */
	private static final Pattern EMPTY = Pattern.compile("\\(total=0, active=0,|\\[size:0; busy:0;");

	/**
	 * Messages of pools after a wait for a connection, whether all are in use or none can
	 * be opened: c3p0, Agroal, Druid, Vibur, BoneCP, Atomikos, IronJacamar and WebLogic.
	 */
	private static final Pattern WAITED = Pattern.compile("attempt by a client to checkout a connection has timed out"
			+ "|acquisition timeout|wait millis \\d+, active \\d+|couldn't obtain sql connection from pool"
			+ "|timed out waiting for a free available connection|connection pool exhausted"
			+ "|no managed connections available|no resources currently available in pool"
			+ "|connection is not available, request timed out", Pattern.CASE_INSENSITIVE);

	/** The same by the simple names of exceptions. */
	private static final Set<String> WAITING = Set.of("PoolExhaustedException", "GetConnectionTimeoutException");

	/**
	 * Exceptions that say that others hold a row or the connections: Spring's, the
	 * drivers', those of the JDK, and that of {@code hooks-jdbc}.
	 */
	private static final Set<String> LOCKED = Set.of("ConcurrencyFailureException", "TransactionTimedOutException",
			"SQLTimeoutException", "SQLTransactionRollbackException", "NoFreeConnectionException");

	/**
	 * The same by SQL states, of the standard, PostgreSQL, MySQL, H2, Derby and DB2: a
	 * lock that is not available, a deadlock, transactions that cannot be put in a row,
	 * and a statement that took too long.
	 */
	private static final Set<String> STATES = Set.of("40001", "40P01", "40XL1", "40XL2", "41000", "55P03", "57014",
			"57033", "61000", "HYT00", "S1T00", "25P03", "25P04");

	/** The same by numbers, of MySQL, SQL Server, Oracle and H2. */
	private static final Set<Integer> NUMBERS = Set.of(1205, 1213, 1222, 3572, 54, 60, 30006, 50200);

	private BusyStore() {
	}

	static boolean isCauseOf(Throwable failure) {
		Set<Throwable> causes = causes(failure);
		if (causes.stream().anyMatch(BusyStore::isBusy)) {
			return true;
		}
		boolean away = causes.stream().anyMatch(BusyStore::isAway);
		return !away && causes.stream().anyMatch(BusyStore::hasWaited);
	}

	/** With the exceptions that drivers and pools add to one of SQL. */
	private static Set<Throwable> causes(Throwable failure) {
		Set<Throwable> causes = Collections.newSetFromMap(new IdentityHashMap<>());
		Deque<Throwable> open = new ArrayDeque<>();
		open.add(failure);
		while (!open.isEmpty() && causes.size() < MAX_CAUSES) {
			Throwable cause = open.remove();
			if (causes.add(cause)) {
				add(open, cause.getCause());
				add(open, (cause instanceof SQLException sql) ? sql.getNextException() : null);
			}
		}
		return causes;
	}

	private static void add(Deque<Throwable> open, @Nullable Throwable cause) {
		if (cause != null) {
			open.add(cause);
		}
	}

	private static boolean isBusy(Throwable cause) {
		return cause instanceof NotAskedException || TAKEN.matcher(String.valueOf(cause.getMessage())).find()
				|| hasName(cause, LOCKED)
				|| (cause instanceof SQLException sql
						&& (STATES.contains(Objects.requireNonNullElse(sql.getSQLState(), ""))
								|| NUMBERS.contains(sql.getErrorCode())));
	}

	private static boolean isAway(Throwable cause) {
		return cause instanceof ConnectException || cause instanceof UnknownHostException
				|| cause instanceof NoRouteToHostException
				|| (cause instanceof SQLException sql
						&& Objects.requireNonNullElse(sql.getSQLState(), "").startsWith("08"))
				|| EMPTY.matcher(String.valueOf(cause.getMessage())).find();
	}

	private static boolean hasWaited(Throwable cause) {
		return cause instanceof SQLTransientConnectionException
				|| WAITED.matcher(String.valueOf(cause.getMessage())).find() || hasName(cause, WAITING)
				|| cause.getClass().getName().equals("com.mchange.v2.resourcepool.TimeoutException");
	}

	private static boolean hasName(Throwable cause, Set<String> names) {
		for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
			if (names.contains(type.getSimpleName())) {
				return true;
			}
		}
		return false;
	}

}
