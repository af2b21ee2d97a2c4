package io.agenthooks.spring.limit;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * What may be written under {@code hooks.limit}. The annotation is for the metadata of
 * IDEs; it is read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param store Where limits are counted and loops are known, and where rules on the flow
 * of data share what was read.
 * @param jdbc Table that limits are counted in.
 * @param redis Keys that limits are counted under.
 */
@ConfigurationProperties("hooks.limit")
record LimitConfig(@Nullable Store store, @Nullable Jdbc jdbc, @Nullable Redis redis) {

	static final LimitConfig DEFAULT = new LimitConfig(null, null, null);

	private static final Pattern KEY_PREFIX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:._-]{0,99}");

	LimitConfig {
		if (redis != null && redis.keyPrefix() != null && !KEY_PREFIX.matcher(redis.keyPrefix()).matches()) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("redis", "key_prefix"),
					"is no prefix of keys",
					"Write up to 100 letters, digits, colons, dots, dashes and underscores, such as 'shop:limit'.")));
		}
	}

	Store storeOrDefault() {
		return Objects.requireNonNullElse(this.store, Store.MEMORY);
	}

	Schema schema() {
		return (this.jdbc != null && this.jdbc.initializeSchema() != null) ? this.jdbc.initializeSchema()
				: Schema.EMBEDDED;
	}

	String keyPrefix() {
		return (this.redis != null && this.redis.keyPrefix() != null) ? this.redis.keyPrefix() : Redis.DEFAULT_PREFIX;
	}

	/**
	 * Where limits are counted.
	 */
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

	/**
	 * When the table is made.
	 */
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
	 */
	record Redis(@Nullable String keyPrefix) {

		static final String DEFAULT_PREFIX = "agent-hooks:limit";

	}

}
