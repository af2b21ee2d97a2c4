package io.agenthooks.spring.langchain4j;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.tool.BeforeToolExecution;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Probe;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.caller.Login;

/**
 * Runs the tools of one AI service. All of them come from the context that is made here
 * at the beginning of each invocation, by the thread that invokes: tools of objects, of
 * providers, and those that search for tools. That is where they are wrapped, and not
 * earlier, because LangChain4j wants to know the methods behind them until then.
 */
final class GuardedToolService extends ToolService {

	/** Makes the calls of a probe, which customizers and hooks around runs do not see. */
	private static final InvocationCaller NOBODY = new InvocationCaller(null, CallContext.empty(), Login.UNKNOWN);

	private final String agent;

	private final @Nullable AiServiceGuard guard;

	private final AiServiceInvocations invocations;

	private final ArgumentSchemas schemas = new ArgumentSchemas();

	/**
	 * Create the service.
	 * @param service the AI service
	 * @param guard the guard of the application context that makes it, or {@code null} if
	 * there is none yet
	 */
	GuardedToolService(AiServiceContext service, @Nullable AiServiceGuard guard) {
		this.agent = service.aiServiceClass.getSimpleName();
		this.guard = guard;
		this.invocations = new AiServiceInvocations(service, this::end);
		super.beforeToolExecution(this::begin);
	}

	@Override
	public ToolServiceContext createContext(InvocationContext invocation, UserMessage userMessage,
			List<ChatMessage> messages) {
		AiServiceGuard guard = anyGuard();
		InvocationCaller caller = null;
		if (guard != null && !Probe.isUnderWay() && guard.watchesInvocations()) {
			caller = begin(guard, guard.runs(), invocation, userMessage, messages);
		}
		ToolServiceContext context = super.createContext(invocation, userMessage, messages);
		if (guard == null || !guard.isActive()
				|| (context.toolExecutors().isEmpty() && context.dynamicToolProviders().isEmpty())) {
			return context;
		}
		if (caller == null) {
			caller = (Probe.isUnderWay()) ? NOBODY : begin(guard, null, invocation, userMessage, messages);
		}
		GuardedInvocation guarded = new GuardedInvocation(guard, caller, this.schemas, this::textOf);
		Map<String, ToolExecutor> executors = new HashMap<>(context.toolExecutors());
		// Tools that search for tools are effective, but not available.
		Stream.of(context.availableTools(), context.effectiveTools())
			.flatMap(List::stream)
			.forEach((tool) -> executors.computeIfPresent(tool.name(),
					(name, executor) -> guarded.guard(executor, tool)));
		executors.replaceAll((name, executor) -> guarded.guard(executor, null));
		List<ToolProvider> providers = context.dynamicToolProviders().stream().map(guarded::guard).toList();
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

	private static List<ToolSpecification> searchable(ToolServiceContext context) {
		return context.availableTools().stream().filter((tool) -> !context.effectiveTools().contains(tool)).toList();
	}

	/**
	 * An invocation begins. Who makes its calls is known from now on, on all threads.
	 */
	private InvocationCaller begin(AiServiceGuard guard, @Nullable RunHookChain runs, InvocationContext invocation,
			UserMessage userMessage, List<ChatMessage> messages) {
		InvocationCaller caller = guard.callerOf(invocation, this.agent);
		this.invocations.begin(invocation, caller, runs, userMessage, messages);
		return caller;
	}

	/**
	 * Begin a run that the hooks have to deny.
	 */
	void beginProbe() {
		AiServiceGuard guard = anyGuard();
		RunHookChain runs = (guard != null) ? guard.runs() : null;
		if (runs != null) {
			runs.begin(new AgentRun("agent-hooks-probe", "", CallContext.empty()));
		}
	}

	/**
	 * The guard, or {@code null} if calls of tools pass no hooks.
	 */
	private @Nullable AiServiceGuard guard() {
		AiServiceGuard guard = anyGuard();
		return (guard != null && guard.isActive()) ? guard : null;
	}

	private @Nullable AiServiceGuard anyGuard() {
		return (this.guard != null) ? this.guard : AiServiceGuard.current();
	}

	private GuardedInvocation guarded(AiServiceGuard guard, InvocationContext invocation) {
		if (Probe.isUnderWay()) {
			return new GuardedInvocation(guard, NOBODY, this.schemas, this::textOf);
		}
		InvocationCaller caller = this.invocations.callerOf(invocation);
		return new GuardedInvocation(guard, (caller != null) ? caller : guard.callerOf(invocation, this.agent),
				this.schemas, this::textOf);
	}

	/**
	 * Let aborts through, which would otherwise become text for the model. One that comes
	 * out of a tool which is an agent itself ends this agent, too. An agent that was not
	 * let begin is a tool that failed.
	 */
	@Override
	public ToolExecutionErrorHandler executionErrorHandler() {
		ToolExecutionErrorHandler errorHandler = super.executionErrorHandler();
		return (error, context) -> onError(error, context, errorHandler);
	}

	/**
	 * The text that the handlers of the application make of what a tool threw, as
	 * LangChain4j asks them.
	 */
	private @Nullable String textOf(Exception failure, ToolExecutionRequest request, InvocationContext invocation) {
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
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof AgentAbortedException aborted && !(cause instanceof RunBlockedException)) {
				throw aborted;
			}
		}
		ToolErrorHandlerResult result = errorHandler.handle(error, context);
		@Nullable String text = result.text();
		return (text != null) ? ToolErrorHandlerResult.text(AdditionalContext.neutralize(text)) : result;
	}

	/**
	 * Forget a run that was aborted: it is over now. If tools run concurrently, some of
	 * the same batch may still wait, and are refused for their caller's sake.
	 */
	private void end(InvocationCaller caller) {
		AiServiceGuard guard = anyGuard();
		if (guard != null) {
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

	/**
	 * Show the hooks a call of an unknown tool. The application says what the model gets
	 * to read, as it would without hooks.
	 */
	@Override
	public ToolExecutionResult applyToolHallucinationStrategy(ToolExecutionRequest request) {
		InvocationContext invocation = BegunExecution.end(request);
		AiServiceGuard guard = guard();
		if (guard != null && invocation != null) {
			GuardedInvocation guarded = guarded(guard, invocation);
			ToolExecutor hidden = guarded.caller().hidden(request.name());
			if (hidden != null) {
				return hidden.executeWithContext(request, invocation);
			}
			guarded.refuseUnknownTool(request);
		}
		return super.applyToolHallucinationStrategy(request);
	}

}
