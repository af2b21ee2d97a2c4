package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.FileAppender;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.audit.AuditVerification.Kind;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the places that records are kept in.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuditPlacesTests {

	private static final Logger records = (Logger) LoggerFactory.getLogger(LogSink.LOGGER);

	@TempDir
	Path directory;

	private final FileAppender<ILoggingEvent> appender = new FileAppender<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, AuditAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("done"));

	private ApplicationContextRunner audited(String... properties) {
		return this.runner
			.withPropertyValues("hooks.audit.enabled=true", "hooks.audit.node=n1", "hooks.audit.key.id=k1",
					"hooks.audit.key.secret=" + TestAudit.SECRET,
					"hooks.audit.file.path=" + this.directory.resolve("audit"),
					"hooks.audit.anchor.file=" + this.directory.resolve("anchors/n1.jsonl"),
					"hooks.tool_call.pre_call[0].type=policy", "hooks.tool_call.pre_call[0].name=house-rules",
					"hooks.tool_call.pre_call[0].config.deny_tools=delete")
			.withPropertyValues(properties);
	}

	private Path startLogging() {
		Path log = this.directory.resolve("audit.log");
		PatternLayoutEncoder encoder = new PatternLayoutEncoder();
		encoder.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
		encoder.setPattern("%msg%n");
		encoder.start();
		this.appender.setContext(records.getLoggerContext());
		this.appender.setEncoder(encoder);
		this.appender.setFile(log.toString());
		this.appender.start();
		records.addAppender(this.appender);
		records.setAdditive(false);
		return log;
	}

	@AfterEach
	void stopLogging() {
		records.detachAppender(this.appender);
		records.setAdditive(true);
		records.setLevel(null);
		this.appender.stop();
	}

	private void runAndCall(String... properties) {
		audited(properties).run((context) -> {
			assertThat(context).hasNotFailed();
			call(context.getBean(ToolExecutor.class), "read");
			call(context.getBean(ToolExecutor.class), "delete");
		});
	}

	private static void call(ToolExecutor tools, String tool) {
		ToolResult unused = tools
			.execute(ToolCall.of(tool, Map.of("password", "hunter2"), CallContext.ofSession("s1").withUser("bob")));
	}

	@Test
	void eachStartBeginsAChainOfItsOwnInTheLogWhichVerifies() {
		Path log = startLogging();
		runAndCall("hooks.audit.store=log");
		runAndCall("hooks.audit.store=log");
		AuditVerification result = verify(log);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes()).hasSize(2).allSatisfy((node) -> {
			assertThat(node.node()).matches("n1\\.[0-9]{8}T[0-9]{6}\\.[0-9]{3}");
			assertThat(node.records()).isEqualTo(5);
			assertThat(node.anchors()).isPositive();
		});
	}

	@Test
	void chainThatIsCutOrGoneIsNamed() throws IOException {
		Path log = startLogging();
		runAndCall("hooks.audit.store=log");
		runAndCall("hooks.audit.store=log");
		List<String> lines = Files.readAllLines(log);
		String last = Objects.requireNonNull(SealedLine.read(lines.get(lines.size() - 1))).node();
		// The last record, and the anchor behind it
		Files.write(log, lines.subList(0, lines.size() - 2));
		assertProblem(log, last, Kind.CUT, 5);
		Files.write(log, lines.stream().filter((line) -> !line.contains(last)).toList());
		assertProblem(log, last, Kind.CUT, 1);
		List<String> changed = new ArrayList<>(lines);
		changed.replaceAll((line) -> (line.contains(last))
				? line.replace("\"outcome\":\"denied\"", "\"outcome\":\"succeeded\"") : line);
		Files.write(log, changed);
		assertProblem(log, last, Kind.CHANGED, 4);
	}

	private void assertProblem(Path log, String node, Kind kind, long number) {
		AuditVerification result = verify(log);
		assertThat(result.nodes()).filteredOn((one) -> one.node().equals(node)).singleElement().satisfies((one) -> {
			AuditVerification.Problem problem = Objects.requireNonNull(one.problem(), result::toString);
			assertThat(problem.kind()).as(result.toString()).isEqualTo(kind);
			assertThat(problem.number()).as(result.toString()).isEqualTo(number);
		});
	}

	@Test
	void loggerThatIsOffStopsTheStart() {
		records.setLevel(Level.OFF);
		audited("hooks.audit.store=log").run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining("Set 'logging.level.io.agenthooks.audit' to 'info'"));
	}

	@Test
	void loggerThatIsSwitchedOffLaterMakesAStrictAuditDeny() {
		startLogging();
		audited("hooks.audit.store=log", "hooks.audit.strict=true").run((context) -> {
			AuditLog log = context.getBean(AuditLog.class);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			records.setLevel(Level.OFF);
			call(context.getBean(ToolExecutor.class), "read");
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			records.setLevel(Level.INFO);
			Awaitility.await().atMost(TestAudit.LONG).until(log::isWritable);
		});
		assertThat(verify(this.directory.resolve("audit.log")).isUnbroken()).isTrue();
	}

	@Test
	void loggerThatIsSwitchedOffAmongRecordsLosesNone() {
		List<String> written = new ArrayList<>();
		AppenderBase<ILoggingEvent> switchingOff = new AppenderBase<>() {
			@Override
			protected void append(ILoggingEvent event) {
				written.add(event.getFormattedMessage());
				records.setLevel(Level.OFF);
			}
		};
		switchingOff.start();
		records.addAppender(switchingOff);
		try {
			List<AuditRecord> batch = List.of(record(1), record(2));
			LogSink sink = new LogSink();
			assertThatIllegalStateException().isThrownBy(() -> sink.write(batch))
				.withMessageContaining("the logger '" + LogSink.LOGGER + "' is off");
			records.setLevel(Level.INFO);
			sink.write(batch);
		}
		finally {
			records.detachAppender(switchingOff);
		}
		assertThat(written).containsExactly("line 1", "line 2");
	}

	private static AuditRecord record(long number) {
		return new AuditRecord("n1", number, Instant.EPOCH, "tool_call", "hash", "line " + number);
	}

	@Test
	void nodeThatIsTooLongForALogStopsTheStart() {
		audited("hooks.audit.store=log", "hooks.audit.node=" + "n".repeat(45))
			.run((context) -> assertThat(context).hasFailed());
		startLogging();
		audited("hooks.audit.store=log", "hooks.audit.node=" + "n".repeat(44))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "file", "jdbc" })
	void runningApplicationReadsItsAudit(String store) {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:" + this.directory.getFileName() + ";DB_CLOSE_DELAY=-1");
		audited("hooks.audit.store=" + store).withConfiguration(AutoConfigurations.of(JdbcAuditAutoConfiguration.class))
			.withBean(DataSource.class, () -> dataSource)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				call(context.getBean(ToolExecutor.class), "delete");
				assertThat(context.getBean(AuditLog.class).awaitWritten(TestAudit.LONG)).isTrue();
				AuditReports reports = context.getBean(AuditReports.class);
				AuditVerification result = reports.verify(() -> false);
				assertThat(result.isUnbroken()).as(result.toString()).isTrue();
				assertThat(result.nodes()).extracting(AuditVerification.Node::records).containsExactly(3L);
				assertThat(reports.export(Instant.EPOCH, null, 10, () -> false).lines()).hasSize(3)
					.last()
					.asString()
					.contains("\"outcome\":\"denied\"");
			});
	}

	@Test
	void runningApplicationSaysThatALoggerCannotBeReadBack() {
		startLogging();
		audited("hooks.audit.store=log").run((context) -> {
			AuditReports reports = context.getBean(AuditReports.class);
			assertThatIOException().isThrownBy(() -> reports.verify(() -> false))
				.withMessageContaining("which cannot be read back")
				.withMessageContaining(LogSink.LOGGER);
			assertThatIOException().isThrownBy(() -> reports.export(null, null, 10, () -> false))
				.withMessageContaining("which cannot be read back");
		});
	}

	@Test
	void sinkOfTheApplicationKeepsTheNodeAlsoWithStoreLog() {
		List<String> nodes = new ArrayList<>();
		AuditSink own = new AuditSink() {
			@Override
			public @Nullable String lastLine(String node) {
				nodes.add(node);
				return null;
			}

			@Override
			public void write(List<AuditRecord> records) {
				// kept nowhere
			}
		};
		audited("hooks.audit.store=log").withBean(AuditSink.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(nodes).containsExactly("n1");
		assertThat(LogSink.chainOf("n1", Instant.EPOCH)).isEqualTo("n1.19700101T000000.000");
	}

	private AuditVerification verify(Path log) {
		try {
			return new AuditVerifier().withKey("k1", TestAudit.SECRET)
				.anchors(this.directory.resolve("anchors"))
				.records(log)
				.result();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
