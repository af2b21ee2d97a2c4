package io.agenthooks.spring.ai;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.chain.Probe;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.guard.KnownMethods;
import io.agenthooks.spring.origin.GuardedTools;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Puts the hooks around tools of Spring AI. The starter does so with all beans and with
 * the tools of each {@code ChatClient} that is made by the {@code ChatClient.Builder}
 * bean; who assembles things in other ways takes this bean to wrap them. What is wrapped
 * twice is decided once.
 *
 * @since 0.1.0
 */
public final class SpringAiToolHooks {

	private final GuardedCalls calls;

	private final Callers callers;

	private final ToolIdentities identities;

	private final HiddenTools hiddenTools;

	private final TurnEnd turnEnd;

	/**
	 * Create the wrapper of a chain that is made already.
	 * @param chain the chain
	 */
	public SpringAiToolHooks(ToolHookChain chain) {
		this(() -> chain, List::of, () -> ObservationRegistry.NOOP);
		Objects.requireNonNull(chain, "'chain' must not be null");
	}

	SpringAiToolHooks(Supplier<ToolHookChain> chain, Supplier<List<CallContextCustomizer>> customizers,
			Supplier<ObservationRegistry> observations) {
		this(chain, customizers, observations, List::of, CurrentUser.ofSpringSecurity(),
				SingletonSupplier.of(OfferedSchemas::new)::obtain, () -> null);
	}

	SpringAiToolHooks(Supplier<ToolHookChain> chain, Supplier<List<CallContextCustomizer>> customizers,
			Supplier<ObservationRegistry> observations, Supplier<List<?>> mcpClients, CurrentUser user,
			Supplier<OfferedSchemas> offered, Supplier<@Nullable SuspendedTurns> turns) {
		this.turnEnd = new TurnEnd(turns);
		this.callers = new Callers(user);
		this.identities = new ToolIdentities(mcpClients);
		ToolContexts contexts = new ToolContexts(customizers);
		this.calls = new GuardedCalls(chain, observations, offered, this.callers, this.identities, contexts);
		this.hiddenTools = new HiddenTools(chain, this.callers, this.identities, contexts);
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
	 * @param manager the manager, of Spring AI's own class; there may be aspects around
	 * it
	 * @return the manager behind the hooks
	 */
	public ToolCallingManager wrap(ToolCallingManager manager) {
		return wrap(manager, (tool) -> null);
	}

	/**
	 * A manager that lets all calls pass the hooks.
	 * @param manager the manager, of Spring AI's own class; there may be aspects around
	 * it
	 * @param fallback finds tools that are not among the options of a prompt; a call of
	 * one that this does not know either is refused
	 * @return the manager behind the hooks
	 */
	public ToolCallingManager wrap(ToolCallingManager manager, ToolCallbackResolver fallback) {
		return (SpringAiToolGuard.isGuarded(manager)) ? manager
				: GuardedToolCallingManager.KNOWN.refuseOthers(new GuardedToolCallingManager(manager, this, fallback));
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
	public static boolean isGuarded(Object bean) {
		return bean instanceof GuardedToolCallback || bean instanceof GuardedProvider || bean instanceof GuardedResolver
				|| KnownMethods.unwrap(bean) instanceof GuardedToolCallingManager;
	}

	GuardedCalls calls() {
		return this.calls;
	}

	Callers callers() {
		return this.callers;
	}

	ToolIdentities identities() {
		return this.identities;
	}

	HiddenTools hiddenTools() {
		return this.hiddenTools;
	}

	TurnEnd turnEnd() {
		return this.turnEnd;
	}

	/**
	 * Prove that what is {@linkplain #isGuarded wrapped} asks a chain, by calls that it
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
		return KnownMethods.unwrap(bean) instanceof GuardedToolCallingManager manager
				&& Probe.isDenied(chain, () -> manager.executeToolCalls(ProbeTool.prompt(), ProbeTool.response()));
	}

	/** A provider and a resolver are not asked for tools: that may be slow. */
	private boolean isProved(ToolHookChain chain) {
		ToolCallback tool = wrap(new ProbeTool());
		return Probe.isDenied(chain, () -> tool.call("{}"));
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
