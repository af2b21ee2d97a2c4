package io.agenthooks.spring.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Makes sure that a commit survives if the application is killed. H2 writes to its file
 * up to half a second after a commit, unless it is told to.
 *
 * @since 0.1.0
 */
public final class DurableCommits {

	/** What makes H2 write. */
	public static final String H2_FLUSH = "checkpoint sync";

	private static final String H2_WRITE_DELAY = "select SETTING_VALUE from INFORMATION_SCHEMA.SETTINGS "
			+ "where SETTING_NAME = 'WRITE_DELAY'";

	private final JdbcTemplate template;

	private final boolean isDelayed;

	private DurableCommits(JdbcTemplate template, boolean isDelayed) {
		this.template = template;
		this.isDelayed = isDelayed;
	}

	/**
	 * Find out what the database needs. That its user may do it is known after the first
	 * {@link #flush()}.
	 * @param template a template for the database
	 * @return the commits of this database
	 * @throws DataAccessException if the database does not answer
	 */
	public static DurableCommits of(JdbcTemplate template) {
		return new DurableCommits(template, isDelayed(template));
	}

	/**
	 * Whether what is committed lasts only after a {@link #flush()}.
	 * @return {@code false} if that does nothing
	 */
	boolean isDelayed() {
		return this.isDelayed;
	}

	/**
	 * Write what is committed, if the database does not do so by itself.
	 * @throws DataAccessException if that fails; of H2 also if its user is no admin
	 */
	public void flush() {
		if (this.isDelayed) {
			this.template.execute(H2_FLUSH);
		}
	}

	private static boolean isDelayed(JdbcTemplate template) {
		boolean lasting = Boolean.TRUE.equals(template.execute((Connection connection) -> {
			DatabaseMetaData database = connection.getMetaData();
			return !"H2".equals(database.getDatabaseProductName())
					|| String.valueOf(database.getURL()).startsWith("jdbc:h2:mem:");
		}));
		if (lasting) {
			return false;
		}
		try {
			return JdbcClient.create(template)
				.sql(H2_WRITE_DELAY)
				.query(String.class)
				.list()
				.stream()
				.noneMatch("0"::equals);
		}
		catch (DataAccessException ex) {
			// Another version of H2 has its settings elsewhere.
			return true;
		}
	}

}
