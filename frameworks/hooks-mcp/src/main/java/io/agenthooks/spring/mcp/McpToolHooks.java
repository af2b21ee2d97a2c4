package io.agenthooks.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.Probe;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.guard.HandedOverCalls.Carried;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * Puts the hooks around tools that this application offers to MCP clients. The starter
 * does so with all specifications of tools and all servers that are beans; who makes a
 * server in another way takes this bean to wrap it. What is wrapped twice is decided
 * once, also if the tool behind it is a guarded tool of Spring AI.
 * <p>
 * A client cannot be stopped, so an abort refuses the call, and that of a run all further
 * calls of the client's session.
 *
 * @since 0.1.0
 */
public final class McpToolHooks {

	private static final Logger logger = LoggerFactory.getLogger(McpToolHooks.class);

	private final Supplier<ToolHookChain> chain;

	private final Supplier<List<CallContextCustomizer>> customizers;

	private final CurrentUser user;

	/**
	 * Create the wrapper of a chain that is made already.
	 * @param chain the chain
	 */
	public McpToolHooks(ToolHookChain chain) {
		this(() -> chain, List::of);
		Objects.requireNonNull(chain, "'chain' must not be null");
	}

	McpToolHooks(Supplier<ToolHookChain> chain, Supplier<List<CallContextCustomizer>> customizers) {
		this(chain, customizers, CurrentUser.ofSpringSecurity());
	}

	McpToolHooks(Supplier<ToolHookChain> chain, Supplier<List<CallContextCustomizer>> customizers, CurrentUser user) {
		this.user = user;
		this.chain = chain;
		this.customizers = customizers;
	}

	/**
	 * A tool whose calls pass the hooks.
	 * @param tool the tool
	 * @return the tool behind the hooks
	 */
	public McpServerFeatures.SyncToolSpecification wrap(McpServerFeatures.SyncToolSpecification tool) {
		return (GuardedTool.isOf(this, tool.callHandler())) ? tool : new McpServerFeatures.SyncToolSpecification(
				tool.tool(), new GuardedTool.Sync<>(this, tool.tool(), tool.callHandler()));
	}

	/**
	 * A tool whose calls pass the hooks. They wait on a thread that may wait.
	 * @param tool the tool
	 * @return the tool behind the hooks
	 */
	public McpServerFeatures.AsyncToolSpecification wrap(McpServerFeatures.AsyncToolSpecification tool) {
		return wrap(tool, false);
	}

	McpServerFeatures.AsyncToolSpecification wrap(McpServerFeatures.AsyncToolSpecification tool, boolean mayWait) {
		return (GuardedTool.isOf(this, tool.callHandler())) ? tool : new McpServerFeatures.AsyncToolSpecification(
				tool.tool(), new GuardedTool.Async<>(this, tool.tool(), tool.callHandler(), mayWait));
	}

	/**
	 * A tool whose calls pass the hooks.
	 * @param tool the tool
	 * @return the tool behind the hooks
	 */
	public McpStatelessServerFeatures.SyncToolSpecification wrap(
			McpStatelessServerFeatures.SyncToolSpecification tool) {
		return (GuardedTool.isOf(this, tool.callHandler())) ? tool
				: new McpStatelessServerFeatures.SyncToolSpecification(tool.tool(),
						new GuardedTool.Sync<>(this, tool.tool(), tool.callHandler()));
	}

	/**
	 * A tool whose calls pass the hooks. They wait on a thread that may wait.
	 * @param tool the tool
	 * @return the tool behind the hooks
	 */
	public McpStatelessServerFeatures.AsyncToolSpecification wrap(
			McpStatelessServerFeatures.AsyncToolSpecification tool) {
		return wrap(tool, false);
	}

	McpStatelessServerFeatures.AsyncToolSpecification wrap(McpStatelessServerFeatures.AsyncToolSpecification tool,
			boolean mayWait) {
		return (GuardedTool.isOf(this, tool.callHandler())) ? tool
				: new McpStatelessServerFeatures.AsyncToolSpecification(tool.tool(),
						new GuardedTool.Async<>(this, tool.tool(), tool.callHandler(), mayWait));
	}

