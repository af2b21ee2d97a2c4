package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.ended.LimitLeft;

/**
 * Tells what calls leave of a limit. To find it out may take time, so hooks ask first
 * whether anybody listens.
 */
final class LeftNotes {

	private volatile @Nullable Consumer<LimitLeft> listener;

	void tell(Consumer<LimitLeft> listener) {
		this.listener = listener;
	}

	boolean isHeard() {
		return this.listener != null;
	}

	/**
	 * A negative rest is not known; the time until the limit is new may be {@code null}.
	 */
	void add(long remaining, @Nullable Duration resetIn) {
		if (!isHeard()) {
			return;
		}
		add((remaining >= 0) ? BigDecimal.valueOf(remaining) : null,
				(resetIn != null) ? Instant.now().plus(resetIn) : null);
	}

	/**
	 * The rest is {@code null} if it is not known; so is the time when the limit is new.
	 */
	void add(@Nullable BigDecimal remaining, @Nullable Instant reset) {
		Consumer<LimitLeft> heard = this.listener;
		if (heard != null && (remaining != null || reset != null)) {
			heard.accept(new LimitLeft(remaining, reset));
		}
	}

}
