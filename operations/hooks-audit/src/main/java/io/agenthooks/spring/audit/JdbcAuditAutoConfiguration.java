package io.agenthooks.spring.audit;

import javax.sql.DataSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

import io.agenthooks.spring.assembly.ConditionalOnFeature;
import io.agenthooks.spring.jdbc.TableScripts;

/**
 * Keeps the audit in a table if {@code hooks.audit.store} is {@code jdbc}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = AuditAutoConfiguration.class)
@ConditionalOnClass(
		name = { "io.agenthooks.spring.jdbc.TableScripts", "org.springframework.jdbc.core.simple.JdbcClient",
				"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer" })
@ConditionalOnFeature("audit")
@ImportRuntimeHints(AuditHints.class)
public final class JdbcAuditAutoConfiguration {

	/** Lazy, so an application with files needs no table; behind Flyway and the like. */
	@Bean
	@DependsOnDatabaseInitialization
	AuditStore hooksAuditJdbcStore(ObjectProvider<DataSource> dataSources) {
		return (config) -> {
			DataSource dataSource = dataSources.getIfUnique();
			if (dataSource == null) {
				throw new InvalidAuditException(
						"'hooks.audit.store' is 'jdbc', but there is no DataSource bean, or there are several and none "
								+ "is @Primary.",
						"Add one, or write 'file'.");
			}
			try {
				TableScripts.run(dataSource, DatabaseInitializationMode.valueOf(config.schema().name()),
						JdbcSink.class);
			}
			catch (RuntimeException ex) {
				throw InvalidAuditException.unreachable("The table hooks_audit cannot be made", ex);
			}
			return new JdbcSink(dataSource);
		};
	}

}
