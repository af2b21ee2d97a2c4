package io.agenthooks.spring.jdbc;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A PostgreSQL whose connection ends, or says nothing any more, when a statement is about
 * to be sent by it.
 */
public final class DyingDataSource extends DelegatingDataSource {

	private final DataSource others;

	private final AtomicReference<@Nullable String> next = new AtomicReference<>();

	private final AtomicReference<@Nullable Integer> silent = new AtomicReference<>();

	private volatile boolean silences;

	/**
	 * Create it.
	 * @param database gives the connections that end
	 * @param others gives one that ends them
	 */
	public DyingDataSource(DataSource database, DataSource others) {
		super(database);
		this.others = others;
	}

	/**
	 * Let the next statement that starts so find no connection any more.
	 * @param statement how it starts
	 */
	public void dieBefore(String statement) {
		this.next.set(statement);
	}

	/**
	 * Let the next statement that starts so find a connection that is open, and by which
	 * nobody answers, until this is {@linkplain #wake woken}.
	 * @param statement how it starts
	 */
	public void fallSilentBefore(String statement) {
		this.silences = true;
		this.next.set(statement);
	}

	/**
	 * Let the silent connection go on.
	 * @throws IOException if that fails
	 */
	public void wake() throws IOException {
		Integer process = this.silent.getAndSet(null);
		if (process != null) {
			signal("-CONT", process);
		}
	}

	private static void signal(String signal, int process) throws IOException {
		new ProcessBuilder("kill", signal, String.valueOf(process)).start().onExit().join();
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(DyingDataSource.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						end(connection, String.valueOf(arguments[0]));
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private void end(Connection connection, String statement) throws SQLException, IOException {
		String awaited = this.next.get();
		if (awaited == null || !statement.startsWith(awaited) || !this.next.compareAndSet(awaited, null)) {
			return;
		}
		int process = connection.unwrap(PGConnection.class).getBackendPID();
		if (this.silences) {
			this.silent.set(process);
			signal("-STOP", process);
		}
		else {
			JdbcClient.create(this.others)
				.sql("select pg_terminate_backend(?)")
				.param(process)
				.query(Boolean.class)
				.single();
		}
	}

}
