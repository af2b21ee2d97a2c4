package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.transaction.TransactionException;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.state.StateSql;

/**
 * Removes from the table {@code agent_hooks_flow} what is over, a portion at the expense
 * of one call a minute, or of each call as long as there is more.
 */
final class FlowPurge {

	/** But for what other nodes hold. */
	private static final String OVER = "select hook, number, run_key from agent_hooks_flow where over_at <= ? "
			+ "order by over_at fetch first ? rows only for update skip locked";

	private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

	private static final int AT_ONCE = 500;

	private static final Logger logger = LoggerFactory.getLogger(FlowPurge.class);

	private final OwnTransactions transactions;

	private final StateSql sql;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	FlowPurge(OwnTransactions transactions, StateSql sql) {
		this.transactions = transactions;
		this.sql = sql;
	}

	void run() {
		long now = System.nanoTime();
		long next = this.next.get();
		if (now - next < 0 || !this.next.compareAndSet(next, now + INTERVAL)) {
			return;
		}
		try {
			int removed = this.transactions.write(() -> {
				long time = this.sql.now(this.transactions.client());
				return removeOver(time);
			});
			if (removed == AT_ONCE) {
				this.next.set(System.nanoTime());
			}
		}
		catch (DataAccessException | TransactionException ex) {
			this.warnings.warn("What sessions had read could not be removed: " + ex.getClass().getName());
		}
	}

	/**
	 * In statements of their own: PostgreSQL may find the oldest ones more than once in
	 * one.
	 */
	private int removeOver(long now) {
		Map<Place, List<String>> over = new HashMap<>();
		this.transactions.client()
			.sql(OVER)
			.params(now, AT_ONCE)
			.query((RowCallbackHandler) (row) -> over
				.computeIfAbsent(new Place(row.getString(1), row.getInt(2)), (place) -> new ArrayList<>())
				.add(row.getString(3)));
		return over.entrySet().stream().mapToInt((one) -> remove(one.getKey(), one.getValue())).sum();
	}

	private int remove(Place place, List<String> runs) {
		return this.transactions.client()
			.sql("delete from agent_hooks_flow where hook = :hook and number = :number and run_key in (:runs)")
			.param("hook", place.hook())
			.param("number", place.number())
			.param("runs", runs)
			.update();
	}

	/**
	 * Where rows of several runs are.
	 *
	 * @param hook the hook
	 * @param number which row of each run
	 */
	private record Place(String hook, int number) {
	}

}
