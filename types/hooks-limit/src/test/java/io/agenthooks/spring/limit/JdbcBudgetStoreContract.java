package io.agenthooks.spring.limit;

import javax.sql.DataSource;

import io.agenthooks.spring.state.StateStore;

/**
 * What {@link BudgetStore} does in every database.
 */
abstract class JdbcBudgetStoreContract extends SharedBudgetStoreContract {

	abstract DataSource database();

	@Override
	StateStore states(boolean isVirtual) {
		return TestStates.jdbc(database(), (isVirtual) ? this::micros : null);
	}

}
