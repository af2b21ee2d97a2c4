package io.agenthooks.spring.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * Starts a real PostgreSQL, and waits for it also on a busy machine.
 */
public final class TestPostgres {

	private static final Duration STARTUP = Duration.ofMinutes(2);

	/** More than the threads of any test. */
	private static final int MOST = 80;

	private TestPostgres() {
	}

	/**
	 * The server of this JVM, which nobody stops: for tests that are content without
	 * tables of others.
	 */
	public static EmbeddedPostgres shared() {
		return Shared.SERVER;
	}

	public static EmbeddedPostgres start() throws IOException {
		return EmbeddedPostgres.builder().setPGStartupWait(STARTUP).start();
	}

	/**
	 * A port that nobody gets who does not ask for it, also while the server is stopped.
	 */
	public static int portThatStaysFree() throws IOException {
		int port = 20_000 + (int) (ProcessHandle.current().pid() % 10_000);
		while (true) {
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				port++;
			}
		}
	}

	/**
	 * A pool, as applications have one: PostgreSQL starts a process for each connection,
	 * which takes longer than most of what is done with it.
	 * @param address the address of the database
	 * @return the pool, which has no connection before one is needed
	 */
	public static HikariDataSource pool(String address) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(address);
		config.setMaximumPoolSize(MOST);
		config.setMinimumIdle(0);
		config.setInitializationFailTimeout(-1);
		return new HikariDataSource(config);
	}

	public static HikariDataSource pool(EmbeddedPostgres postgres) {
		return pool(postgres.getJdbcUrl("postgres", "postgres"));
	}

	/**
	 * Stops by itself at the end of the JVM.
	 */
	private static final class Shared {

		static final EmbeddedPostgres SERVER = startUnchecked();

		private static EmbeddedPostgres startUnchecked() {
			try {
				return start();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
