package io.agenthooks.spring.approval;

import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.jdbc.TableScripts;

/**
 * Keeps questions to people in tables of the application's database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ApprovalAutoConfiguration.class)
@ConditionalOnClass(
		name = { "io.agenthooks.spring.jdbc.TableScripts", "org.springframework.jdbc.core.simple.JdbcClient",
				"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer" })
@ConditionalOnFeature("approval")
@ImportRuntimeHints(JdbcApprovalAutoConfiguration.ScriptHints.class)
public final class JdbcApprovalAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(JdbcApprovalAutoConfiguration.class);

	/**
	 * Lazy, so an application that keeps them in memory needs no table; behind Flyway and
	 * the like.
	 */
	@Bean
	@DependsOnDatabaseInitialization
	JdbcApprovals hooksJdbcApprovals(ObjectProvider<DataSource> dataSources, ListableBeanFactory beanFactory) {
		return new JdbcApprovals() {

			@Override
			public boolean isAvailable() {
				return dataSources.getIfUnique() != null;
			}

			@Override
			public List<String> names() {
				return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, DataSource.class));
			}

			@Override
			public boolean isOwn() {
				DataSource dataSource = dataSources.getIfUnique();
				return dataSource != null && EmbeddedDatabaseConnection.isEmbedded(dataSource);
			}

			@Override
			public ApprovalStore open(StoreOwner owner, String initializeSchema) {
				DataSource dataSource = dataSources.getIfUnique();
				if (dataSource == null) {
					throw InvalidApprovalStoreException.noDatabase();
				}
				initialize(dataSource, DatabaseInitializationMode.valueOf(initializeSchema));
				boolean isOwn = EmbeddedDatabaseConnection.isEmbedded(dataSource);
				if (isOwn) {
					logger
						.warn("Questions to people are kept in a database in memory: no question and no turn outlives "
								+ "the application. Give 'spring.datasource.url' a file (jdbc:h2:file:...) or PostgreSQL.");
				}
				JdbcApprovalStore store = JdbcApprovalStore.open(dataSource, owner.application());
				if (!isOwn) {
					store.owners().take(owner);
				}
				return store;
			}

		};
	}

	static void initialize(DataSource dataSource, DatabaseInitializationMode mode) {
		try {
			TableScripts.run(dataSource, mode, JdbcApprovalStore.class);
		}
		catch (RuntimeException ex) {
			throw InvalidApprovalStoreException.unreachable(ex);
		}
	}

	/** The scripts, for a native image. */
	static final class ScriptHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			TableScripts.register(hints, JdbcApprovalStore.class);
		}

	}

}
