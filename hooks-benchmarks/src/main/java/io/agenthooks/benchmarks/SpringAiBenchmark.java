package io.agenthooks.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.DefaultToolCallingManager;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;

import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * The cost of the hooks for a tool call of Spring AI: a method with {@code @Tool} that
 * does next to nothing, called by Spring AI's own manager, bare and behind three local
 * hooks.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SpringAiBenchmark {

	private static final String ARGUMENTS = "{\"path\": \"docs/notes.txt\", \"from\": 1, \"to\": 200}";

	private final ToolCallback tool = ToolCallbacks.from(new Files())[0];

	private final Prompt prompt = new Prompt("Read the notes",
			ToolCallingChatOptions.builder().toolCallbacks(this.tool).build());

	private final ChatResponse response = new ChatResponse(List.of(new Generation(AssistantMessage.builder()
		.content("")
		.toolCalls(List.of(new AssistantMessage.ToolCall("call-1", "function", "read", ARGUMENTS)))
		.build())));

	private final ToolCallingManager bare = DefaultToolCallingManager.builder().build();

	private final ToolCallingManager guarded = guarded(new ToolHookChain(
			List.<PreToolHook>of(new PolicyToolHook(new PolicyConfig(null, List.of("run_*", "delete_*"), null, null)),
					new PolicyToolHook(
							new PolicyConfig(null, null, Map.of("path", List.of("^/etc/", "\\.ssh/")), null)),
					(call) -> (call.arguments().size() > 10) ? ToolDecision.deny("many") : ToolDecision.approve()),
			List.of()));

	private static ToolCallingManager guarded(ToolHookChain chain) {
		return new SpringAiToolHooks(chain).wrap((ToolCallingManager) DefaultToolCallingManager.builder().build());
	}

	/**
	 * Spring AI alone.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolExecutionResult bare() {
		return this.bare.executeToolCalls(this.prompt, this.response);
	}

	/**
	 * Two policies and a lambda approve.
	 * @return the result, so that it is used
	 */
	@Benchmark
	public ToolExecutionResult guarded() {
		return this.guarded.executeToolCalls(this.prompt, this.response);
	}

	/** A tool that does next to nothing. */
	static final class Files {

		@Tool(description = "Read lines of a file")
		String read(String path, int from, int to) {
			return path + from + to;
		}

	}

}
