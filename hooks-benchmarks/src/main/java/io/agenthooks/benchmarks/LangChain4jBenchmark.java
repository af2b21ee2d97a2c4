package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

/**
 * The cost of three hooks (a policy, one that approves, one that learns of the end) for a
 * tool of LangChain4j, and for a turn of an AI service whose model calls the tool once
 * and takes no time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LangChain4jBenchmark {

	private static final ToolExecutionRequest CALL = ToolExecutionRequest.builder()
		.id("call-1")
		.name("find")
		.arguments("{\"query\":\"notes about the garden\",\"limit\":10}")
		.build();

	/**
	 * Whether LangChain4j's own classes run the tool, or guarded ones.
	 */
	@Param({ "false", "true" })
	public boolean guarded;

	private final InvocationContext invocation = InvocationContext.builder()
		.invocationId(UUID.randomUUID())
		.chatMemoryId("default")
		.invocationParameters(new InvocationParameters())
		.build();

	private @Nullable AnnotationConfigApplicationContext application;

	private ToolService toolService = new ToolService();

	private ToolServiceContext tools = ToolServiceContext.Empty.INSTANCE;

	/**
	 * Start the application, if there is one, and make the service.
	 */
	@Setup
	public void start() {
		if (this.guarded) {
			AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
			application.register(ToolCallHooksAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class);
			application.registerBean("policy", PreToolHook.class, LangChain4jBenchmark::policy);
			application.registerBean("approving", PreToolHook.class, () -> (call) -> ToolDecision.approve());
			application.registerBean("learning", PostToolHook.class, () -> (outcome) -> {
			});
			application.refresh();
			this.application = application;
		}
		AiServiceContext service = context();
		this.toolService = service.toolService;
		this.toolService.tools(List.<Object>of(new Notes()));
		this.tools = this.toolService.createContext(this.invocation, UserMessage.from("Find"), List.of());
	}

	private AiServiceContext context() {
		return (this.guarded) ? AiServiceContext.create(Agent.class) : new PlainContext();
	}

	private static PreToolHook policy() {
		return new PolicyToolHook(
				new PolicyConfig(null, List.of("delete_*"), Map.of("query", List.of("rm -rf", "DROP TABLE")), null));
	}

	/**
	 * Close the application.
	 */
	@TearDown
	public void stop() {
		if (this.application != null) {
			this.application.close();
		}
	}

	/**
	 * One call of the tool.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolExecutionResult call() {
		return this.toolService.executeTool(this.invocation, this.tools.toolExecutors(), CALL, null, null);
	}

	/**
	 * An agent.
	 */
	public interface Agent {

		/**
		 * Chat with the agent.
		 * @param text what to say
		 * @return the answer
		 */
		String chat(String text);

	}

	/**
	 * The tool.
	 */
	public static final class Notes {

		/**
		 * Finds nothing.
		 * @param query what to find
		 * @param limit how much
		 * @return what was found
		 */
		@Tool("Finds notes")
		public String find(String query, int limit) {
			return "Nothing";
		}

	}

	private static final class PlainContext extends AiServiceContext {

		PlainContext() {
			super(Agent.class);
		}

	}

}
