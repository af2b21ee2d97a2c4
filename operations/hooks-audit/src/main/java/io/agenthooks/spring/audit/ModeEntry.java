package io.agenthooks.spring.audit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The length is {@code null} if the hook decides again, the user if its time was over.
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