	/**
	 * A server whose tools are behind the hooks: those that it has, and those that are
	 * added to what this returns.
	 * @param server the server
	 * @return the server behind the hooks
	 */
	public McpSyncServer wrap(McpSyncServer server) {
		return GuardedServer.of(server, this);
	}

	/**
	 * A server whose tools are behind the hooks: those that it has, and those that are
	 * added to what this returns.
	 * @param server the server
	 * @return the server behind the hooks
	 */
	public McpAsyncServer wrap(McpAsyncServer server) {
		return GuardedServer.of(server, this);
	}

	/**
	 * A server whose tools are behind the hooks: those that it has, and those that are
	 * added to what this returns.
	 * @param server the server
	 * @return the server behind the hooks
	 */
	public McpStatelessSyncServer wrap(McpStatelessSyncServer server) {
		return GuardedServer.of(server, this);
	}

	/**
	 * A server whose tools are behind the hooks: those that it has, and those that are
	 * added to what this returns.
	 * @param server the server
	 * @return the server behind the hooks
	 */
	public McpStatelessAsyncServer wrap(McpStatelessAsyncServer server) {
		return GuardedServer.of(server, this);
	}

	/**
	 * Wrap a bean, if it is a tool or a server.
	 * @param bean any object
	 * @return the tool or the server behind the hooks, or the object itself
	 */
	public Object wrapIfNeeded(Object bean) {
		if (bean instanceof McpServerFeatures.SyncToolSpecification tool) {
			return wrap(tool);
		}
		if (bean instanceof McpServerFeatures.AsyncToolSpecification tool) {
			return wrap(tool);
		}
		if (bean instanceof McpStatelessServerFeatures.SyncToolSpecification tool) {
			return wrap(tool);
		}
		if (bean instanceof McpStatelessServerFeatures.AsyncToolSpecification tool) {
			return wrap(tool);
		}
		return (GuardedServer.isServer(bean)) ? GuardedServer.of(bean, this) : bean;
	}

	static boolean isGuarded(Object bean) {
		return (GuardedServer.isServer(bean)) ? GuardedServer.isGuarded(bean)
				: GuardedTool.handlerOf(bean) instanceof GuardedTool;
	}

	/** Prove it by calls that the chain has to deny, of which nobody else learns. */
	static int provedTools(Object bean, ToolHookChain chain) {
		List<Object> tools = (GuardedServer.isServer(bean)) ? GuardedServer.toolsOf(bean) : List.of(bean);
		GuardedServer.requireHiding(bean, chain);
		return (tools.stream()
			.allMatch((tool) -> GuardedTool.handlerOf(tool) instanceof GuardedTool guarded
					&& Probe.isDenied(chain, guarded::probe))) ? tools.size() : -1;
	}

	CallToolResult askAboutProbe() {
		ToolResult result = this.chain.get().execute(ToolCall.of("agent-hooks-probe", Map.of()), (call) -> {
			throw new IllegalStateException("A call that must be denied reached a tool");
		});
		return ServedResult.write(null, result, false);
	}

	CurrentUser user() {
		return this.user;
	}

	/**
	 * The client as a tool sees it if the hooks approved the very call that came;
	 * {@code null} if it is to be decided: a tool may hand its call on, or make others,
	 * also of itself.
	 */
	@Nullable Object passingBy(McpSchema.Tool tool, Object handler, @Nullable Object exchange, CallToolRequest request) {
		Carried carried = ServedExchange.callOf(exchange, request, handler);
		Carried taken = (carried != null)
				? carried.take(this.chain.get(), (approved) -> approved instanceof ToolCall call
						&& call.tool().equals(tool.name()) && isSame(call, request))
				: null;
		return (taken != null) ? ServedExchange.of(exchange, taken, request, handler) : null;
	}

