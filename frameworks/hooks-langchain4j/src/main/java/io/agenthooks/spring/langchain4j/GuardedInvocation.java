package io.agenthooks.spring.langchain4j;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.Probe;
import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.arguments.InvalidToolArgumentsException;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.arguments.ToolSchema;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.TurnSuspendedException;

record GuardedInvocation(AiServiceGuard guard, InvocationCaller caller, GuardedToolService service,
		ToolOrigins origins) {

	/** LangChain4j's name for the tools that a search found. */
	private static final String FOUND_TOOLS = "found_tools";

	GuardedInvocation(AiServiceGuard guard, InvocationCaller caller, GuardedToolService service) {
		this(guard, caller, service, new ToolOrigins());
	}

	ToolExecutor guard(ToolExecutor executor, @Nullable ToolSpecification tool) {
		return (executor instanceof GuardedTool) ? executor
				: new GuardedTool(this, executor, tool, this.origins.originOf(executor, tool));
	}

	void know(String name, ToolExecutor executor) {
		if (executor instanceof GuardedTool tool) {
			ToolIdentity identity = this.origins.identityOf(tool.origin, name);
			this.caller.know(identity);
			this.guard.tellOffered(identity);
		}
	}

	ToolProvider guard(ToolProvider provider) {
		return new GuardedProvider(this, provider);
	}

	/** Each is looked at as its call would be. */
	List<ToolSpecification> offered(List<ToolSpecification> tools, Map<String, ToolExecutor> executors) {
		if (tools.isEmpty() || Probe.isUnderWay() || !this.guard.chain().isHiding()) {
			return tools;
		}
		return tools.stream().filter((tool) -> !isHidden(tool.name(), executors.get(tool.name()))).toList();
	}

	private boolean isHidden(String name, @Nullable ToolExecutor executor) {
		ToolExecutionRequest request = ToolExecutionRequest.builder().name(name).build();
		boolean hidden = this.guard.chain()
			.hides(call(request, (executor instanceof GuardedTool tool) ? tool.origin : null, Map.of()));
		if (hidden && executor != null) {
			this.caller.hide(name, executor);
		}
		return hidden;
	}

	/** A search would offer hidden ones to the model. */
	private ToolExecutionResult withoutHidden(ToolExecutionResult result) {
		if (!(result.attributes().get(FOUND_TOOLS) instanceof List<?> found)
				|| found.stream().noneMatch((name) -> this.caller.hidden(String.valueOf(name)) != null)) {
			return result;
		}
		List<String> left = found.stream()
			.map(String::valueOf)
			.filter((name) -> this.caller.hidden(name) == null)
			.toList();
		Map<String, Object> attributes = new HashMap<>(result.attributes());
		attributes.put(FOUND_TOOLS, left);
		return ToolExecutionResult.builder()
			.isError(result.isError())
			.result(left)
			.resultText((left.isEmpty()) ? "No matching tools found" : "Tools found: " + String.join(", ", left))
			.attributes(attributes)
			.build();
	}

	private ToolExecutionResult execute(ToolExecutionRequest request, GuardedTool tool, InvocationContext invocation) {
		ToolHookChain chain = this.guard.chain();
		if (Probe.isUnderWay()) {
			return ToolRunner.asResult(chain.execute(call(request, null, Map.of()), (call) -> {
				throw new IllegalStateException("A call that must be denied reached a tool");
			}));
		}
		AgentAbortedException abortion = this.caller.abortedBy();
		if (abortion != null) {
			return ToolRunner
				.asResult(chain.refuse(call(request, tool.origin, Map.of()), abortion.getHook(), abortion.getReason()));
		}
		ToolCall call;
		try {
			call = call(request, tool.origin, parse(request));
		}
		catch (InvalidToolArgumentsException ex) {
			return ToolRunner.asResult(chain.refuse(call(request, tool.origin, Map.of()),
					BuiltInDecider.ARGUMENTS.value(), ex.getMessage()));
		}
		ToolRunner run = new ToolRunner(call, request, tool.executor, invocation, tool, this.caller,
				(failure) -> this.service.textOf(failure, request, invocation), () -> chain);
		try {
			return run.complete(this.caller.conversation().execute(() -> chain.execute(call, run)));
		}
		catch (TurnSuspendedException ex) {
			return await(ex, tool, invocation);
		}
		catch (AgentAbortedException ex) {
			if (this.caller.abort(ex)) {
				this.caller.end(this.guard::endRun);
			}
			throw ex;
		}
		catch (RuntimeException ex) {
			throw run.toThrow(ex);
		}
	}

	private ToolExecutionResult await(TurnSuspendedException call, GuardedTool tool, InvocationContext invocation) {
		SuspendedTurns turns = this.guard.turns();
		if (turns == null) {
			throw call;
		}
		String objection = objectionTo(call.getCall(), tool, invocation);
		if (objection != null) {
			turns.cancel(List.of(call));
			return ToolRunner.asResult(ToolResult
				.failure("This call needs the approval of a person, and cannot wait for it: " + objection));
		}
		ToolExecutionResult awaited = this.caller.pending().await(call);
		if (awaited == null) {
			turns.cancel(List.of(call));
			return ToolRunner.asResult(ToolResult.failure("The turn of this call is over"));
		}
		return awaited;
	}

	private @Nullable String objectionTo(ToolCall call, GuardedTool tool, InvocationContext invocation) {
		try {
			String objection = ResumableTool.objectionTo(tool.executor, invocation, call.context());
			if (objection != null) {
				return objection;
			}
			String ofTurn = this.caller.pending().objection();
			if (ofTurn != null) {
				return ofTurn;
			}
			return (this.guard.wouldConfuse(this.service, call)) ? "another service of this name has such a tool, too"
					: null;
		}
		catch (RuntimeException ex) {
			// Without its text, which is the application's.
			return "it could not be found out whether the call can be resumed";
		}
	}

	void refuseUnknownTool(ToolExecutionRequest request) {
		Map<String, @Nullable Object> arguments;
		try {
			arguments = parse(request);
		}
		catch (InvalidToolArgumentsException ex) {
			arguments = Map.of();
		}
		this.guard.chain()
			.refuse(call(request, null, arguments), BuiltInDecider.UNKNOWN_TOOL.value(), "There is no such tool");
	}

	private Map<String, @Nullable Object> parse(ToolExecutionRequest request) {
		return (request.arguments() != null)
				? ToolArguments.parse(request.arguments(), this.guard.chain().getMaxArgumentsSize()) : Map.of();
	}

	private ToolCall call(ToolExecutionRequest request, ToolOrigins.@Nullable Remote origin,
			Map<String, @Nullable Object> arguments) {
		CallContext context = this.caller.context();
		ToolIdentity tool = this.origins.identityOf(origin, nameOf(request)).completedBy(context);
		return ToolCall.of(UniqueId.next(), tool, arguments, (StringUtils.hasText(request.id()))
				? context.withAttribute(CallAttributes.PROVIDER_CALL_ID, request.id()) : context);
	}

	static String nameOf(ToolExecutionRequest request) {
		return Objects.requireNonNullElse(request.name(), "");
	}

	/** It can say what the tool accepts once it was called. */
	private static final class GuardedTool implements ToolExecutor, WrapsTool, Supplier<@Nullable ToolSchema> {

		private final GuardedInvocation invocation;

		private final ToolExecutor executor;

		private final @Nullable ToolSpecification specification;

		private final ToolOrigins.@Nullable Remote origin;

		private @Nullable ToolSchema schema;

		GuardedTool(GuardedInvocation invocation, ToolExecutor executor, @Nullable ToolSpecification specification,
				ToolOrigins.@Nullable Remote origin) {
			this.invocation = invocation;
			this.executor = executor;
			this.specification = specification;
			this.origin = origin;
		}

		@Override
		public Collection<?> wrappedTools() {
			return List.of(this.executor);
		}

		@Override
		public @Nullable ToolSchema get() {
			ToolSchema schema = this.schema;
			if (schema == null) {
				schema = this.invocation.service.schemas().of(this.specification);
				this.schema = schema;
			}
			return schema;
		}

		@Override
		public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
			BegunExecution.end(request);
			return this.invocation.caller.pending()
				.settle(request, this.invocation.withoutHidden(this.invocation.execute(request, this, context)));
		}

		@Override
		public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
			return executeWithContext(request, InvocationContext.builder().chatMemoryId(memoryId).build()).resultText();
		}

	}

	private record GuardedProvider(GuardedInvocation invocation, ToolProvider provider) implements ToolProvider {

		@Override
		public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
			ToolProviderResult result = this.provider.provideTools(request);
			return (result != null)
					? new ToolProviderResult(offered(result.aiServiceTools().stream().map(this::guard).toList()))
					: null;
		}

		private List<AiServiceTool> offered(List<AiServiceTool> tools) {
			Map<String, ToolExecutor> executors = new HashMap<>();
			tools.forEach((tool) -> executors.putIfAbsent(tool.name(), tool.toolExecutor()));
			List<ToolSpecification> offered = this.invocation
				.offered(tools.stream().map(AiServiceTool::toolSpecification).toList(), executors);
			return tools.stream().filter((tool) -> offered.contains(tool.toolSpecification())).toList();
		}

		private AiServiceTool guard(AiServiceTool tool) {
			ToolExecutor guarded = this.invocation.guard(tool.toolExecutor(), tool.toolSpecification());
			this.invocation.know(tool.name(), guarded);
			return tool.toBuilder().toolExecutor(guarded).build();
		}

		@Override
		public boolean isDynamic() {
			return this.provider.isDynamic();
		}

	}

}
