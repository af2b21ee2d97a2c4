package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import dev.langchain4j.service.tool.ToolServiceResult;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Probe;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.suspend.SuspendedTurn.Origin;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.TurnSuspendedException;

/**
 * Runs the tools of one AI service. All are in the context that is made here by the
 * thread that invokes. They are wrapped there and not earlier, since LangChain4j wants to
 * know the methods behind them until then.
 */
final class GuardedToolService extends ToolService {

	/** Customizers and hooks around runs do not see a probe. */
	private static final InvocationCaller NOBODY = new InvocationCaller(null, CallContext.empty(), Login.UNKNOWN);

	private final String agent;

	private final AiServiceContext service;

	private final @Nullable AiServiceGuard guard;

	private final AiServiceInvocations invocations;

	private final ArgumentSchemas schemas = new ArgumentSchemas();

	GuardedToolService(AiServiceContext service, @Nullable AiServiceGuard guard) {
		this.agent = service.aiServiceClass.getSimpleName();
		this.service = service;
		this.guard = guard;
		this.invocations = new AiServiceInvocations(service, this::end);
		if (guard != null) {
			guard.know(this);
		}
		super.beforeToolExecution(this::begin);
	}

	@Override
	public ToolServiceContext createContext(InvocationContext invocation, UserMessage userMessage,
			List<ChatMessage> messages) {
		AiServiceGuard guard = anyGuard();
		GoingOn goingOn = GoingOn.take(this, invocation);
		InvocationCaller caller = null;
		if (guard != null && !Probe.isUnderWay() && (guard.watchesInvocations() || goingOn != null)) {
			guard.guardModels(this.service);
			caller = begin(guard, guard.runs(), invocation, userMessage, messages, goingOn);
		}
		ToolServiceContext context = super.createContext(invocation, userMessage, messages);
		if (guard == null || !guard.isActive()
				|| (context.toolExecutors().isEmpty() && context.dynamicToolProviders().isEmpty())) {
			return context;
		}
		if (caller == null) {
			caller = (Probe.isUnderWay()) ? NOBODY : begin(guard, null, invocation, userMessage, messages, null);
		}
		GuardedInvocation guarded = new GuardedInvocation(guard, caller, this);
		Map<String, ToolExecutor> executors = new HashMap<>(context.toolExecutors());
		// Tools that search for tools are effective, but not available.
		Stream.of(context.availableTools(), context.effectiveTools())
			.flatMap(List::stream)
			.forEach((tool) -> executors.computeIfPresent(tool.name(),
					(name, executor) -> guarded.guard(executor, tool)));
		executors.replaceAll((name, executor) -> guarded.guard(executor, null));
		executors.forEach(guarded::know);
		List<ToolProvider> providers = new ArrayList<>(
				context.dynamicToolProviders().stream().map(guarded::guard).toList());
		SuspendedTurns turns = guard.turns();
		if (turns != null && !Probe.isUnderWay()) {
			// LangChain4j asks it when all calls of a batch have their results.
			InvocationCaller waiting = caller;
			providers.add(new EndOfBatch((read) -> endTurn(waiting, read, turns, invocation)));
		}
		// Who knows of a hidden tool can still call it, and is denied. The searchable
		// ones are looked at, so that a search does not tell of them.
		List<ToolSpecification> offered = guarded.offered(context.effectiveTools(), executors);
		guarded.offered(searchable(context), executors);
		return context.toBuilder()
			.toolExecutors(executors)
			.effectiveTools(offered)
			.dynamicToolProviders(providers)
			.build();
	}

	/**
	 * Here the calls of a batch are known before they are made. Guardrails that ask again
	 * come here, too.
	 */
	@Override
	public ToolServiceResult executeInferenceAndToolsLoop(AiServiceContext service, Object memoryId,
			ChatResponse response, ChatRequestParameters parameters, List<ChatMessage> messages,
			@Nullable ChatMemory memory, InvocationContext invocation, ToolServiceContext tools,
			Function<ChatRequest, ChatResponse> model) {
		AiServiceGuard guard = guard();
		InvocationCaller caller = (guard != null) ? this.invocations.callerOf(invocation) : null;
		if (guard == null || caller == null) {
			return super.executeInferenceAndToolsLoop(service, memoryId, response, parameters, messages, memory,
					invocation, tools, model);
		}
		ToolServiceResult result = executeLoop(service, memoryId, response, parameters, messages, memory, invocation,
				tools, (prompt) -> {
					caller.endIfAborted();
					return model.apply(prompt);
				}, caller, guard.turns());
		caller.endIfAborted();
		return result;
	}

