package io.agenthooks.spring.ai;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;

import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * The call that this thread's tool was approved for. Between the tool that the model
 * calls and the bean that does the work may stand others, such as Spring AI's
 * {@code AugmentedToolCallback}; if both ends are guarded, the call is decided once. A
 * tool may also be an agent whose own calls are others, and are decided.
 */
final class DecidedCall {

	private static final ThreadLocal<@Nullable DecidedCall> ofThread = new ThreadLocal<>();

	private final HookedToolCallbacks hooks;

	private final ToolIdentity tool;

	private final String json;

	private final Map<String, @Nullable Object> arguments;

	/** Whether it has reached the tool that does the work. */
	private boolean delivered;

	DecidedCall(HookedToolCallbacks hooks, ToolCallback callback, ToolIdentity tool, String json,
			Map<String, @Nullable Object> arguments) {
		this.hooks = hooks;
		this.tool = tool;
		this.json = json;
		this.arguments = arguments;
		this.delivered = callback instanceof MethodToolCallback || callback instanceof FunctionToolCallback;
	}

	/**
	 * Whether this thread brings the call that was decided to the tool that does the
	 * work: the same tool of the same server, no argument that was not decided, and for
	 * the first time.
	 */
	static boolean isDelivered(HookedToolCallbacks hooks, ToolIdentity tool, String json) {
		DecidedCall decided = ofThread.get();
		if (decided == null || decided.delivered || decided.hooks != hooks || !decided.tool.equals(tool)
				|| !(json.equals(decided.json) || covers(decided.arguments, json, hooks.maxArgumentsSize()))) {
			return false;
		}
		decided.delivered = true;
		return true;
	}

	/**
	 * Whether there is no argument in a text that was not decided.
	 */
	static boolean covers(Map<String, @Nullable Object> arguments, String json, int maxSize) {
		try {
			return ToolArguments.parse(json, maxSize)
				.entrySet()
				.stream()
				.allMatch((argument) -> arguments.containsKey(argument.getKey())
						&& Objects.equals(arguments.get(argument.getKey()), argument.getValue()));
		}
		catch (InvalidToolArgumentsException ex) {
			return false;
		}
	}

	/**
	 * Run the tool that the call was approved for.
	 */
	ToolResult run(Supplier<ToolResult> tool) {
		DecidedCall around = ofThread.get();
		ofThread.set(this);
		try {
			return tool.get();
		}
		finally {
			if (around != null) {
				ofThread.set(around);
			}
			else {
				ofThread.remove();
			}
		}
	}

}
