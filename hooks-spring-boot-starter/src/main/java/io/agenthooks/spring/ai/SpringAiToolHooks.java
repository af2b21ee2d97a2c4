package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.observation.ToolCallingObservationContext;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.util.StringUtils;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import io.agenthooks.AbortedRuns;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Nesting;
import io.agenthooks.chain.Probe;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.origin.GuardedTools;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnAbortedException;

/**
 * Puts the hooks around tools of Spring AI. The starter does so with all beans and with
 * the tools of each {@code ChatClient} that is made by the {@code ChatClient.Builder}
 * bean; who assembles things in other ways takes this bean to wrap them. What is wrapped
 * twice is decided once.
 *
 * @since 0.1.0
 */
public final class SpringAiToolHooks {

	private static final Logger logger = LoggerFactory.getLogger(SpringAiToolHooks.class);

	/** What Spring AI calls the client among what it gives to a tool of a server. */
	private static final String MCP_CLIENT = "exchange";

	private final Supplier<ToolHookChain> chain;

	private final Supplier<List<CallContextCustomizer>> customizers;

	private final Supplier<ObservationRegistry> observations;

	private final Supplier<List<?>> mcpClients;

	private final CurrentUser user = CurrentUser.ofSpringSecurity();

	/**
	 * Create the wrapper of a chain that is made already.
	 * @param chain the chain
	 */
	public SpringAiToolHooks(ToolHookChain chain) {
		this(() -> chain, List::of, () -> ObservationRegistry.NOOP);
		Objects.requireNonNull(chain, "'chain' must not be null");
	}

	/**
	 * Create the wrapper of a chain that is made when it is needed first.
	 * @param chain the chain
	 * @param customizers who adds to the contexts of calls, in order
	 * @param observations where Spring AI observes calls of tools
	 */
	public SpringAiToolHooks(Supplier<ToolHookChain> chain, Supplier<List<CallContextCustomizer>> customizers,
			Supplier<ObservationRegistry> observations) {
		this(chain, customizers, observations, List::of);
	}

	/**
	 * Create the wrapper of a chain that is made when it is needed first.
	 * @param chain the chain
	 * @param customizers who adds to the contexts of calls, in order
	 * @param observations where Spring AI observes calls of tools
	 * @param mcpClients the clients of MCP servers that the application has. If two
	 * connections have the same name, nobody knows on which server a tool is.
	 */
	public SpringAiToolHooks(Supplier<ToolHookChain> chain, Supplier<List<CallContextCustomizer>> customizers,
			Supplier<ObservationRegistry> observations, Supplier<List<?>> mcpClients) {
		this.mcpClients = mcpClients;
		this.chain = chain;
		this.customizers = customizers;
		this.observations = observations;
	}

	/**
	 * A tool whose calls pass the hooks.
	 * @param tool the tool
	 * @return the tool behind the hooks
	 */
	public ToolCallback wrap(ToolCallback tool) {
		return GuardedToolCallback.of(tool, this, null, null);
	}

	/**
	 * A provider of tools whose calls pass the hooks.
	 * @param tools the provider
	 * @return the provider of the same tools behind the hooks
	 */
	public ToolCallbackProvider wrap(ToolCallbackProvider tools) {
		return (tools instanceof GuardedProvider) ? tools : new GuardedProvider(tools, this);
	}

	/**
	 * A resolver that finds tools whose calls pass the hooks.
	 * @param tools the resolver
	 * @return the resolver of the same tools behind the hooks
	 */
	public ToolCallbackResolver wrap(ToolCallbackResolver tools) {
		return (tools instanceof GuardedResolver) ? tools : new GuardedResolver(tools, this);
	}

	/**
	 * A manager that lets all calls pass the hooks. One of a tool that is not among the
	 * options of its prompt is refused.
	 * @param manager the manager
	 * @return the manager behind the hooks
	 */
	public ToolCallingManager wrap(ToolCallingManager manager) {
		return wrap(manager, (tool) -> null);
	}

	/**
	 * A manager that lets all calls pass the hooks.
	 * @param manager the manager
	 * @param fallback finds tools that are not among the options of a prompt; a call of
	 * one that this does not know either is refused
	 * @return the manager behind the hooks
	 */
	public ToolCallingManager wrap(ToolCallingManager manager, ToolCallbackResolver fallback) {
		return (manager instanceof GuardedToolCallingManager) ? manager
				: new GuardedToolCallingManager(manager, this, fallback);
	}

	/**
	 * Tools whose calls pass the hooks.
	 * @param tools tools and providers of tools, or objects with
	 * {@link org.springframework.ai.tool.annotation.Tool @Tool} methods
	 * @return the tools behind the hooks
	 */
	public ToolCallback[] from(Object... tools) {
		return Arrays.stream(tools).flatMap(SpringAiToolHooks::callbacks).map(this::wrap).toArray(ToolCallback[]::new);
	}

