package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * The options of {@code hooks.limit}. The annotation is for the metadata of IDEs; it is
 * read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param store Where limits are counted and loops are known, and where rules on the flow
 * of data share what was read.
 * @param timeout How long each use of a store is waited for that nodes share.
 * @param jdbc Table that limits are counted in.
 * @param redis Keys that limits are counted under.
 */
@ConfigurationProperties("hooks.limit")
record LimitConfig(@Nullable Store store, @Nullable Duration timeout, @Nullable Jdbc jdbc, @Nullable Redis redis) {

	static final LimitConfig DEFAULT = new LimitConfig(null, null, null, null);

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

	private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);

	private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

	private static final Pattern KEY_PREFIX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:._-]{0,99}");

	LimitConfig {
		List<Problem> problems = new ArrayList<>();
		if (timeout != null && (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0)) {
			problems.add(new Problem(List.of("timeout"), "is out of range",
					"Write a time from 10ms to 1m, such as 2s. A number without a unit is seconds."));
		}
		if (redis != null && redis.keyPrefix() != null && !KEY_PREFIX.matcher(redis.keyPrefix()).matches()) {
			problems.add(new Problem(List.of("redis", "key_prefix"), "is no prefix of keys",
					"Write up to 100 letters, digits, colons, dots, dashes and underscores, such as 'shop:limit'."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	Store storeOrDefault() {
		return Objects.requireNonNullElse(this.store, Store.MEMORY);
	}

	Duration timeoutOrDefault() {
		return Objects.requireNonNullElse(this.timeout, DEFAULT_TIMEOUT);
	}

	Schema schema() {
		return (this.jdbc != null && this.jdbc.initializeSchema() != null) ? this.jdbc.initializeSchema()
				: Schema.EMBEDDED;
	}

	String keyPrefix() {
		return (this.redis != null && this.redis.keyPrefix() != null) ? this.redis.keyPrefix() : Redis.DEFAULT_PREFIX;
	}

	boolean mayEvict() {
		return this.redis != null && Boolean.TRUE.equals(this.redis.mayEvict());
	}

	/** The store of limits. */
	enum Store {

		/** In the memory of the application: each node counts for itself. */
		MEMORY,

		/** In a table of a database. */
		JDBC,

		/** In Redis. */
		REDIS;

		/**
		 * The name, as it is configured.
		 */
		String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** The condition under which the table is made. */
	enum Schema {

		/** In any database. */
		ALWAYS,

		/** In a database that runs within the application. */
		EMBEDDED,

		/** Never: it is there. */
		NEVER

	}

	/**
	 * The table that limits are counted in.
	 *
	 * @param initializeSchema When the table is made at the start.
	 */
	record Jdbc(@Nullable Schema initializeSchema) {
	}

	/**
	 * The keys that limits are counted under.
	 *
	 * @param keyPrefix Prefix of the keys, the same for all nodes of one application and
	 * another one for each application.
	 * @param mayEvict Whether a Redis is used that may drop keys when its memory is full.
	 * Limits that it dropped begin anew, or deny where that can be seen.
	 */
	record Redis(@Nullable String keyPrefix, @Nullable Boolean mayEvict) {

		static final String DEFAULT_PREFIX = "agent-hooks:limit";

	}

}
