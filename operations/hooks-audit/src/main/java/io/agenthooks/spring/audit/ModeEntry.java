package io.agenthooks.spring.audit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A hook was to observe only for a while, or decides again.
 *
 * @param length for how long, or {@code null} if it decides again
 * @param user who wanted it, or {@code null} if its time was over
 */
record ModeEntry(String hook, boolean observes, @Nullable Duration length, @Nullable String user,
		long time) implements AuditEntry {

	@Override
	public String kind() {
		return HOOK_MODE;
	}

	@Override
	public long weight() {
		return (long) this.hook.length() + ((this.user != null) ? this.user.length() : 0);
	}

}