	private static Stream<ToolCallback> callbacks(Object tools) {
		if (tools instanceof ToolCallback tool) {
			return Stream.of(tool);
		}
		return Stream.of((tools instanceof ToolCallbackProvider provider) ? provider.getToolCallbacks()
				: ToolCallbacks.from(tools));
	}

	/**
	 * Whether calls of a tool, or of all that a provider, a resolver or a manager has,
	 * pass hooks.
	 * @param bean the tool, the provider, the resolver or the manager
	 * @return whether it is wrapped
	 */
	public static boolean isHooked(Object bean) {
		return bean instanceof GuardedToolCallback || bean instanceof GuardedProvider || bean instanceof GuardedResolver
				|| bean instanceof GuardedToolCallingManager;
	}

	/**
	 * Prove that what is {@linkplain #isHooked wrapped} asks a chain, by calls that it
	 * has to deny. Nobody else learns of them, neither tools nor what is around them.
	 * @param bean the tool, the provider, the resolver or the manager, as it was wrapped
	 * @param chain the chain
	 * @return whether the chain denied all of them
	 */
	public static boolean isProved(Object bean, ToolHookChain chain) {
		if (bean instanceof GuardedToolCallback tool) {
			return Probe.isDenied(chain, () -> tool.call("{}"));
		}
		if (bean instanceof GuardedProvider provider) {
			return provider.hooks().isProved(chain);
		}
		if (bean instanceof GuardedResolver resolver) {
			return resolver.hooks().isProved(chain);
		}
		return bean instanceof GuardedToolCallingManager manager
				&& Probe.isDenied(chain, () -> manager.executeToolCalls(ProbeTool.prompt(), ProbeTool.response()));
	}

	/**
	 * A provider and a resolver wrap what they find by this, and are not asked for tools:
	 * that may be slow, and a matter of servers that are not there yet.
	 */
	private boolean isProved(ToolHookChain chain) {
		ToolCallback tool = wrap(new ProbeTool());
		return Probe.isDenied(chain, () -> tool.call("{}"));
	}

	/**
	 * Lead a probe to the chain.
	 */
	String askAboutProbe() {
		return this.chain.get().execute(ToolCall.of(ProbeTool.NAME, Map.of()), ProbeTool.EXECUTOR).forModel();
	}

	void endRun(String run, Consumer<AbortedRuns.Abortion> heir) {
		this.chain.get().endRun(run, heir);
	}

	/**
	 * Let the call of a tool pass the hooks: the whole way from the text that the model
	 * wrote to the one that it gets to read.
	 */
	String call(ToolCallback tool, ToolDefinition definition, String toolInput, @Nullable ToolContext toolContext,
			@Nullable Caller knownCaller, @Nullable ToolCallBatch batch) {
		String name = definition.name();
		String json = (StringUtils.hasText(toolInput)) ? toolInput : "{}";
		ToolIdentity identity = McpOrigin.identityOf(tool, name, () -> clientsBeside(batch));
		if (batch == null || tool instanceof UnknownTool) {
			String delivered = deliver(tool, identity, json, toolContext);
			if (delivered != null) {
				return delivered;
			}
		}
		String id = (batch != null) ? batch.take(name, toolInput) : observedId(name);
		Caller caller = (knownCaller != null) ? knownCaller : caller();
		try {
			ToolResult result = decide(new Tool(this, tool, definition, identity, json, toolContext, caller), id,
					caller);
			String reply = result.forModel();
			if (batch != null) {
				batch.add(id, name, reply);
			}
			return reply;
		}
		catch (TurnAbortedException ex) {
			ToolCallBatch ended = (batch != null) ? batch
					: new ToolCallBatch(List.of(), new AssistantMessage(""), List.of());
			throw new TurnAbortedByHookException(ex, ended.endWith(id, name, ex.getReason()));
		}
		catch (ToolExecutionException ex) {
			throw NeutralizedToolException.of(ex);
		}
	}

	/**
	 * Run a tool for a call that is approved already: between the tool that the model
	 * calls and the bean that does the work may stand others, such as Spring AI's
	 * {@code AugmentedToolCallback}, and the client of a server of the application may
	 * have called it. A tool may also be an agent whose own calls are others, and are
	 * decided.
	 * @return what the tool returned, or {@code null} if the call is to be decided
	 */
	private @Nullable String deliver(ToolCallback tool, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext) {
		String delivered = deliver(identity, tool, identity, json, toolContext);
		Object client = (delivered == null && identity.isOfApplication() && toolContext != null)
				? toolContext.getContext().get(MCP_CLIENT) : null;
		return (client != null) ? deliver(client, tool, identity, json, toolContext) : delivered;
	}

