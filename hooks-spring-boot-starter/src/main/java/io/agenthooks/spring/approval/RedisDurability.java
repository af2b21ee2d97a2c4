package io.agenthooks.spring.approval;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Whether Redis keeps what it was told, as far as it says so. What it loses, such as that
 * an approval was claimed, is as if it had not been.
 */
final class RedisDurability {

	private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(15);

	private static final Logger logger = LoggerFactory.getLogger(RedisDurability.class);

	private RedisDurability() {
	}

	/**
	 * Log what may be lost.
	 */
	static void warn(RedisConnectionFactory factory) {
		List<String> doubts = new ArrayList<>();
		try (RedisConnection connection = factory.getConnection()) {
			RedisServerCommands server = connection.serverCommands();
			Properties info = server.info("persistence");
			if (all(info, "aof_enabled", "0")) {
				doubts.add("it does not persist writes (appendonly is 'no')");
			}
			else if (!all(info, "aof_enabled", "1")) {
				doubts.add("it does not say whether writes are kept in a file (INFO persistence)");
			}
			else {
				check(server, "appendfsync", "always", doubts);
			}
			check(server, "maxmemory-policy", "noeviction|volatile-.+", doubts);
		}
		catch (RuntimeException ex) {
			doubts.add("it does not say what it keeps (" + ex.getClass().getSimpleName() + ")");
		}
		if (!doubts.isEmpty()) {
			logger.warn("Redis may lose questions to people, answers, and that a call ran already: {}. See 'Redis' in "
					+ "docs/approvals.md.", String.join("; ", doubts));
		}
		warnOfLongTimeout(factory);
	}

	/**
	 * Whether all nodes say the same.
	 */
	private static boolean all(@Nullable Properties properties, String name, String value) {
		List<String> values = (properties != null) ? properties.stringPropertyNames()
			.stream()
			.filter((key) -> key.equals(name) || key.endsWith("." + name))
			.map((key) -> properties.getProperty(key).strip())
			.toList() : List.of();
		return !values.isEmpty() && values.stream().allMatch(value::equals);
	}

	private static void check(RedisServerCommands server, String setting, String good, List<String> doubts) {
		try {
			Properties found = Objects.requireNonNull(server.getConfig(setting));
			List<String> values = found.stringPropertyNames().stream().map(found::getProperty).distinct().toList();
			if (values.isEmpty() || !values.stream().allMatch((value) -> value.matches(good))) {
				doubts.add("its '%s' is %s".formatted(setting,
						(values.isEmpty()) ? "not told" : "'" + String.join("', '", values) + "'"));
			}
		}
		catch (RuntimeException ex) {
			doubts.add("it does not report its '%s'".formatted(setting));
		}
	}

	/**
	 * Lettuce waits for a minute unless it is told otherwise.
	 */
	private static void warnOfLongTimeout(RedisConnectionFactory factory) {
		if (ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisDurability.class.getClassLoader())
				&& factory instanceof LettuceConnectionFactory lettuce
				&& lettuce.getClientConfiguration().getCommandTimeout().compareTo(LONGEST_TIMEOUT) > 0) {
			logger.warn(
					"Calls that need people wait up to {} s for an unreachable Redis before they are denied. Write a "
							+ "shorter 'spring.data.redis.timeout', such as 2s.",
					lettuce.getClientConfiguration().getCommandTimeout().toSeconds());
		}
	}

}
