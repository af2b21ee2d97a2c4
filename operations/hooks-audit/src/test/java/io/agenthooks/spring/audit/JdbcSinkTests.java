package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.jdbc.DyingDataSource;
import io.agenthooks.spring.jdbc.TableScripts;
import io.agenthooks.spring.jdbc.TestPostgres;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link JdbcSink} and {@link JdbcAuditAutoConfiguration}, with H2 and a real
 * PostgreSQL.
 */
@ExtendWith(OutputCaptureExtension.class)
class JdbcSinkTests {

	@TempDir
	Path directory;

	private DataSource database(String kind) {
		DataSource dataSource = (kind.equals("h2")) ? h2() : TestPostgres.shared().getPostgresDatabase();
		new ResourceDatabasePopulator(new ClassPathResource("io/agenthooks/spring/audit/schema-" + kind + ".sql"))
			.execute(dataSource);
		JdbcClient.create(dataSource).sql("delete from hooks_audit").update();
		return dataSource;
	}

	private DataSource h2() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:" + this.directory.getFileName() + ";DB_CLOSE_DELAY=-1");
		return dataSource;
	}

	@ParameterizedTest
	@ValueSource(strings = { "h2", "postgresql" })
	void manyThreadsAndTwoNodesMakeUnbrokenChainsAlsoAfterARestart(String kind) throws InterruptedException {
		DataSource dataSource = database(kind);
		for (int start = 0; start < 2; start++) {
			try (AuditLog one = log(dataSource, "n1"); AuditLog two = log(dataSource, "n2")) {
				List<Thread> threads = new ArrayList<>();
				for (int i = 0; i < 8; i++) {
					AuditLog log = (i % 2 == 0) ? one : two;
					threads.add(new Thread(() -> TestAudit.add(log, 625)));
				}
				threads.forEach(Thread::start);
				for (Thread thread : threads) {
					thread.join();
				}
				// To close them waits for a while only.
				assertThat(one.awaitWritten(TestAudit.LONG)).isTrue();
				assertThat(two.awaitWritten(TestAudit.LONG)).isTrue();
			}
		}
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes()).extracting(AuditVerification.Node::records).containsExactly(5006L, 5006L);
	}

	/**
	 * The pool writes what a broken connection threw into the log, and so does Spring if
	 * the transaction cannot be rolled back.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void connectionThatBreaksLeavesNoRecordInTheLog(boolean pooled, CapturedOutput output) {
		DataSource dataSource = database("postgresql");
		try (HikariDataSource pool = TestPostgres.pool(TestPostgres.shared())) {
			DyingDataSource dying = new DyingDataSource((pooled) ? pool : dataSource, dataSource);
			try (AuditLog log = log(dying, "n1")) {
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
				dying.dieBefore("insert");
				TestAudit.add(log, 3);
				Awaitility.await().atMost(TestAudit.LONG).until(() -> output.getAll().contains("cannot be written"));
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			}
		}
		assertThat(verify(dataSource).isUnbroken()).isTrue();
		assertThat(output).doesNotContain("\"kind\":\"start\"")
			.doesNotContain("\"kind\":\"tool_call\"")
			.doesNotContain("rollback exception");
	}

	@ParameterizedTest
	@ValueSource(strings = { "h2", "postgresql" })
	void changedRowIsNamed(String kind) {
		DataSource dataSource = database(kind);
		try (AuditLog log = log(dataSource, "n1")) {
			TestAudit.add(log, 10);
		}
		JdbcClient.create(dataSource)
			.sql("update hooks_audit set line = replace(line, 'read_file', 'list_file') where record_number = 7")
			.update();
		AuditVerification.Problem problem = verify(dataSource).nodes().get(0).problem();
		assertThat(problem).isNotNull();
		assertThat(problem.kind()).isEqualTo(AuditVerification.Kind.CHANGED);
		assertThat(problem.number()).isEqualTo(7);
		assertThat(problem.place()).isEqualTo("n1/7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "h2", "postgresql" })
	void recordsComeAgainAfterTheDatabaseWasDeadOrTheEndOfATransactionIsUnknown(String kind) {
		DataSource dataSource = database(kind);
		AtomicBoolean dead = new AtomicBoolean();
		AtomicBoolean unknown = new AtomicBoolean();
		DataSource failing = new DelegatingDataSource(dataSource) {
			@Override
			public Connection getConnection() throws SQLException {
				if (dead.get()) {
					throw new SQLException("connection refused");
				}
				Connection connection = super.getConnection();
				return (unknown.getAndSet(false)) ? committingAndFailing(connection) : connection;
			}
		};
		try (AuditLog log = log(failing, "n1")) {
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			dead.set(true);
			TestAudit.add(log, 100);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			dead.set(false);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			unknown.set(true);
			TestAudit.add(log, 100);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
		}
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isEqualTo(203);
	}

	/**
	 * Somebody locks the table; then the connections are cut. A call that waited for the
	 * database would wait for ever: the lock is released behind it.
	 */
	@Test
	@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void slowDatabaseMakesNoCallWaitAndADeadConnectionLosesNothing() throws SQLException {
		DataSource dataSource = database("postgresql");
		try (AuditLog log = log(dataSource, "n1", Duration.ofMillis(300));
				Connection locking = dataSource.getConnection()) {
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			locking.setAutoCommit(false);
			execute(locking, "lock table hooks_audit in exclusive mode");
			TestAudit.add(log, 100);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			assertThat(log.backlog()).isEqualTo(100);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> terminated(dataSource) > 0);
			TestAudit.add(log, 100);
			assertThat(log.isWritable()).isFalse();
			locking.rollback();
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			assertThat(log.isWritable()).isTrue();
		}
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isEqualTo(203);
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			boolean unused = statement.execute(sql);
		}
	}

	private static int terminated(DataSource dataSource) {
		return JdbcClient.create(dataSource)
			.sql("select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'")
			.query(Boolean.class)
			.list()
			.size();
	}

	private static Connection committingAndFailing(Connection connection) {
		return (Connection) Proxy.newProxyInstance(JdbcSinkTests.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					Object result;
					try {
						result = method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
					if (method.getName().equals("commit")) {
						throw new SQLException("connection lost");
					}
					return result;
				});
	}

	@Test
	void applicationThatMayOnlyInsertAndReadCanWriteTheAuditAndNotChangeIt() {
		DataSource owner = database("postgresql");
		JdbcClient client = JdbcClient.create(owner);
		client.sql("create role auditor login password 'auditor'").update();
		client.sql("grant select, insert on hooks_audit to auditor").update();
		PGSimpleDataSource limited = new PGSimpleDataSource();
		limited.setUrl(TestPostgres.shared().getJdbcUrl("auditor", "postgres"));
		limited.setUser("auditor");
		limited.setPassword("auditor");
		try (AuditLog log = log(limited, "n1")) {
			TestAudit.add(log, 10);
		}
		assertThat(verify(owner).isUnbroken()).isTrue();
		JdbcClient attacker = JdbcClient.create(limited);
		for (String sql : List.of("update hooks_audit set line = ''", "delete from hooks_audit", "truncate hooks_audit",
				"drop table hooks_audit")) {
			assertThat(catchThrowable(() -> attacker.sql(sql).update())).as(sql).isNotNull();
		}
		assertThat(verify(owner).isUnbroken()).isTrue();
	}

	@Test
	void nodesThatStartTogetherMakeTheTableOnce() throws Exception {
		DataSource dataSource = TestPostgres.shared().getPostgresDatabase();
		ExecutorService nodes = Executors.newFixedThreadPool(4);
		try {
			for (int round = 0; round < 10; round++) {
				JdbcClient.create(dataSource).sql("drop table if exists hooks_audit").update();
				List<Future<?>> starts = new ArrayList<>();
				for (int i = 0; i < 4; i++) {
					starts.add(nodes
						.submit(() -> TableScripts.run(dataSource, DatabaseInitializationMode.ALWAYS, JdbcSink.class)));
				}
				for (Future<?> start : starts) {
					start.get(30, TimeUnit.SECONDS);
				}
				assertThat(JdbcClient.create(dataSource)
					.sql("select count(*) from hooks_audit")
					.query(Long.class)
					.single()).isZero();
			}
		}
		finally {
			nodes.shutdownNow();
		}
	}

	/**
	 * A database that is away is no collision with another node.
	 */
	@Test
	void tablesOfADatabaseThatIsAwayAreTriedOnce() {
		AtomicInteger connections = new AtomicInteger();
		DataSource away = new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				connections.incrementAndGet();
				throw new SQLException("away", "08001");
			}

			@Override
			public Connection getConnection(String username, String password) throws SQLException {
				return getConnection();
			}

		};
		assertThatException()
			.isThrownBy(() -> TableScripts.run(away, DatabaseInitializationMode.ALWAYS, JdbcSink.class));
		assertThat(connections).hasValueLessThan(5);
	}

	@Test
	void applicationMakesTheTableOfAnEmbeddedDatabase() {
		DataSource dataSource = h2();
		runner().withBean(DataSource.class, () -> dataSource).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of()));
		});
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isEqualTo(4);
	}

	@Test
	void applicationWithoutADatabaseOrItsLibraryDoesNotStart() {
		runner().run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("there is no DataSource bean"));
		runner().withClassLoader(new FilteredClassLoader(JdbcClient.class))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("needs the dependency spring-boot-starter-jdbc"));
		runner().withClassLoader(new FilteredClassLoader("io.agenthooks.spring.jdbc"))
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("needs the dependency io.agenthooks:hooks-jdbc"));
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, AuditAutoConfiguration.class,
					JdbcAuditAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"))
			.withPropertyValues("hooks.audit.enabled=true", "hooks.audit.store=jdbc", "hooks.audit.node=n1",
					"hooks.audit.key.id=k1", "hooks.audit.key.secret=" + TestAudit.SECRET,
					"hooks.audit.anchor.file=" + this.directory.resolve("anchors/n1.jsonl"));
	}

	private AuditLog log(DataSource dataSource, String node) {
		return log(dataSource, node, Duration.ofSeconds(10));
	}

	private AuditLog log(DataSource dataSource, String node, Duration stall) {
		return TestAudit.log(this.directory, new JdbcSink(dataSource), TestAudit.KEY, Clock.systemUTC(),
				new AuditLog.Settings(node, TestAudit.KEY, 100_000, false, stall, Clock.systemUTC()));
	}

	private AuditVerification verify(DataSource dataSource) {
		AuditVerifier verifier = new AuditVerifier().withKey("k1", TestAudit.SECRET);
		try {
			verifier.anchors(this.directory.resolve("anchors"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		RowCallbackHandler read = (row) -> verifier.record(row.getString(3), row.getString(1) + "/" + row.getLong(2));
		JdbcClient.create(dataSource)
			.sql("select node, record_number, line from hooks_audit order by node, record_number")
			.query(read);
		return verifier.result();
	}

}