	/**
	 * Run a tool for a call that is approved already.
	 * @param carrier what travelled with the call
	 * @return what the tool returned, or {@code null} if the call is to be decided
	 */
	@Nullable String deliver(Object carrier, ToolCallback tool, String name, String json,
			@Nullable ToolContext toolContext) {
		return deliver(carrier, tool, McpOrigin.identityOf(tool, name, () -> clientsBeside(null)), json, toolContext);
	}

	private @Nullable String deliver(Object presented, ToolCallback tool, ToolIdentity identity, String json,
			@Nullable ToolContext toolContext) {
		ToolHookChain chain = this.chain.get();
		return Nesting.deliver(chain, presented,
				(approved) -> approved instanceof ToolCall call && call.tool().equals(identity.modelName())
						&& covers(call.arguments(), json, chain.getMaxArgumentsSize()),
				() -> (tool instanceof UnknownTool) ? UnknownTool.REASON
						: Objects.requireNonNullElse(run(tool, identity, json, toolContext), ""));
	}

	/**
	 * Whether there is no argument in a text that was not approved.
	 */
	private static boolean covers(Map<String, @Nullable Object> approved, String json, int maxSize) {
		try {
			return ToolArguments.parse(json, maxSize)
				.entrySet()
				.stream()
				.allMatch((argument) -> approved.containsKey(argument.getKey())
						&& Objects.equals(approved.get(argument.getKey()), argument.getValue()))
					|| json.equals(ToolArguments.write(approved));
		}
		catch (InvalidToolArgumentsException ex) {
			return false;
		}
	}

	/**
	 * Run a tool. Behind it may be another that is guarded.
	 */
	private String run(ToolCallback tool, ToolIdentity identity, String json, @Nullable ToolContext toolContext) {
		if (!(tool instanceof MethodToolCallback || tool instanceof FunctionToolCallback)) {
			Nesting.ofThisThread().mayReach(this.chain.get(), identity);
		}
		return (toolContext != null) ? tool.call(json, toolContext) : tool.call(json);
	}

	/**
	 * Run the tool of a call that is carried out, when others than this thread may lead
	 * to it.
	 * @param carrier what travels with the call
	 */
	<T> T handOver(Object carrier, Supplier<T> work) {
		return Nesting.ofThisThread().handOver(this.chain.get(), carrier::equals, work);
	}

	/**
	 * The clients of MCP servers beside which a connection needs a name of its own: those
	 * of the application, and those whose tools the model could choose from.
	 */
	private Collection<?> clientsBeside(@Nullable ToolCallBatch batch) {
		List<Object> clients = new ArrayList<>(this.mcpClients.get());
		if (batch != null) {
			clients.addAll(batch.offered());
		}
		return clients;
	}

	/**
	 * Who calls a tool that no client of ours gave to a manager. If it is called by
	 * nobody that we know, this is where the application comes in.
	 */
	Caller caller() {
		Caller around = ClientRun.around(Context.empty());
		if (around != null) {
			return around;
		}
		Login login = currentLogin();
		return Caller.of(CallContext.empty().withUser(login.user()), login);
	}

	private Login currentLogin() {
		ContextView stream = ToolCallReactiveContextHolder.getContext();
		if (stream.isEmpty() || Schedulers.isInNonBlockingThread()) {
			return this.user.ofThread();
		}
		Login login = this.user.ofReactor().contextWrite(stream).block();
		return (login != null) ? login.or(this.user::ofThread) : this.user.ofThread();
	}

	private ToolResult decide(Tool tool, String id, Caller caller) {
		CallContext context = caller.context();
		ToolIdentity identity = tool.identity();
		try {
			context = customize(identity.describeIn(context), tool.toolContext(), caller);
			identity = identity.completedBy(context);
		}
		catch (RuntimeException ex) {
			logger.warn("The context of a call failed with {}; the call is denied (stack trace at DEBUG)",
					ex.getClass().getName());
			logger.debug("The context of a call failed", ex);
			return refuse(id, identity, context, BuiltInDecider.CONTEXT.value(), "The context of the call failed");
		}
		AgentAbortedException abortion = caller.abortedBy();
		if (abortion != null) {
			return refuse(id, identity, context, abortion.getHook(), abortion.getReason());
		}
		if (tool.callback() instanceof UnknownTool) {
			return refuse(id, identity, context, BuiltInDecider.UNKNOWN_TOOL.value(), UnknownTool.REASON);
		}
		Map<String, @Nullable Object> arguments;
		try {
			arguments = ToolArguments.parse(tool.json(), this.chain.get().getMaxArgumentsSize());
		}
		catch (InvalidToolArgumentsException ex) {
			return refuse(id, identity, context, BuiltInDecider.ARGUMENTS.value(), ex.getMessage());
		}
		try {
			return this.chain.get().execute(ToolCall.of(id, identity, arguments, context), tool.with(arguments));
		}
		catch (AgentAbortedException ex) {
			if (caller instanceof ClientRun run) {
				run.abort(ex);
			}
			throw ex;
		}
	}

