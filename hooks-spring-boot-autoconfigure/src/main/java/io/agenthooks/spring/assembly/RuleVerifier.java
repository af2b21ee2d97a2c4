package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
import io.agenthooks.policy.UnreachedParts;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.NamesTools;
import io.agenthooks.spring.scope.Findings;
import io.agenthooks.spring.scope.Mention;
import io.agenthooks.spring.scope.NameVerifier;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.spring.scope.NamesInConditions;
import io.agenthooks.toolcall.ToolNames;

/**
 * Warns, once all beans are there, of rules about tools that there are not, and of what
 * {@link RuleArguments} finds; not if tools may come later. Stops the start if a tool has
 * a name under which it would never be called.
 */
final class RuleVerifier implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RuleVerifier.class);

	private static final Pattern REGEX = Pattern.compile("[*+?()\\[\\]{}^$.\\\\]");

	private static final String NOT_FOR = "it is not for such tools, as its 'match', 'matcher' or 'except' says";

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<HookRules> rules = new ArrayList<>();

	private final ToolHooks hooks;

	private final ScopeVerifier scopes;

	private final ToolPolicies policies;

	private final Findings findings;

	/** Whether there can be no tools but those that are known. */
	private boolean all;

	RuleVerifier(ConfigurableListableBeanFactory beanFactory, AllConfiguredHooks configuration,
			AnnotatedToolHooks methods, ToolHooks hooks, ScopeVerifier scopes) {
		this.beanFactory = beanFactory;
		this.hooks = hooks;
		this.scopes = scopes;
		this.policies = configuration.policies();
		this.findings = scopes.findings(logger);
		Stream.of(configuration.toolCall().preCall(), configuration.toolCall().postCall())
			.flatMap(List::stream)
			.map(HookRules::of)
			.forEach(this.rules::add);
		methods.hooks().stream().map(HookRules::of).forEach(this.rules::add);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.policies.verify();
		for (String name : this.beanFactory.getBeanNamesForType(PolicyToolHook.class, false, false)) {
			if (this.beanFactory.getSingleton(name) instanceof PolicyToolHook policy
					&& this.rules.stream().noneMatch((each) -> policy.config().equals(each.policy()))) {
				this.rules.add(HookRules.of(name, policy));
			}
		}
		if (this.hooks.list().isEmpty()) {
			return;
		}
		KnownTools tools = KnownToolsFinder.findIfPossible(this.beanFactory);
		checkNames(tools);
		NameVerifier names = new NameVerifier(this.scopes.known(), this.findings);
		this.all = tools.unknown() == null;
		if (this.all) {
			this.rules.stream()
				.filter(HookRules::areOfHooksThatAnswer)
				.forEach((each) -> each.match().forEach(tools::add));
		}
		RuleArguments arguments = new RuleArguments(tools, this.findings, this.all);
		this.rules.forEach((each) -> {
			arguments.verify(each);
			verifyToolsInConditions(each, tools, names);
			verify(each, tools, names);
		});
		this.scopes.others()
			.filter((mention) -> mention.kind() == Named.TOOL && tools.names().stream().noneMatch(mention::isFor))
			.forEach((mention) -> names.verifyTool(mention, tools.names(), this.all));
		this.findings.check();
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

	private void verify(HookRules rules, KnownTools tools, NameVerifier names) {
		verifyTools(rules, "match", rules.match(), tools, names);
		verifyTools(rules, "except", rules.options().scope().except(), tools, names);
		if (rules.options().scope().mcpServers() == null && rules.options().scope().matcher() != null) {
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
			for (PolicyRule rule : (policy.rules() != null) ? policy.rules() : List.<PolicyRule>of()) {
				verifyTools(rules, "rules.tools", rule.tools(), tools, names);
				verifyTools(rules, "rules.except", rule.except(), tools, names);
				List<String> except = (rule.except() != null) ? rule.except() : List.of();
				verifyReached(rules, "rules.tools", rule.tools(), called.and(Glob.anyOf(except).negate()), tools);
			}
			verifyDecided(rules, policy);
		}
		for (NamesTools.Names named : rules.named()) {
			verifyTools(rules, named.option(), named.tools(), tools, names);
			named.servers().forEach((server) -> verifyServer(rules, named.option(), server, names));
		}
	}

	private void verifyDecided(HookRules rules, PolicyConfig policy) {
		for (UnreachedParts.Part part : UnreachedParts.of(policy)) {
			List<String> path = Stream.concat(Stream.of("config"), part.path().stream()).toList();
			this.findings.suspect(new Mistake(rules.property(part.option()), rules.places().of(path),
					"It has '%s', but %s, %s.".formatted(SafeText.name(part.glob()), part.cause(), part.consequence()),
					"Correct one of them, or remove it."));
		}
	}

	/** Of a regular expression no part need be the name of a tool. */
	private void verifyMatcher(HookRules rules, String matcher, KnownTools tools, NameVerifier names) {
		boolean foreign = false;
		if (!REGEX.matcher(matcher).find()) {
			for (String name : matcher.split("\\|", -1)) {
				foreign |= !tools.names().contains(name) && names.isForeign(rules.mention("matcher", name), this.all);
			}
		}
		if (!foreign && tools.names().stream().noneMatch(HookOptions.defaults().matcher(matcher).scope().tools())) {
			names.verifyLater(rules.mention("matcher", matcher), tools.names(), this.all);
		}
	}

	private void verifyServer(HookRules rules, String option, String server, NameVerifier names) {
		Mention mention = new Mention(Named.MCP_SERVER, server, option, rules.name(),
				rules.places().of(path(option + ".mcp_servers")));
		names.verify(mention);
		if (!this.scopes.known().isFor(mention)) {
			this.scopes.watch(mention);
		}
	}

	private void verifyToolsInConditions(HookRules rules, KnownTools tools, NameVerifier names) {
		for (Object each : rules.conditions()) {
			if (each instanceof NamesInConditions conditions) {
				verifyToolsIn(conditions, rules, tools, names);
			}
		}
	}

	private void verifyToolsIn(NamesInConditions conditions, HookRules rules, KnownTools tools, NameVerifier names) {
		boolean here = rules.options().scope().mcpServers() == null;
		for (NamesInConditions.Compared each : conditions.compared()) {
			String option = each.written();
			Mention mention = new Mention(Named.TOOL, each.name(), option, rules.name(),
					rules.places().of(path(option)), each.anyCase());
			if (each.kind() == Named.TOOL && tools.names().stream().noneMatch(mention::isFor)) {
				this.scopes.watch(mention);
				if (here) {
					names.verifyTool(mention, tools.names(), this.all);
				}
			}
			else if (each.kind() == Named.TOOL && here && each.option().equals("when")) {
				verifyReached(rules, each, mention, conditions, tools);
			}
		}
	}

	/** Find tools that a condition means, but its hook or rule is not for. */
	private void verifyReached(HookRules rules, NamesInConditions.Compared compared, Mention mention,
			NamesInConditions conditions, KnownTools tools) {
		Predicate<String> inScope = rules.options().scope().tools();
		Predicate<String> called = inScope.and((tool) -> conditions.isFor(compared.rule(), tool));
		List<String> named = tools.names().stream().filter(mention::isFor).toList();
		if (tools.names().stream().anyMatch(inScope) && named.stream().noneMatch(called)
				&& named.stream().anyMatch((tool) -> conditions.means(compared.rule(), tool))) {
			this.findings.suspect(new Mistake(mention.property(), mention.place(),
					"It has '%s' under '%s', but %s, so %s.".formatted(SafeText.name(compared.name()), mention.option(),
							NOT_FOR,
							(compared.rule() == NamesInConditions.Compared.NO_RULE)
									? "the condition never holds of them" : "their calls pass"),
					"Let it be for these tools, or write the rule in an entry that is."), this.all);
		}
	}

	private static List<String> path(String option) {
		return List.of(("config." + option.replace("[", ".").replace("]", "")).split("\\."));
	}

	private void verifyTools(HookRules rules, String option, @Nullable List<String> globs, KnownTools tools,
			NameVerifier names) {
		for (String glob : (globs != null) ? globs : List.<String>of()) {
			boolean here = rules.options().scope().mcpServers() == null;
			if (!here || tools.names().stream().noneMatch(Glob.of(glob))) {
				this.scopes.watch(rules.mention(option, glob));
			}
			if (here && tools.names().stream().noneMatch(Glob.of(glob))) {
				names.verifyTool(rules.mention(option, glob), tools.names(), this.all);
			}
		}
	}

	/** A glob may be meant for tools that come later, a name is not. */
	private void verifyReached(HookRules rules, String option, @Nullable List<String> globs, Predicate<String> called,
			KnownTools tools) {
		if (rules.options().scope().mcpServers() != null
				|| tools.names().stream().noneMatch(rules.options().scope().tools())) {
			return;
		}
		for (String glob : (globs != null) ? globs : List.<String>of()) {
			List<String> meant = tools.names().stream().filter(Glob.of(glob)).toList();
			if (!meant.isEmpty() && meant.stream().noneMatch(called)) {
				this.findings.suspect(
						new Mistake(rules.property(option), rules.place(),
								"It has '%s' under '%s', but %s, so their calls pass.".formatted(SafeText.name(glob),
										option, NOT_FOR),
								"Let it be for these tools, or write the rule in an entry that is."),
						this.all || Glob.of(glob).isName());
			}
		}
	}

}
