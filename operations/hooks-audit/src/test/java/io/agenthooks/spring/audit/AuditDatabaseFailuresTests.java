package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import io.agenthooks.spring.jdbc.DyingDataSource;
import io.agenthooks.spring.jdbc.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JdbcSink} while applications are killed and databases end in the
 * middle, with H2 in a file and a real PostgreSQL.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class AuditDatabaseFailuresTests {

	private static final int THREADS = 8;

	@TempDir
	Path directory;

	private @Nullable EmbeddedPostgres postgres;

	@AfterEach
	void stopPostgres() throws IOException {
		if (this.postgres != null) {
			this.postgres.close();
		}
	}

	private EmbeddedPostgres startPostgres(int port) throws IOException {
		EmbeddedPostgres started = EmbeddedPostgres.builder()
			.setDataDirectory(this.directory.resolve("postgres"))
			.setCleanDataDirectory(false)
			.setPort(port)
			.setPGStartupWait(Duration.ofMinutes(2))
			.start();
		this.postgres = started;
		return started;
	}

	private String url(String kind) throws IOException {
		return (kind.equals("h2")) ? "jdbc:h2:file:" + this.directory.resolve("h2") + ";DB_CLOSE_DELAY=-1"
				: startPostgres(0).getJdbcUrl("postgres", "postgres");
	}

	private static void createTable(String kind, String url) {
		new ResourceDatabasePopulator(new ClassPathResource("io/agenthooks/spring/audit/schema-" + kind + ".sql"))
			.execute(new DriverManagerDataSource(url));
	}

	@ParameterizedTest
	@CsvSource({ "h2, ''", "h2, ;WRITE_DELAY=0", "postgresql, ''" })
	void killedApplicationLosesOnlyWhatWasNotWrittenAndLeavesAnUnbrokenChain(String kind, String option)
			throws Exception {
		String url = url(kind) + option;
		createTable(kind, url);
		if (kind.equals("h2")) {
			// One application at a time has the file.
			JdbcClient.create(new DriverManagerDataSource(url)).sql("shutdown").update();
		}
		Path acknowledged = this.directory.resolve("acknowledged");
		Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				EndlessAudit.class.getName(), this.directory.toString(), url)
			.redirectErrorStream(true)
			.redirectOutput(acknowledged.toFile())
			.start();
		try {
			Awaitility.await().atMost(TestAudit.LONG).until(() -> acknowledgedIn(acknowledged) >= 1000);
		}
		finally {
			boolean unused = child.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
		}
		int told = acknowledgedIn(acknowledged);
		DataSource dataSource = new DriverManagerDataSource(url);
		assertThat(count(dataSource, "tool_call")).isGreaterThanOrEqualTo(told);
		AuditVerification killed = verify(dataSource);
		assertThat(killed.isUnbroken()).as(killed.toString()).isTrue();
		TestAudit.log(this.directory, new JdbcSink(dataSource), "n1", 100_000).close();
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(lines(dataSource, "start")).hasSize(2).last().asString().contains("\"before\":\"not_stopped\"");
		if (kind.equals("h2")) {
			JdbcClient.create(dataSource).sql("shutdown").update();
		}
	}

	/**
	 * H2 writes what is committed to its file up to half a second later, unless it is
	 * told to do so at once. That is a right which not every user has.
	 */
	@ParameterizedTest
	@CsvSource({ "'', false", "';WRITE_DELAY=0', true" })
	void userOfH2WhoCannotMakeCommitsLastStopsTheStartUnlessTheyLastAnyway(String option, boolean lasting)
			throws IOException {
		String url = url("h2") + option;
		createTable("h2", url);
		JdbcClient owner = JdbcClient.create(new DriverManagerDataSource(url));
		owner.sql("create user auditor password 'auditor'").update();
		owner.sql("grant select, insert on hooks_audit to auditor").update();
		JdbcSink sink = new JdbcSink(
				new DriverManagerDataSource(url.substring(0, url.indexOf(';')), "auditor", "auditor"));
		if (lasting) {
			AuditLog log = TestAudit.log(this.directory, sink, "n1", 100);
			TestAudit.add(log, 10);
			log.close();
			assertThat(verify(new DriverManagerDataSource(url)).isUnbroken()).isTrue();
		}
		else {
			assertThatIllegalStateException().isThrownBy(() -> TestAudit.log(this.directory, sink, "n1", 100))
				.withMessageContaining("';WRITE_DELAY=0'");
		}
		owner.sql("shutdown").update();
	}

	private static int acknowledgedIn(Path file) throws IOException {
		return Files.readAllLines(file)
			.stream()
			.filter((line) -> line.matches("[0-9]+00"))
			.mapToInt(Integer::parseInt)
			.max()
			.orElse(0);
	}

	/**
	 * One node has room for what comes meanwhile, and one has not.
	 */
	@Test
	void databaseThatRestartsInTheMiddleLosesNothingButWhatIsRecordedAsAGap() throws Exception {
		EmbeddedPostgres first = startPostgres(TestPostgres.portThatStaysFree());
		String url = first.getJdbcUrl("postgres", "postgres");
		createTable("postgresql", url);
		DataSource dataSource = new DriverManagerDataSource(url);
		int before = 1000;
		int meanwhile = 4000;
		int after = 200;
		long dropped;
		try (AuditLog roomy = TestAudit.log(this.directory, new JdbcSink(dataSource), "n1", 100_000);
				AuditLog small = TestAudit.log(this.directory, new JdbcSink(dataSource), "n2", 600)) {
			List<AuditLog> logs = List.of(roomy, small);
			addByThreads(roomy, before);
			addByThreads(small, 480);
			// In the middle: not all of that is written.
			first.close();
			addByThreads(roomy, meanwhile);
			addByThreads(small, meanwhile);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> logs.stream().noneMatch(AuditLog::isWritable));
			assertThat(small.dropped()).isBetween(meanwhile - 600L, (long) meanwhile);
			assertThat(roomy.dropped()).isZero();
			EmbeddedPostgres unused = startPostgres(first.getPort());
			for (AuditLog log : logs) {
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
				assertThat(log.isWritable()).isTrue();
				addByThreads(log, after);
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			}
			dropped = small.dropped();
		}
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes()).extracting(AuditVerification.Node::dropped).containsExactly(0L, dropped);
		assertThat(result.nodes().get(0).records()).isEqualTo(before + meanwhile + after + 3L);
		assertThat(count(dataSource, "tool_call"))
			.isEqualTo(before + meanwhile + after + 480 + meanwhile + after - dropped);
		assertThat(lines(dataSource, "gap")).isNotEmpty().allSatisfy((line) -> assertThat(line).contains("\"n2\""));
	}

	/**
	 * As after a failover that ends no connections.
	 */
	@Test
	void connectionByWhichNobodyAnswersIsLeftForAnother() throws Exception {
		DataSource dataSource = new DriverManagerDataSource(url("postgresql"));
		new ResourceDatabasePopulator(new ClassPathResource("io/agenthooks/spring/audit/schema-postgresql.sql"))
			.execute(dataSource);
		DyingDataSource silent = new DyingDataSource(dataSource, dataSource);
		try (AuditLog log = TestAudit.log(this.directory, new JdbcSink(silent, Duration.ofSeconds(1)), "n1", 1000)) {
			silent.fallSilentBefore("insert");
			TestAudit.add(log, 100);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
		}
		finally {
			silent.wake();
		}
		AuditVerification result = verify(dataSource);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(count(dataSource, "tool_call")).isEqualTo(100);
	}

	private static void addByThreads(AuditLog log, int count) throws InterruptedException {
		CountDownLatch ended = new CountDownLatch(THREADS);
		IntStream.range(0, THREADS).forEach((i) -> new Thread(() -> {
			TestAudit.add(log, count / THREADS);
			ended.countDown();
		}).start());
		assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
	}

	private static int count(DataSource dataSource, String kind) {
		return lines(dataSource, kind).size();
	}

	private static List<String> lines(DataSource dataSource, String kind) {
		return JdbcClient.create(dataSource)
			.sql("select line from hooks_audit where kind = :kind order by node, record_number")
			.param("kind", kind)
			.query((row, index) -> String.valueOf(row.getString(1)))
			.list();
	}

	private AuditVerification verify(DataSource dataSource) throws IOException {
		AuditVerifier verifier = new AuditVerifier().withKey("k1", TestAudit.SECRET)
			.anchors(this.directory.resolve("anchors"));
		RowCallbackHandler read = (row) -> verifier.record(row.getString(3), row.getString(1) + "/" + row.getLong(2));
		JdbcClient.create(dataSource)
			.sql("select node, record_number, line from hooks_audit order by node, record_number")
			.query(read);
		return verifier.result();
	}

}
