package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

import io.agenthooks.spring.ToolEffect;
import io.agenthooks.spring.annotation.AnnotatedMethods.KnownBean;
import io.agenthooks.spring.annotation.CallMethod.Use;
import io.agenthooks.spring.binding.AddedEntry;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.ToolEffects;

/**
 * A method with rules: its own, those of its class, and what these inherit. It is no tool
 * if it has no name of one.
 */
record PolicyMethod(Method method, Set<String> tools, Set<ToolPolicy> policies) {

	private static final List<String> TOOL_ANNOTATIONS = List.of("org.springframework.ai.tool.annotation.Tool",
			"org.springframework.ai.mcp.annotation.McpTool", "dev.langchain4j.agent.tool.Tool");

	/** Signs with a meaning in the globs that tools are chosen by. */
	private static final Pattern NO_NAME = Pattern.compile("[*?\\[\\]{}!\\\\]");

	private static final String ALWAYS = "true";

	/** A start asks for each class several times, and a JVM may start many contexts. */
	private static final Map<Class<?>, PolicyClass> classes = new ConcurrentReferenceHashMap<>();

	static boolean isTool(Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return TOOL_ANNOTATIONS.stream().anyMatch(annotations::isPresent);
	}

	static Optional<String> givenName(Parameter parameter) {
		return MergedAnnotations.from(parameter)
			.get("dev.langchain4j.agent.tool.P")
			.getValue("name", String.class)
			.filter((name) -> !name.isBlank());
	}

	static List<PolicyMethod> of(Class<?> type) {
		return read(type).methods();
	}

	private static PolicyClass read(Class<?> type) {
		if (!DeclaredMethods.mayBeAnnotated(type)) {
			return PolicyClass.NONE;
		}
		PolicyClass known = classes.get(type);
		if (known != null) {
			return known;
		}
		Set<ToolPolicy> ofClass = ofClass(type);
		try {
			PolicyClass read = new PolicyClass(!ofClass.isEmpty(), List.copyOf(methodsOf(type, ofClass)));
			classes.put(type, read);
			return read;
		}
		catch (IllegalStateException | LinkageError ex) {
			// A type in a signature is missing; nobody can make such a bean either.
			return new PolicyClass(!ofClass.isEmpty(), List.of());
		}
	}

	private static List<PolicyMethod> methodsOf(Class<?> type, Set<ToolPolicy> ofClass) {
		List<Method> all = DeclaredMethods.annotatedOf(type);
		if (ofClass.isEmpty()
				&& all.stream().noneMatch((each) -> MergedAnnotations.from(each).isPresent(ToolPolicy.class))) {
			return List.of();
		}
		List<PolicyMethod> methods = new ArrayList<>();
		declarations(type, all).forEach((specific, declared) -> {
			Set<String> tools = new LinkedHashSet<>();
			Set<ToolPolicy> policies = new LinkedHashSet<>();
			for (Method each : declared) {
				MergedAnnotations annotations = MergedAnnotations.from(each);
				annotations.stream(ToolPolicy.class).map(MergedAnnotation::synthesize).forEach(policies::add);
				TOOL_ANNOTATIONS.stream()
					.map(annotations::get)
					.filter(MergedAnnotation::isPresent)
					.map((tool) -> tool.getValue("name", String.class).filter((name) -> !name.isBlank()))
					.forEach((name) -> tools.add(name.orElse(specific.getName())));
			}
			if (!tools.isEmpty()) {
				policies.addAll(ofClass);
			}
			if (!policies.isEmpty()) {
				methods.add(new PolicyMethod(specific, tools, policies));
			}
		});
		return methods;
	}

