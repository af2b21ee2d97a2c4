package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.Hook;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.guard.MissedHooks;

/** Collects the hooks of one kind: beans, annotated methods, and entries. */
final class HookAssembly<H extends Hook> implements SmartInitializingSingleton, DisposableBean, MissedHooks {

	private static final Logger logger = LoggerFactory.getLogger(HookAssembly.class);

	private final HookSection<H> section;

	private final List<HookCandidate<H>> methods;

	private final ConfiguredHooks<H> configured;

	private final HookBeans<H> beans;

	private final EntryMaker<H> entries;

	private final HookNames names = new HookNames();

	private final AssembledHooks<H> hooks;

	private @Nullable Object chain;

	private Runnable shutDown = () -> {
	};

	HookAssembly(HookSection<H> section, ListableBeanFactory beanFactory, List<HookCandidate<H>> methods,
			ConfiguredHooks<H> configured, List<HookCountsReader> readers, HookBounds bounds) {
		this.section = section;
		this.methods = methods;
		this.configured = configured;
		this.beans = new HookBeans<>(beanFactory, section.kind());
		this.entries = new EntryMaker<>(section, readers, bounds);
		this.hooks = new AssembledHooks<>(collect());
		this.hooks.unmasked().forEach(logger::warn);
	}

	/**
	 * No two methods share a name, nor two entries: that is checked where they are read.
	 */
	private List<AssembledHook<H>> collect() {
		List<AssembledHook<H>> collected = new ArrayList<>();
		this.beans.find(this.configured.placedBeans()).forEach((bean) -> {
			collected.addAll(make(bean));
			this.names.take(bean.name(), bean.origin());
		});
		this.methods.forEach((method) -> collected.addAll(make(method)));
		this.methods.forEach((method) -> this.names.take(method.name(), method.origin()));
		this.configured.preCall().forEach((entry) -> collected.addAll(make(HookCandidate.preCall(entry))));
		this.configured.postCall().forEach((entry) -> collected.addAll(make(HookCandidate.postCall(entry))));
		this.names.check();
		return collected;
	}

	private List<AssembledHook<H>> make(HookCandidate<H> candidate) {
		this.names.use(candidate.name(), candidate.origin());
		return this.entries.make(candidate);
	}

	<C> C chain(Function<AssembledHooks<H>, C> chains, BiConsumer<C, Boolean> shutDown) {
		C made = chains.apply(this.hooks);
		this.chain = made;
		this.shutDown = () -> shutDown.accept(made, true);
		return made;
	}

	/** Does what {@link ClosingGates} could not if the start failed before it. */
	@Override
	public void destroy() {
		this.shutDown.run();
	}

	/** Whether a chain holds the hooks, and is not one of the application. */
	@SuppressWarnings("ReferenceEquality") // that one chain, and no other like it
	boolean isOwn(Object chain) {
		return this.chain == chain;
	}

	AssembledHooks<H> hooks() {
		return this.hooks;
	}

	EntryMaker<H> entries() {
		return this.entries;
	}

	/** Stop the start if a bean is, or holds, a hook that would never be asked. */
	@Override
	public void afterSingletonsInstantiated() {
		if (this.chain == null) {
			return;
		}
		List<String> missed = this.beans.missed();
		if (!missed.isEmpty()) {
			throw new IllegalStateException(
					("These beans are hooks, but were not known as hooks when the chain was put "
							+ "together, so they would not be asked: %s. Declare each with its own class or with %s as the return "
							+ "type of its @Bean method, or as the getObjectType() of its FactoryBean, and let the context create it.")
						.formatted(String.join("; ", missed), this.section.hookTypes()));
		}
		List<String> hidden = this.beans.hidden();
		if (!hidden.isEmpty()) {
			throw new IllegalStateException(
					("These beans hold hooks in a collection, where Spring does not look for them, so they would not be "
							+ "asked: %s. Write a @Bean method for each hook; a collection of hooks that are not to be asked "
							+ "must not be a bean.")
						.formatted(String.join("; ", hidden)));
		}
	}

	/** A child context that has a chain says itself which hooks that has. */
	@Override
	public List<String> notAskedIn(ConfigurableListableBeanFactory child) {
		Object chain = this.chain;
		return (chain == null || child.getBeanNamesForType(chain.getClass(), true, false).length > 0) ? List.of()
				: this.beans.missedIn(child);
	}

	@Override
	public List<String> notAskedOf(String name, Object bean) {
		return (this.chain != null && this.beans.isMissed(name, bean)) ? List.of(this.beans.describe(name)) : List.of();
	}

	/** Whether there are hooks that no other chain can hold, unlike beans. */
	private boolean hasOwnHooks() {
		return !this.methods.isEmpty() || !this.configured.preCall().isEmpty() || !this.configured.postCall().isEmpty();
	}

	/** Check that a chain of the application leaves out no hook. */
	void checkReplacement(Object chain, String own) {
		if (isOwn(chain)) {
			return;
		}
		String type = chain.getClass().getSimpleName();
		if (hasOwnHooks()) {
			throw new IllegalStateException(
					"A %s bean of the application replaces the chain of the starter, so %s would not be asked. "
						.formatted(type, own) + "Remove the one or the others.");
		}
		if (!this.hooks.isEmpty()) {
			logger.warn("A {} bean of the application replaces the chain of the starter: "
					+ "hook beans are asked only if that chain holds them", type);
		}
	}

}