	private ToolServiceResult executeLoop(AiServiceContext service, Object memoryId, ChatResponse response,
			ChatRequestParameters parameters, List<ChatMessage> messages, @Nullable ChatMemory memory,
			InvocationContext invocation, ToolServiceContext tools, Function<ChatRequest, ChatResponse> model,
			InvocationCaller caller, @Nullable SuspendedTurns turns) {
		PendingCalls pending = caller.pending();
		pending.begin(messages, response.aiMessage());
		try {
			return super.executeInferenceAndToolsLoop(service, memoryId, response, parameters, messages, memory,
					invocation, tools, (prompt) -> {
						ChatResponse next = model.apply(prompt);
						pending.begin(prompt.messages(), next.aiMessage());
						return next;
					});
		}
		catch (TurnSuspendedException ex) {
			KeptTurn turn = pending.running();
			if (turn == null || turns == null) {
				throw ex;
			}
			if (memory != null) {
				Conversations.complete(memory, turn.results(), ex.getReason());
			}
			throw suspend(caller, turn, turns, invocation);
		}
	}

	private void endTurn(InvocationCaller caller, List<ChatMessage> read, SuspendedTurns turns,
			InvocationContext invocation) {
		if (caller.pending().isWaiting()) {
			throw suspend(caller, KeptTurn.of(read), turns, invocation);
		}
	}

	/** If it cannot be kept, the memory says that nothing waits. */
	private RuntimeException suspend(InvocationCaller caller, KeptTurn turn, SuspendedTurns turns,
			InvocationContext invocation) {
		PendingCalls pending = caller.pending();
		try {
			return pending.suspend(turn,
					(kept) -> caller.kept(kept.withOrigin(originOf(caller, invocation)), turn.before()), turns);
		}
		catch (RuntimeException ex) {
			ChatMemory memory = this.invocations.memory(invocation);
			if (memory != null) {
				Conversations.replace(memory, turn, pending.denied(turn));
			}
			pending.end(turns);
			return ex;
		}
	}

	private Origin originOf(InvocationCaller caller, InvocationContext invocation) {
		AiServiceGuard guard = anyGuard();
		return KeptInvocation.originOf(type().getName(), caller.isInner(),
				guard != null && guard.services().contains(this), invocation);
	}

	private static List<ToolSpecification> searchable(ToolServiceContext context) {
		return context.availableTools().stream().filter((tool) -> !context.effectiveTools().contains(tool)).toList();
	}

	private InvocationCaller begin(AiServiceGuard guard, @Nullable RunHookChain runs, InvocationContext invocation,
			UserMessage userMessage, List<ChatMessage> messages, @Nullable GoingOn goingOn) {
		InvocationCaller caller = guard.callerOf(invocation, this.agent, goingOn);
		this.invocations.begin(invocation, caller, runs, userMessage, messages);
		if (goingOn != null) {
			goingOn.begin(caller, messages, this.invocations.memory(invocation));
		}
		return caller;
	}

	/** Begin a run that the hooks have to deny. */
	void beginProbe() {
		AiServiceGuard guard = anyGuard();
		RunHookChain runs = (guard != null) ? guard.runs() : null;
		if (runs != null) {
			runs.begin(new AgentRun("agent-hooks-probe", "", CallContext.empty()));
		}
	}

	String agent() {
		return this.agent;
	}

	Class<?> type() {
		return this.service.aiServiceClass;
	}

	boolean hasMemory() {
		return this.service.hasChatMemory();
	}

	ChatMemory memory(Object id) {
		return this.service.chatMemoryService.getOrCreateChatMemory(id);
	}

	boolean hasTools() {
		return !toolSpecifications().isEmpty() || !toolProviders().isEmpty();
	}

	boolean returnsImmediately(List<ToolExecutionResultMessage> results) {
		return results.stream()
			.allMatch((result) -> returnBehavior(result.toolName()) == ReturnBehavior.IMMEDIATE
					&& !Boolean.TRUE.equals(result.isError()));
	}

