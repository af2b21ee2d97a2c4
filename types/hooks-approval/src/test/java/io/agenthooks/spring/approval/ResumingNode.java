package io.agenthooks.spring.approval;

import javax.sql.DataSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.agenthooks.spring.suspend.ResumedTurn;

/**
 * A node that resumes a call and is killed while the tool runs.
 */
public final class ResumingNode {

	static final int KILLED = 9;

	private ResumingNode() {
	}

	/**
	 * Resume a call.
	 * @param arguments the address of the database, and the id of the question
	 */
	public static void main(String[] arguments) {
		try (ApprovalApplication application = new ApprovalApplication()) {
			DataSource dataSource = new DriverManagerDataSource(arguments[0]);
			application.run(node(application, dataSource), (context) -> {
				ResumedTurn unused = application.approvals().resume(arguments[1], (call) -> (same) -> {
					Runtime.getRuntime().halt(KILLED);
					throw new IllegalStateException("It was killed");
				});
			});
		}
	}

	static ApplicationContextRunner node(ApprovalApplication application, DataSource dataSource) {
		return application.asking()
			.withBean(DataSource.class, () -> dataSource)
			// Another node is started while a question waits.
			.withPropertyValues("hooks.approval.jdbc.initialize_schema=always", "hooks.approval.timeout=10m");
	}

}
