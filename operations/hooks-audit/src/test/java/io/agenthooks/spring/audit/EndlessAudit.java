package io.agenthooks.spring.audit;

import java.nio.file.Path;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * An application that records until it is killed.
 */
public final class EndlessAudit {

	private EndlessAudit() {
	}

	/**
	 * Record, and say how many calls are kept for good.
	 * @param arguments the directory, and the address of a database, if records go there
	 */
	public static void main(String[] arguments) {
		Path directory = Path.of(arguments[0]);
		AuditLog log = (arguments.length == 1) ? TestAudit.log(directory, "n1")
				: TestAudit.log(directory, new JdbcSink(new DriverManagerDataSource(arguments[1])), "n1", 100_000);
		for (int acknowledged = 100;; acknowledged += 100) {
			TestAudit.add(log, 100);
			if (!log.awaitWritten(TestAudit.LONG)) {
				return;
			}
			System.out.println(acknowledged);
			if (!log.isWritable()) {
				return;
			}
		}
	}

}