	private static Set<ToolPolicy> ofClass(Class<?> type) {
		Set<ToolPolicy> policies = new LinkedHashSet<>();
		MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)
			.stream(ToolPolicy.class)
			.map(MergedAnnotation::synthesize)
			.forEach(policies::add);
		return policies;
	}

	private static Map<Method, List<Method>> declarations(Class<?> type, List<Method> declared) {
		Map<Method, List<Method>> methods = new LinkedHashMap<>();
		declared.forEach((method) -> methods
			.computeIfAbsent(BridgeMethodResolver.getMostSpecificMethod(method, type), (key) -> new ArrayList<>())
			.add(method));
		return methods;
	}

	static @Nullable Mistake mistakeOf(Class<?> type) {
		PolicyClass found = read(type);
		return (found.hasPolicy() && found.methods().stream().allMatch((method) -> method.tools.isEmpty()))
				? noTool(ClassUtils.getShortName(type), "of its methods is") : null;
	}

	static boolean isRuledWithoutTool(Class<?> type) {
		return mistakeOf(type) != null || of(type).stream().anyMatch((method) -> method.tools.isEmpty());
	}

	private static Mistake noTool(String place, String what) {
		return new Mistake("@ToolPolicy", place, "is written where none %s a tool".formatted(what),
				"Write @Tool or @McpTool, too, remove it, or declare the bean with the class that has the tools.");
	}

	String name() {
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName();
	}

	/** A bean of another class may have the same method with rules of its own. */
	PolicyMethod and(PolicyMethod other) {
		Set<String> tools = new LinkedHashSet<>(this.tools);
		tools.addAll(other.tools);
		Set<ToolPolicy> policies = new LinkedHashSet<>(this.policies);
		policies.addAll(other.policies);
		return new PolicyMethod(this.method, tools, policies);
	}

	boolean isWithin(@Nullable PolicyMethod known) {
		return known != null && known.tools.containsAll(this.tools) && known.policies.containsAll(this.policies);
	}

	boolean isOf(Method called) {
		return this.method.equals(called) || (this.method.getName().equals(called.getName())
				&& Arrays.equals(this.method.getParameterTypes(), called.getParameterTypes()));
	}

	List<Mistake> mistakes() {
		List<Mistake> mistakes = new ArrayList<>();
		if (this.tools.isEmpty()) {
			mistakes.add(noTool(name(), "is"));
		}
		this.tools.stream()
			.filter((tool) -> NO_NAME.matcher(tool).find())
			.forEach((tool) -> mistakes.add(new Mistake("@ToolPolicy", name(),
					"is for a tool whose name has a sign that names of tools must not have",
					"Give the tool a name of letters, digits, dashes and underscores.")));
		for (ToolPolicy policy : this.policies) {
			boolean decides = !policy.deny().isEmpty() || !policy.ask().isEmpty();
			if (!decides && policy.limit().length == 0 && policy.effect().length == 0 && policy.preview().isEmpty()
					&& policy.version().isEmpty()) {
				mistakes.add(new Mistake("@ToolPolicy", name(), "denies nothing and asks nobody",
						"Write 'deny', 'ask', 'effect' or 'limit'."));
			}
			if (policy.previewMustMatch() && policy.preview().isEmpty()) {
				mistakes.add(new Mistake(written("previewMustMatch"), name(), "has no meaning without 'preview'",
						"Write the name of a method, or remove it."));
			}
			if (!decides && !policy.unless().isEmpty()) {
				mistakes.add(withoutEffect("unless"));
			}
			if (!decides && policy.effect().length == 0 && !policy.reason().isEmpty()) {
				mistakes.add(withoutEffect("reason"));
			}
		}
		return mistakes;
	}

	private Mistake withoutEffect(String attribute) {
		return new Mistake(written(attribute), name(), "has no meaning without 'deny' or 'ask'",
				"Write one of them, or remove it.");
	}

	private static String written(String attribute) {
		return "@ToolPolicy(" + attribute + ")";
	}

	List<String> names() {
		List<String> names = new ArrayList<>();
		if (hasEffect() || isStated()
				|| this.policies.stream().anyMatch((policy) -> !policy.deny().isEmpty() || !policy.ask().isEmpty())) {
			names.add(name());
		}
		if (this.policies.stream().anyMatch((policy) -> policy.limit().length > 0)) {
			names.add(limitName());
		}
		// What is mistaken, or on no tool, is no hook, and stands for itself.
		return (names.isEmpty()) ? List.of(name()) : names;
	}

	boolean isStated() {
		return this.policies.stream().anyMatch((policy) -> !policy.preview().isEmpty() || !policy.version().isEmpty());
	}

	@Nullable StatedCalls statedBy(List<KnownBean> beans, List<Mistake> mistakes) {
		if (beans.size() > 1) {
			mistakes.add(new Mistake(written("preview"), name(),
					"is for a tool of several beans: " + beans.stream().map(KnownBean::name).toList(),
					"Name the bean and the method in 'hooks.approval.previews' or 'hooks.approval.versions'."));
			return null;
		}
		CallMethod preview = stated("preview", ToolPolicy::preview, Use.PREVIEW, beans.get(0), mistakes);
		CallMethod version = stated("version", ToolPolicy::version, Use.VERSION, beans.get(0), mistakes);
		return new StatedCalls(this.tools, preview, this.policies.stream().anyMatch(ToolPolicy::previewMustMatch),
				version);
	}

	private @Nullable CallMethod stated(String attribute, Function<ToolPolicy, String> named, Use use, KnownBean bean,
			List<Mistake> mistakes) {
		List<String> names = this.policies.stream().map(named).filter((each) -> !each.isEmpty()).distinct().toList();
		if (names.size() > 1) {
			mistakes.add(new Mistake(written(attribute), name(), "names several methods: " + names,
					"Name one of them everywhere."));
		}
		return (names.size() != 1) ? null : CallMethod.of(bean, names.get(0), CallMethod.argumentsOf(this.method), use,
				(message, action) -> mistakes.add(new Mistake(written(attribute), name(), message, action)));
	}

	boolean hasEffect() {
		return this.policies.stream().anyMatch((policy) -> policy.effect().length > 0);
	}

	Mistake effectWithoutConsequence() {
		return new Mistake(written("effect"), name(), "has no consequence: nothing says what becomes of such calls",
				"Write 'hooks.tool_call.effects: {read: approve, write: ask, destructive: deny, external: ask, "
						+ "unknown: ask}', or remove it.");
	}

	private String limitName() {
		return name() + ".limit";
	}

	/**
	 * A hook that denies and asks, then one that counts. One that approves stands for
	 * what only says something.
	 */
	List<AddedEntry> entries(@Nullable ToolEffects effects) {
		List<AddedEntry> entries = new ArrayList<>();
		if (this.tools.isEmpty()) {
			return entries;
		}
		AddedEntry rules = entry("policy", name());
		int count = 0;
		for (ToolPolicy policy : this.policies) {
			count = addRule(rules, count, "deny", policy.deny(), policy);
			count = addRule(rules, count, "ask", policy.ask(), policy);
			count = addEffects(rules, count, policy, effects);
		}
		if (count > 0) {
			entries.add(rules);
		}
		else if (hasEffect() || isStated()) {
			entries.add(entry("passthrough", name()));
		}
		AddedEntry limits = entry("rate_limit", limitName());
		int limit = 0;
		for (ToolPolicy policy : this.policies) {
			for (String each : policy.limit()) {
				limits.with("config.limit[" + limit++ + "]", each, written("limit"));
			}
		}
		if (limit > 0) {
			entries.add(limits);
		}
		return entries;
	}

	private AddedEntry entry(String type, String name) {
		AddedEntry entry = new AddedEntry(name()).with("type", type, "@ToolPolicy").with("name", name, "@ToolPolicy");
		addTools(entry, "match");
		return entry;
	}

	private void addTools(AddedEntry entry, String option) {
		int tool = 0;
		for (String each : this.tools) {
			entry.with(option + "[" + tool++ + "]", each, "@ToolPolicy");
		}
	}

	private int addEffects(AddedEntry entry, int count, ToolPolicy policy, @Nullable ToolEffects effects) {
		int rules = count;
		for (ToolEffect effect : policy.effect()) {
			String then = (effects != null) ? effects.then(effect) : null;
			if (then != null) {
				String rule = "config.rules[" + rules++ + "].";
				entry.with(rule + "name", ToolEffects.nameOf(effect), written("effect"))
					.with(rule + "then", then, written("effect"))
					.with(rule + "reason", (policy.reason().isEmpty()) ? ToolEffects.reasonOf(effect) : policy.reason(),
							written("reason"));
				addTools(entry, rule + "tools");
			}
		}
		return rules;
	}

	private int addRule(AddedEntry entry, int count, String effect, String condition, ToolPolicy policy) {
		if (condition.isEmpty()) {
			return count;
		}
		String rule = "config.rules[" + count + "].";
		entry.with(rule + "name", effect, written(effect)).with(rule + "then", effect, written(effect));
		addTools(entry, rule + "tools");
		if (!condition.strip().equals(ALWAYS)) {
			entry.with(rule + "when", condition, written(effect));
		}
		if (!policy.unless().isEmpty()) {
			entry.with(rule + "unless", policy.unless(), written("unless"));
		}
		if (!policy.reason().isEmpty()) {
			entry.with(rule + "reason", policy.reason(), written("reason"));
		}
		return count + 1;
	}

	private record PolicyClass(boolean hasPolicy, List<PolicyMethod> methods) {

		static final PolicyClass NONE = new PolicyClass(false, List.of());

	}

}
