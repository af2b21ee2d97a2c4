package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what an operator reads if the audit stops the start: never a stack trace, and
 * what is said to do helps.
 */
class AuditStartFailureTests {

	private static final String OTHER_SECRET = "fedcba9876543210fedcba9876543210";

	@TempDir
	Path directory;

	private ApplicationContextRunner runner() {
		return runnerWithoutAnchor()
			.withPropertyValues("hooks.audit.anchor.file=" + this.directory.resolve("anchors/n1.jsonl"));
	}

	private ApplicationContextRunner runnerWithoutAnchor() {
		return new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, AuditAutoConfiguration.class,
					JdbcAuditAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"))
			.withPropertyValues("hooks.audit.enabled=true", "hooks.audit.node=n1",
					"hooks.audit.file.path=" + this.directory.resolve("audit"));
	}

	private static String[] key(String id, String secret) {
		return new String[] { "hooks.audit.key.id=" + id, "hooks.audit.key.secret=" + secret };
	}

	private void recordWith(String id, String secret) {
		runner().withPropertyValues(key(id, secret)).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of()));
		});
	}

	/**
	 * What Spring Boot prints, found as it finds it.
	 */
	private static FailureAnalysis analysis(ApplicationContextRunner runner) {
		List<FailureAnalysis> found = new ArrayList<>();
		runner.run((context) -> {
			Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "The application has started");
			for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation()
				.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
				}))) {
				FailureAnalysis analysis = analyzer.analyze(failure);
				if (analysis != null) {
					found.add(analysis);
				}
			}
			assertThat(found).as("analyses of " + failure).isNotEmpty();
			assertThat(text(found.get(0))).doesNotContain(TestAudit.SECRET, OTHER_SECRET, "hunter2", "\tat ");
		});
		return found.get(0);
	}

	private static String text(FailureAnalysis analysis) {
		return analysis.getDescription() + "\n" + analysis.getAction();
	}

	@Test
	void otherSecretForAKnownKeyIsNamedWithFileAndRecordAndTheAdviceHelps() {
		recordWith("k1", TestAudit.SECRET);
		FailureAnalysis analysis = analysis(runner().withPropertyValues(key("k1", OTHER_SECRET)));
		Path file = TestAudit.files(this.directory).get(0);
		assertThat(analysis.getDescription()).contains("record 4", file.toString(), "node 'n1'", "'k1'");
		assertThat(analysis.getAction()).contains("'hooks.audit.key.id'", "verify");
		recordWith("k1", TestAudit.SECRET);
		recordWith("k2", OTHER_SECRET);
		AuditVerifier verifier = new AuditVerifier();
		verifier.withKey("k1", TestAudit.SECRET);
		verifier.withKey("k2", OTHER_SECRET);
		assertThat(verified(verifier)).isTrue();
	}

	private boolean verified(AuditVerifier verifier) {
		try {
			verifier.records(this.directory.resolve("audit"));
			return verifier.result().isUnbroken();
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "\"written\":3 | \"written\":4 | record 4",
			"\"node\":\"n1\" | \"node\":\"n2\" | n2", "{ | [ | not a record of the audit" })
	void changedLastRecordIsNamedAndMovingTheFilesAwayHelps(String before, String after, String message)
			throws IOException {
		recordWith("k1", TestAudit.SECRET);
		Path file = TestAudit.files(this.directory).get(0);
		Files.writeString(file, Files.readString(file).replace(before, after));
		FailureAnalysis analysis = analysis(runner().withPropertyValues(key("k1", TestAudit.SECRET)));
		assertThat(analysis.getDescription()).contains(file.toString(), message);
		assertThat(analysis.getAction()).contains("verify", "elsewhere");
		Files.move(this.directory.resolve("audit"), this.directory.resolve("elsewhere"));
		recordWith("k1", TestAudit.SECRET);
	}

	@Test
	void changedLastRecordIsNamedAlsoWithoutAKey() throws IOException {
		runner().run((context) -> assertThat(context).hasNotFailed());
		Path file = TestAudit.files(this.directory).get(0);
		Files.writeString(file, Files.readString(file).replace("\"written\":2", "\"written\":3"));
		FailureAnalysis analysis = analysis(runner());
		assertThat(analysis.getDescription()).contains("record 3", file.toString(), "was changed")
			.doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.audit.file.path", "hooks.audit.anchor.file" })
	void placeThatCannotBeWrittenIsNamedWithItsOption(String option) throws IOException {
		Path file = this.directory.resolve("file");
		Files.writeString(file, "none");
		FailureAnalysis analysis = analysis(runner().withPropertyValues(option + "=" + file.resolve("n1")));
		assertThat(analysis.getDescription()).contains(file.toString());
		assertThat(analysis.getAction()).contains("'" + option + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.audit.file.path", "hooks.audit.anchor.file" })
	void placeThatIsNoneIsNamedWithItsOption(String option) {
		FailureAnalysis analysis = analysis(runner().withPropertyValues(option + "=a\0b"));
		assertThat(analysis.getAction()).contains("'" + option + "'");
	}

	@Test
	void anchorThatIsADirectoryIsNamed() throws IOException {
		Path anchor = Files.createDirectories(this.directory.resolve("anchor"));
		FailureAnalysis analysis = analysis(runner().withPropertyValues("hooks.audit.anchor.file=" + anchor));
		assertThat(analysis.getDescription()).contains(anchor.toString());
	}

	@Test
	void anchorThatNobodyConfiguredOnlyWarns() throws IOException {
		Path audit = this.directory.resolve("other");
		Files.writeString(this.directory.resolve("other-anchors"), "a file");
		runnerWithoutAnchor().withPropertyValues("hooks.audit.file.path=" + audit)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void nodeThatAnotherApplicationWritesIsNamed() throws IOException {
		FileSink other = new FileSink(this.directory.resolve("audit"), "n1", 1000, true);
		try {
			FailureAnalysis analysis = analysis(runner());
			assertThat(analysis.getDescription()).contains("node 'n1'");
			assertThat(analysis.getAction()).contains("'hooks.audit.node'");
			runner().withPropertyValues("hooks.audit.node=n2").run((context) -> assertThat(context).hasNotFailed());
		}
		finally {
			other.close();
		}
	}

	@Test
	void fileWhoseDayIsNoneIsNamed() throws IOException {
		Files.createDirectories(this.directory.resolve("audit"));
		Files.writeString(this.directory.resolve("audit/n1.000000000001.2026-13-45.jsonl"),
				SealedLine
					.seal("n1", 1, Instant.now(), "stop", SealedLine.NOTHING_BEFORE, AuditKey.none(),
							AuditKey.none().chain(), "")
					.line() + "\n",
				StandardCharsets.US_ASCII);
		assertThat(analysis(runner()).getDescription()).contains("2026-13-45");
	}

	@Test
	void missingDataSourceIsNamed() {
		FailureAnalysis analysis = analysis(runner().withPropertyValues("hooks.audit.store=jdbc"));
		assertThat(analysis.getDescription()).contains("there is no DataSource bean");
		assertThat(analysis.getAction()).contains("'file'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "embedded", "never" })
	void databaseThatDoesNotAnswerIsNamedWithoutItsUrl(String schema) {
		FailureAnalysis analysis = analysis(runner().withBean(DataSource.class, DeadDatabase::new)
			.withPropertyValues("hooks.audit.store=jdbc", "hooks.audit.jdbc.initialize_schema=" + schema));
		assertThat(analysis.getDescription()).contains("hooks_audit", "SQLState 08001");
		assertThat(analysis.getAction()).contains("'spring.datasource'", "'hooks.audit.store'");
	}

	@Test
	void tableThatIsNotThereIsNamedAndTheAdviceHelps() {
		DataSource dataSource = new DriverManagerDataSource("jdbc:h2:mem:audit-start;DB_CLOSE_DELAY=-1");
		ApplicationContextRunner jdbc = runner().withBean(DataSource.class, () -> dataSource)
			.withPropertyValues("hooks.audit.store=jdbc");
		FailureAnalysis analysis = analysis(jdbc.withPropertyValues("hooks.audit.jdbc.initialize_schema=never"));
		assertThat(analysis.getDescription()).contains("hooks_audit");
		assertThat(analysis.getAction()).contains("'hooks.audit.jdbc.initialize_schema: always'");
		jdbc.withPropertyValues("hooks.audit.jdbc.initialize_schema=always")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void optionThatIsGoneStopsTheStartWithAdvice() {
		FailureAnalysis analysis = analysis(runner().withPropertyValues("hooks.audit.events=true"));
		assertThat(analysis.getDescription()).contains("'hooks.audit.events' is no option any more",
				"no longer copied to an AuditEventRepository", "an AuditSink bean of yours");
	}

	@Test
	void chainThatWouldTellTheAuditNothingIsNamed() {
		FailureAnalysis analysis = analysis(
				runner().withBean("own", ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of())));
		assertThat(analysis.getDescription()).contains("would record no tool_call");
		assertThat(analysis.getAction()).contains("'hooks.audit.enabled'");
	}

	@Test
	void sinkOfTheApplicationThatFailsIsNamed() {
		FailureAnalysis analysis = analysis(runner().withBean(AuditSink.class, FailingSink::new));
		assertThat(analysis.getDescription()).contains("FailingSink", "IOException");
	}

	/**
	 * Whose driver quotes the URL.
	 */
	private static final class DeadDatabase extends AbstractDataSource {

		@Override
		public Connection getConnection() throws SQLException {
			throw new SQLException("No connection to jdbc:db://host?password=hunter2", "08001");
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return getConnection();
		}

	}

	private static final class FailingSink implements AuditSink {

		@Override
		public @Nullable String lastLine(String node) throws IOException {
			throw new IOException("hunter2");
		}

		@Override
		public void write(List<AuditRecord> records) {
		}

	}

}
