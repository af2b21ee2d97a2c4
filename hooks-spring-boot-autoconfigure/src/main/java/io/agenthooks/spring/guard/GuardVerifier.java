package io.agenthooks.spring.guard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

import io.agenthooks.spring.guard.GuardProof.Finding;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * Checks, once all beans exist, whether each is guarded, here and in parent contexts,
 * stops the start if one escaped, and proves the guards. A child context without a chain
 * of its own is closed if something escaped there, or if it has hooks, which nobody would
 * ask.
 */
final class GuardVerifier implements SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(GuardVerifier.class);

	private final ConfigurableApplicationContext context;

	private final ConfigurableListableBeanFactory beanFactory;

	private final GuardProof proof;

	private final List<ConfigurableApplicationContext> early = new ArrayList<>();

	private @Nullable GuardedToolCalls toolCalls;

	private volatile @Nullable List<GuardedType> types;

	GuardVerifier(ConfigurableApplicationContext context, GuardProof proof) {
		this.context = context;
		this.beanFactory = context.getBeanFactory();
		this.proof = proof;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.beanFactory.getBeanProvider(SoleBean.class).forEach(SoleBean::check);
		GuardedToolCalls toolCalls = (hasBean(GuardedToolCalls.class, this.beanFactory))
				? this.beanFactory.getBean(GuardedToolCalls.class) : null;
		this.toolCalls = toolCalls;
		List<GuardedType> types = this.proof.types().stream().filter(this::isActive).toList();
		this.types = types;
		if (toolCalls != null) {
			toolCalls.chain();
			toolCalls.checkHooks();
		}
		Set<Finding> findings = new LinkedHashSet<>();
		find(this.beanFactory, types, findings);
		this.proof.escaped(types)
			.entrySet()
			.stream()
			.filter((bean) -> !this.beanFactory.containsSingleton(bean.getKey()))
			.map(Map.Entry::getValue)
			.forEach(findings::add);
		for (ConfigurableListableBeanFactory parent = parent(this.beanFactory); parent != null; parent = parent(
				parent)) {
			if (!hasBean(GuardVerifier.class, parent)) {
				find(parent, types, findings);
			}
			else if (toolCalls != null) {
				findGuardedByOthers(parent, toolCalls, types, findings);
			}
		}
		report(findings);
		prove(types);
		this.beanFactory.getBeanProvider(BlindSpot.class)
			.orderedStream()
			.filter((spot) -> spot.wanted().getAsBoolean())
			.forEach((spot) -> logger.info("No hook sees {}", spot.text().get()));
		this.beanFactory.getBeanProvider(StartProof.class).forEach(StartProof::prove);
		this.proof.start(toolCalls);
		LateHooks lateHooks = new LateHooks(this.beanFactory);
		this.beanFactory.addBeanPostProcessor(lateHooks);
		LateSingletons.watch(this.beanFactory, (name, bean) -> {
			orRemove(name, this.beanFactory, () -> lateHooks.examine(name, bean));
			examine(name, bean, this.beanFactory, types);
		});
		this.early.forEach(this::examine);
		this.early.clear();
	}

	private static boolean hasBean(Class<?> type, ConfigurableListableBeanFactory factory) {
		return factory.getBeanNamesForType(type, true, false).length > 0;
	}

	private boolean isActive(GuardedType type) {
		return (type.active() != null) ? type.active().getAsBoolean() : this.toolCalls != null;
	}

	private static @Nullable ConfigurableListableBeanFactory parent(ConfigurableListableBeanFactory factory) {
		BeanFactory parent = factory.getParentBeanFactory();
		if (parent instanceof ConfigurableApplicationContext context) {
			return context.getBeanFactory();
		}
		return (parent instanceof ConfigurableListableBeanFactory listable) ? listable : null;
	}

	/** One that is started while this one is has to wait. */
	@Override
	@SuppressWarnings("ReferenceEquality") // of the very context
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() == this.context
				|| !(event.getApplicationContext() instanceof ConfigurableApplicationContext child)) {
			return;
		}
		if (this.types != null) {
			examine(child);
		}
		else {
			this.early.add(child);
		}
	}

	@SuppressWarnings("ReferenceEquality") // of the very bean factory
	private void examine(ConfigurableApplicationContext child) {
		List<GuardedType> types = this.types;
		Set<Finding> findings = new LinkedHashSet<>();
		List<ConfigurableListableBeanFactory> factories = new ArrayList<>();
		ConfigurableListableBeanFactory factory = child.getBeanFactory();
		while (types != null && factory != null && factory != this.beanFactory
				&& !hasBean(GuardVerifier.class, factory)) {
			find(factory, types, findings);
			factories.add(factory);
			factory = parent(factory);
		}
		try {
			report(findings);
			checkHooks(factories);
		}
		catch (RuntimeException ex) {
			child.close();
			throw ex;
		}
		if (types != null) {
			factories.forEach((one) -> LateSingletons.watch(one, (name, bean) -> examine(name, bean, one, types)));
		}
	}

	/** Calls in contexts below this one pass the hooks of this one. */
	private void checkHooks(List<ConfigurableListableBeanFactory> children) {
		List<String> notAsked = this.beanFactory.getBeanProvider(MissedHooks.class)
			.stream()
			.flatMap((hooks) -> children.stream().flatMap((child) -> hooks.notAskedIn(child).stream()))
			.toList();
		if (!notAsked.isEmpty()) {
			throw new IllegalStateException(
					("These hooks of a child context would not be asked, because its calls pass the hooks of its parent: "
							+ "%s. Declare them in the parent context.")
						.formatted(String.join("; ", notAsked)));
		}
	}

	/** One that is registered ready-made and not guarded does not stay. */
	private void examine(String name, Object bean, ConfigurableListableBeanFactory factory, List<GuardedType> types) {
		Set<Finding> findings = new LinkedHashSet<>();
		for (GuardedType type : types) {
			if (type.matches(bean) && !type.isGuarded(bean)) {
				findings.add(new Finding(type.describe(GuardProof.describe(name, bean.getClass().getName()), bean),
						type.runsTools()));
			}
			findElements(type, name, bean, findings);
		}
		findGiver(name, bean, factory, types, findings);
		orRemove(name, factory, () -> report(findings));
	}

	private static void orRemove(String name, ConfigurableListableBeanFactory factory, Runnable check) {
		try {
			check.run();
		}
		catch (RuntimeException ex) {
			if (factory instanceof DefaultSingletonBeanRegistry registry) {
				registry.destroySingleton(name);
			}
			throw ex;
		}
	}

	private static void findElements(GuardedType type, String name, @Nullable Object bean, Set<Finding> findings) {
		PlainCollections.elements(bean)
			.filter((element) -> type.matches(element) && !type.isGuarded(element))
			.forEach((element) -> findings.add(new Finding(element(name), type.runsTools())));
	}

	private static String element(String name) {
		return "an element of the bean '" + name + "'";
	}

	/** In a context without guards, beans that are not made yet escape as well. */
	private static void find(ConfigurableListableBeanFactory factory, List<GuardedType> types, Set<Finding> findings) {
		boolean guarded = factory instanceof AbstractBeanFactory beans
				&& beans.getBeanPostProcessors().stream().anyMatch(GuardProof.class::isInstance);
		for (GuardedType type : types) {
			for (String name : names(type, factory, !guarded)) {
				Object bean = existing(name, factory);
				if (bean != null && type.matches(bean) && !type.isGuarded(bean)) {
					findings.add(new Finding(type.describe(GuardProof.describe(name, bean.getClass().getName()), bean),
							type.runsTools()));
				}
				else if (bean == null && !guarded) {
					findings.add(new Finding(GuardProof.describe(name, type.label()) + ", which is not made yet",
							type.runsTools()));
				}
			}
			for (String name : factory.getSingletonNames()) {
				findElements(type, name, factory.getSingleton(name), findings);
			}
		}
		if (!types.isEmpty()) {
			findGivers(factory, guarded, types, findings);
		}
	}

	/** Nothing can stand before what gives tools. */
	private static void findGivers(ConfigurableListableBeanFactory factory, boolean guarded, List<GuardedType> types,
			Set<Finding> findings) {
		for (String name : factory.getSingletonNames()) {
			findGiver(name, factory.getSingleton(name), factory, types, findings);
		}
		GivenTypes given = GivenTypes.ofGuarded(types);
		Stream.of(factory.getBeanDefinitionNames())
			.filter((name) -> !factory.containsSingleton(name) && given.isDeclared(name, factory, !guarded))
			.forEach((name) -> findings
				.add(new Finding("what is given by the bean '" + name + "', which is not made yet", runsTools(types))));
	}

	private static void findGiver(String name, @Nullable Object bean, ConfigurableListableBeanFactory factory,
			List<GuardedType> types, Set<Finding> findings) {
		if (bean != null && !TestDoubles.isMock(bean) && GivenTypes.ofGuarded(types).isGivenBy(bean, name, factory)) {
			findings.add(new Finding("what is given by the " + GuardProof.describe(name, bean.getClass().getName()),
					runsTools(types)));
		}
	}

	private static boolean runsTools(List<GuardedType> types) {
		return types.stream().anyMatch(GuardedType::runsTools);
	}

	private static List<String> names(GuardedType type, ConfigurableListableBeanFactory factory, boolean all) {
		return type.types()
			.stream()
			.flatMap((one) -> Stream.of(factory.getBeanNamesForType(one, all, false)))
			.distinct()
			.toList();
	}

	private static @Nullable Object existing(String name, ConfigurableListableBeanFactory factory) {
		return (factory.containsSingleton(name)) ? factory.getBean(name) : null;
	}

	/**
	 * They pass the hooks of the parent; hooks of this context that decide would not be
	 * asked.
	 */
	private static void findGuardedByOthers(ConfigurableListableBeanFactory parent, GuardedToolCalls toolCalls,
			List<GuardedType> types, Set<Finding> findings) {
		List<String> beans = types.stream()
			.filter(GuardedType::runsTools)
			.flatMap((type) -> names(type, parent, true).stream())
			.distinct()
			.toList();
		List<String> notAsked = (beans.isEmpty()) ? List.of() : toolCalls.notAskedBy(parent);
		if (!notAsked.isEmpty()) {
			findings.add(new Finding("the beans " + beans
					+ " of the parent context, whose calls pass the hooks of that context and not " + notAsked, true));
		}
	}

	private void report(Set<Finding> findings) {
		List<String> others = texts(findings, (finding) -> !finding.runsTools());
		if (!others.isEmpty()) {
			throw new UnguardedBeansException(others);
		}
		if (this.toolCalls != null) {
			this.toolCalls.report(texts(findings, Finding::runsTools));
		}
	}

	private static List<String> texts(Set<Finding> findings, Predicate<Finding> which) {
		return findings.stream().filter(which).map(Finding::text).distinct().toList();
	}

	/** Beans that are made later are proved when they are. */
	private void prove(List<GuardedType> types) {
		GuardedToolCalls toolCalls = this.toolCalls;
		ToolHookChain chain = (toolCalls != null) ? toolCalls.chain() : GuardProof.NO_TOOL_CALLS;
		GuardProof.Proved tools = new GuardProof.Proved();
		GuardProof.Proved others = new GuardProof.Proved();
		for (GuardedType type : types) {
			GuardProof.Proved proved = (type.runsTools()) ? tools : others;
			for (String name : names(type, this.beanFactory, false)) {
				Object bean = existing(name, this.beanFactory);
				if (bean != null && type.matches(bean) && type.isGuarded(bean)) {
					String text = GuardProof.describe(name, bean.getClass().getName());
					proved.add(type, GuardProof.prove(type, bean, text, chain));
				}
			}
			forEachElement(type, this.beanFactory, (name, element) -> {
				if (type.isGuarded(element)) {
					proved.add(type, GuardProof.prove(type, element, element(name), chain));
				}
			});
		}
		if (toolCalls != null) {
			toolCalls.log(tools.describe());
		}
		if (!others.describe().isEmpty()) {
			logger.info("Model calls and runs pass their hooks, proved by a denied one through {}",
					String.join(", ", others.describe()));
		}
	}

	private static void forEachElement(GuardedType type, ConfigurableListableBeanFactory factory,
			BiConsumer<String, Object> consumer) {
		for (String name : factory.getSingletonNames()) {
			PlainCollections.elements(factory.getSingleton(name))
				.filter(type::matches)
				.forEach((element) -> consumer.accept(name, element));
		}
	}

}
