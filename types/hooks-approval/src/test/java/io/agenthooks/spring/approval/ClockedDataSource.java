package io.agenthooks.spring.approval;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A database whose clock is that of another day.
 */
final class ClockedDataSource extends DelegatingDataSource {

	private final String now;

	ClockedDataSource(DataSource dataSource, String day) {
		super(dataSource);
		this.now = "select timestamp with time zone '%s 00:00:00+00'".formatted(day);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					boolean asked = arguments != null && arguments.length > 0
							&& "select current_timestamp".equals(arguments[0]);
					Object[] given = (asked) ? arguments.clone() : arguments;
					if (asked) {
						given[0] = this.now;
					}
					try {
						return method.invoke(connection, given);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
