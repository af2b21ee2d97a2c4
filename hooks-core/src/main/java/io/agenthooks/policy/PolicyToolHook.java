package io.agenthooks.policy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.DescribedHook;
import io.agenthooks.Glob;
import io.agenthooks.HookRule;
import io.agenthooks.LocatableHook;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
import io.agenthooks.pattern.Budget;
import io.agenthooks.toolcall.HidingHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ServerAwareHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolNames;

/**
 * Decides about calls by lists of tools, by patterns in arguments and by rules with
 * conditions. The first list that applies decides: a tool that is denied, an argument
 * that matches a denied pattern, a tool that is not among the allowed ones, if any are
 * listed, a tool or an argument about which a person is to be asked. Anything else is
 * approved. If there are rules, the stricter of the lists and of all rules counts.
 * <p>
 * A tool is denied by any of its {@linkplain ToolIdentity#names() names}. It is allowed
 * by what no other server can choose: see {@link ToolGlobs#allow}.
 * <p>
 * Whatever the lists say, a call is denied if the name of its tool is empty, longer than
 * 256 code points or holds white space, control characters or invisible ones, and if its
 * arguments are too large to be searched.
 * <p>
 * Patterns have the syntax of {@link java.util.regex.Pattern}, without look-around,
 * back-references and whatever else would make time grow faster than the text. They find
 * a part of the argument ({@code find}), {@code .} matches line breaks, and {@code (?i)}
 * knows the case of all of Unicode.
 *
 * @since 0.1.0
 */
