package io.agenthooks.spring.ai;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The call of a remote client that hooks have approved, while its tool runs. If a tool of
 * Spring AI is what runs, it may be guarded too, and may run on another thread; it knows
 * by this that its call is decided already.
 *
 * @since 0.1.0
 */
public final class ServedCall {

	/** What Spring AI calls the client among what it gives to a tool. */
	private static final String EXCHANGE = "exchange";

	private static final Set<ServedCall> underWay = ConcurrentHashMap.newKeySet();

	private final ToolHookChain chain;

	private final ToolCall call;

	private final Predicate<Object> client;

	/** Whether it has reached the tool that does the work. */
	private final AtomicBoolean delivered = new AtomicBoolean();

	/**
	 * Create the call.
	 * @param chain the hooks that approved it
	 * @param call the call as they left it
	 * @param client whether an object that Spring AI gives to the tool stands for the
	 * client
	 */
	public ServedCall(ToolHookChain chain, ToolCall call, Predicate<Object> client) {
		this.chain = chain;
		this.call = call;
		this.client = client;
	}

	/**
	 * Run the tool that the call was approved for.
	 * @param <T> the type of its result
	 * @param tool the tool
	 * @return its result
	 */
	public <T extends @Nullable Object> T run(Supplier<T> tool) {
		underWay.add(this);
		try {
			return tool.get();
		}
		finally {
			underWay.remove(this);
		}
	}

	/**
	 * Whether this is the call of a client that was approved: the same client and tool,
	 * which is one of the application itself and not of an MCP server, no argument that
	 * was not approved, and for the first time.
	 */
	static boolean isDelivered(Supplier<ToolHookChain> chain, ToolIdentity tool, String json,
			@Nullable ToolContext toolContext) {
		if (!tool.isOfApplication()) {
			return false;
		}
		Object exchange = (toolContext != null && !underWay.isEmpty()) ? toolContext.getContext().get(EXCHANGE) : null;
		return exchange != null && underWay.stream()
			.anyMatch((served) -> served.chain == chain.get() && served.call.tool().equals(tool.modelName())
					&& served.client.test(exchange)
					&& DecidedCall.covers(served.call.arguments(), json, served.chain.getMaxArgumentsSize())
					&& served.delivered.compareAndSet(false, true));
	}

}
