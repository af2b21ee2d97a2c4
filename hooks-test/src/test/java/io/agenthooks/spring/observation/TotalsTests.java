package io.agenthooks.spring.observation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Audit, metrics, events and traces say the same of every call, whatever its end: each is
 * there once, and with the same outcome.
 */
class TotalsTests {

	private static final int TIMES = 3;

	private static final List<String> ENDS = List.of("approve", "modify", "deny", "respond", "ask-yes", "ask-no",
			"abort-turn", "tool-fails", "tool-throws", "hook-fails", "hook-fails-open", "hook-decides-nothing",
			"no tool can be named so ");

	@TempDir
	Path directory;

	private final RecordedObservations observed = new RecordedObservations();

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, AuditAutoConfiguration.class,
				ToolCallMetricsAutoConfiguration.class, HooksObservationAutoConfiguration.class))
		.withBean(MeterRegistry.class, () -> this.meters)
		.withBean(ObservationRegistry.class, () -> this.registry)
		.withBean("tools", ToolExecutor.class, () -> TotalsTests::run)
		.withBean("open", PreToolHook.class, () -> (call) -> {
			if (call.tool().equals("hook-fails-open")) {
				throw new IllegalStateException("down");
			}
			return ToolDecision.approve();
		})
		.withBean("closed", PreToolHook.class, Decider::new)
		.withBean(ToolApprover.class,
				() -> (call, question) -> (call.tool().equals("ask-yes")) ? ToolDecision.approve()
						: ToolDecision.deny("The person says no"))
		.withPropertyValues("hooks.tool-call.pre-call[0].type=bean", "hooks.tool-call.pre-call[0].config.bean=open",
				"hooks.tool-call.pre-call[0].fail-open=true");

	private static ToolResult run(ToolCall call) {
		return switch (call.tool()) {
			case "tool-fails" -> ToolResult.failure("failed");
			case "tool-throws" -> throw new IllegalStateException("thrown");
			default -> ToolResult.success("done");
		};
	}

	@Test
	void everyCallIsThereOnceWithTheSameEnd() {
		Events events = new Events();
		this.contextRunner.withBean("events", Events.class, () -> events)
			.withPropertyValues("hooks.audit.enabled=true", "hooks.audit.node=n1",
					"hooks.audit.file.path=" + this.directory.resolve("audit"),
					"hooks.audit.anchor.file=" + this.directory.resolve("anchors").resolve("n1.jsonl"))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				this.registry.observationConfig()
					.observationHandler(this.observed)
					.observationHandler(new DefaultMeterObservationHandler(this.meters));
				makeCalls(context.getBean(ToolExecutor.class), context.getBean(ToolHookChain.class),
						context.getBean(ToolHooks.class));
				int calls = ENDS.size() * TIMES + 2;
				// The last line may be half written.
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.ignoreExceptions()
					.until(() -> records().size() >= calls);
				Map<String, String> heard = events.ended.stream()
					.collect(Collectors.toMap((outcome) -> outcome.requested().id(), TotalsTests::end));
				assertThat(heard).hasSize(calls).hasSameSizeAs(events.ended);
				assertThat(heard.values()).contains("succeeded approve", "succeeded modify", "denied deny",
						"answered respond", "aborted abort", "failed approve", "disabled deny");
				assertThat(recorded()).isEqualTo(heard);
				assertThat(traced()).isEqualTo(heard);
				assertThat(counted()).isEqualTo(byOutcome(heard));
				assertThat(events.started).containsExactlyInAnyOrderElementsOf(heard.keySet());
			});
	}

	private static void makeCalls(ToolExecutor tools, ToolHookChain chain, ToolHooks hooks) {
		for (String tool : ENDS) {
			for (int i = 0; i < TIMES; i++) {
				Throwable unused = catchThrowable(() -> tools.execute(ToolCall.of(tool, Map.of("a", 1))));
			}
		}
		chain.refuse(ToolCall.of("invented", Map.of()), BuiltInDecider.UNKNOWN_TOOL.value(), "There is no such tool");
		hooks.disableTools();
		ToolResult unused = tools.execute(ToolCall.of("approve", Map.of()));
	}

	private static String end(ToolOutcome outcome) {
		return outcome.status().value() + " " + outcome.decision().verdict().value();
	}

	private static Map<String, Long> byOutcome(Map<String, String> ends) {
		return ends.values()
			.stream()
			.collect(Collectors.groupingBy((end) -> end.substring(0, end.indexOf(' ')), TreeMap::new,
					Collectors.counting()));
	}

	private Map<String, String> recorded() {
		List<JsonNode> records = records();
		Map<String, String> recorded = new HashMap<>();
		records.forEach((record) -> recorded.put(record.get("id").asString(),
				record.get("outcome").asString() + " " + record.get("verdict").asString()));
		assertThat(recorded).hasSameSizeAs(records);
		return recorded;
	}

	private List<JsonNode> records() {
		try (Stream<Path> files = Files.walk(this.directory.resolve("audit"))) {
			List<JsonNode> records = new ArrayList<>();
			for (Path file : files.filter(Files::isRegularFile)
				.filter((any) -> any.toString().endsWith(".jsonl"))
				.toList()) {
				Files.readAllLines(file).forEach((line) -> records.add(JsonMapper.shared().readTree(line)));
			}
			return records.stream().filter((record) -> record.get("kind").asString().equals("tool_call")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Map<String, String> traced() {
		Map<String, String> traced = new HashMap<>();
		this.observed.named("hooks.tool.call")
			.forEach((span) -> traced.put(RecordedObservations.value(span, "hooks.call.id"),
					RecordedObservations.low(span, "hooks.outcome") + " "
							+ RecordedObservations.low(span, "hooks.verdict")));
		assertThat(traced).hasSameSizeAs(this.observed.named("hooks.tool.call"));
		return traced;
	}

	private Map<String, Long> counted() {
		return this.meters.find("hooks.tool.call")
			.timers()
			.stream()
			.collect(Collectors.groupingBy((timer) -> String.valueOf(timer.getId().getTag("outcome")), TreeMap::new,
					Collectors.summingLong((timer) -> timer.count())));
	}

	private static final class Decider implements PreToolHook {

		@Override
		@SuppressWarnings("NullAway") // which a hook must not return
		public ToolDecision preCall(ToolCall call) {
			return switch (call.tool()) {
				case "modify" -> ToolDecision.modify(Map.of("b", 2));
				case "deny" -> ToolDecision.deny("no");
				case "respond" -> ToolDecision.respond(ToolResult.success("answered"));
				case "ask-yes", "ask-no" -> ToolDecision.ask("May it?");
				case "abort-turn" -> ToolDecision.abortTurn("enough");
				case "hook-fails" -> throw new IllegalStateException("broken");
				case "hook-decides-nothing" -> null;
				default -> ToolDecision.approve();
			};
		}

	}

	static final class Events {

		final List<String> started = Collections.synchronizedList(new ArrayList<>());

		final List<ToolOutcome> ended = Collections.synchronizedList(new ArrayList<>());

		@EventListener
		void on(ToolCallEvent.Started event) {
			this.started.add(event.call().id());
		}

		@EventListener
		void on(ToolCallEvent.Ended event) {
			this.ended.add(event.outcome());
		}

	}

}
