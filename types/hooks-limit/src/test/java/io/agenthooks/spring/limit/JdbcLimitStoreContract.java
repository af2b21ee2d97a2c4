package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.agenthooks.spring.state.StateStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@link LimitStore} does in every database.
 */
abstract class JdbcLimitStoreContract extends SharedLimitStoreContract {

	abstract DataSource database();

	@Override
	StateStore states(boolean isVirtual) {
		return TestStates.jdbc(database(), (isVirtual) ? this::micros : null);
	}

	@Test
	void callCountsAlsoIfTheTransactionOfTheToolIsRolledBack() {
		LimitStore store = limits("2 per session");
		new TransactionTemplate(new JdbcTransactionManager(database())).executeWithoutResult((status) -> {
			assertThat(passing(store, "k", 1)).isEqualTo(1);
			status.setRollbackOnly();
		});
		assertThat(passing(store, "k", 2)).isEqualTo(1);
	}

	/**
	 * All of them are in the row of the key.
	 */
	@Test
	void onlySomeCallsThatWaitAreRememberedAndForALimitedTime() {
		LimitStore store = limits("1000 per session");
		for (int i = 0; i <= SharedKey.MAX_REMEMBERED; i++) {
			assertThat(store.take(List.of("k"), "call" + i)).isInstanceOf(LimitStore.Enough.class);
			store.remember(List.of("k"), "call" + i);
		}
		assertThat(kept()).doesNotContain(SharedKey.digestOf("call0", 0)).contains(SharedKey.digestOf("call1", 0));
		pass(SharedLimits.REMEMBERED);
		assertThat(passing(store, "k", 1)).isOne();
		assertThat(kept()).hasSizeLessThan(60);
	}

	private String kept() {
		return Objects.requireNonNull(
				JdbcClient.create(database()).sql("select kept from agent_hooks_limit").query(String.class).single());
	}

	@Test
	void rowsThatAreOverAreRemoved() {
		assertThat(passing(limits("1 per 1s"), "k", 1)).isEqualTo(1);
		pass(Duration.ofMinutes(1));
		assertThat(passing(limits("1 per 1h"), "k", 1)).isEqualTo(1);
		assertThat(
				JdbcClient.create(database()).sql("select limit_key from agent_hooks_limit").query(String.class).list())
			.isEqualTo(List.of("k"));
	}

}
