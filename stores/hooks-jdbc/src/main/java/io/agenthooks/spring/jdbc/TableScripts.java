package io.agenthooks.spring.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables of a store, by a script {@code schema-<platform>.sql} beside one of
 * its classes. Each statement of the script must do nothing if it was run before.
 *
 * @since 0.1.0
 */
public final class TableScripts {

	/**
	 * More than a script has statements. Nodes that start together may make the same
	 * table at the same moment: PostgreSQL then fails one of them although it says
	 * {@code if not exists}. A node loses at most once by statement.
	 */
	private static final int ATTEMPTS = 25;

	/**
	 * Another node may be the cause: it was there first, was waited for without end, or
	 * changed the catalog.
	 */
	private static final Set<String> COLLISIONS = Set.of("23", "40", "42", "XX");

	private TableScripts() {
	}

	/**
	 * Make the tables if they are not there.
	 * @param dataSource the database
	 * @param mode when to make them
	 * @param sibling a class in the package of the scripts
	 * @throws RuntimeException if the database does not answer or refuses
	 */
	public static void run(DataSource dataSource, DatabaseInitializationMode mode, Class<?> sibling) {
		for (int attempt = 1; mode != DatabaseInitializationMode.NEVER; attempt++) {
			try {
				initializer(dataSource, mode, sibling).initializeDatabase();
				return;
			}
			catch (RuntimeException ex) {
				if (attempt == ATTEMPTS || !isCollision(ex)) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Let the scripts be in a native image.
	 * @param hints what is in the image
	 * @param sibling a class in the package of the scripts
	 */
	public static void register(RuntimeHints hints, Class<?> sibling) {
		for (String platform : List.of("h2", "postgresql")) {
			hints.resources().registerResource(new ClassPathResource("schema-%s.sql".formatted(platform), sibling));
		}
	}

	private static DataSourceScriptDatabaseInitializer initializer(DataSource dataSource,
			DatabaseInitializationMode mode, Class<?> sibling) {
		String scripts = "classpath:%s/schema-@@platform@@.sql"
			.formatted(ClassUtils.classPackageAsResourcePath(sibling));
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(mode);
		settings.setSchemaLocations(
				List.of(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, scripts).get(0)));
		DataSourceScriptDatabaseInitializer initializer = new DataSourceScriptDatabaseInitializer(dataSource, settings);
		initializer.setResourceLoader(new DefaultResourceLoader(sibling.getClassLoader()));
		return initializer;
	}

	private static boolean isCollision(Throwable failure) {
		for (@Nullable
		Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql) {
				String state = sql.getSQLState();
				return state != null && state.length() >= 2 && COLLISIONS.contains(state.substring(0, 2));
			}
		}
		return false;
	}

}