	private ToolResult refuse(String id, ToolIdentity tool, CallContext context, String refusedBy, String reason) {
		return this.chain.get().refuse(ToolCall.of(id, tool, Map.of(), context), refusedBy, reason);
	}

	private CallContext customize(CallContext context, @Nullable ToolContext toolContext, Caller caller) {
		Map<String, Object> tool = (toolContext != null) ? toolContext.getContext() : Map.of();
		CallContext known = (context.sessionId() == null && tool.get(ChatMemory.CONVERSATION_ID) instanceof String id)
				? context.withSessionId(id) : context;
		return CallContextCustomizer.customize(this.customizers.get(), known, () -> {
			Map<String, @Nullable Object> given = new LinkedHashMap<>(
					(caller instanceof ClientRun run) ? run.advisorParameters() : Map.of());
			given.putAll(tool);
			return given;
		});
	}

	/**
	 * The id of the call of a tool that another manager than ours makes, if it can be
	 * seen.
	 */
	private String observedId(String tool) {
		Observation observation = this.observations.get().getCurrentObservation();
		return (observation != null && observation.getContext() instanceof ToolCallingObservationContext calling
				&& calling.getToolDefinition().name().equals(tool) && StringUtils.hasText(calling.getToolCallId()))
						? calling.getToolCallId() : ToolCallBatch.newId();
	}

	/**
	 * The tool as the chain sees it. It gets the text that the model wrote, unless that
	 * is no longer what was decided.
	 */
	private record Tool(SpringAiToolHooks hooks, ToolCallback callback, ToolDefinition definition,
			ToolIdentity identity, String json, @Nullable ToolContext toolContext, Caller caller,
			Map<String, @Nullable Object> arguments) implements ToolExecutor {

		Tool(SpringAiToolHooks hooks, ToolCallback callback, ToolDefinition definition, ToolIdentity identity,
				String json, @Nullable ToolContext toolContext, Caller caller) {
			this(hooks, callback, definition, identity, json, toolContext, caller, Map.of());
		}

		Tool with(Map<String, @Nullable Object> arguments) {
			return new Tool(this.hooks, this.callback, this.definition, this.identity, this.json, this.toolContext,
					this.caller, arguments);
		}

		@Override
		public ToolResult execute(ToolCall call) {
			AgentAbortedException abortion = this.caller.abortedBy();
			if (abortion != null) {
				// The run ended while the hooks decided.
				throw abortion;
			}
			Map<String, @Nullable Object> decided = call.arguments();
			String input = (decided.equals(this.arguments)) ? this.json : ToolArguments.write(decided);
			try {
				return callerFor(call).execute(() -> {
					@Nullable String reply = this.hooks.run(this.callback, this.identity, input, this.toolContext);
					return ToolResult.success((reply != null) ? reply : "");
				});
			}
			catch (ToolExecutionException ex) {
				// The tool is an agent itself, or calls tools, and a hook ended that.
				throw (ex.getCause() instanceof AgentAbortedException inner) ? inner : ex;
			}
		}

		/**
		 * Whom the tool works for, if it is an agent itself.
		 */
		private Caller callerFor(ToolCall call) {
			CallContext told = call.context();
			return (this.caller instanceof ClientRun run) ? run.as(told) : Caller
				.of(this.caller.context().withSessionId(told.sessionId()).withUser(told.user()), this.caller.login());
		}

		@Override
		public @Nullable String objection(ToolCall call) {
			return ToolSchema.of(this.definition.inputSchema()).objection(call.arguments());
		}

	}

	record GuardedProvider(ToolCallbackProvider tools,
			SpringAiToolHooks hooks) implements ToolCallbackProvider, GuardedTools {

		@Override
		public ToolCallback[] getToolCallbacks() {
			return this.hooks.from((Object[]) this.tools.getToolCallbacks());
		}

	}

	private record GuardedResolver(ToolCallbackResolver tools,
			SpringAiToolHooks hooks) implements ToolCallbackResolver {

		@Override
		public @Nullable ToolCallback resolve(String toolName) {
			ToolCallback tool = this.tools.resolve(toolName);
			return (tool != null) ? this.hooks.wrap(tool) : null;
		}

	}

}