	ArgumentSchemas schemas() {
		return this.schemas;
	}

	private @Nullable AiServiceGuard guard() {
		AiServiceGuard guard = anyGuard();
		return (guard != null && guard.isActive()) ? guard : null;
	}

	ToolHookChain chain() {
		return Objects.requireNonNull(anyGuard(), "The service has no guard").chain();
	}

	private @Nullable AiServiceGuard anyGuard() {
		return (this.guard != null) ? this.guard : AiServiceGuards.ofInvocation();
	}

	private GuardedInvocation guarded(AiServiceGuard guard, InvocationContext invocation) {
		if (Probe.isUnderWay()) {
			return new GuardedInvocation(guard, NOBODY, this);
		}
		InvocationCaller caller = this.invocations.callerOf(invocation);
		return new GuardedInvocation(guard, (caller != null) ? caller : guard.callerOf(invocation, this.agent, null),
				this);
	}

	/**
	 * Let aborts through, also of an inner agent; others become text for the model. An
	 * agent that was not let begin is a tool that failed.
	 */
	@Override
	public ToolExecutionErrorHandler executionErrorHandler() {
		ToolExecutionErrorHandler errorHandler = super.executionErrorHandler();
		return (error, context) -> onError(error, context, errorHandler);
	}

	@Nullable String textOf(Exception failure, ToolExecutionRequest request, InvocationContext invocation) {
		ToolErrorContext context = ToolErrorContext.builder()
			.toolExecutionRequest(request)
			.invocationContext(invocation)
			.rawError(failure)
			.build();
		Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
		return ((failure instanceof ToolArgumentsException) ? argumentsErrorHandler().handle(cause, context)
				: onError(cause, context, super.executionErrorHandler()))
			.text();
	}

	private ToolErrorHandlerResult onError(Throwable error, ToolErrorContext context,
			ToolExecutionErrorHandler errorHandler) {
		if (context.rawError() instanceof HandledToolFailureException handled) {
			throw handled.thrown();
		}
		AgentAbortedException aborted = AgentAbortedException.causeOf(error);
		if (aborted != null && !(aborted instanceof RunBlockedException)) {
			throw aborted;
		}
		ToolErrorHandlerResult result = errorHandler.handle(error, context);
		@Nullable String text = result.text();
		return (text != null) ? ToolErrorHandlerResult.text(AdditionalContext.neutralize(text)) : result;
	}

	/**
	 * Calls of the same batch that wait are refused for their caller's sake. Nobody need
	 * decide about calls of a turn that was not kept.
	 */
	private void end(InvocationCaller caller) {
		AiServiceGuard guard = anyGuard();
		if (guard != null) {
			SuspendedTurns turns = guard.turns();
			if (turns != null) {
				caller.pending().end(turns);
			}
			caller.end(guard::endRun);
		}
	}

	@Override
	public void beforeToolExecution(@Nullable Consumer<BeforeToolExecution> consumer) {
		super.beforeToolExecution((consumer != null) ? consumer.andThen(this::begin) : this::begin);
	}

	private void begin(BeforeToolExecution execution) {
		if (guard() != null) {
			BegunExecution.begin(execution);
		}
	}

	/** The application says what the model reads, as without hooks. */
	@Override
	public ToolExecutionResult applyToolHallucinationStrategy(ToolExecutionRequest request) {
		InvocationContext invocation = BegunExecution.end(request);
		AiServiceGuard guard = guard();
		if (guard != null && invocation != null) {
			GuardedInvocation guarded = guarded(guard, invocation);
			ToolExecutor hidden = guarded.caller().hidden(GuardedInvocation.nameOf(request));
			if (hidden != null) {
				return hidden.executeWithContext(request, invocation);
			}
			guarded.refuseUnknownTool(request);
			return guarded.caller().pending().settle(request, super.applyToolHallucinationStrategy(request));
		}
		return super.applyToolHallucinationStrategy(request);
	}

	private record EndOfBatch(Consumer<List<ChatMessage>> check) implements ToolProvider {

		@Override
		public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
			this.check.accept(request.messages());
			return null;
		}

		@Override
		public boolean isDynamic() {
			return true;
		}

	}

}
