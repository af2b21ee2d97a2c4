package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.agenthooks.Glob;
import io.agenthooks.SafeText;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.AnnotatedToolHook;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.Places;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.NamesTools;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.Findings;
import io.agenthooks.spring.scope.Mention;
import io.agenthooks.spring.scope.NameVerifier;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolNames;

/**
 * Warns, once all beans are there, of rules about tools and arguments that no tool has.
 * Says nothing if tools may come later, such as those of MCP servers. Stops the start if
 * a tool has a name under which it would never be called.
 */
final class RuleVerifier implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RuleVerifier.class);

	/** Its tools may exist as hooks only. */
	private static final String RESPOND = "respond";

	/** What only regular expressions have. */
	private static final Pattern REGEX = Pattern.compile("[*+?()\\[\\]{}^$.\\\\]");

	private static final String NOT_FOR = "it is not for such tools, as its 'match', 'matcher' or 'except' says";

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<Rules> rules = new ArrayList<>();

	private final ToolHooks hooks;

	private final ScopeVerifier scopes;

	private final Findings findings;

	/** Whether there can be no tools but those that are known. */
	private boolean all;

	RuleVerifier(ConfigurableListableBeanFactory beanFactory, AllConfiguredHooks configuration,
			AnnotatedToolHooks methods, ToolHooks hooks, ScopeVerifier scopes) {
		this.beanFactory = beanFactory;
		this.hooks = hooks;
		this.scopes = scopes;
		this.findings = scopes.findings(logger);
		Stream.of(configuration.toolCall().preCall(), configuration.toolCall().postCall())
			.flatMap(List::stream)
			.map(Rules::of)
			.forEach(this.rules::add);
		methods.hooks().stream().map(Rules::of).forEach(this.rules::add);
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String name : this.beanFactory.getBeanNamesForType(PolicyToolHook.class, false, false)) {
			if (this.beanFactory.getSingleton(name) instanceof PolicyToolHook policy
					&& this.rules.stream().noneMatch((each) -> policy.config().equals(each.policy()))) {
				this.rules.add(Rules.of(name, policy));
			}
		}
		if (this.hooks.list().isEmpty()) {
			return;
		}
		KnownTools tools = findTools();
		checkNames(tools);
		NameVerifier names = new NameVerifier(this.scopes.known(), this.findings);
		this.all = tools.unknown() == null;
		if (this.all) {
			this.rules.stream().filter(Rules::areOfHooksThatAnswer).forEach((each) -> each.match().forEach(tools::add));
		}
		this.rules.forEach((each) -> {
			verifyTaken(each, tools);
			verifyConditions(each, tools);
			verifyToolsInConditions(each, tools, names);
			verify(each, tools, names);
		});
		this.findings.check();
	}

	/**
	 * Find the tools. A tool that cannot say its name is no reason not to start.
	 */
	private KnownTools findTools() {
		try {
			return KnownToolsFinder.findIn(this.beanFactory);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The tools that are known at the start could not be found", ex);
			return new KnownTools();
		}
	}

	private static void checkNames(KnownTools tools) {
		for (String name : tools.names()) {
			String problem = ToolNames.problem(name);
			if (problem != null) {
				throw new IllegalStateException(
						"The tool '%s' could never be called: its name %s, and hooks refuse such names, since rules about '%s' could be evaded by them. Give the tool another name."
							.formatted(SafeText.name(name), problem, SafeText.name(name)));
			}
		}
	}

	private void verify(Rules rules, KnownTools tools, NameVerifier names) {
		boolean here = rules.options().scope().mcpServers() == null;
		verifyTools(rules, "match", rules.match(), tools, names);
		verifyTools(rules, "except", rules.options().scope().except(), tools, names);
		if (here && rules.options().scope().matcher() != null) {
			verifyMatcher(rules, rules.options().scope().matcher(), tools, names);
		}
		PolicyConfig policy = rules.policy();
		if (policy != null) {
			verifyTools(rules, "deny_tools", policy.denyTools(), tools, names);
			verifyTools(rules, "allow_tools", policy.allowTools(), tools, names);
			verifyTools(rules, "ask_tools", policy.askTools(), tools, names);
			Predicate<String> called = rules.options().scope().tools();
			verifyReached(rules, "deny_tools", policy.denyTools(), called, tools);
			verifyReached(rules, "ask_tools", policy.askTools(), called, tools);
			if (here) {
				verifyArguments(rules, "deny_argument_patterns", policy.denyArgumentPatterns(), tools);
				verifyArguments(rules, "ask_argument_patterns", policy.askArgumentPatterns(), tools);
			}
			for (PolicyRule rule : (policy.rules() != null) ? policy.rules() : List.<PolicyRule>of()) {
				verifyTools(rules, "rules.tools", rule.tools(), tools, names);
				verifyTools(rules, "rules.except", rule.except(), tools, names);
				List<String> except = (rule.except() != null) ? rule.except() : List.of();
				verifyReached(rules, "rules.tools", rule.tools(), called.and(Glob.anyOf(except).negate()), tools);
			}
		}
		for (NamesTools.Names named : rules.named()) {
			verifyTools(rules, named.option(), named.tools(), tools, names);
			named.servers().forEach((server) -> verifyServer(rules, named.option(), server, names));
			if (here) {
				verifyArguments(rules, named, tools);
			}
		}
	}

	/**
	 * Of a regular expression no part need be the name of a tool.
	 */
	private void verifyMatcher(Rules rules, String matcher, KnownTools tools, NameVerifier names) {
		boolean foreign = false;
		if (!REGEX.matcher(matcher).find()) {
			for (String name : matcher.split("\\|", -1)) {
				foreign |= !tools.names().contains(name) && names.isForeign(mention(rules, "matcher", name), this.all);
			}
		}
		if (!foreign && tools.names().stream().noneMatch(HookOptions.defaults().matcher(matcher).scope().tools())) {
			names.verifyLater(mention(rules, "matcher", matcher), tools.names(), this.all);
		}
	}

	/**
	 * Find arguments that no tool has which is named with them, and tools that have none
	 * of the arguments: nothing would be said of their calls.
	 */
	private void verifyArguments(Rules rules, NamesTools.Names names, KnownTools tools) {
		if (names.arguments().isEmpty()) {
			return;
		}
		Set<String> all = new TreeSet<>();
		boolean known = true;
		for (String tool : tools.names().stream().filter(Glob.anyOf(names.tools())).toList()) {
			Set<String> arguments = tools.argumentsOf(List.of(tool));
			known = known && arguments != null;
			all.addAll((arguments != null) ? arguments : Set.of());
			if (arguments != null && names.arguments().stream().noneMatch((name) -> isOneOf(name, arguments))) {
				suspect(new Mistake(property(rules, names.option()), rules.place(),
						"It names arguments under '%s', but the tool '%s' has none of them, so its calls pass."
							.formatted(names.option(), SafeText.name(tool)),
						Spelling.meant(names.arguments().get(0), arguments)));
			}
		}
		for (String name : (known && !all.isEmpty()) ? names.arguments() : List.<String>of()) {
			if (!isOneOf(name, all)) {
				suspect(unknownArgument(rules, names.option(), name, all));
			}
		}
	}

	private static boolean isOneOf(String name, Set<String> arguments) {
		Set<String> plain = arguments.stream().map(RuleVerifier::plain).collect(Collectors.toSet());
		return plain.contains(plain(name))
				|| Stream.of(name.split("\\.", -1)).map(RuleVerifier::plain).allMatch(plain::contains);
	}

	private static String plain(String name) {
		return name.strip().toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
	}

	/**
	 * Find what conditions say of arguments that no tool has for which a rule is, or that
	 * are never what they are taken for.
	 */
	private void verifyConditions(Rules rules, KnownTools tools) {
		if (!(rules.conditions() instanceof ArgumentsInConditions conditions)
				|| rules.options().scope().mcpServers() != null) {
			return;
		}
		Map<String, Set<String>> called = new TreeMap<>();
		tools.names()
			.stream()
			.filter(rules.options().scope().tools())
			.forEach((name) -> called.put(name, tools.declaredOf(name)));
		for (ArgumentsInConditions.Found each : conditions.check(called)) {
			List<String> path = new ArrayList<>(List.of("config"));
			path.addAll(each.path());
			add(new Mistake(property(rules, option(each.path())), rules.places().of(path, each.text(), each.position()),
					each.message(), each.action()));
		}
	}

	/**
	 * A path as people write it, such as {@code rules[0].when}.
	 */
	private static String option(List<String> path) {
		return path.stream()
			.map((segment) -> (segment.matches("\\d+")) ? "[" + segment + "]" : "." + segment)
			.collect(Collectors.joining())
			.substring(1);
	}

	/**
	 * Add what may be a mistake, of which nothing is said if tools may come later.
	 */
	private void suspect(Mistake suspicion) {
		if (this.all) {
			this.findings.suspect(suspicion);
		}
		else {
			this.findings.note(suspicion);
		}
	}

	/**
	 * Add what is a mistake unless tools may come later.
	 */
	private void add(Mistake mistake) {
		if (this.all) {
			this.findings.add(mistake);
		}
		else {
			this.findings.suspect(mistake);
		}
	}

	private static Mistake unknownArgument(Rules rules, String option, String name, Collection<String> known) {
		return new Mistake(property(rules, option), rules.places().of(List.of("config", option, name)),
				"It has '%s' under '%s', but no tool that the hook is for has this argument."
					.formatted(SafeText.name(name), option),
				Spelling.meant(name, known));
	}

	private static Mistake instead(Mistake mistake, String action) {
		return new Mistake(mistake.property(), mistake.place(), mistake.message(), action);
	}

	private static String property(Rules rules, String option) {
		return Mention.property(option, rules.name());
	}

	private static Mention mention(Rules rules, String option, String name) {
		return new Mention(Named.TOOL, name, option, rules.name(), rules.place());
	}

	private void verifyServer(Rules rules, String option, String server, NameVerifier names) {
		Mention mention = new Mention(Named.MCP_SERVER, server, option, rules.name(),
				rules.places().of(path(option + ".mcp_servers")));
		names.verify(mention);
		if (!this.scopes.known().isFor(mention)) {
			this.scopes.watch(mention);
		}
	}

	/**
	 * Look for tools that conditions name.
	 */
	private void verifyToolsInConditions(Rules rules, KnownTools tools, NameVerifier names) {
		boolean here = rules.options().scope().mcpServers() == null;
		List<NamesInConditions.Compared> compared = (rules.conditions() instanceof NamesInConditions conditions)
				? conditions.compared() : List.of();
		for (NamesInConditions.Compared each : compared) {
			String option = "rules[%d].%s".formatted(each.rule(), each.option());
			Mention mention = new Mention(Named.TOOL, each.name(), option, rules.name(),
					rules.places().of(path(option)), each.anyCase());
			if (each.kind() == Named.TOOL && tools.names().stream().noneMatch(mention::isFor)) {
				this.scopes.watch(mention);
				if (here) {
					names.verifyTool(mention, tools.names(), this.all);
				}
			}
			else if (each.kind() == Named.TOOL && here && each.option().equals("when")
					&& rules.conditions() instanceof NamesInConditions conditions) {
				verifyReached(rules, each, mention, conditions, tools);
			}
		}
	}

	/**
	 * Find tools that a condition means in vain, since the hook, or the rule, is not for
	 * them.
	 */
	private void verifyReached(Rules rules, NamesInConditions.Compared compared, Mention mention,
			NamesInConditions conditions, KnownTools tools) {
		Predicate<String> inScope = rules.options().scope().tools();
		Predicate<String> called = inScope.and((tool) -> conditions.isFor(compared.rule(), tool));
		List<String> named = tools.names().stream().filter(mention::isFor).toList();
		if (tools.names().stream().anyMatch(inScope) && named.stream().noneMatch(called)
				&& named.stream().anyMatch((tool) -> conditions.means(compared.rule(), tool))) {
			suspect(new Mistake(mention.property(), mention.place(),
					"It has '%s' under '%s', but %s, so their calls pass.".formatted(SafeText.name(compared.name()),
							mention.option(), NOT_FOR),
					"Let it be for these tools, or write the rule in an entry that is."));
		}
	}

	/**
	 * The path within the entry of an option such as {@code rules[0].when}.
	 */
	private static List<String> path(String option) {
		return List.of(("config." + option.replace("[", ".").replace("]", "")).split("\\."));
	}

	private void verifyTools(Rules rules, String option, @Nullable List<String> globs, KnownTools tools,
			NameVerifier names) {
		for (String glob : (globs != null) ? globs : List.<String>of()) {
			boolean here = rules.options().scope().mcpServers() == null;
			if (!here || tools.names().stream().noneMatch(Glob.of(glob))) {
				this.scopes.watch(mention(rules, option, glob));
			}
			if (here && tools.names().stream().noneMatch(Glob.of(glob))) {
				names.verifyTool(mention(rules, option, glob), tools.names(), this.all);
			}
		}
	}

	/**
	 * Find tools that a rule names in vain, since the hook, or the rule, is not for them.
	 * @param called the tools that it is for
	 */
	private void verifyReached(Rules rules, String option, @Nullable List<String> globs, Predicate<String> called,
			KnownTools tools) {
		if (rules.options().scope().mcpServers() != null
				|| tools.names().stream().noneMatch(rules.options().scope().tools())) {
			return;
		}
		for (String glob : (globs != null) ? globs : List.<String>of()) {
			List<String> meant = tools.names().stream().filter(Glob.of(glob)).toList();
			if (!meant.isEmpty() && meant.stream().noneMatch(called)) {
				suspect(new Mistake(
						property(rules, option), rules.place(), "It has '%s' under '%s', but %s, so their calls pass."
							.formatted(SafeText.name(glob), option, NOT_FOR),
						"Let it be for these tools, or write the rule in an entry that is."));
			}
		}
	}

	/**
	 * Find arguments that no tool has for which a rule is. Inside of an argument that may
	 * hold any names there may be one, unless its name is nearly that of another.
	 */
	private void verifyArguments(Rules rules, String option, @Nullable Map<String, List<String>> patterns,
			KnownTools tools) {
		Predicate<String> forTools = rules.options().scope().tools();
		List<String> called = tools.names().stream().filter(forTools).toList();
		Set<String> arguments = (patterns != null && !called.isEmpty()) ? tools.namedArgumentsOf(called) : null;
		if (patterns == null || arguments == null) {
			return;
		}
		boolean all = tools.argumentsOf(called) != null;
		for (String name : patterns.keySet()) {
			List<String> path = List.of(name.split("\\.", -1));
			if (arguments.contains(name) || arguments.containsAll((all) ? path : path.subList(0, 1))) {
				continue;
			}
			String meant = Spelling.didYouMean(path.get(0), arguments);
			Mistake unknown = unknownArgument(rules, option, name, arguments);
			if (all) {
				add(unknown);
			}
			else if (!meant.isEmpty()) {
				add(instead(unknown, SafeText.reason(meant.strip())));
			}
			else {
				suspect(instead(unknown,
						unknown.action()
								+ ". Inside of an argument that holds any names, write the path to it: 'argument.%s'."
									.formatted(SafeText.name(name))));
			}
		}
	}

	/**
	 * A method denies each call that has not the arguments which it takes. If no tool may
	 * come later, one that no tool has is a mistake.
	 */
	private void verifyTaken(Rules rules, KnownTools tools) {
		List<String> called = tools.names().stream().filter(rules.options().scope().tools()).toList();
		Set<String> arguments = (rules.arguments().isEmpty() || called.isEmpty()) ? null : tools.argumentsOf(called);
		for (String name : (arguments != null) ? rules.arguments() : List.<String>of()) {
			if (arguments != null && !arguments.contains(name)) {
				String meant = Spelling.meant(name, arguments);
				add(new Mistake("@Arg of the hook '%s'".formatted(rules.name()), rules.place(),
						"The %s takes the argument '%s', but none of its tools has it. %s".formatted(rules.place(),
								SafeText.name(name), meant),
						"Correct the name of the parameter, or the tools of the method."));
			}
		}
	}

	/**
	 * What a hook says of names of tools and arguments.
	 *
	 * @param name the name of the hook
	 * @param place where it is written
	 * @param type its type
	 * @param options for which tools it is
	 * @param policy its rules, or {@code null} if it is not a policy
	 * @param arguments the arguments that it takes
	 * @param conditions what has its conditions, or {@code null} if there are none
	 * @param named the tools that its configuration names otherwise
	 * @param places finds where an option is written
	 */
	private record Rules(String name, String place, String type, HookOptions options, @Nullable PolicyConfig policy,
			List<String> arguments, @Nullable Object conditions, List<NamesTools.Names> named, Places places) {

		static Rules of(ConfiguredHooks.Entry<ToolHook> hook) {
			PolicyToolHook policy = (hook.hook() instanceof PolicyToolHook found) ? found : null;
			return new Rules(hook.name(), hook.place(), hook.type(), hook.options(),
					(policy != null) ? policy.config() : null, List.of(), (policy != null) ? policy.rules() : null,
					(hook.hook() instanceof NamesTools names) ? names.names() : List.of(), hook.places());
		}

		static Rules of(AnnotatedToolHook method) {
			return new Rules(method.name(), method.origin(), "", method.options(), null, method.arguments(), null,
					List.of(), (path) -> method.origin());
		}

		static Rules of(String bean, PolicyToolHook policy) {
			String place = "bean '" + bean + "'";
			return new Rules(bean, place, HookBeans.TYPE, HookOptions.defaults(), policy.config(), List.of(),
					policy.rules(), List.of(), (path) -> place);
		}

		List<String> match() {
			return (this.options.scope().match() != null) ? this.options.scope().match() : List.of();
		}

		boolean areOfHooksThatAnswer() {
			return this.type.equals(RESPOND);
		}

	}

}
