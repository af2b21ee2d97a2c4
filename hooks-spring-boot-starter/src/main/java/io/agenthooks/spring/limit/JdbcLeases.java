package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.jdbc.OwnTransactions;

/**
 * Keeps in the table {@code agent_hooks_limit} which calls run, by the clock of the
 * database: those of a key, each with the end of its lease, in a row that is locked while
 * it changes.
 */
final class JdbcLeases implements Leases {

	/** They are all in one text. */
	static final int MAX = 1_000;

	private static final String VERSION = "r1;";

	private final LimitRows rows;

	private final LimitRows renewed;

	private final Duration patience;

	private final int max;

	private final long lease;

	/**
	 * Create leases.
	 * @param sql what depends on the database
	 * @param entry tells these calls from those of other hooks
	 * @param max how many calls of a key run at the same time, at most {@value #MAX}
	 */
	JdbcLeases(OwnTransactions transactions, LimitSql sql, String entry, int max, Duration lease) {
		this(transactions, transactions, sql, entry, max, lease);
	}

	/**
	 * Create leases.
	 * @param renewals the transactions in which leases are renewed, which others wait for
	 * @param sql what depends on the database
	 * @param entry tells these calls from those of other hooks
	 * @param max how many calls of a key run at the same time, at most {@value #MAX}
	 */
	JdbcLeases(OwnTransactions transactions, OwnTransactions renewals, LimitSql sql, String entry, int max,
			Duration lease) {
		// A row stays for each key until it is purged, but only calls that run hold
		// places.
		this.rows = new LimitRows(transactions, sql, entry, Integer.MAX_VALUE);
		this.renewed = new LimitRows(renewals, sql, entry, Integer.MAX_VALUE);
		this.patience = renewals.timeout();
		this.max = max;
		this.lease = SharedLimits.micros(lease);
	}

	@Override
	public boolean enter(String key, String id) {
		return this.rows.change(key, false, (text, now) -> {
			Map<String, Long> running = running(text, now);
			if (running.size() >= this.max) {
				return LimitRows.Changed.nothing(false);
			}
			running.put(id, now + this.lease);
			return changed(running, now);
		});
	}

	/**
	 * Drivers count seconds, so whoever has no time to wait does not wait at all.
	 */
	@Override
	public void renew(String key, String id) {
		LimitRows.Change<Boolean> renew = (text, now) -> {
			Map<String, Long> running = running(text, now);
			running.put(id, now + this.lease);
			return changed(running, now);
		};
		boolean unused = Deadline.isBefore(this.patience.dividedBy(2)) ? this.renewed.changeAtOnce(key, false, renew)
				: this.renewed.change(key, false, renew);
	}

	@Override
	public void leave(String key, String id) {
		this.rows.changeKnown(key, (text, now) -> {
			Map<String, Long> running = running(text, now);
			return (running.remove(id) != null) ? changed(running, now) : LimitRows.Changed.nothing(false);
		});
	}

	@Override
	public boolean hasRoom(String key) {
		return this.rows.read(key, false,
				(text, now) -> LimitRows.Changed.nothing(running(text, now).size() < this.max));
	}

	private static Map<String, Long> running(@Nullable String text, long now) {
		Map<String, Long> running = new LinkedHashMap<>();
		if (text == null) {
			return running;
		}
		if (!text.startsWith(VERSION)) {
			throw unreadable();
		}
		for (String call : text.substring(VERSION.length()).split(",", -1)) {
			int end = call.indexOf('=');
			try {
				long until = (end > 0) ? Long.parseLong(call.substring(end + 1)) : 0;
				if (until > now) {
					running.put(call.substring(0, end), until);
				}
			}
			catch (NumberFormatException ex) {
				throw unreadable();
			}
		}
		return running;
	}

	private static UnusableAnswerException unreadable() {
		return new UnusableAnswerException("What is kept of calls that run cannot be read");
	}

	private static LimitRows.Changed<Boolean> changed(Map<String, Long> running, long now) {
		String text = running.entrySet()
			.stream()
			.map((call) -> call.getKey() + "=" + call.getValue())
			.collect(Collectors.joining(",", VERSION, ""));
		return new LimitRows.Changed<>(true, text,
				(running.isEmpty()) ? now : Objects.requireNonNull(Collections.max(running.values())));
	}

}
