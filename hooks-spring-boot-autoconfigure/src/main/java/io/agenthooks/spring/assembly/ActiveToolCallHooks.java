package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.guard.GuardedToolCalls;
import io.agenthooks.spring.guard.MissedHooks;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.spring.guard.UnguardedConsequence;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * The hooks around calls of tools as guards have to know them at the start: whether all
 * of them are in the chain, and whether what escaped the guards matters.
 */
final class ActiveToolCallHooks implements GuardedToolCalls, MissedHooks {

	private static final Logger logger = LoggerFactory.getLogger(ActiveToolCallHooks.class);

	private static final String INSTEAD_OF_EVADING = "Let others call 'execute', or make the method one of another "
			+ "bean, which is given the executor";

	private final HookAssembly<ToolHook> assembly;

	private final AnnotatedToolHooks methods;

	private final ToolHookChain chain;

	private final ToolHookRegistry registry;

	private final ToolExecutorGuard guard;

	private final UnguardedConsequence consequence;

	private final BooleanSupplier othersDecide;

	private final Set<String> evasions = ConcurrentHashMap.newKeySet();

	private final List<String> unguarded = new ArrayList<>();

	ActiveToolCallHooks(HookAssembly<ToolHook> assembly, AnnotatedToolHooks methods, ToolHookChain chain,
			ToolHookRegistry registry, ToolExecutorGuard guard, ConfigurableEnvironment environment,
			BooleanSupplier othersDecide) {
		this.assembly = assembly;
		this.methods = methods;
		this.chain = chain;
		this.registry = registry;
		this.guard = guard;
		this.othersDecide = othersDecide;
		this.consequence = UnguardedConsequence.of(environment, this::decide);
	}

	@Override
	public ToolHookChain chain() {
		return this.guard.chain();
	}

	@Override
	public boolean decide() {
		return !isAssembled() || this.registry.isSwitchInUse()
				|| this.registry.list()
					.stream()
					.anyMatch((hook) -> hook.phase() != ActiveHooks.Phase.POST_CALL
							&& hook.options().mode() != HookOptions.Mode.OBSERVE && !isSilent(hook));
	}

	/** Whether a hook lets all calls pass: it is there for its name, or only masks. */
	private boolean isSilent(ActiveHooks.Listed hook) {
		boolean isMask = hook.phase() == ActiveHooks.Phase.PRE_CALL && hook.type().equals("redact");
		return hook.type().equals("passthrough") || (isMask && this.assembly.hooks()
			.entries(ActiveHooks.Phase.PRE_CALL, PreToolHook.class)
			.stream()
			.noneMatch((entry) -> entry.name().equals(hook.name()) && entry.hook().isRepeatable()));
	}

	@Override
	public boolean mayAsk() {
		return !isAssembled() || this.assembly.hooks()
			.entries(ActiveHooks.Phase.PRE_CALL, PreToolHook.class)
			.stream()
			.anyMatch((entry) -> !entry.observe() && entry.hook().mayAsk());
	}

	@Override
	public void checkHooks() {
		if (isAssembled()) {
			this.methods.verify();
		}
		else {
			this.assembly.checkReplacement(this.chain, "the hooks under 'hooks.tool_call' and annotated methods");
		}
		this.guard.reportEvasions(this::reportEvasion);
		if (this.registry.areToolsOffAtStart()) {
			logger.warn("hooks.tool_call.kill_switch is true: every call of a tool is denied");
		}
	}

	private void reportEvasion(String evasion) {
		if (!matter() || this.consequence.isNothing()) {
			return;
		}
		if (this.consequence.isDenial()) {
			throw new UnguardedBeansException(List.of("%s, and what it runs passes no hooks. %s; %s".formatted(evasion,
					INSTEAD_OF_EVADING, UnguardedConsequence.HOW_TO_ALLOW)));
		}
		if (this.evasions.add(evasion)) {
			logger.warn("{}, and what it runs passes no hooks. {}.", evasion, INSTEAD_OF_EVADING);
		}
	}

	private boolean isAssembled() {
		return this.assembly.isOwn(this.chain);
	}

	/** Stops the start if there are hooks; else none can be registered from now on. */
	@Override
	public void report(List<String> unguarded) {
		if (unguarded.isEmpty()) {
			return;
		}
		if (matter()) {
			throw new UnguardedBeansException(unguarded);
		}
		logger.warn(
				"There are no hooks. None can be registered, and tools cannot be switched off, because these executors are not guarded: {}",
				unguarded);
		synchronized (this.unguarded) {
			this.unguarded.addAll(unguarded);
			this.registry.markUnguarded(List.copyOf(this.unguarded));
		}
	}

	/** Whether hooks or the switch of all tools would be evaded. */
	private boolean matter() {
		return !isAssembled() || !this.registry.list().isEmpty() || this.registry.isSwitchInUse();
	}

	/** The hooks that a parent context lacks: tools of that one pass only its own. */
	@Override
	public List<String> notAskedBy(ConfigurableListableBeanFactory parent) {
		Set<String> theirs = parent.getBeanProvider(ToolHookRegistry.class)
			.stream()
			.flatMap(ActiveToolCallHooks::names)
			.collect(Collectors.toSet());
		return names(this.registry).filter((name) -> !theirs.contains(name)).toList();
	}

	/** The names of the hooks that do more than learn. */
	private static Stream<String> names(ToolHookRegistry registry) {
		return registry.list()
			.stream()
			.filter((hook) -> hook.phase() != ActiveHooks.Phase.POST_CALL)
			.map(ActiveHooks.Listed::name);
	}

	/** The annotated methods of a child; its hook beans are known to the assembly. */
	@Override
	public List<String> notAskedIn(ConfigurableListableBeanFactory child) {
		return (isAssembled() && child.getBeanNamesForType(ToolHookChain.class, true, false).length == 0)
				? this.methods.notAskedIn(child) : List.of();
	}

	@Override
	public List<String> notAskedOf(String name, Object bean) {
		return (isAssembled()) ? this.methods.notAskedOf(name, bean) : List.of();
	}

	@Override
	public void log(List<String> proved) {
		if (isAssembled()) {
			logger.info(describe(this.assembly.hooks(), proved));
		}
		if (!decide() && !this.othersDecide.getAsBoolean()) {
			logger.warn("No hook decides, so every tool runs: nothing that is enforced stands under "
					+ "'hooks.tool_call.pre_call', and no bean is a PreToolHook or has a method with @BeforeToolCall. "
					+ "A file of hooks counts only if 'spring.config.import' names it.");
		}
	}

	private static String describe(AssembledHooks<ToolHook> hooks, List<String> proved) {
		if (hooks.isEmpty()) {
			return "There are no hooks: calls of tools go straight to the tools";
		}
		if (proved.isEmpty()) {
			return hooks.describe(
					"Hooks around calls of tools; not proved, as nothing that makes such calls exists at the start:",
					"call", "result");
		}
		return hooks.describe("Every call of a tool passes these hooks:", "call", "result")
				+ "%n  proved by a denied call through %s".formatted(String.join(", ", proved));
	}

}
