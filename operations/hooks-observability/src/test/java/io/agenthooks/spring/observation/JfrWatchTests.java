package io.agenthooks.spring.observation;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.sun.management.ThreadMXBean;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.CallContext;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link JfrWatch} with recordings of the JVM.
 */
class JfrWatchTests {

	private static final String TOOL_CALL = "io.agenthooks.ToolCall";

	private static final String HOOK = "io.agenthooks.Hook";

	private static final int TIMES = 2000;

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				HookTypes.with(ToolCallHooksAutoConfiguration.class, HooksObservationAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> {
			if (call.tool().equals("throw")) {
				throw new IllegalStateException("s3cret");
			}
			return ToolResult.success("s3cret");
		})
		.withBean("pre", PreToolHook.class, () -> (call) -> switch (call.tool()) {
			case "deny" -> ToolDecision.deny("because");
			case "broken" -> throw new IllegalStateException("s3cret");
			case "unanswered" -> unanswered(call);
			default -> ToolDecision.approve();
		})
		.withBean("post", PostToolHook.class, () -> (outcome) -> {
		});

	private static ToolDecision unanswered(ToolCall call) {
		return NoVerdictMode.ofToolCalls("pre", false, false).decide(call, () -> {
			throw NoVerdictException.failure("The webhook cannot be reached");
		});
	}

	private List<RecordedEvent> record(List<String> enabled, List<ToolCall> calls) {
		List<RecordedEvent> events = new ArrayList<>();
		this.contextRunner.run((context) -> {
			try (Recording recording = new Recording()) {
				enabled.forEach((name) -> recording.enable(name).withThreshold(Duration.ZERO));
				recording.start();
				for (ToolCall call : calls) {
					Throwable unused = catchThrowable(() -> context.getBean(ToolExecutor.class).execute(call));
				}
				recording.stop();
				events.addAll(read(recording));
			}
		});
		return events.stream().filter((event) -> event.getEventType().getName().startsWith("io.agenthooks.")).toList();
	}

	private List<RecordedEvent> read(Recording recording) throws IOException {
		Path file = this.directory.resolve("calls.jfr");
		recording.dump(file);
		return RecordingFile.readAllEvents(file);
	}

	private static ToolCall call(String tool) {
		return ToolCall.of(tool, Map.of("path", "s3cret"), CallContext.ofSession("s1\n2").withRunId("r1"));
	}

	@Test
	void recordingShowsCallsAndHooks() {
		ToolCall read = call("read");
		ToolCall deny = call("deny");
		List<RecordedEvent> events = record(List.of(TOOL_CALL, HOOK),
				List.of(read, deny, call("throw"), call("broken")));
		assertThat(events).filteredOn((event) -> event.getEventType().getName().equals(TOOL_CALL))
			.extracting((event) -> event.getString("tool"), (event) -> event.getString("outcome"),
					(event) -> event.getString("verdict"), (event) -> event.getString("decidedBy"),
					(event) -> event.getString("sessionId"), (event) -> event.getString("runId"))
			.containsExactlyInAnyOrder(tuple("read", "succeeded", "approve", null, "s1 2", "r1"),
					tuple("deny", "denied", "deny", "pre", "s1 2", "r1"),
					tuple("throw", "failed", "approve", null, "s1 2", "r1"),
					tuple("broken", "denied", "deny", "pre", "s1 2", "r1"));
		assertThat(events).filteredOn((event) -> event.getEventType().getName().equals(HOOK))
			.extracting((event) -> event.getString("hook"), (event) -> event.getString("part"),
					(event) -> event.getString("verdict"))
			.containsOnly(tuple("pre", "decide", "approve"), tuple("pre", "decide", "deny"),
					tuple("pre", "decide", "failed"), tuple("post", "learn", "none"))
			.hasSize(8);
		assertThat(events).filteredOn((event) -> event.getString("callId").equals(deny.id())).hasSize(3);
		assertThat(events).allSatisfy((event) -> assertThat(event.toString()).doesNotContain("s3cret", "because"));
	}

	@Test
	void hookWhoseDeciderDidNotAnswerHasFailed() {
		assertThat(record(List.of(HOOK), List.of(call("unanswered"))))
			.extracting((event) -> event.getString("hook"), (event) -> event.getString("verdict"))
			.containsExactlyInAnyOrder(tuple("pre", "failed"), tuple("post", "none"));
	}

	@Test
	void eventsAreOffUnlessARecordingWantsThem() {
		assertThat(record(List.of(), List.of(call("read")))).isEmpty();
		assertThat(new JfrWatch().isActive()).isFalse();
	}

	/**
	 * As asked by an interpreter, which makes all that it is told to make.
	 */
	@Test
	void nothingIsAllocatedWhileNoRecordingWantsEvents() {
		CallWatch watch = new JfrWatch();
		ToolCall call = call("read");
		long unused = allocatedBy(watch, call);
		assertThat(allocatedBy(watch, call)).isLessThan(TIMES);
	}

	private static long allocatedBy(CallWatch watch, ToolCall call) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		boolean active = false;
		for (int i = 0; i < TIMES; i++) {
			active |= watch.isActive() || watch.begin(call) != null;
		}
		long allocated = threads.getCurrentThreadAllocatedBytes() - before;
		assertThat(active).isFalse();
		return allocated;
	}

	@Test
	void recordingMayWantOneKindOnly() {
		assertThat(record(List.of(TOOL_CALL), List.of(call("read")))).singleElement()
			.satisfies((event) -> assertThat(event.getEventType().getName()).isEqualTo(TOOL_CALL));
		assertThat(record(List.of(HOOK), List.of(call("read")))).hasSize(2)
			.allSatisfy((event) -> assertThat(event.getEventType().getName()).isEqualTo(HOOK));
	}

}
