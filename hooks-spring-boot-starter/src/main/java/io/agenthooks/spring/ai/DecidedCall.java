package io.agenthooks.spring.ai;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;

import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The call that this thread's tool was approved for. Between the tool that the model
 * calls and the bean that does the work may stand others, such as Spring AI's
 * {@code AugmentedToolCallback}; if both ends are guarded, the call is decided once. A
 * tool may also be an agent whose own calls are others, and are decided.
 */
final class DecidedCall {

	private static final ThreadLocal<@Nullable DecidedCall> ofThread = new ThreadLocal<>();

	private final SpringAiToolHooks hooks;

	private final ToolIdentity tool;

	private final String json;

	private final Map<String, @Nullable Object> arguments;

	/** Whether it has reached the tool that does the work. */
	private final AtomicBoolean delivered;

	DecidedCall(SpringAiToolHooks hooks, ToolCallback callback, ToolIdentity tool, String json,
			Map<String, @Nullable Object> arguments) {
		this.hooks = hooks;
		this.tool = tool;
		this.json = json;
		this.arguments = arguments;
		this.delivered = new AtomicBoolean(
				callback instanceof MethodToolCallback || callback instanceof FunctionToolCallback);
	}

	/**
	 * Whether this thread brings the call that was decided to the tool that does the
	 * work: the same tool of the same server, no argument that was not decided, and for
	 * the first time.
	 */
	static boolean isDelivered(SpringAiToolHooks hooks, ToolIdentity tool, String json) {
		DecidedCall decided = ofThread.get();
		return decided != null && decided.delivers(hooks, json) && decided.tool.equals(tool)
				&& decided.delivered.compareAndSet(false, true);
	}

	/**
	 * The call that this thread's tool was approved for, if there is one.
	 */
	static @Nullable DecidedCall current() {
		return ofThread.get();
	}

	/**
	 * Whether this call is brought to the tool that was decided, by its name for the
	 * model.
	 */
	boolean isDelivered(SpringAiToolHooks hooks, String tool, String json) {
		return delivers(hooks, json) && this.tool.modelName().equals(tool) && this.delivered.compareAndSet(false, true);
	}

	/**
	 * Whether there is no argument that was not decided, and the call is still to be
	 * delivered.
	 */
	private boolean delivers(SpringAiToolHooks hooks, String json) {
		return !this.delivered.get() && this.hooks == hooks
				&& (json.equals(this.json) || covers(this.arguments, json, hooks.maxArgumentsSize()));
	}

	/**
	 * Do what was approved. Behind the tool may be another that is guarded.
	 */
	String serve(ToolCallback tool, String input, @Nullable ToolContext toolContext) {
		return new DecidedCall(this.hooks, tool, this.tool, input, this.arguments)
			.run(() -> SpringAiToolHooks.run(tool, input, toolContext));
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
	<T extends @Nullable Object> T run(Supplier<T> tool) {
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
