package io.agenthooks.spring.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

import javax.sql.DataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * Makes the tables that state is kept in.
 */
final class StateTables {

	private StateTables() {
	}

	static void create(DataSource database) throws SQLException {
		try (Connection connection = database.getConnection()) {
			String platform = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("io/agenthooks/spring/limit/schema-%s.sql".formatted(platform)));
		}
	}

}