	private boolean isSame(ToolCall approved, CallToolRequest request) {
		try {
			int maxSize = this.chain.get().getMaxArgumentsSize();
			return ToolArguments.isSame(approved.arguments(),
					ToolArguments.write((request.arguments() != null) ? request.arguments() : Map.of(), maxSize),
					maxSize);
		}
		catch (InvalidToolArgumentsException ex) {
			return false;
		}
	}

	CallToolResult call(McpSchema.Tool tool, Object handler, McpCaller caller, CallToolRequest request, Login login,
			ServedTool.Run run) {
		ServedTool served = new ServedTool(this.chain.get(), tool, handler, caller, request, login, run);
		try {
			ToolResult result = decide(served, login.in(caller.context()));
			Throwable failure = served.failure();
			if (failure != null && result.equals(ToolResult.failure(ServedResult.textOf(failure)))) {
				throw McpToolHooks.<RuntimeException>asItIs(failure);
			}
			return ServedResult.write(served.result(), result, tool.outputSchema() != null);
		}
		catch (ToolCallAbortedException ex) {
			return ServedResult.write(null, ToolResult.failure(ex.getReason()), false);
		}
		catch (RuntimeException ex) {
			String failure = ServedResult.neutralizedFailure(ex);
			if (failure == null) {
				throw ex;
			}
			return ServedResult.write(null, ToolResult.failure(failure), false);
		}
	}

	/** Throw what a tool threw, even an error or an undeclared exception. */
	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	private static <T extends Throwable> T asItIs(Throwable failure) throws T {
		throw (T) failure;
	}

	boolean isHiding() {
		return this.chain.get().isHiding();
	}

	/** Each is looked at as its call would be. */
	List<McpSchema.Tool> offered(List<McpSchema.Tool> tools, McpCaller caller, @Nullable Map<String, Object> meta,
			Login login) {
		CallContext context;
		try {
			context = CallContextCustomizer.customize(this.customizers.get(), login.in(caller.context()),
					() -> caller.toolContext(meta));
		}
		catch (RuntimeException ex) {
			logger.debug("The context of a call failed", ex);
			// So would that of each call, which is denied then.
			return List.of();
		}
		ToolHookChain chain = this.chain.get();
		return tools.stream()
			.filter((tool) -> !chain.hides(ToolCall.of(UniqueId.next(), identify(tool, context), Map.of(), context)))
			.toList();
	}

	private ToolResult decide(ServedTool served, CallContext known) {
		String tool = served.tool().name();
		CallContext context = known;
		try {
			context = CallContextCustomizer.customize(this.customizers.get(), known, () -> served.toolContext());
		}
		catch (RuntimeException ex) {
			logger.warn("The context of a call failed with {}; the call is denied (stack trace at DEBUG)",
					ex.getClass().getName());
			logger.debug("The context of a call failed", ex);
			return refuse(tool, known, BuiltInDecider.CONTEXT, "The context of the call failed");
		}
		try {
			int maxSize = this.chain.get().getMaxArgumentsSize();
			served.request(ToolArguments.parse(ToolArguments.write(served.arguments(), maxSize), maxSize));
		}
		catch (InvalidToolArgumentsException ex) {
			return refuse(tool, context, BuiltInDecider.ARGUMENTS, ex.getMessage());
		}
		ToolIdentity identity = identify(served.tool(), context);
		return this.chain.get().execute(ToolCall.of(UniqueId.next(), identity, served.requested(), context), served);
	}

	private static ToolIdentity identify(McpSchema.Tool tool, CallContext context) {
		return ToolIdentity.of(tool.name(), context).withHints(hintsOf(tool));
	}

	private static ToolHints hintsOf(McpSchema.Tool tool) {
		McpSchema.ToolAnnotations said = tool.annotations();
		return (said != null) ? new ToolHints(said.readOnlyHint(), said.destructiveHint(), said.idempotentHint(),
				said.openWorldHint()) : ToolHints.none();
	}

	private ToolResult refuse(String tool, CallContext context, BuiltInDecider refusedBy, String reason) {
		return this.chain.get().refuse(ToolCall.of(tool, Map.of(), context), refusedBy.value(), reason);
	}

}
