package io.agenthooks.spring.approval;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.binding.InvalidFeatureException;
import io.agenthooks.spring.state.StoreFailure;

final class InvalidApprovalStoreException extends InvalidFeatureException {

	InvalidApprovalStoreException(String description, String action, @Nullable Throwable cause) {
		super(description, action, cause);
	}

	static InvalidApprovalStoreException noDatabase() {
		return new InvalidApprovalStoreException(
				"'hooks.approval.store' is 'jdbc', but there is no DataSource bean, or there are several and none is "
						+ "@Primary.",
				"Add one, or write 'memory'.", null);
	}

	static InvalidApprovalStoreException unreachable(Exception ex) {
		return new InvalidApprovalStoreException(
				"The tables agent_hooks_approval and agent_hooks_approval_schema cannot be made or read: %s."
					.formatted(StoreFailure.describe(ex)),
				"Check that the database answers at 'spring.datasource' and that its user may select, insert, update and "
						+ "delete there. If the tables are missing, write 'hooks.approval.jdbc.initialize_schema: always' "
						+ "(unless it is written, they are made only in a database in memory), or make them yourself. To do without a database, set 'hooks.approval.store' to 'memory'.",
				ex);
	}

	static InvalidApprovalStoreException otherSchema(List<Integer> versions) {
		return new InvalidApprovalStoreException(
				"The table agent_hooks_approval_schema holds the versions %s, but this version of Agent Hooks knows only %d."
					.formatted(versions, JdbcApprovalStore.SCHEMA),
				"If they are older, drop the tables whose names start with agent_hooks_approval, and let "
						+ "'hooks.approval.jdbc.initialize_schema: always' make them, or run schema-h2.sql or "
						+ "schema-postgresql.sql of io/agenthooks/spring/approval. If they are newer, start the version "
						+ "of Agent Hooks that made them.",
				null);
	}

	/** H2 would lose what it committed if the application is killed. */
	static InvalidApprovalStoreException notLasting() {
		return new InvalidApprovalStoreException(
				"The user of the H2 database has no right to 'set write_delay', so a call could run twice if the "
						+ "application is killed.",
				"Add ';WRITE_DELAY=0' to the address of the database, or let the user be an admin of it.", null);
	}

	static InvalidApprovalStoreException otherOwner(String application, String other, String mainClass) {
		return new InvalidApprovalStoreException(
				"The database keeps questions of the application '%s', which is %s there, and this one is %s: each would decide about calls of the other."
					.formatted(SafeText.name(application), other, mainClass),
				"Write another 'spring.application.name' or 'hooks.application' for this one. If the two are one "
						+ "application, or its main class has another name now, write 'hooks.application: %s'."
							.formatted(SafeText.name(application)),
				null);
	}

	static InvalidApprovalStoreException renamed(String application, String before, int open) {
		return new InvalidApprovalStoreException(
				"The database keeps %d open question(s) that this application asked as '%s', and its name is '%s' now: nobody would answer them, and nothing that people approved would run."
					.formatted(open, before, SafeText.name(application)),
				"Write 'hooks.application: %s' to go on with them, or 'hooks.application: %s' to leave them."
					.formatted(before, SafeText.name(application)),
				null);
	}

}
