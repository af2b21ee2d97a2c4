package io.agenthooks.spring.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.InMemoryAuditEventRepository;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventSink}, whose other tests are in {@link AuditPlacesTests}.
 */
@ExtendWith(OutputCaptureExtension.class)
class EventSinkTests {

	private final List<AuditRecord> kept = Collections.synchronizedList(new ArrayList<>());

	private final AuditSink sink = new AuditSink() {

		@Override
		public @Nullable String lastLine(String node) {
			return null;
		}

		@Override
		public void write(List<AuditRecord> records) {
			EventSinkTests.this.kept.addAll(records);
		}

	};

	/**
	 * So many characters that no other such batch may wait beside them.
	 */
	private static List<AuditRecord> large() {
		String line = "{\"v\":1,\"outcome\":\"denied\",\"reason\":\"" + "x".repeat(500_000) + "\"}";
		return IntStream.range(0, 20)
			.mapToObj((number) -> new AuditRecord("n1", number + 1L, Instant.EPOCH, "tool_call", "h", line))
			.toList();
	}

	@Test
	void errorOfARepositoryCostsOneEventAndTakesNoRoomForEver(CapturedOutput output) throws Exception {
		AtomicInteger failures = new AtomicInteger();
		InMemoryAuditEventRepository repository = new InMemoryAuditEventRepository() {
			@Override
			public void add(AuditEvent event) {
				if (failures.getAndIncrement() == 0) {
					throw new NoClassDefFoundError("hunter2");
				}
				super.add(event);
			}
		};
		try (AuditSink copying = new EventSink(this.sink, repository)) {
			copying.write(large());
			Awaitility.await().atMost(TestAudit.LONG).until(() -> failures.get() > 0);
			// The room is free again a moment after the last event
			Awaitility.await().atMost(TestAudit.LONG).until(() -> {
				copying.write(large());
				return repository.find(null, null, null).size() > 19;
			});
			assertThat(repository.find(null, null, null)).hasSizeGreaterThan(19);
		}
		assertThat(output).contains("A record was not copied", "NoClassDefFoundError").doesNotContain("hunter2");
	}

	@Test
	void threadThatCannotBeStartedHoldsUpNoRecord(CapturedOutput output) throws Exception {
		InMemoryAuditEventRepository repository = new InMemoryAuditEventRepository();
		AtomicInteger starts = new AtomicInteger();
		try (AuditSink copying = new EventSink(this.sink, repository, (work) -> {
			if (starts.getAndIncrement() == 0) {
				throw new InternalError("no thread can be created");
			}
			return EventSink.newThread(work);
		})) {
			copying.write(large());
			copying.write(large());
		}
		assertThat(this.kept).hasSize(40);
		assertThat(repository.find(null, null, null)).hasSize(20);
		assertThat(output).contains("20 records are not copied");
	}

}
