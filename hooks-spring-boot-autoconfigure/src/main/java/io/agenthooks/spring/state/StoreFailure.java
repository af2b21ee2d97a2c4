package io.agenthooks.spring.state;

import java.sql.SQLException;

/**
 * Describes why a store cannot be used, without messages: that of a driver may quote an
 * address with a password.
 *
 * @since 0.1.0
 */
public final class StoreFailure {

	private static final int MAX_CAUSES = 20;

	private StoreFailure() {
	}

	/**
	 * Describe a failure and its causes.
	 * @param failure the failure
	 * @return their names, with SQL states
	 */
	public static String describe(Throwable failure) {
		StringBuilder description = new StringBuilder();
		Throwable cause = failure;
		for (int depth = 0; depth < MAX_CAUSES && cause != null; depth++, cause = cause.getCause()) {
			description.append((description.isEmpty()) ? "" : ", ").append(cause.getClass().getSimpleName());
			if (cause instanceof SQLException sql && sql.getSQLState() != null) {
				description.append(" with SQLState ").append(sql.getSQLState());
			}
		}
		return description.toString();
	}

}
