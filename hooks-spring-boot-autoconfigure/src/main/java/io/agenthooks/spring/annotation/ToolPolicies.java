package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.annotation.AnnotatedMethods.KnownBean;
import io.agenthooks.spring.binding.AddedEntry;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.ToolEffects;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;

/**
 * The rules of all beans that have a {@link ToolPolicy}. They are found without making a
 * bean, and become entries of the list of hooks.
 *
 * @since 0.1.0
 */
public final class ToolPolicies {

	private static final WarningThrottle warnings = new WarningThrottle(LoggerFactory.getLogger(ToolPolicies.class));

	private static final String INSTEAD = "Make a bean of its class, declared with that class, so that its rule is read at the start.";

	/** By the chain of an application. */
	private static final Map<ToolHookChain, Map<Method, PolicyMethod>> rules = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final ConfigurableListableBeanFactory beanFactory;

	private final Map<Method, PolicyMethod> methods;

	private final List<Mistake> mistakes = new ArrayList<>();

	private final List<StatedCalls> stated = new ArrayList<>();

	private ToolPolicies(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		Set<Class<?>> classes = AnnotatedMethods.beanClasses(beanFactory);
		this.methods = methodsOf(classes);
		classes.stream()
			.map(PolicyMethod::mistakeOf)
			.flatMap(Stream::ofNullable)
			.distinct()
			.forEach(this.mistakes::add);
		this.methods.values().forEach((method) -> this.mistakes.addAll(method.mistakes()));
		this.methods.values().stream().filter(PolicyMethod::isStated).forEach(this::addStated);
	}

	private void addStated(PolicyMethod method) {
		List<KnownBean> beans = AnnotatedMethods.beans(this.beanFactory)
			.values()
			.stream()
			.filter((bean) -> PolicyMethod.of(bean.type())
				.stream()
				.anyMatch((each) -> each.method().equals(method.method())))
			.toList();
		StatedCalls calls = (method.tools().isEmpty() || beans.isEmpty()) ? null
				: method.statedBy(beans, this.mistakes);
		if (calls != null) {
			this.stated.add(calls);
		}
	}

	/**
	 * Find the rules of all beans, also of those in parent contexts.
	 * @param beanFactory where the beans are
	 * @return the rules
	 */
	public static ToolPolicies findIn(ConfigurableListableBeanFactory beanFactory) {
		return new ToolPolicies(beanFactory);
	}

	static boolean existIn(ConfigurableListableBeanFactory beanFactory) {
		return !methodsOf(AnnotatedMethods.beanClasses(beanFactory)).isEmpty();
	}

	/** Beans of several classes may inherit a method, with rules of their own. */
	private static Map<Method, PolicyMethod> methodsOf(Set<Class<?>> classes) {
		Map<Method, PolicyMethod> methods = new LinkedHashMap<>();
		classes.stream()
			.flatMap((type) -> PolicyMethod.of(type).stream())
			.forEach((found) -> methods.merge(found.method(), found, PolicyMethod::and));
		return methods;
	}

	/**
	 * The mistakes in the annotations.
	 * @return each mistake, with the method and the attribute
	 */
	public List<Mistake> mistakes() {
		return List.copyOf(this.mistakes);
	}

	/**
	 * The effects that nothing is written about.
	 * @return a mistake for each method that says its effect
	 */
	public List<Mistake> effectsWithoutConsequence() {
		return withEffect().map(PolicyMethod::effectWithoutConsequence).toList();
	}

