package io.agenthooks.spring.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for {@link AuditLog}, {@link FileSink} and {@link AuditAnchor}.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuditLogTests {

	@TempDir
	Path directory;

	@Test
	void manyThreadsAndTwoNodesMakeUnbrokenChains() throws InterruptedException {
		try (AuditLog one = TestAudit.log(this.directory, "n1"); AuditLog two = TestAudit.log(this.directory, "n2")) {
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				AuditLog log = (i % 2 == 0) ? one : two;
				threads.add(new Thread(() -> TestAudit.add(log, 1250)));
			}
			threads.forEach(Thread::start);
			for (Thread thread : threads) {
				thread.join();
			}
			// To close them waits for a while only.
			assertThat(one.awaitWritten(TestAudit.LONG)).isTrue();
			assertThat(two.awaitWritten(TestAudit.LONG)).isTrue();
		}
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes()).extracting(AuditVerification.Node::node).containsExactly("n1", "n2");
		// start, config, stop
		assertThat(result.nodes()).extracting(AuditVerification.Node::records).containsExactly(5003L, 5003L);
		assertThat(result.nodes()).allSatisfy((node) -> assertThat(node.anchors()).isPositive());
		assertThat(TestAudit.lines(this.directory)).filteredOn((line) -> line.contains("\"kind\":\"tool_call\""))
			.hasSize(10_000)
			.doesNotHaveDuplicates();
	}

	@Test
	void restartGoesOnWithTheChain() {
		for (int i = 0; i < 3; i++) {
			try (AuditLog log = TestAudit.log(this.directory, "n1")) {
				TestAudit.add(log, 5);
			}
		}
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isEqualTo(24);
		assertThat(TestAudit.lines(this.directory)).filteredOn((line) -> line.contains("\"kind\":\"start\""))
			.extracting((line) -> line.replaceAll(".*\"before\":\"(\\w+)\".*", "$1"))
			.containsExactly("none", "stopped", "stopped");
	}

	@Test
	void killedApplicationLosesOnlyWhatWasNotWrittenAndLeavesAnUnbrokenChain() throws Exception {
		Path acknowledged = this.directory.resolve("acknowledged");
		Process child = new ProcessBuilder(endlessAudit()).redirectError(ProcessBuilder.Redirect.DISCARD)
			.redirectOutput(acknowledged.toFile())
			.start();
		try {
			Awaitility.await()
				.atMost(TestAudit.LONG)
				.until(() -> Files.isDirectory(this.directory.resolve("audit"))
						&& TestAudit.lines(this.directory).size() > 2000);
		}
		finally {
			child.destroyForcibly().waitFor();
		}
		int before = TestAudit.lines(this.directory).size();
		List<String> told = Files.readAllLines(acknowledged).stream().filter((line) -> line.matches("[0-9]+")).toList();
		assertThat(TestAudit.lines(this.directory)).filteredOn((line) -> line.contains("\"kind\":\"tool_call\""))
			.hasSizeGreaterThanOrEqualTo(Integer.parseInt(told.get(told.size() - 1)));
		AuditVerification killed = TestAudit.verify(this.directory);
		assertThat(killed.isUnbroken()).as(killed.toString()).isTrue();
		TestAudit.log(this.directory, "n1").close();
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isBetween(before + 2L, before + 3L);
		assertThat(TestAudit.lines(this.directory)).anyMatch((line) -> line.contains("\"before\":\"not_stopped\""));
	}

	private List<String> endlessAudit() {
		return List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), EndlessAudit.class.getName(),
				this.directory.toString());
	}

	/**
	 * The operating system refuses to write more: what ended within a line is cut off,
	 * comes again when there is room, and the chain goes on.
	 */
	@Test
	@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void diskThatIsFullLeavesAnUnbrokenChainThatGoesOnLater() throws Exception {
		List<String> limited = new ArrayList<>(List.of("bash", "-c", "ulimit -f 40; exec \"$@\"", "limited"));
		limited.addAll(endlessAudit());
		Process child = new ProcessBuilder(limited).redirectErrorStream(true).start();
		try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
			assertThat(output.lines().anyMatch((line) -> line.contains("The audit cannot be written to"))).isTrue();
		}
		finally {
			child.destroyForcibly().waitFor();
		}
		assertThat(TestAudit.files(this.directory)).singleElement()
			.satisfies((file) -> assertThat(Files.size(file)).isBetween(1L, 40L * 1024));
		TestAudit.log(this.directory, "n1").close();
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isGreaterThan(20);
	}

	@Test
	void halfLineOfACrashIsCutOffAndTheChainGoesOn(CapturedOutput output) throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 5);
		}
		Path file = TestAudit.files(this.directory).get(0);
		Files.writeString(file, "{\"v\":1,\"node\":\"n1\",\"numb", StandardOpenOption.APPEND);
		AuditVerification crashed = TestAudit.verify(this.directory);
		assertThat(crashed.isUnbroken()).isTrue();
		assertThat(crashed.nodes().get(0).unfinished()).isTrue();
		TestAudit.log(this.directory, "n1").close();
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).unfinished()).isFalse();
		assertThat(output).contains("was not finished: 24 bytes are cut off");
	}

	@Test
	void fileWithNothingButHalfALineIsRemoved() throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 5);
		}
		Files.writeString(this.directory.resolve("audit/n1.000000000009.2999-01-01.jsonl"), "{\"v\":1");
		TestAudit.log(this.directory, "n1").close();
		assertThat(TestAudit.verify(this.directory).isUnbroken()).isTrue();
	}

	@Test
	void startIsStoppedIfTheLastRecordWasChanged() throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 5);
		}
		Path file = TestAudit.files(this.directory).get(0);
		Files.writeString(file, Files.readString(file).replace("\"written\":7", "\"written\":6"));
		assertThatIllegalStateException().isThrownBy(() -> TestAudit.log(this.directory, "n1"))
			.withMessageContaining("The last record of node 'n1'")
			.withMessageContaining("was changed");
	}

	@Test
	void twoApplicationsCannotWriteTheSameChain() throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			assertThat(log.isWritable()).isTrue();
			assertThat(catchThrowable(() -> new FileSink(this.directory.resolve("audit"), "n1", 1000, true)))
				.isInstanceOf(InvalidAuditException.class)
				.hasMessageContaining("Another application writes the audit of node 'n1'")
				.hasMessageContaining("hooks.audit.node");
		}
	}

	/**
	 * Whoever removes old files takes that of the lock for one: nobody writes it.
	 */
	@Test
	void lockThatIsRemovedIsTakenAgainAndIsNotLostToAnother(CapturedOutput output) throws Exception {
		Path audit = this.directory.resolve("audit");
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			Files.delete(audit.resolve("n1.lock"));
			TestAudit.add(log, 1);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			assertThat(catchThrowable(() -> new FileSink(audit, "n1", 1000, true)))
				.isInstanceOf(InvalidAuditException.class);
			Files.delete(audit.resolve("n1.lock"));
			try (FileSink another = new FileSink(audit, "n1", 1000, true)) {
				TestAudit.add(log, 1);
				Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
				assertThat(another.lastLine("n1")).isNotNull();
			}
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
		}
		assertThat(TestAudit.verify(this.directory).isUnbroken()).isTrue();
		assertThat(output).contains("Another application writes the audit of node 'n1'");
	}

	@Test
	void fileThatIsFullIsFollowedByAnother() {
		try (AuditLog log = TestAudit.log(this.directory, "n1", TestAudit.KEY, Clock.systemUTC(), 5000)) {
			TestAudit.add(log, 200);
		}
		assertThat(TestAudit.files(this.directory)).hasSizeGreaterThan(5)
			.allSatisfy((file) -> assertThat(Files.size(file)).isLessThanOrEqualTo(5000));
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
	}

	@Test
	void fileBeginsAtMidnightAlsoOfAClockThatJumps() {
		TestClock clock = new TestClock("2026-11-22T23:59:59.999Z");
		try (AuditLog log = TestAudit.log(this.directory, "n1", TestAudit.KEY, clock, 1_000_000)) {
			for (String time : List.of("2026-11-22T23:59:59.999Z", "2026-11-23T00:00:00Z", "2031-01-01T12:00:00Z",
					"1999-12-31T23:00:00Z", "2026-11-23T00:00:01Z")) {
				clock.now = Instant.parse(time);
				log.add(TestAudit.entry(1, clock));
				assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			}
		}
		assertThat(TestAudit.files(this.directory)).extracting((file) -> String.valueOf(file.getFileName()))
			.containsExactly("n1.000000000001.2026-11-22.jsonl", "n1.000000000004.2026-11-23.jsonl",
					"n1.000000000005.2031-01-01.jsonl", "n1.000000000006.1999-12-31.jsonl",
					"n1.000000000007.2026-11-23.jsonl");
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
	}

	@Test
	void warningSaysWhatIsWrongWithTheDisk(CapturedOutput output) throws Exception {
		Path anchors = Files.createDirectories(this.directory.resolve("anchors/n1.jsonl"));
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 1);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			Path audit = this.directory.resolve("audit");
			Files.move(audit, this.directory.resolve("elsewhere"));
			TestAudit.add(log, 1);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			Files.createDirectories(audit);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
		}
		assertThat(output).contains("NoSuchFileException: " + this.directory.resolve("audit/n1."))
			.contains("FileSystemException: " + anchors);
	}

	@Test
	void recordsThatTheDiskDidNotTakeComeAgainInOrder(CapturedOutput output) throws Exception {
		FullDisk sink = new FullDisk(new FileSink(this.directory.resolve("audit"), "n1", 100_000, true));
		try (AuditLog log = log(sink, 100_000, false)) {
			TestAudit.add(log, 100);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			sink.full.set(true);
			TestAudit.add(log, 100);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			sink.full.set(false);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			assertThat(log.isWritable()).isTrue();
		}
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).records()).isEqualTo(203);
		assertThat(output).contains("The audit cannot be written")
			.contains("can be written to")
			.doesNotContain("hunter2");
	}

	@Test
	void callsThatDoNotFitIntoTheQueueAreRecordedAsAGap() throws Exception {
		FullDisk sink = new FullDisk(new FileSink(this.directory.resolve("audit"), "n1", 100_000, true));
		sink.full.set(true);
		try (AuditLog log = log(sink, 50, false)) {
			TestAudit.add(log, 80);
			assertThat(log.dropped()).isEqualTo(30);
			sink.full.set(false);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			TestAudit.add(log, 10);
		}
		AuditVerification result = TestAudit.verify(this.directory);
		assertThat(result.isUnbroken()).as(result.toString()).isTrue();
		assertThat(result.nodes().get(0).dropped()).isEqualTo(30);
		assertThat(TestAudit.lines(this.directory)).filteredOn((line) -> line.contains("\"kind\":\"tool_call\""))
			.hasSize(60);
	}

	@Test
	void sinkThatHangsMakesNobodyWaitAndCountsAsBroken() throws Exception {
		CountDownLatch hanging = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		AuditSink sink = new ForwardingSink(new FileSink(this.directory.resolve("audit"), "n1", 100_000, true)) {
			@Override
			public void write(List<AuditRecord> records) throws Exception {
				hanging.countDown();
				released.await();
				super.write(records);
			}
		};
		try (AuditLog log = log(sink, 1000, true)) {
			assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
			TestAudit.add(log, 10);
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			released.countDown();
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			assertThat(log.isWritable()).isTrue();
		}
		assertThat(TestAudit.verify(this.directory).isUnbroken()).isTrue();
	}

	@Test
	void secondPlaceThatHangsCountsAsBroken() throws Exception {
		CountDownLatch hang = new CountDownLatch(1);
		AppenderBase<ILoggingEvent> hanging = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				try {
					hang.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}

		};
		Logger anchors = (Logger) LoggerFactory.getLogger("io.agenthooks.audit.anchor");
		hanging.setContext(anchors.getLoggerContext());
		hanging.start();
		anchors.addAppender(hanging);
		try (AuditLog log = log(new FileSink(this.directory.resolve("audit"), "n1", 100_000, true), 100, true)) {
			Awaitility.await().atMost(TestAudit.LONG).until(() -> !log.isWritable());
			hang.countDown();
			TestAudit.add(log, 5);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			Awaitility.await().atMost(TestAudit.LONG).until(log::isWritable);
		}
		finally {
			hang.countDown();
			anchors.detachAppender(hanging);
		}
	}

	@Test
	void strictLogIsNotWritableWhenTheQueueIsFullAndStillTakesWhatIsUnderWay() throws Exception {
		FullDisk sink = new FullDisk(new FileSink(this.directory.resolve("audit"), "n1", 100_000, true));
		try (AuditLog log = log(sink, 50, true)) {
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			sink.full.set(true);
			TestAudit.add(log, 50);
			assertThat(log.isWritable()).isFalse();
			TestAudit.add(log, 50);
			assertThat(log.dropped()).isZero();
			sink.full.set(false);
		}
		assertThat(TestAudit.verify(this.directory).nodes().get(0).dropped()).isZero();
	}

	@Test
	void closeDoesNotWaitForEverForADeadSink(CapturedOutput output) throws Exception {
		FullDisk sink = new FullDisk(new FileSink(this.directory.resolve("audit"), "n1", 100_000, true));
		sink.full.set(true);
		AuditLog log = log(sink, 50, false);
		TestAudit.add(log, 7);
		log.close(Duration.ofMillis(100));
		assertThat(output).contains("7 calls could not be recorded before the application ended");
	}

	@Test
	void deletedFileIsMissedAndRecordsGoOnInAnother() throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 5);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			Files.delete(TestAudit.files(this.directory).get(0));
			TestAudit.add(log, 5);
		}
		AuditVerification.Node node = TestAudit.verify(this.directory).nodes().get(0);
		AuditVerification.Problem problem = node.problem();
		assertThat(problem).isNotNull();
		assertThat(problem.kind()).isEqualTo(AuditVerification.Kind.REMOVED);
		assertThat(problem.number()).isEqualTo(1);
		assertThat(node.records()).isEqualTo(6);
	}

	@Test
	void fileWhoseNameAnotherGotLosesNoLaterRecord(CapturedOutput output) throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 5);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			Path file = TestAudit.files(this.directory).get(0);
			Path moved = Files.move(file, file.resolveSibling("rotated"));
			Files.createFile(file);
			TestAudit.add(log, 5);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			Files.move(moved, file, StandardCopyOption.REPLACE_EXISTING);
		}
		assertThat(TestAudit.verify(this.directory).isUnbroken()).isTrue();
		assertThat(TestAudit.lines(this.directory)).hasSize(13);
		assertThat(output).contains("was changed, moved or removed by another");
	}

	@Test
	void fileThatIsEmptiedWhileItIsWrittenSpoilsNoLaterRecord() throws IOException {
		try (AuditLog log = TestAudit.log(this.directory, "n1")) {
			TestAudit.add(log, 5);
			assertThat(log.awaitWritten(TestAudit.LONG)).isTrue();
			Files.write(TestAudit.files(this.directory).get(0), new byte[0]);
			TestAudit.add(log, 5);
		}
		AuditVerification.Node node = TestAudit.verify(this.directory).nodes().get(0);
		AuditVerification.Problem problem = node.problem();
		assertThat(problem).isNotNull();
		assertThat(problem.kind()).isEqualTo(AuditVerification.Kind.REMOVED);
		assertThat(node.records()).isEqualTo(6);
	}

	private AuditLog log(AuditSink sink, int capacity, boolean strict) {
		return TestAudit.log(this.directory, sink, TestAudit.KEY, Clock.systemUTC(), new AuditLog.Settings("n1",
				TestAudit.KEY, capacity, strict, Duration.ofMillis(200), Clock.systemUTC()));
	}

	private static final class TestClock extends Clock {

		volatile Instant now;

		TestClock(String now) {
			this.now = Instant.parse(now);
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.now;
		}

	}

	private static class ForwardingSink implements AuditSink {

		private final AuditSink sink;

		ForwardingSink(AuditSink sink) {
			this.sink = sink;
		}

		@Override
		public @Nullable String lastLine(String node) throws Exception {
			return this.sink.lastLine(node);
		}

		@Override
		public void write(List<AuditRecord> records) throws Exception {
			this.sink.write(records);
		}

		@Override
		public void close() {
			this.sink.close();
		}

	}

	/**
	 * Takes a part of the records before it fails.
	 */
	private static final class FullDisk extends ForwardingSink {

		final AtomicBoolean full = new AtomicBoolean();

		FullDisk(AuditSink sink) {
			super(sink);
		}

		@Override
		public void write(List<AuditRecord> records) throws Exception {
			if (this.full.get()) {
				super.write(records.subList(0, records.size() / 2));
				throw new IOException("No space left on device");
			}
			super.write(records);
		}

	}

}
