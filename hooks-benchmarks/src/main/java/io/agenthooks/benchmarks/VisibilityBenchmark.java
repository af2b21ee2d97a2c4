package io.agenthooks.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.FileSystemUtils;

import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.audit.AuditAutoConfiguration;
import io.agenthooks.spring.audit.AuditRecord;
import io.agenthooks.spring.audit.AuditSink;
import io.agenthooks.spring.observation.HooksObservationAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * The cost for the thread of a call that calls can be seen: in the audit, in traces, in
 * the log and in recordings. Each call asks one hook, which approves. An iteration makes
 * {@value #CALLS} calls a thread, which fit into the queue of the audit; before the next
 * the queue is empty again. What the thread behind the queue does meanwhile, and what it
 * allocates, is part of the measurement where there are too few processors. With more
 * threads than processors a call also waits for its turn: compare with {@code nothing} of
 * as many threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 30)
@Measurement(iterations = 20)
public class VisibilityBenchmark {

	/** The calls of an iteration. */
	static final int CALLS = 5_000;

	private static final ToolResult RESULT = ToolResult.success("done");

	private static final PreToolHook hook = (call) -> (call.tool().isEmpty()) ? ToolDecision.deny("empty")
			: ToolDecision.approve();

	/**
	 * The watch of the calls: {@code auditQueue} keeps no records, {@code auditFile}
	 * forces them to the disk.
	 */
	@Param({ "nothing", "auditQueue", "auditFile", "observation", "mdc", "jfrOff", "jfrOn" })
	public String seenBy = "nothing";

	private final ToolExecutor executor = new ReadFile();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final Recording recording = new Recording();

	private ToolHookChain chain = new ToolHookChain(List.of(), List.of());

	private @Nullable Path directory;

	/**
	 * Start the application.
	 * @throws IOException if there is no place for files
	 */
	@Setup
	public void start() throws IOException {
		this.directory = Files.createTempDirectory("visibility");
		this.context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("benchmark", properties(this.directory)));
		this.context.registerBean("hook", PreToolHook.class, () -> hook);
		this.context.registerBean("tools", ToolExecutor.class, () -> this.executor);
		switch (this.seenBy) {
			case "nothing" -> {
			}
			case "auditQueue" -> {
				this.context.registerBean("sink", AuditSink.class, Nowhere::new);
				this.context.register(AuditAutoConfiguration.class);
			}
			case "auditFile" -> this.context.register(AuditAutoConfiguration.class);
			case "observation" -> {
				ObservationRegistry registry = ObservationRegistry.create();
				registry.observationConfig().observationHandler(new Nothing());
				this.context.registerBean(ObservationRegistry.class, () -> registry);
				this.context.register(HooksObservationAutoConfiguration.class);
			}
			default -> this.context.register(HooksObservationAutoConfiguration.class);
		}
		this.context.register(ToolCallHooksAutoConfiguration.class);
		this.context.refresh();
		this.chain = this.context.getBean(ToolHookChain.class);
		if (this.seenBy.equals("jfrOn")) {
			Stream.of("io.agenthooks.ToolCall", "io.agenthooks.Hook").forEach(this.recording::enable);
			this.recording.setMaxSize(10_000_000);
			this.recording.start();
		}
	}

	private Map<String, Object> properties(Path directory) {
		Map<String, Object> properties = new LinkedHashMap<>();
		if (this.seenBy.startsWith("audit")) {
			properties.put("hooks.audit.enabled", true);
			properties.put("hooks.audit.node", "n1");
			properties.put("hooks.audit.queue_size", 1_000_000);
			properties.put("hooks.audit.file.path", directory.resolve("audit").toString());
			properties.put("hooks.audit.anchor.file", directory.resolve("anchor.jsonl").toString());
		}
		else if (!this.seenBy.equals("nothing")) {
			properties.put("hooks.observation.mdc", this.seenBy.equals("mdc"));
		}
		return properties;
	}

	/**
	 * Wait until the queue is empty.
	 */
	@Setup(Level.Iteration)
	public void drain() {
		for (HookHealth health : this.context.getBeanProvider(HookHealth.class)) {
			while (!Integer.valueOf(0).equals(health.health().details().getOrDefault("waiting_calls", 0))) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
		}
	}

	/**
	 * Close the application.
	 * @throws IOException if files cannot be removed
	 */
	@TearDown
	public void close() throws IOException {
		this.recording.close();
		this.context.close();
		boolean unused = FileSystemUtils.deleteRecursively(this.directory);
	}

	/**
	 * Calls of a tool that does nothing.
	 * @param results where the results go
	 */
	@Benchmark
	@OperationsPerInvocation(CALLS)
	public void oneThread(Blackhole results) {
		call(results);
	}

	/**
	 * The same by eight threads.
	 * @param results where the results go
	 */
	@Benchmark
	@OperationsPerInvocation(CALLS)
	@Threads(8)
	public void eightThreads(Blackhole results) {
		call(results);
	}

	private void call(Blackhole results) {
		for (int i = 0; i < CALLS; i++) {
			results.consume(this.chain.execute(ToolCall.of("read_file", Map.of("path", "notes.txt")), this.executor));
		}
	}

	/** Says which tools there are. */
	private static final class ReadFile implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return RESULT;
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read_file");
		}

	}

	/** Observes without doing anything. */
	private static final class Nothing implements ObservationHandler<Observation.Context> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

	/** Keeps nothing. */
	private static final class Nowhere implements AuditSink {

		@Override
		public @Nullable String lastLine(String node) {
			return null;
		}

		@Override
		public void write(List<AuditRecord> records) {
			// kept nowhere
		}

	}

}
