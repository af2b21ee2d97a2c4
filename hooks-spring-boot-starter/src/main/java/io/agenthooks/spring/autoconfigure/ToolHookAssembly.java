package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;

import io.agenthooks.AbortedRuns;
import io.agenthooks.spring.HookAroundProvider;
import io.agenthooks.spring.ToolHookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.ConfiguredHook;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCallListener;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Collects the hooks of the application, its beans and what its configuration lists, and
 * makes them a chain.
 */
final class ToolHookAssembly implements DisposableBean {

	private static final String METHOD = "method";

	private final AnnotatedToolHooks methods;

	private final ConfiguredHooks<ToolHook> configured;

	private final boolean toolsEnabled;

	private final OptionalInt maxArgumentsSize;

	private final HookBeans<ToolHook> beans;

	private final AbortedRuns abortedRuns;

	private final ToolHookFitting fitting;

	private final HookNames names = new HookNames();

	private final List<ToolHookFitting.Fitted> collected = new ArrayList<>();

	private final FittedToolHooks hooks;

	private @Nullable ToolHookChain chain;

	ToolHookAssembly(ListableBeanFactory beanFactory, AnnotatedToolHooks methods, HooksConfiguration configuration,
			List<HookAroundProvider> arounds, AbortedRuns abortedRuns) {
		this.methods = methods;
		this.configured = configuration.toolCall();
		this.toolsEnabled = configuration.toolsEnabled();
		this.maxArgumentsSize = configuration.maxArgumentsSize();
		this.abortedRuns = abortedRuns;
		this.beans = new HookBeans<>(beanFactory, ToolHook.class);
		this.fitting = new ToolHookFitting(arounds);
		try {
			this.beans.find(this.configured.placedBeans()).forEach(this::addBean);
			addMethods(methods.hooks());
			this.configured.preCall().forEach(this::addPreCall);
			this.configured.postCall().forEach(this::addPostCall);
			this.names.check();
		}
		catch (RuntimeException | Error ex) {
			// Spring destroys only what is complete, and the fitting holds threads.
			destroy();
			throw ex;
		}
		this.hooks = new FittedToolHooks(this.collected);
	}

	private void addBean(HookBeans.Found<ToolHook> bean) {
		ToolHookFitting.Candidate candidate = new ToolHookFitting.Candidate(bean.hook(), bean.name(), HookBeans.TYPE,
				bean.origin(), ToolHookOptions.defaults().order(bean.order()), false, false);
		add(candidate, EnumSet.allOf(ToolHooks.Phase.class));
		this.names.take(candidate.name(), candidate.origin());
	}

	/**
	 * Add the methods. Whether they share a name among themselves has been looked at
	 * where they were read; so it is with the entries.
	 */
	private void addMethods(List<AnnotatedToolHook> methods) {
		List<ToolHookFitting.Candidate> candidates = methods.stream()
			.map((method) -> new ToolHookFitting.Candidate(method.hook(), method.name(), METHOD, method.origin(),
					method.options(), false, method.ownTimeout()))
			.toList();
		candidates.forEach((candidate) -> add(candidate, EnumSet.allOf(ToolHooks.Phase.class)));
		candidates.forEach((candidate) -> this.names.take(candidate.name(), candidate.origin()));
	}

	private void addPreCall(ConfiguredHook<ToolHook> configured) {
		add(candidate(configured), EnumSet.allOf(ToolHooks.Phase.class));
	}

	private void addPostCall(ConfiguredHook<ToolHook> configured) {
		add(candidate(configured), EnumSet.of(ToolHooks.Phase.RESULT, ToolHooks.Phase.POST_CALL));
	}

	private static ToolHookFitting.Candidate candidate(ConfiguredHook<ToolHook> configured) {
		return new ToolHookFitting.Candidate(configured.hook(), configured.name(), configured.type(),
				configured.place(), configured.options(), configured.ownFailOpen(), configured.ownTimeout());
	}

	private void add(ToolHookFitting.Candidate candidate, Set<ToolHooks.Phase> phases) {
		this.names.use(candidate.name(), candidate.origin());
		this.collected.addAll(this.fitting.fit(candidate, phases));
	}

	ToolHookChain chain(ToolApprover approver, ToolCallListener listener) {
		ToolHookChain chain = this.hooks.toChain(approver, listener, this.abortedRuns);
		chain.setToolsEnabled(this.toolsEnabled);
		this.maxArgumentsSize.ifPresent(chain::setMaxArgumentsSize);
		this.chain = chain;
		return chain;
	}

	boolean made(ToolHookChain chain) {
		return this.chain == chain;
	}

	/**
	 * What adds hooks to a chain. To one that is not of this assembly none can be added,
	 * nor is it known which it has.
	 */
	ToolHookRegistry registry(ToolHookChain chain) {
		if (made(chain)) {
			return new ToolHookRegistry(this.fitting, this.hooks, chain);
		}
		chain.setToolsEnabled(this.toolsEnabled && chain.isToolsEnabled());
		this.maxArgumentsSize.ifPresent(chain::setMaxArgumentsSize);
		ToolHookRegistry registry = new ToolHookRegistry(this.fitting, new FittedToolHooks(List.of()), chain);
		registry.refuseHooks("a ToolHookChain bean of the application is in the place of the starter's");
		return registry;
	}

	/**
	 * The hook beans that did not look like hooks when the chain was put together.
	 */
	List<String> missedBeans() {
		return this.beans.missed();
	}

	boolean isEmpty() {
		return this.hooks.isEmpty();
	}

	/**
	 * Whether there are hooks that no other chain can hold, unlike beans.
	 */
	boolean hasOwnHooks() {
		return !this.methods.hooks().isEmpty() || !this.configured.preCall().isEmpty()
				|| !this.configured.postCall().isEmpty();
	}

	/**
	 * The chain as a block of text, hook by hook, for the log.
	 * @param proved the ways to tools that were proved to pass it
	 */
	String describe(List<String> proved) {
		return this.hooks.describe(proved);
	}

	@Override
	public void destroy() {
		this.fitting.close();
	}

}
