package io.agenthooks.spring.approval;

import java.io.IOException;
import java.time.Duration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * Starts a real PostgreSQL, and waits for it also on a busy machine.
 */
public final class TestPostgres {

	private static final Duration STARTUP = Duration.ofMinutes(2);

	private TestPostgres() {
	}

	public static EmbeddedPostgres start() throws IOException {
		return EmbeddedPostgres.builder().setPGStartupWait(STARTUP).start();
	}

}
