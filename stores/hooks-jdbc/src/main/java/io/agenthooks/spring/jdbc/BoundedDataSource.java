package io.agenthooks.spring.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Bounds waiting for a database that does not even refuse, from the first question on: a
 * transaction begins with one. The application's connection gets its own bound back.
 */
final class BoundedDataSource extends DelegatingDataSource {

	private static final Logger logger = LoggerFactory.getLogger(BoundedDataSource.class);

	private final int millis;

	BoundedDataSource(DataSource dataSource, int millis) {
		super(ownOf(dataSource));
		this.millis = millis;
	}

	private static DataSource ownOf(DataSource dataSource) {
		return (dataSource instanceof TransactionAwareDataSourceProxy proxy)
				? Objects.requireNonNull(proxy.getTargetDataSource()) : dataSource;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return bounded(super.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return bounded(super.getConnection(username, password));
	}

	private Connection bounded(Connection connection) {
		try {
			int before = connection.getNetworkTimeout();
			if (before > 0 && before <= this.millis) {
				return connection;
			}
			connection.setNetworkTimeout(Runnable::run, this.millis);
			return (Connection) Proxy.newProxyInstance(BoundedDataSource.class.getClassLoader(),
					new Class<?>[] { Connection.class }, new Bounded(connection, before));
		}
		catch (SQLException ex) {
			logger.trace("The database has no timeout for its network", ex);
			return connection;
		}
	}

	/** A connection that gets its own bound back, in milliseconds. */
	private record Bounded(Connection connection, int before) implements InvocationHandler {

		@Override
		@SuppressWarnings("ReferenceEquality") // a connection equals no other one
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
				throws Throwable {
			if (method.getName().equals("close")) {
				restore();
			}
			else if (method.getName().equals("equals") && arguments != null) {
				return proxy == arguments[0];
			}
			try {
				return method.invoke(this.connection, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private void restore() {
			try {
				if (!this.connection.isClosed()) {
					this.connection.setNetworkTimeout(Runnable::run, this.before);
				}
			}
			catch (SQLException ex) {
				logger.trace("The connection is broken", ex);
			}
		}

	}

}
