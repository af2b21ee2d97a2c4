package io.agenthooks.spring.audit;

import org.jspecify.annotations.Nullable;

/**
 * All tools were switched off, or on again.
 *
 * @param user who wanted it, or {@code null} if nobody is known
 */
record SwitchEntry(boolean enabled, @Nullable String user, String through, long time) implements AuditEntry {

	@Override
	public String kind() {
		return SWITCH;
	}

	@Override
	public long weight() {
		return (this.user != null) ? this.user.length() : 0;
	}

}
