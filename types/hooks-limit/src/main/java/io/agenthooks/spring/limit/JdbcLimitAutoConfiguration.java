package io.agenthooks.spring.limit;

import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

import io.agenthooks.spring.jdbc.JdbcState;
import io.agenthooks.spring.jdbc.OwnTransactions;
import io.agenthooks.spring.jdbc.StateSql;
import io.agenthooks.spring.jdbc.TableScripts;

/**
 * Counts limits in a table of the application's database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = LimitHooksAutoConfiguration.class)
@ConditionalOnClass(
		name = { "io.agenthooks.spring.jdbc.TableScripts", "org.springframework.jdbc.core.simple.JdbcClient",
				"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer" })
@ImportRuntimeHints(JdbcLimitAutoConfiguration.ScriptHints.class)
public final class JdbcLimitAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(JdbcLimitAutoConfiguration.class);

	/**
	 * Lazy, so an application that counts in memory needs no table; behind Flyway and the
	 * like.
	 */
	@Bean
	@DependsOnDatabaseInitialization
	LimitStoreOpener hooksJdbcLimits(ObjectProvider<DataSource> dataSources) {
		return new LimitStoreOpener(LimitConfig.Store.JDBC, (config, application) -> {
			DataSource dataSource = dataSources.getIfUnique();
			if (dataSource == null) {
				throw InvalidLimitStoreException.noDatabase();
			}
			return open(dataSource, config, application);
		});
	}

	private static LimitStores open(DataSource dataSource, LimitConfig config, @Nullable String application) {
		try {
			ConnectionCallback<String> product = (connection) -> {
				DatabaseMetaData database = connection.getMetaData();
				return database.getDatabaseProductName();
			};
			StateSql sql = StateSql.of(Objects.requireNonNull(new JdbcTemplate(dataSource).execute(product)));
			if (sql == null) {
				throw InvalidLimitStoreException.otherDatabase();
			}
			boolean embedded = EmbeddedDatabaseConnection.isEmbedded(dataSource);
			if (application == null && !embedded) {
				throw InvalidLimitStoreException.noApplication(LimitConfig.Store.JDBC);
			}
			initialize(dataSource, DatabaseInitializationMode.valueOf(config.schema().name()));
			if (embedded) {
				logger.warn(
						"Limits are kept in a database in memory: no other node shares them, and they do not outlive the "
								+ "application. Give 'spring.datasource.url' a file (jdbc:h2:file:...) or PostgreSQL.");
			}
			KnownApplications.add(new JdbcState<>(new OwnTransactions(dataSource), sql, KnownApplications.TERMS),
					Objects.requireNonNullElse(application, ""));
			OwnTransactions transactions = new OwnTransactions(dataSource, config.timeoutOrDefault());
			OwnTransactions renewals = new OwnTransactions(dataSource,
					min(config.timeoutOrDefault(), SlotRenewals.renewal(SharedSlots.LEASE)));
			return new SharedLimitStores(JdbcState.store(transactions, renewals, sql), LimitConfig.Store.JDBC,
					Objects.requireNonNullElse(application, ""));
		}
		catch (DataAccessException | TransactionException ex) {
			throw InvalidLimitStoreException.unreachable(ex);
		}
	}

	private static Duration min(Duration one, Duration other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

	static void initialize(DataSource dataSource, DatabaseInitializationMode mode) {
		try {
			TableScripts.run(dataSource, mode, JdbcState.class);
		}
		catch (RuntimeException ex) {
			throw InvalidLimitStoreException.unreachable(ex);
		}
	}

	static final class ScriptHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			TableScripts.register(hints, JdbcState.class);
		}

	}

}
