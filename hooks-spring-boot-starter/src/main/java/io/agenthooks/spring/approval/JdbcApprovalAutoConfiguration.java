package io.agenthooks.spring.approval;

import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * Keeps questions to people in tables of the application's database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = ApprovalAutoConfiguration.class)
@ConditionalOnClass(name = { "org.springframework.jdbc.core.simple.JdbcClient",
		"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer" })
@Conditional(ApprovalAutoConfiguration.OnApproval.class)
@ImportRuntimeHints(JdbcApprovalAutoConfiguration.ScriptHints.class)
public final class JdbcApprovalAutoConfiguration {

	private static final String SCHEMA = "classpath:io/agenthooks/spring/approval/schema-@@platform@@.sql";

	/** Nodes that start together may make the same table at the same moment. */
	private static final int ATTEMPTS = 3;

	/**
	 * Lazy, so an application that keeps them in memory needs no table; behind Flyway and
	 * the like.
	 */
	@Bean
	@DependsOnDatabaseInitialization
	JdbcApprovals hooksJdbcApprovals(ObjectProvider<DataSource> dataSources) {
		return new JdbcApprovals() {

			@Override
			public boolean isAvailable() {
				return dataSources.getIfUnique() != null;
			}

			@Override
			public ApprovalStore open(String initializeSchema) {
				DataSource dataSource = dataSources.getIfUnique();
				if (dataSource == null) {
					throw InvalidApprovalStoreException.noDatabase();
				}
				initialize(dataSource, DatabaseInitializationMode.valueOf(initializeSchema));
				return JdbcApprovalStore.open(dataSource);
			}

		};
	}

	static void initialize(DataSource dataSource, DatabaseInitializationMode mode) {
		for (int attempt = 1; mode != DatabaseInitializationMode.NEVER; attempt++) {
			try {
				DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
				settings.setMode(mode);
				settings.setSchemaLocations(
						List.of(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, SCHEMA).get(0)));
				DataSourceScriptDatabaseInitializer initializer = new DataSourceScriptDatabaseInitializer(dataSource,
						settings);
				initializer.setResourceLoader(new DefaultResourceLoader(JdbcApprovalStore.class.getClassLoader()));
				initializer.initializeDatabase();
				return;
			}
			catch (RuntimeException ex) {
				if (attempt == ATTEMPTS) {
					throw InvalidApprovalStoreException.unreachable(ex);
				}
			}
		}
	}

	/**
	 * The scripts, for a native image.
	 */
	static final class ScriptHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (String platform : List.of("h2", "postgresql")) {
				hints.resources()
					.registerResource(
							new ClassPathResource("schema-%s.sql".formatted(platform), JdbcApprovalStore.class));
			}
		}

	}

}
