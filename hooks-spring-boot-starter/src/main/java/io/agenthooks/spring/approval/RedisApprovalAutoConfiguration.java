package io.agenthooks.spring.approval;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Keeps questions to people in the application's Redis.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ApprovalAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.data.redis.core.StringRedisTemplate")
@Conditional(ApprovalAutoConfiguration.OnApproval.class)
public final class RedisApprovalAutoConfiguration {

	/**
	 * Lazy: who keeps them elsewhere needs no Redis.
	 */
	@Bean
	RedisApprovals hooksRedisApprovals(ObjectProvider<RedisConnectionFactory> factories) {
		return (keyPrefix) -> {
			RedisConnectionFactory factory = factories.getIfUnique();
			if (factory == null) {
				throw InvalidApprovalStoreException.noRedis();
			}
			return RedisApprovalStore.open(factory, keyPrefix, RedisApprovalStore.POLL);
		};
	}

}
