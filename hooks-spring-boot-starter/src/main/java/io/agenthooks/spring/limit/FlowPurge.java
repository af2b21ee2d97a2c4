package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Removes from the table {@code agent_hooks_flow} what is over, a portion at the expense
 * of one call a minute, or of each call as long as there is more.
 */
final class FlowPurge {

	/** But for what other nodes hold. */
	private static final String PURGE = "delete from agent_hooks_flow where over_at <= ? and (hook, run_key, number) in "
			+ "(select hook, run_key, number from agent_hooks_flow where over_at <= ? order by over_at "
			+ "fetch first ? rows only for update skip locked)";

	private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

	private static final int AT_ONCE = 500;

	private static final Logger logger = LoggerFactory.getLogger(FlowPurge.class);

	private final OwnTransactions transactions;

	private final LimitSql sql;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	FlowPurge(OwnTransactions transactions, LimitSql sql) {
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
				return this.transactions.client().sql(PURGE).params(time, time, AT_ONCE).update();
			});
			if (removed == AT_ONCE) {
				this.next.set(System.nanoTime());
			}
		}
		catch (DataAccessException | TransactionException ex) {
			this.warnings.warn("What sessions had read could not be removed: " + ex.getClass().getName());
		}
	}

}
