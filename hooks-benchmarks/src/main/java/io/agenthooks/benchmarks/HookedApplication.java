package io.agenthooks.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

/**
 * An application with one hook before tool calls at most, written in its configuration.
 */
final class HookedApplication implements AutoCloseable {

	private static final ToolResult RESULT = ToolResult.success("done");

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final ToolHookChain chain;

	HookedApplication(Map<String, Object> entry, Class<?>... types) {
		MapPropertySource properties = new MapPropertySource("hooks", new HashMap<>());
		entry.forEach((name, value) -> properties.getSource().put("hooks.tool_call.pre_call[0]." + name, value));
		this.context.getEnvironment().getPropertySources().addFirst(properties);
		this.context.register(ToolCallHooksAutoConfiguration.class);
		Stream.of(types).forEach(this.context::register);
		this.context.refresh();
		this.chain = this.context.getBean(ToolHookChain.class);
	}

	ToolHookChain chain() {
		return this.chain;
	}

	/** Make a call of a tool that does nothing. */
	ToolResult execute(ToolCall call) {
		return this.chain.execute(call, (made) -> RESULT);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
