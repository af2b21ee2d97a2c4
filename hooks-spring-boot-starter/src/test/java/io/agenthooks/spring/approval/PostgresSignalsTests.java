package io.agenthooks.spring.approval;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PostgresSignals} with a real PostgreSQL.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresSignalsTests {

	/** Longer than any of these tests: what ends a wait is not the poll. */
	private static final Duration NEVER = Duration.ofMinutes(10);

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration SOON = Duration.ofSeconds(20);

	private static EmbeddedPostgres postgres;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeAll
	static void startPostgres() throws IOException {
		postgres = TestPostgres.start();
	}

	@AfterAll
	static void stopPostgres() throws IOException {
		postgres.close();
	}

	@BeforeEach
	void dropTables() {
		// Those of an earlier test or class may just be ending.
		Awaitility.await().atMost(SOON).until(() -> threadsThatListen().isEmpty());
		JdbcClient client = JdbcClient.create(database());
		client.sql("drop table if exists agent_hooks_approval_turn").update();
		client.sql("drop table if exists agent_hooks_approval_call").update();
		client.sql("drop table if exists agent_hooks_approval").update();
		client.sql("drop table if exists agent_hooks_approval_schema").update();
		JdbcApprovalAutoConfiguration.initialize(database(), DatabaseInitializationMode.ALWAYS);
	}

	@AfterEach
	void stopThreads() throws InterruptedException {
		this.threads.shutdownNow();
		assertThat(this.threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
	}

	private static DataSource database() {
		return postgres.getPostgresDatabase();
	}

	private static ApprovalStore node() {
		return node(database(), NEVER);
	}

	private static ApprovalStore node(DataSource dataSource, Duration poll) {
		return JdbcApprovalStore.open(dataSource, "shop", poll,
				(waits) -> new PostgresSignals(dataSource, waits, true));
	}

	@Test
	void decisionOfAnotherNodeEndsTheWaitThoughNobodyPolls() throws Exception {
		try (ApprovalStore one = node(); ApprovalStore two = node()) {
			assertThat(decided(one, two, "first")).isLessThan(SOON);
			// Now the listener is there.
			assertThat(decided(one, two, "second")).isLessThan(Duration.ofSeconds(15));
		}
	}

	/**
	 * Let a node wait, and another one decide.
	 * @return how long it took until the first knew
	 */
	private Duration decided(ApprovalStore one, ApprovalStore two, String id) throws Exception {
		ApprovalRequest asked = ApprovalStoreContract.asked(one, Questions.question(id));
		Future<ApprovalRequest> waiting = this.threads.submit(() -> settled(one, asked));
		Awaitility.await().atMost(SOON).until(PostgresSignalsTests::isListenedTo);
		long start = System.nanoTime();
		assertThat(two.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
		assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private static ApprovalRequest settled(ApprovalStore node, ApprovalRequest asked) throws InterruptedException {
		ApprovalRequest last = asked;
		while (last.state() == ApprovalState.PENDING) {
			node.await(last.id(), last.revision(), LONG);
			last = node.find(last.id()).orElseThrow();
		}
		return last;
	}

	private static boolean isListenedTo() {
		return !listeners().isEmpty();
	}

	private static List<Integer> listeners() {
		return JdbcClient.create(database())
			.sql("select pid from pg_stat_activity where query like 'select pg_notify(''%' and pid <> pg_backend_pid()")
			.query((row, number) -> row.getInt(1))
			.list();
	}

	@Test
	void noDecisionBetweenReadingAndWaitingIsMissed() throws Exception {
		try (ApprovalStore one = node(); ApprovalStore two = node()) {
			decided(one, two, "first");
			for (int i = 0; i < 100; i++) {
				ApprovalRequest asked = ApprovalStoreContract.asked(one, Questions.question("q" + i));
				Future<Boolean> deciding = this.threads
					.submit(() -> two.replace(asked, Questions.approved(asked), Questions.NOW));
				assertThat(settled(one, asked).state()).isEqualTo(ApprovalState.APPROVED);
				assertThat(deciding.get(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
		}
	}

	@Test
	void listenerThatIsKilledComesBack(CapturedOutput output) throws Exception {
		try (ApprovalStore one = node(); ApprovalStore two = node()) {
			ApprovalRequest early = ApprovalStoreContract.asked(one, Questions.question("early"));
			decided(one, two, "first");
			Future<ApprovalRequest> waiting = this.threads.submit(() -> settled(one, early));
			List<Integer> killed = listeners();
			assertThat(killed).isNotEmpty();
			killed.forEach((pid) -> JdbcClient.create(database())
				.sql("select pg_terminate_backend(?)")
				.param(pid)
				.query(Boolean.class)
				.single());
			// It may be told while nobody listens, and is found when somebody does again.
			assertThat(two.replace(early, Questions.approved(early), Questions.NOW)).isTrue();
			assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
			Awaitility.await().atMost(SOON).until(() -> listeners().stream().anyMatch((pid) -> !killed.contains(pid)));
			decided(one, two, "second");
		}
		assertThat(output).containsOnlyOnce("until the database can be listened to again")
			.contains("with SQLState 57P01");
	}

	@Test
	void poolerThatDropsListenIsToldAndPolledBehind(CapturedOutput output) throws Exception {
		AtomicBoolean dropped = new AtomicBoolean();
		DataSource pooler = withStatements(database(), (sql) -> {
			dropped.compareAndSet(false, sql.startsWith("listen"));
			return (sql.startsWith("listen")) ? "select 1" : sql;
		});
		try (ApprovalStore one = node(pooler, Duration.ofMillis(100)); ApprovalStore two = node()) {
			ApprovalRequest asked = ApprovalStoreContract.asked(one, Questions.question("q"));
			Future<ApprovalRequest> waiting = this.threads.submit(() -> settled(one, asked));
			Awaitility.await().atMost(SOON).untilTrue(dropped);
			assertThat(two.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
			Awaitility.await().atMost(SOON).until(() -> output.getOut().contains("it sends nothing"));
		}
		assertThat(output).containsOnlyOnce("until the database can be listened to again");
	}

	@Test
	void closeEndsTheThreadAndGivesTheConnectionBackAsItCame() throws Exception {
		try (Connection connection = database().getConnection()) {
			connection.setAutoCommit(false);
			int timeout = connection.getNetworkTimeout();
			SingleConnectionDataSource pool = new SingleConnectionDataSource(connection, true);
			PostgresSignals signals = new PostgresSignals(pool, new ApprovalWaits(NEVER, (ids) -> {
				throw new IllegalStateException("Nobody waits");
			}), true);
			assertThat(threadsThatListen()).isEmpty();
			signals.listen();
			signals.listen();
			assertThat(threadsThatListen()).singleElement().matches(Thread::isDaemon);
			Awaitility.await().atMost(SOON).until(PostgresSignalsTests::isListenedTo);
			signals.close();
			assertThat(threadsThatListen()).isEmpty();
			assertThat(connection.getAutoCommit()).isFalse();
			assertThat(connection.getNetworkTimeout()).isEqualTo(timeout);
			assertThat(JdbcClient.create(pool).sql("select pg_listening_channels()").query(String.class).list())
				.isEmpty();
			signals.listen();
			assertThat(threadsThatListen()).isEmpty();
		}
	}

	private static List<Thread> threadsThatListen() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals(PostgresSignals.THREAD))
			.toList();
	}

	@Test
	void nodeWithoutAConnectionToSpareTellsAndDoesNotListen() throws Exception {
		DataSource dataSource = database();
		try (ApprovalStore one = node();
				ApprovalStore two = JdbcApprovalStore.open(dataSource, "shop", Duration.ofMillis(100),
						(waits) -> new PostgresSignals(dataSource, waits, false))) {
			decided(one, two, "first");
			ApprovalRequest asked = ApprovalStoreContract.asked(one, Questions.question("q"));
			Future<ApprovalRequest> waiting = this.threads.submit(() -> settled(two, asked));
			assertThat(one.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			assertThat(waiting.get(SOON.toSeconds(), TimeUnit.SECONDS).state()).isEqualTo(ApprovalState.APPROVED);
			assertThat(threadsThatListen()).hasSize(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ ", 10, true", "true, 10, true", ", , true", ", -1, true", "false, 10, false", ", 2, false",
			"true, 2, false" })
	void applicationListensIfItsPoolHasAConnectionToSpare(Boolean listen, Integer size, boolean listens,
			CapturedOutput output) {
		DataSourcePoolMetadata pool = Mockito.mock();
		BDDMockito.given(pool.getMax()).willReturn(size);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(JdbcApprovalAutoConfiguration.class))
			.withPropertyValues("hooks.approval.enabled=true")
			.withBean(DataSource.class, PostgresSignalsTests::database)
			.withBean(DataSourcePoolMetadataProvider.class, () -> (dataSource) -> pool)
			.run((context) -> {
				try (ApprovalStore store = context.getBean(JdbcApprovals.class).open("shop", "ALWAYS", listen)) {
					store.await("unknown", 1, Duration.ofSeconds(1));
					assertThat(threadsThatListen()).hasSize((listens) ? 1 : 0);
				}
			});
		assertThat(output.getOut().contains("has only 2 connection(s)"))
			.isEqualTo(size != null && size == 2 && !Boolean.FALSE.equals(listen));
	}

	@Test
	void onlyTheIdIsTold() throws Exception {
		try (ApprovalStore node = node(); Connection connection = database().getConnection()) {
			connection.createStatement().execute("listen " + PostgresSignals.CHANNEL);
			ApprovalRequest asked = ApprovalStoreContract.asked(node, Questions.question("q"));
			assertThat(node.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			List<String> told = new ArrayList<>();
			Awaitility.await().atMost(SOON).until(() -> {
				PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications(100);
				for (PGNotification notification : Objects.requireNonNullElse(heard, new PGNotification[0])) {
					told.add(notification.getParameter());
				}
				return !told.isEmpty();
			});
			assertThat(told).containsExactly("q");
		}
	}

	@Test
	void decisionThatCannotBeToldCountsNevertheless(CapturedOutput output) {
		AtomicBoolean silent = new AtomicBoolean();
		DataSource failing = withStatements(database(), (sql) -> {
			if (sql.equals("select pg_notify(?, ?)")) {
				silent.set(true);
				throw new SQLException("the queue is full", "54000");
			}
			return sql;
		});
		try (ApprovalStore node = node(failing, NEVER)) {
			ApprovalRequest asked = ApprovalStoreContract.asked(node, Questions.question("q"));
			assertThat(node.replace(asked, Questions.approved(asked), Questions.NOW)).isTrue();
			assertThat(node.find("q")).map(ApprovalRequest::state).contains(ApprovalState.APPROVED);
		}
		assertThat(silent).isTrue();
		assertThat(output).contains("Other nodes find a decision only by polling").doesNotContain("the queue is full");
	}

	/**
	 * A database that gets other statements than it was told.
	 */
	private static DataSource withStatements(DataSource dataSource, Rewriting rewriting) {
		return new DelegatingDataSource(dataSource) {
			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return proxy(Connection.class, connection, (name, arguments) -> {
					if (name.equals("prepareStatement")) {
						arguments[0] = rewriting.rewrite((String) arguments[0]);
					}
					return name.equals("createStatement")
							? proxy(Statement.class, connection.createStatement(), (execute, sql) -> {
								if (execute.equals("execute")) {
									sql[0] = rewriting.rewrite((String) sql[0]);
								}
								return null;
							}) : null;
				});
			}
		};
	}

	private static <T> T proxy(Class<T> type, T target, Interception interception) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				Object instead = interception.instead(method.getName(), arguments);
				if (instead != null) {
					return instead;
				}
				try {
					return method.invoke(target, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

	private interface Rewriting {

		String rewrite(String sql) throws SQLException;

	}

	private interface Interception {

		@Nullable Object instead(String method, Object[] arguments) throws SQLException;

	}

}
