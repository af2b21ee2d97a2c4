package io.agenthooks.spring.limit;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.InvalidFeatureException;
import io.agenthooks.spring.binding.MissingModuleException;
import io.agenthooks.spring.state.StoreFailure;

final class InvalidLimitStoreException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	private InvalidLimitStoreException(String description, String action, @Nullable Throwable cause) {
		super(description, action, cause);
	}

	static InvalidLimitStoreException noLibrary(LimitConfig.Store store) {
		boolean isRedis = store == LimitConfig.Store.REDIS;
		return new InvalidLimitStoreException(
				"'hooks.limit.store' is '%s', which needs the dependency %s.".formatted(store.text(),
						MissingModuleException.dependencyOf(store.text(),
								(isRedis) ? "spring-boot-starter-data-redis" : "spring-boot-starter-jdbc")),
				(isRedis) ? "Add it, or write 'jdbc' or 'memory'."
						: "Add it and a DataSource, or write 'redis' or 'memory'.",
				null);
	}

	/** Other applications may count in the same place, and nothing tells them apart. */
	static InvalidLimitStoreException noApplication(LimitConfig.Store store) {
		return new InvalidLimitStoreException(
				"'hooks.limit.store' is '%s', where other applications may count as well, but this one has no name."
					.formatted(store.text()),
				"Write 'spring.application.name', or 'hooks.application', the same on all nodes of this application.",
				null);
	}

	/**
	 * Redis may drop limits that are used up. Its policy is {@code null} if it does not
	 * tell.
	 */
	static InvalidLimitStoreException mayEvict(@Nullable String policy) {
		return new InvalidLimitStoreException(
				"'hooks.limit.store' is 'redis', and Redis may drop limits that are used up when its memory is full: "
						+ ((policy != null) ? "its maxmemory-policy is '%s'.".formatted(policy)
								: "it does not tell its maxmemory-policy."),
				"Set its 'maxmemory-policy' to 'noeviction', or write 'hooks.limit.redis.may_evict: true' if limits may "
						+ "begin anew then.",
				null);
	}

	static InvalidLimitStoreException noDatabase() {
		return new InvalidLimitStoreException(
				"'hooks.limit.store' is 'jdbc', but there is no DataSource bean, or there are several and none is "
						+ "@Primary.",
				"Add one, or write 'redis' or 'memory'.", null);
	}

	static InvalidLimitStoreException otherDatabase() {
		return new InvalidLimitStoreException(
				"'hooks.limit.store' is 'jdbc', but the database is neither PostgreSQL nor H2.",
				"Write 'redis' or 'memory'.", null);
	}

	static InvalidLimitStoreException unreachable(Exception ex) {
		return new InvalidLimitStoreException(
				"The table agent_hooks_limit cannot be made or read: %s.".formatted(StoreFailure.describe(ex)),
				"Check that the database answers at 'spring.datasource' and that its user may select, insert, update and "
						+ "delete there. If the table is missing, write 'hooks.limit.jdbc.initialize_schema: always', or "
						+ "make it yourself. To count on each node for itself, set 'hooks.limit.store' to 'memory'.",
				ex);
	}

	static InvalidLimitStoreException noRedis() {
		return new InvalidLimitStoreException(
				"'hooks.limit.store' is 'redis', but there is no RedisConnectionFactory bean, or there are several and "
						+ "none is @Primary.",
				"Add spring-boot-starter-data-redis and 'spring.data.redis', or write 'jdbc' or 'memory'.", null);
	}

	static InvalidLimitStoreException redisUnreachable(Exception ex) {
		return new InvalidLimitStoreException("Redis cannot be asked: %s.".formatted(StoreFailure.describe(ex)),
				"Check that it answers at 'spring.data.redis', and that its user may run EVAL, EVALSHA, TIME, DEL, "
						+ "PEXPIRE, PTTL and the commands for hashes and sorted sets. To count on each node for itself, set "
						+ "'hooks.limit.store' to 'memory'.",
				ex);
	}

}
