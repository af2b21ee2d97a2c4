package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.audit.AuditVerification.Kind;
import io.agenthooks.spring.outcome.AskedHooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of a start behind which the end of the chain is not what the second place knows:
 * {@link AuditCut} and {@link ChainEnd}.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuditCutTests {

	/** start, config, three calls, stop. */
	private static final int WRITTEN = 6;

	@TempDir
	Path directory;

	private void write() {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 3);
		}
	}

	/**
	 * Leave only the first records.
	 */
	private void leave(int records) throws IOException {
		Path file = TestAudit.files(this.directory).get(0);
		Files.write(file, Files.readAllLines(file).subList(0, records));
	}

	private AuditVerification.Problem problem(boolean anchors) throws IOException {
		AuditVerifier verifier = new AuditVerifier().withKey("k1", TestAudit.SECRET);
		if (anchors) {
			verifier.anchors(this.directory.resolve("anchors"));
		}
		AuditVerification.Problem problem = verifier.records(this.directory.resolve("audit"))
			.result()
			.nodes()
			.get(0)
			.problem();
		assertThat(problem).isNotNull();
		return problem;
	}

	private HookHealth.Report health(Supplier<AuditLog> logs) {
		try (AuditLog log = logs.get()) {
			return new AuditHooks(log, new AskedHooks(), Clock.systemUTC()).health();
		}
	}

	private AuditLog log() {
		return TestAudit.log(this.directory, "n1");
	}

	@Test
	void cutEndIsSaidAtTheStartAndVerifyNamesItAlsoWithoutAnchors(CapturedOutput output) throws IOException {
		write();
		leave(4);
		HookHealth.Report health = health(this::log);
		assertThat(output).contains("ERROR", "The end of the audit of node 'n1' was cut off", "record 4", "record 6");
		assertThat(health.state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(health.details()).containsEntry("end_was_cut", true);
		for (boolean anchors : List.of(true, false)) {
			AuditVerification.Problem problem = problem(anchors);
			assertThat(problem.kind()).isEqualTo(Kind.CUT);
			assertThat(problem.number()).isEqualTo(5);
			assertThat(problem.message()).contains("up to 6");
		}
		assertThat(TestAudit.lines(this.directory).get(4)).contains("\"number\":7", "\"kind\":\"cut\"", "\"found\":4",
				"\"noted\":6");
	}

	@Test
	void nextStartSaysNothingAndTheAuditIsUpAgain(CapturedOutput output) throws IOException {
		write();
		leave(4);
		write();
		String before = output.getAll();
		HookHealth.Report health = health(this::log);
		assertThat(output.getAll().substring(before.length())).doesNotContain("was cut off");
		assertThat(health.state()).isEqualTo(HookHealth.State.UP);
		assertThat(problem(true).kind()).isEqualTo(Kind.CUT);
	}

	@Test
	void laterChangeBehindACutIsNamedToo() throws IOException {
		write();
		leave(4);
		write();
		Path file = TestAudit.files(this.directory).get(0);
		Files.writeString(file, Files.readString(file).replace("\"written\":6", "\"written\":8"));
		assertThat(problem(true).message()).contains("up to 6", "later CHANGED: record 13", "is not what was written");
	}

	@Test
	void secondCutBehindTheFirstIsNamedToo() throws IOException {
		write();
		leave(4);
		write();
		leave(7);
		assertThat(problem(true).message()).contains("up to 6", "later CUT: record 10", "missing at the end");
		write();
		assertThat(TestAudit.lines(this.directory).get(7)).contains("\"number\":14", "\"kind\":\"cut\"", "\"found\":9");
	}

	@Test
	void wholeChainThatIsGoneIsSaid(CapturedOutput output) throws IOException {
		write();
		Files.delete(TestAudit.files(this.directory).get(0));
		write();
		assertThat(output).contains("was cut off");
		assertThat(problem(false).number()).isEqualTo(1);
		assertThat(problem(false).message()).contains("up to 6");
	}

	@Test
	void lastRecordThatIsAnotherThanTheNotedOneIsSaid(CapturedOutput output) throws IOException {
		write();
		Files.writeString(this.directory.resolve("anchors/n1.jsonl"),
				note(TestAudit.KEY, WRITTEN, "0".repeat(64)) + "\n", StandardOpenOption.APPEND);
		write();
		assertThat(output).contains("was made again");
		assertThat(problem(false).kind()).isEqualTo(Kind.CHANGED);
		assertThat(problem(false).number()).isEqualTo(WRITTEN);
	}

	@Test
	void notesThatNobodyWithTheKeyMadeCountForNothing(CapturedOutput output) throws IOException {
		write();
		String forged = String.join("\n", note(AuditKey.none(), 900, "0".repeat(64)),
				note(AuditKey.of("k2", "b".repeat(32)), 901, "0".repeat(64)),
				note(AuditKey.of("k1", "b".repeat(32)), 902, "0".repeat(64)),
				"{\"v\":1,\"node\":\"n1\",\"number\":99999999999999999999999", "x".repeat(100_000));
		Files.writeString(this.directory.resolve("anchors/n1.jsonl"), forged + "\n", StandardOpenOption.APPEND);
		assertThat(health(this::log).state()).isEqualTo(HookHealth.State.UP);
		assertThat(output).doesNotContain("was cut off");
		assertThat(TestAudit.verify(this.directory).isUnbroken()).isTrue();
	}

	@Test
	void noteOfAFormerKeyProvesACut() throws IOException {
		write();
		leave(4);
		AuditKey other = AuditKey.of("k2", "b".repeat(32));
		AuditAnchor anchor = new AuditAnchor(this.directory.resolve("anchors/n1.jsonl"), TestAudit.LONG, other,
				List.of(TestAudit.KEY), Clock.systemUTC());
		assertThat(anchor.cutOf("n1", SealedLine.read(TestAudit.lines(this.directory).get(3))))
			.isEqualTo(new AuditCut(4, WRITTEN));
	}

	@Test
	void notesWithoutAKeyProveACutOfRecordsWithoutOne() throws IOException {
		TestAudit.log(this.directory, "n1", AuditKey.none(), Clock.systemUTC(), 100_000).close();
		leave(2);
		AuditAnchor anchor = new AuditAnchor(this.directory.resolve("anchors/n1.jsonl"), TestAudit.LONG, TestAudit.KEY,
				List.of(), Clock.systemUTC());
		assertThat(anchor.cutOf("n1", SealedLine.read(TestAudit.lines(this.directory).get(1))))
			.isEqualTo(new AuditCut(2, 3));
	}

	@Test
	void strictAuditDoesNotStartAndTheAdviceHelps() throws IOException {
		write();
		leave(4);
		assertThatExceptionOfType(InvalidAuditException.class).isThrownBy(() -> logOfFile(true))
			.satisfies((ex) -> assertThat(ex.getDescription()).contains("cut off", "record 4",
					this.directory.resolve("anchors/n1.jsonl").toString(), "record 6"))
			.satisfies((ex) -> assertThat(ex.getAction()).contains("verify", "'hooks.audit.strict'"));
		logOfFile(false).close();
		logOfFile(true).close();
	}

	private AuditLog logOfFile(boolean strict) throws IOException {
		FileSink sink = new FileSink(this.directory.resolve("audit"), "n1", 100_000, true);
		try {
			return TestAudit.log(this.directory, sink, TestAudit.KEY, Clock.systemUTC(), new AuditLog.Settings("n1",
					TestAudit.KEY, 1000, strict, Duration.ofSeconds(10), Clock.systemUTC()));
		}
		catch (InvalidAuditException ex) {
			sink.close();
			throw ex;
		}
	}

	@Test
	void rowsThatAreMissingInTheTableAreSaid(CapturedOutput output) throws Exception {
		DataSource dataSource = new DriverManagerDataSource("jdbc:h2:mem:audit-cut;DB_CLOSE_DELAY=-1");
		new ResourceDatabasePopulator(new ClassPathResource("io/agenthooks/spring/audit/schema-h2.sql"))
			.execute(dataSource);
		JdbcTemplate template = new JdbcTemplate(dataSource);
		Supplier<AuditLog> logs = () -> TestAudit.log(this.directory, new JdbcSink(dataSource), "n1", 1000);
		logs.get().close();
		template.update("delete from hooks_audit where record_number > 1");
		assertThat(health(logs).state()).isEqualTo(HookHealth.State.DOWN);
		assertThat(output).contains("ERROR", "was cut off");
		AuditVerifier verifier = new AuditVerifier().withKey("k1", TestAudit.SECRET);
		template.queryForList("select line from hooks_audit order by record_number", String.class)
			.forEach((line) -> verifier.record(line, "row"));
		assertThat(verifier.result().nodes().get(0).problem())
			.hasToString("CUT: record 2 (row) and all up to 3 at least were missing when the application started");
	}

	private static String note(AuditKey key, long number, String hash) {
		return SealedLine.seal("n1", number, Instant.now(), SealedLine.ANCHOR, hash, key, key.anchor(), "").line();
	}

}
