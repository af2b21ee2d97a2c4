package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.StateSql;
import io.agenthooks.spring.redis.RedisState;
import io.agenthooks.spring.state.KeyedState;
import io.agenthooks.spring.state.StateStore;
import io.agenthooks.spring.state.StateTerms;
import io.agenthooks.spring.state.WatchedState;

/**
 * Opens state in a time that passes only when a test says so, or in that of the store.
 */
final class TestStates {

	private TestStates() {
	}

	static StateStore redis(StringRedisTemplate template, @Nullable LongSupplier micros) {
		return redis(template, Duration.ofMinutes(1), micros);
	}

	static StateStore redis(StringRedisTemplate template, Duration timeout, @Nullable LongSupplier micros) {
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new RedisState<>(template, "test", terms, timeout, micros);
			}

		};
	}

	static StateStore jdbc(DataSource dataSource, @Nullable LongSupplier micros) {
		JdbcLimitAutoConfiguration.initialize(dataSource, DatabaseInitializationMode.ALWAYS);
		OwnTransactions transactions = new OwnTransactions(dataSource);
		return JdbcState.store(transactions, transactions, sql(dataSource, micros));
	}

	static StateSql sql(DataSource dataSource, @Nullable LongSupplier micros) {
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		StateSql sql = Objects
			.requireNonNull(StateSql.of(Objects.requireNonNull(new JdbcTemplate(dataSource).execute(product))));
		return (micros != null) ? new StateSql(sql.insert(), (client) -> micros.getAsLong(), sql.alone()) : sql;
	}

	static StateStore watched(StateStore store) {
		return new StateStore() {

			@Override
			public <S> KeyedState<S> open(StateTerms<S> terms) {
				return new WatchedState<>(store.open(terms));
			}

		};
	}

}