	/**
	 * The tools that say their effect.
	 * @return their names
	 */
	public Set<String> toolsWithEffect() {
		return withEffect().flatMap((method) -> method.tools().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private Stream<PolicyMethod> withEffect() {
		return this.methods.values().stream().filter(PolicyMethod::hasEffect);
	}

	/**
	 * The rules as entries of the list of hooks that decide.
	 * @param effects the consequences of effects, or {@code null} if none are written
	 * @return the entries, those of one method one after the other
	 */
	public List<AddedEntry> entries(@Nullable ToolEffects effects) {
		return this.methods.values().stream().flatMap((method) -> method.entries(effects).stream()).toList();
	}

	/**
	 * The tools about whose calls methods of beans say something.
	 * @return the tools, and the methods
	 */
	public List<StatedCalls> stated() {
		return List.copyOf(this.stated);
	}

	/**
	 * Stop the start, once all singletons are there, if a bean has a rule that was not
	 * known when the list of hooks was read.
	 */
	public void verify() {
		Set<Class<?>> classes = new LinkedHashSet<>(AnnotatedMethods.beanClasses(this.beanFactory));
		classes.addAll(AnnotatedMethods.classesInCollections(this.beanFactory));
		ConfiguredHooks.refuse(methodsOf(classes).values()
			.stream()
			.filter((method) -> !method.isWithin(this.methods.get(method.method())))
			.map((method) -> new Mistake("@ToolPolicy", method.name(),
					"was not known when the hooks were made, so it would not count", INSTEAD))
			.toList());
	}

	/**
	 * Have these rules asked about each call of a tool behind which any method may be.
	 * @param chain the chain that decides about such calls
	 */
	public void holdFor(ToolHookChain chain) {
		if (!this.methods.isEmpty()) {
			rules.put(chain, this.methods);
		}
	}

	/**
	 * Say why a call must not reach a tool behind which any method may be: some method
	 * has a rule, and no hook of the chain that decided about the call stands for it.
	 * @param call the call
	 * @param chain the chain
	 * @return the reason, or {@code null} if all rules of all methods were asked
	 */
	public static @Nullable String objection(ToolCall call, ToolHookChain chain) {
		for (PolicyMethod rule : rules.getOrDefault(chain, Map.of()).values()) {
			if (!isAsked(rule, call, chain)) {
				return "The rule of the method %s may be for this tool, and is not among the hooks"
					.formatted(rule.name());
			}
		}
		return null;
	}

	/**
	 * Say why a call must not reach a method: it has a rule, and no hook of the chain
	 * that decided about the call stands for it.
	 * @param method the method of the tool
	 * @param owner the object whose method is called, or {@code null} if that is not
	 * known: a class may have rules for what it inherits
	 * @param call the call
	 * @param chain the chain
	 * @return the reason, or {@code null} if all rules of the method were asked
	 */
	public static @Nullable String objection(Method method, @Nullable Object owner, ToolCall call,
			ToolHookChain chain) {
		Class<?> type = (owner != null) ? AopUtils.getTargetClass(owner) : method.getDeclaringClass();
		if (!method.getDeclaringClass().isAssignableFrom(type)) {
			type = method.getDeclaringClass();
		}
		for (PolicyMethod found : PolicyMethod.of(type)) {
			if (found.isOf(method) && !(found.isWithin(rules.getOrDefault(chain, Map.of()).get(found.method()))
					&& isAsked(found, call, chain))) {
				return unruled(found.name());
			}
		}
		return null;
	}

	/**
	 * Say why a call must not reach a tool that is no method: its class has a rule, and
	 * only methods can have one.
	 * @param tool the tool
	 * @return the reason, or {@code null} if its class has no rule
	 */
	public static @Nullable String objection(Object tool) {
		Class<?> type = AopUtils.getTargetClass(tool);
		return (PolicyMethod.isRuledWithoutTool(type)) ? unruled(ClassUtils.getShortName(type)) : null;
	}

	private static boolean isAsked(PolicyMethod rule, ToolCall call, ToolHookChain chain) {
		return rule.names().stream().allMatch((name) -> chain.asks(name, call));
	}

	private static String unruled(String place) {
		warnings.warn("No hook stands for the @ToolPolicy of %s, so this call is denied. %s".formatted(place, INSTEAD));
		return "The rule of this tool is not among the hooks";
	}

}
