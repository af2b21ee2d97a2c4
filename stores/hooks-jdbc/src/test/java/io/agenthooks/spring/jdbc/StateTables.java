package io.agenthooks.spring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

import javax.sql.DataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * Makes the tables that state is kept in.
 */
public final class StateTables {

	private StateTables() {
	}

	/**
	 * Make them.
	 * @param database where
	 * @throws SQLException if that fails
	 */
	public static void create(DataSource database) throws SQLException {
		try (Connection connection = database.getConnection()) {
			String platform = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("io/agenthooks/spring/jdbc/schema-%s.sql".formatted(platform)));
		}
	}

}
