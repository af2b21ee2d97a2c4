package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.redis.BoundedScripts;
import io.agenthooks.spring.redis.RedisState;

/**
 * Counts limits in the application's Redis.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = LimitHooksAutoConfiguration.class)
@ConditionalOnClass(
		name = { "io.agenthooks.spring.redis.RedisState", "org.springframework.data.redis.core.StringRedisTemplate" })
public final class RedisLimitAutoConfiguration {

	private static final String POLICY = "maxmemory_policy";

	/** To connect and load classes takes longer than what calls wait for. */
	private static final Duration FIRST = Duration.ofSeconds(15);

	private static final Logger logger = LoggerFactory.getLogger(RedisLimitAutoConfiguration.class);

	/** Lazy, because Redis is needed only with {@code hooks.limit.store: redis}. */
	@Bean
	LimitStoreOpener hooksRedisLimits(ObjectProvider<RedisConnectionFactory> factories) {
		return new LimitStoreOpener(LimitConfig.Store.REDIS, (config, application) -> {
			RedisConnectionFactory factory = factories.getIfUnique();
			if (factory == null) {
				throw InvalidLimitStoreException.noRedis();
			}
			if (application == null) {
				throw InvalidLimitStoreException.noApplication(LimitConfig.Store.REDIS);
			}
			return open(factory, config, application);
		});
	}

	private static LimitStores open(RedisConnectionFactory factory, LimitConfig config, String application) {
		String keyPrefix = config.keyPrefix();
		Duration timeout = config.timeoutOrDefault();
		Function<Duration, StringRedisTemplate> templates = templates(factory);
		StringRedisTemplate first = templates.apply((timeout.compareTo(FIRST) > 0) ? timeout : FIRST);
		try {
			KnownApplications.add(RedisState.store(first, keyPrefix, FIRST).open(KnownApplications.TERMS), application);
		}
		catch (RuntimeException ex) {
			throw InvalidLimitStoreException.redisUnreachable(ex);
		}
		if (!config.mayEvict()) {
			refuseEviction(factory);
		}
		StringRedisTemplate template = templates.apply(timeout);
		return new SharedLimitStores(RedisState.store(template, keyPrefix, timeout), LimitConfig.Store.REDIS,
				application);
	}

	/**
	 * For scripts that are waited for no longer than a time. Another client than Lettuce
	 * waits as long as it is told to.
	 */
	private static Function<Duration, StringRedisTemplate> templates(RedisConnectionFactory factory) {
		if (ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisLimitAutoConfiguration.class.getClassLoader())
				&& factory instanceof LettuceConnectionFactory lettuce) {
			return BoundedScripts.templates(lettuce);
		}
		StringRedisTemplate template = new StringRedisTemplate(factory);
		return (timeout) -> template;
	}

	/** A key that Redis drops is a limit that begins anew. */
	private static void refuseEviction(RedisConnectionFactory factory) {
		String policy = policy(factory);
		if (!"noeviction".equals(policy)) {
			throw InvalidLimitStoreException.mayEvict(policy);
		}
	}

	/**
	 * {@code null} if Redis does not tell. Many that are rented out do not tell how they
	 * are configured, but all tell how they are.
	 */
	private static @Nullable String policy(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			Properties found = connection.serverCommands().info("memory");
			if (found == null) {
				return null;
			}
			// In a cluster the names start with the node that says so.
			List<String> policies = found.stringPropertyNames()
				.stream()
				.filter((name) -> name.endsWith(POLICY))
				.map(found::getProperty)
				.distinct()
				.sorted()
				.toList();
			return (policies.isEmpty()) ? null : String.join(", ", policies);
		}
		catch (RuntimeException ex) {
			logger.debug("Redis does not tell its '{}'", POLICY, ex);
			return null;
		}
	}

}