public final class PolicyToolHook
		implements PreToolHook, ServerAwareHook, HidingHook, LocatableHook, DescribedHook, RehearsedHook {

	private static final Logger logger = LoggerFactory.getLogger(PolicyToolHook.class);

	private final PolicyConfig config;

	private final @Nullable ToolGlobs allowedTools;

	private final Predicate<String> deniedTools;

	private final ArgumentRules argumentRules;

	private final Detectors denyingDetectors;

	private final Detectors askingDetectors;

	private final ThingLists things;

	private final @Nullable PackRules packs;

	private final Predicate<String> askedTools;

	private final ArgumentRules askedArguments;

	private final @Nullable ToolRules rules;

	private final boolean serversNamed;

	private final Function<List<String>, @Nullable String> places;

	private final PolicyTexts texts;

	private final ListReasons reasons;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	/**
	 * Create a hook.
	 * @param config what to allow and to deny
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public PolicyToolHook(PolicyConfig config) {
		this(config, null, null);
	}

	/**
	 * Create a hook.
	 * @param config what to allow and to deny
	 * @param packs the packs that the configuration names, without the rules that it
	 * excepts; {@code null} if nobody knows them
	 * @param language reads the rules of the configuration, or {@code null} if nobody
	 * can; may throw an {@link io.agenthooks.InvalidHookConfigException}
	 * @throws io.agenthooks.InvalidHookConfigException if the configuration has mistakes;
	 * it names all of them
	 */
	public PolicyToolHook(PolicyConfig config, @Nullable List<RulePack> packs,
			@Nullable Function<List<PolicyRule>, ToolRules> language) {
		this.config = config;
		PolicyReader reader = new PolicyReader(config);
		this.rules = reader.rules(language);
		this.allowedTools = reader.allowedTools();
		this.deniedTools = reader.deniedTools();
		this.packs = reader.packRules(packs);
		this.argumentRules = reader.deniedArguments();
		this.denyingDetectors = reader.denyingDetectors();
		this.things = reader.thingLists();
		this.askingDetectors = reader.askingDetectors();
		this.askedTools = reader.askedTools();
		this.askedArguments = reader.askedArguments();
		this.serversNamed = false;
		this.places = (path) -> null;
		this.texts = new PolicyTexts(config.reason(), config.showPattern());
		this.reasons = Objects.requireNonNullElse(config.reasons(), ListReasons.NONE);
		reader.check();
		if (config.allowTools() != null && config.allowTools().isEmpty()) {
			logger.warn("A policy has an empty list 'allow_tools', so it denies every tool");
		}
	}

	private PolicyToolHook(PolicyToolHook policy, @Nullable ToolRules rules, boolean serversNamed,
			Function<List<String>, @Nullable String> places) {
		this.config = policy.config;
		this.allowedTools = policy.allowedTools;
		this.deniedTools = policy.deniedTools;
		this.argumentRules = policy.argumentRules;
		this.denyingDetectors = policy.denyingDetectors;
		this.things = policy.things;
		this.askingDetectors = policy.askingDetectors;
		this.packs = policy.packs;
		this.askedTools = policy.askedTools;
		this.askedArguments = policy.askedArguments;
		this.rules = rules;
		this.serversNamed = serversNamed;
		this.places = places;
		this.texts = policy.texts;
		this.reasons = policy.reasons;
	}

	@Override
	public PolicyToolHook forNamedServers() {
		return new PolicyToolHook(this, (this.rules != null) ? this.rules.forNamedServers() : null, true, this.places);
	}

	@Override
	public PolicyToolHook writtenAt(Function<List<String>, @Nullable String> places) {
		return new PolicyToolHook(this, (this.rules != null) ? this.rules.writtenAt(places) : null, this.serversNamed,
				places);
	}

	/**
	 * Return the configuration.
	 * @return the configuration that it was made of
	 */
	public PolicyConfig config() {
		return this.config;
	}

	@Override
	public List<DescribedHook.ListedRule> ruleList() {
		return ListedRules.of(this.config, this.packs, this.places);
	}

	/**
	 * The rules with conditions.
	 * @return the rules, or {@code null} if there are none
	 */
	public @Nullable ToolRules rules() {
		return this.rules;
	}

	/**
	 * If there is nothing but rules, the tools that they are for, and those whose names
	 * are denied in any policy; that of a tool which has none of its own on its server
	 * ends in an empty part.
	 */
	@Override
	public Predicate<String> tools() {
		if (PolicyReader.hasLists(this.config) || this.rules == null) {
			return ALL_TOOLS;
		}
		Predicate<String> tools = this.rules.tools();
		return (ALL_TOOLS.equals(tools)) ? ALL_TOOLS
				: (name) -> tools.test(name) || !ToolNames.isUsual(name) || name.endsWith("__");
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		return decide(call, false);
	}

	/** Decide without a warning. */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		return decide(call, true);
	}

	private ToolDecision decide(ToolCall call, boolean isRehearsed) {
		ToolDecision byLists = decideByLists(call, isRehearsed);
		if (this.rules == null || byLists.verdict() == Verdict.ABORT) {
			return byLists;
		}
		return stricter(byLists, this.rules.decide(call));
	}

	/** The stricter of what lists and rules want; of the same, what the lists say. */
	private static ToolDecision stricter(ToolDecision byLists, ToolDecision byRules) {
		if (byLists instanceof ToolDecision.Ask ask && byRules instanceof ToolDecision.Ask more) {
			return ask.and(more);
		}
		return (strictness(byRules.verdict()) > strictness(byLists.verdict())) ? byRules : byLists;
	}

	private static int strictness(Verdict verdict) {
		return switch (verdict) {
			case APPROVE -> 0;
			case ASK -> 1;
			case ABORT -> 3;
			// What no rule may want counts as a denial.
			case DENY, MODIFY, RESPOND -> 2;
		};
	}

	private ToolDecision decideByLists(ToolCall call, boolean isRehearsed) {
		ToolIdentity tool = call.identity();
		if (isUnusual(tool)) {
			return ToolDecision
				.deny("The policy denies names of tools that are empty, longer than %d characters or hold "
					.formatted(ToolNames.MAX_LENGTH) + "white space or invisible characters");
		}
		if (!PolicyReader.hasLists(this.config)) {
			return ToolDecision.approve();
		}
		if (tool.anyName(this.deniedTools)) {
			return deny(this.texts.of(this.reasons.denyTools(), "The policy denies the tool " + tool.describe()),
					listed("deny_tools", this.config.denyTools(), tool));
		}
		ToolDecision question = null;
		try {
			ArgumentRules.Finding finding = this.argumentRules.find(call.arguments());
			if (finding != null) {
				return denial(finding, tool);
			}
			Detectors.Finding held = this.denyingDetectors.find(call.arguments(), new Budget());
			if (held != null) {
				return deny(this.texts.of(this.reasons.denyDetectors(),
						"The policy denies the tool %s with these arguments: they hold %s".formatted(tool.describe(),
								held.what())),
						held.rule(this.places));
			}
			ThingLists.Finding thing = this.things.find(call.arguments(), new Budget());
			if (thing != null) {
				return denial(thing, tool);
			}
			PackRules.Denial denial = (this.packs != null) ? this.packs.denial(call) : null;
			if (denial != null) {
				return deny(this.texts.of(this.reasons.packs(), denial.reason(), denial.argument()),
						rule(denial.rule(), "packs", position(this.config.packs(), denial.pack()::equals))
							.withDetail("the argument '" + SafeText.name(denial.argument()) + "'"));
			}
			question = (PolicyReader.asks(this.config)) ? question(call) : null;
		}
		catch (Budget.ExhaustedException ex) {
			return ToolDecision
				.deny("The policy denies the tool %s with these arguments: they are too large to be searched in time"
					.formatted(tool.describe()));
		}
		if (this.allowedTools != null && !this.allowedTools.allow(tool, this.serversNamed)) {
			if (!isRehearsed) {
				explain(tool, this.allowedTools);
			}
			return deny(
					this.texts.of(this.reasons.allowTools(), "The policy does not allow the tool " + tool.describe()),
					rule("allow_tools", "allow_tools"));
		}
		return (question != null) ? question : ToolDecision.approve();
	}

	private @Nullable ToolDecision question(ToolCall call) {
		ToolIdentity tool = call.identity();
		if (tool.anyName(this.askedTools)) {
			return new ToolDecision.Ask(
					this.texts.of(this.reasons.askTools(),
							"The policy wants a person to approve the tool " + tool.describe()),
					null, listed("ask_tools", this.config.askTools(), tool));
		}
		ArgumentRules.Finding finding = this.askedArguments.find(call.arguments());
		if (finding == null) {
			Detectors.Finding held = this.askingDetectors.find(call.arguments(), new Budget());
			return (held != null) ? new ToolDecision.Ask(this.texts.of(this.reasons.askDetectors(),
					"The policy wants a person to approve the tool %s with these arguments: they hold %s"
						.formatted(tool.describe(), held.what())),
					null, held.rule(this.places))
				.about(among(call, (argument) -> this.askingDetectors.find(argument, new Budget()) != null)) : null;
		}
		HookRule rule = matched(finding, "ask_argument_patterns", this.config.askArgumentPatterns(),
				"ask_any_argument_patterns", this.config.askAnyArgumentPatterns());
		return new ToolDecision.Ask(this.texts.ofPattern(
				("ask_any_argument_patterns".equals(rule.name())) ? this.reasons.askAnyArgumentPatterns()
						: this.reasons.askArgumentPatterns(),
				"The policy wants a person to approve the tool %s with this argument '%s'".formatted(tool.describe(),
						SafeText.name(finding.argument())),
				finding.argument(), finding.pattern()), null, rule)
			.about(among(call, (argument) -> this.askedArguments.find(argument) != null));
	}

	private static List<String> among(ToolCall call, Predicate<Map<String, @Nullable Object>> isFound) {
		return call.arguments()
			.entrySet()
			.stream()
			.filter((argument) -> isFound.test(Collections.singletonMap(argument.getKey(), argument.getValue())))
			.map(Map.Entry::getKey)
			.toList();
	}

	private ToolDecision denial(ArgumentRules.Finding finding, ToolIdentity tool) {
		HookRule rule = matched(finding, "deny_argument_patterns", this.config.denyArgumentPatterns(),
				"deny_any_argument_patterns", this.config.denyAnyArgumentPatterns());
		return deny(this.texts.ofPattern(
				("deny_any_argument_patterns".equals(rule.name())) ? this.reasons.denyAnyArgumentPatterns()
						: this.reasons.denyArgumentPatterns(),
				"The policy denies the tool %s with this argument '%s'".formatted(tool.describe(),
						SafeText.name(finding.argument())),
				finding.argument(), finding.pattern()), rule);
	}

	private ToolDecision denial(ThingLists.Finding thing, ToolIdentity tool) {
		return deny(
				this.texts.of(this.reasons.of(thing.option()),
						"The policy denies the tool %s with this argument '%s': %s".formatted(tool.describe(),
								SafeText.name(thing.argument()), thing.why()),
						thing.argument()),
				rule(thing.option(), thing.option(), thing.position())
					.withDetail("the argument '" + SafeText.name(thing.argument()) + "'"));
	}

	private static ToolDecision deny(String reason, HookRule rule) {
		return new ToolDecision.Deny(reason, false, null, rule, null);
	}

	private HookRule listed(String option, @Nullable List<String> globs, ToolIdentity tool) {
		return rule(option, option, position(globs, (glob) -> tool.anyName(Glob.anyOf(glob))));
	}

	private HookRule matched(ArgumentRules.Finding finding, String option, @Nullable Map<String, List<String>> named,
			String optionForAny, @Nullable List<String> any) {
		String position = (named != null) ? position(named.get(finding.argument()), finding.pattern()::equals) : null;
		HookRule rule = (position != null)
				? rule(ListedRules.nameOf(option, finding.argument()), option, finding.argument(), position)
				: rule(optionForAny, optionForAny, position(any, finding.pattern()::equals));
		return PolicyTexts.ruleOf(rule, finding.argument(), finding.pattern());
	}

	private static <T> @Nullable String position(@Nullable List<T> list, Predicate<T> wanted) {
		for (int i = 0; list != null && i < list.size(); i++) {
			if (wanted.test(list.get(i))) {
				return String.valueOf(i);
			}
		}
		return null;
	}

	private HookRule rule(String name, @Nullable String... path) {
		return new HookRule(name, this.places.apply(Stream.of(path).filter(Objects::nonNull).toList()));
	}

	@Override
	public boolean isHiding() {
		return this.config.hide() || (this.rules != null && this.rules.isHiding());
	}

	@Override
	public boolean hides(ToolCall call) {
		return (this.config.hide() && deniesAlways(call)) || (this.rules != null && this.rules.hides(call));
	}

	private boolean deniesAlways(ToolCall call) {
		ToolIdentity tool = call.identity();
		return isUnusual(tool) || tool.anyName(this.deniedTools)
				|| (this.allowedTools != null && !this.allowedTools.allow(tool, this.serversNamed))
				|| (this.rules != null && this.rules.denyAlways(call));
	}

	private static boolean isUnusual(ToolIdentity tool) {
		return !ToolNames.isUsual(tool.modelName()) || !(tool.isOfApplication() || ToolNames.isUsual(tool.name()));
	}

	private void explain(ToolIdentity tool, ToolGlobs allowed) {
		if (!allowed.match(tool)) {
			return;
		}
		String server = (tool.server() != null) ? SafeText.name(tool.server()) : null;
		this.warnings.warn(
				"A policy does not allow the tool " + tool.describe()
						+ ": a name in 'allow_tools' is for tools of the application, since any server may use it. "
						+ ((server != null)
								? "Write '%s__%s', or give the entry 'mcp_servers: [\"%s\"]'".formatted(server,
										SafeText.name(tool.name()), server)
								: "Give each connection a name of its own"));
	}

	/**
	 * A policy depends on the call alone; one whose rules know the time has to agree at
	 * each time that it is asked.
	 */
	@Override
	public boolean isRepeatable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return ruleList().stream().anyMatch((rule) -> rule.then().equals(ListedRules.ASK));
	}

}
