package io.agenthooks.spring.langchain4j;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.chain.Probe;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.Caller;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.caller.Login;
import io.agenthooks.spring.guard.UnguardedConsequence;
import io.agenthooks.spring.guard.UnsupportedLibraryException;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The hooks of a context for the AI services that it makes. Those keep them when it is
 * closed: their calls never pass the hooks of another context, or none.
 */
final class AiServiceGuard
		implements BeanFactoryPostProcessor, SmartInitializingSingleton, DisposableBean, PriorityOrdered {

	private static final Logger logger = LoggerFactory.getLogger(AiServiceGuard.class);

	private static final String PROBE = "agent-hooks-probe";

	private final List<WeakReference<GuardedToolService>> services = new CopyOnWriteArrayList<>();

	private final boolean active;

	private final UnguardedConsequence consequence;

	private final CurrentUser user;

	private volatile Consumer<ToolIdentity> offered = (tool) -> {
	};

	private volatile ServiceHooks.@Nullable Beans beans;

	private volatile @Nullable ServiceHooks hooks;

	private volatile @Nullable Thread starting;

	/**
	 * Where hooks are switched off, calls do not pass those of another context either.
	 */
	AiServiceGuard(boolean active, ServiceHooks.Beans beans, UnguardedConsequence consequence, CurrentUser user) {
		this.user = user;
		this.active = active;
		this.beans = beans;
		this.consequence = consequence;
	}

	private AiServiceGuard(ServiceHooks hooks, CurrentUser user) {
		this.user = user;
		this.active = hooks.chain() != null;
		this.hooks = hooks;
		this.consequence = UnguardedConsequence.DENIAL;
	}

	boolean isStartedByThisThread() {
		return Thread.currentThread().equals(this.starting);
	}

	/**
	 * Refuses what this one guards, also if the start failed: for services that are made
	 * or asked when no context is there any more.
	 */
	AiServiceGuard refusing(@Nullable AiServiceGuard other) {
		ServiceHooks own = this.hooks;
		ServiceHooks others = (other != null) ? other.hooks : null;
		boolean tools = this.active || (others != null && others.chain() != null);
		boolean runs = (own != null) ? own.runs() != null : this.active;
		boolean models = (own != null) ? own.models() != null : this.active;
		return new AiServiceGuard(ServiceHooks.refusing(tools, runs || (others != null && others.runs() != null),
				models || (others != null && others.models() != null), this.user), this.user);
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		this.starting = Thread.currentThread();
		AiServiceGuards.open(this);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.starting = null;
		hooks();
		if (!this.active && !watchesInvocations()) {
			return;
		}
		if (KnownApi.mismatch() != null) {
			throw new UnsupportedLibraryException(
					"Agent Hooks cannot guard LangChain4j %s, because %s.".formatted(UnsupportedLibraryException
						.versionOf("dev.langchain4j/langchain4j", AiServiceContext.class.getClassLoader()),
							KnownApi.mismatch()),
					"Set the version of 'langchain4j-bom' to one from 1.17 to 1.19, or set 'bypass_hooks' below "
							+ "'hooks.tool_call', 'hooks.llm_call' and 'hooks.run' to true.");
		}
		String reason = (!this.consequence.isNothing()) ? whyUnguarded(AiServiceContext.create(AiServiceGuard.class))
				: null;
		if (reason != null) {
			report("Calls of the tools of LangChain4j's AI services pass no hooks, and neither do their runs, because "
					+ reason);
		}
	}

	private void report(String message) {
		if (this.consequence.isDenial()) {
			throw new IllegalStateException("%s. Fix that; %s.".formatted(message, UnguardedConsequence.HOW_TO_ALLOW));
		}
		logger.warn(message);
	}

	static @Nullable String whyUnguarded(AiServiceContext service) {
		if (service.toolService instanceof GuardedToolService) {
			return null;
		}
		return "another AiServiceContextFactory makes them: they are of " + service.getClass();
	}

	void setOffered(Consumer<ToolIdentity> offered) {
		this.offered = offered;
	}

	void tellOffered(ToolIdentity tool) {
		this.offered.accept(tool);
	}

	/**
	 * Only those that the start makes are for all who call: another may have the tools of
	 * one user.
	 */
	void know(GuardedToolService service) {
		if (isStartedByThisThread()) {
			this.services.add(new WeakReference<>(service));
		}
	}

	List<GuardedToolService> services() {
		List<GuardedToolService> found = new ArrayList<>();
		for (WeakReference<GuardedToolService> known : this.services) {
			GuardedToolService service = known.get();
			if (service != null) {
				found.add(service);
			}
		}
		return found;
	}

	Set<String> agents() {
		return services().stream().map(GuardedToolService::agent).collect(Collectors.toCollection(TreeSet::new));
	}

	List<GuardedToolService> services(String agent) {
		return services().stream().filter((service) -> service.agent().equals(agent)).toList();
	}

	/**
	 * Whether the call would be resumed by a tool of the same name of another service.
	 */
	@SuppressWarnings("ReferenceEquality") // the very service
	boolean wouldConfuse(GuardedToolService service, ToolCall call) {
		String agent = call.context().agent();
		List<GuardedToolService> known = (agent != null) ? services(agent) : List.of();
		return known.stream().noneMatch((other) -> other == service)
				&& known.stream().anyMatch((other) -> ResumableTool.find(other, call, false) != null);
	}

	boolean guardsServices() {
		return this.active && guardsRuns();
	}

	boolean guardsRuns() {
		return whyUnguarded(AiServiceContext.create(AiServiceGuard.class)) == null;
	}

	/** Prove it by a call that the chain has to deny. */
	boolean isProved(ToolHookChain chain) {
		return Probe.isDenied(chain, () -> {
			GuardedToolService service = new GuardedToolService(AiServiceContext.create(AiServiceGuard.class), this);
			service.tools(Map.of(ToolSpecification.builder().name(PROBE).build(), (request, memoryId) -> {
				throw new IllegalStateException("A call that must be denied reached a tool");
			}));
			InvocationContext invocation = InvocationContext.builder().build();
			ToolExecutor tool = Objects.requireNonNull(
					service.createContext(invocation, UserMessage.from(PROBE), List.of()).toolExecutors().get(PROBE));
			return tool.executeWithContext(ToolExecutionRequest.builder().id(PROBE).name(PROBE).build(), invocation);
		});
	}

	boolean isProved(RunHookChain chain) {
		return Probe.isDenied(chain, () -> {
			new GuardedToolService(AiServiceContext.create(AiServiceGuard.class), this).beginProbe();
			return null;
		});
	}

	@Override
	public void destroy() {
		AiServiceGuards.close(this);
		this.starting = null;
		this.beans = null;
		this.services.clear();
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	boolean isActive() {
		return this.active;
	}

	ToolHookChain chain() {
		return Objects.requireNonNull(hooks().chain(), "Hooks around calls of tools are switched off");
	}

	void endRun(String run, Consumer<AbortedRuns.Abortion> heir) {
		hooks().abortedRuns().endRun(run, heir);
	}

	@Nullable SuspendedTurns turns() {
		return hooks().turns();
	}

	@Nullable RunHookChain runs() {
		return hooks().runs();
	}

	boolean watchesInvocations() {
		return hooks().watchInvocations();
	}

	/** Models that are no beans are known only here. */
	void guardModels(AiServiceContext service) {
		ModelGuard models = hooks().models();
		if (models == null) {
			return;
		}
		if (service.chatModel != null) {
			service.chatModel = (ChatModel) models.postProcessAfterInitialization(service.chatModel, "chatModel");
		}
		if (service.streamingChatModel != null) {
			service.streamingChatModel = (StreamingChatModel) models
				.postProcessAfterInitialization(service.streamingChatModel, "streamingChatModel");
		}
	}

	/** Asked once, on the thread that invokes. The invocation may go on with a turn. */
	InvocationCaller callerOf(InvocationContext invocation, String agent, @Nullable GoingOn goingOn) {
		Caller around = Caller.ofThread();
		Login login = (goingOn != null) ? goingOn.login() : Caller.login(around, this.user::ofThread);
		Object memory = invocation.chatMemoryId();
		// Services without a memory id all share this one: it tells no conversations
		// apart.
		String session = (memory == null || ChatMemoryService.DEFAULT.equals(memory)) ? null : memory.toString();
		String run = (invocation.invocationId() != null) ? invocation.invocationId().toString() : null;
		CallContext context = login.in(CallContext.ofSession(Caller.session(session, around)))
			.withRunId(run)
			.withRootRunId((around != null) ? around.rootRun() : Caller.rootRun(Caller.outermostOfThread()))
			.withAgent(agent);
		return new InvocationCaller(run,
				CallContextCustomizer.customize(hooks().customizers(), context, () -> attributes(invocation)), login,
				around, Caller.outermostOfThread(), Caller.insideOf(around));
	}

	List<CallContextCustomizer> customizers() {
		return hooks().customizers();
	}

	private static Map<String, Object> attributes(InvocationContext invocation) {
		InvocationParameters parameters = invocation.invocationParameters();
		return (parameters != null) ? Collections.unmodifiableMap(parameters.asMap()) : Map.of();
	}

	private ServiceHooks hooks() {
		ServiceHooks hooks = this.hooks;
		if (hooks == null) {
			ServiceHooks.Beans beans = this.beans;
			if (beans == null) {
				throw new IllegalStateException("The application was closed before its hooks were made");
			}
			hooks = beans.find(this.active, this.user);
			this.hooks = hooks;
		}
		return hooks;
	}

}
