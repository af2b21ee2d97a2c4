package io.agenthooks.spring.state;

import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import io.agenthooks.chain.FailMode;
import io.agenthooks.chain.NotAskedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link StoreWatch}: a store that is away may pass, if its hook fails open;
 * one that has no connection left for this call may not.
 */
class StoreWatchTests {

	private final StoreWatch watch = new StoreWatch();

	private static RuntimeException noConnection(String pool) {
		return new CannotGetJdbcConnectionException("Failed to obtain JDBC Connection",
				new SQLTransientConnectionException(
						"HikariPool-1 - Connection is not available, request timed out after 1000ms " + pool));
	}

	private RuntimeException use(RuntimeException failure) {
		return (RuntimeException) catchThrowable(() -> this.watch.run(() -> {
			throw failure;
		}));
	}

	@Test
	void poolWhoseConnectionsAreAllTakenPassesUnderNoMode() {
		RuntimeException thrown = use(noConnection("(total=10, active=10, idle=0, waiting=7)"));
		assertThat(thrown).isInstanceOf(NotAskedException.class).hasMessageContaining("busy with other calls");
		assertThat(FailMode.OPEN.passes(thrown)).isFalse();
	}

	@Test
	void databaseThatTakesNoConnectionsIsAway() {
		RuntimeException away = noConnection("(total=0, active=0, idle=0, waiting=7)");
		assertThat(use(away)).isSameAs(away);
		assertThat(FailMode.OPEN.passes(away)).isTrue();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.watch.use(() -> {
			throw new IllegalStateException();
		}));
	}

}
