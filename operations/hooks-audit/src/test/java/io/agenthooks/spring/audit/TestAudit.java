package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.agenthooks.redact.Redactor;
import io.agenthooks.spring.assembly.ActiveConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Makes logs for tests, and reads what they wrote.
 */
final class TestAudit {

	static final String SECRET = "0123456789abcdef0123456789abcdef";

	static final AuditKey KEY = AuditKey.of("k1", SECRET);

	static final Duration LONG = Duration.ofSeconds(60);

	private TestAudit() {
	}

	static AuditLog log(Path directory, String node) {
		return log(directory, node, KEY, Clock.systemUTC(), 100_000_000);
	}

	static AuditLog log(Path directory, String node, AuditKey key, Clock clock, long maxSize) {
		try {
			return log(directory, new FileSink(directory.resolve("audit"), node, maxSize, true), key, clock,
					new AuditLog.Settings(node, key, 100_000, false, Duration.ofSeconds(10), clock));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static AuditLog log(Path directory, AuditSink sink, String node, int capacity) {
		return log(directory, sink, KEY, Clock.systemUTC(),
				new AuditLog.Settings(node, KEY, capacity, false, Duration.ofSeconds(10), Clock.systemUTC()));
	}

	/**
	 * A log that is left what calls of an application end.
	 */
	static AuditLog log(Path directory, String node, LongSupplier underWay) {
		AuditLog.Settings settings = new AuditLog.Settings(node, KEY, 100_000, false, Duration.ofSeconds(10),
				Clock.systemUTC());
		try {
			return log(directory, new FileSink(directory.resolve("audit"), node, 100_000_000, true), KEY,
					settings.clock(), settings, underWay);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static AuditLog log(Path directory, AuditSink sink, AuditKey key, Clock clock, AuditLog.Settings settings) {
		return log(directory, sink, key, clock, settings, () -> 0);
	}

	private static AuditLog log(Path directory, AuditSink sink, AuditKey key, Clock clock, AuditLog.Settings settings,
			LongSupplier underWay) {
		AuditLog log = new AuditLog(sink,
				new AuditAnchor(directory.resolve("anchors/" + settings.node() + ".jsonl"), Duration.ofMillis(1), key,
						List.of(), clock),
				new RecordMaker(AuditConfig.Arguments.REDACTED, key, Redactor.ofDefaults(),
						() -> ActiveConfiguration.of(AuditAutoConfiguration.hashOf(key), Map.of(), true, Map.of())),
				settings);
		log.open();
		log.start(underWay);
		return log;
	}

	static AuditEntry entry(int number, Clock clock) {
		ToolCall call = ToolCall.of("read_file", Map.of("path", "/tmp/" + number, "password", "hunter2"));
		return ToolEntry.of(
				ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, ToolResult.success("done"), null, Duration.ofMillis(1)),
				List.of(), clock.millis());
	}

	static void add(AuditLog log, int count) {
		for (int i = 0; i < count; i++) {
			log.add(entry(i, Clock.systemUTC()));
		}
	}

	static AuditVerification verify(Path directory) {
		return verify(directory, new AuditVerifier().withKey("k1", SECRET));
	}

	static AuditVerification verify(Path directory, AuditVerifier verifier) {
		try {
			return verifier.anchors(directory.resolve("anchors")).records(directory.resolve("audit")).result();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<Path> files(Path directory) {
		try {
			return AuditFiles.all(directory.resolve("audit"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<String> lines(Path directory) {
		return files(directory).stream().flatMap(TestAudit::linesOf).toList();
	}

	private static Stream<String> linesOf(Path file) {
		try {
			return Files.readAllLines(file).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
