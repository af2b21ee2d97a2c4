package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.Glob;
import io.agenthooks.GlobMistake;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.SafeText;
import io.agenthooks.toolcall.ToolGlobs;
import io.agenthooks.toolcall.ToolNames;

/** Makes rules of a configuration, and reports all mistakes in it at once. */
final class PolicyReader {

	private static final Logger logger = LoggerFactory.getLogger(PolicyReader.class);

	private static final String RULES = "rules";

	private static final String PACKS = "packs";

	private final List<Problem> problems = new ArrayList<>();

	private final PatternList patterns = new PatternList(this.problems);

	private final PolicyConfig config;

	PolicyReader(PolicyConfig config) {
		this.config = config;
		if (!hasLists(config) && isEmpty(config.rules())) {
			problem(List.of(), "The policy has no rule, so it would approve every call.",
					"Write 'allow_tools', 'deny_tools', 'deny_argument_patterns', 'deny_any_argument_patterns', "
							+ "'ask_tools', 'ask_argument_patterns', 'ask_any_argument_patterns', 'deny_detectors', "
							+ "'deny_paths', 'allow_paths', 'deny_hosts', 'allow_hosts', "
							+ "'ask_detectors', 'rules' or 'packs', " + "or use the type 'passthrough'.");
			return;
		}
		if (config.hide() && config.allowTools() == null && isEmpty(config.denyTools()) && isEmpty(config.rules())) {
			problem(List.of("hide"), "Nothing would be hidden: no tool is denied whatever its arguments are.",
					"Write 'deny_tools', 'allow_tools' or 'rules', or remove 'hide'.");
		}
		checkNotEmpty("deny_tools", config.denyTools(), "nothing would be denied");
		checkNotEmpty("deny_any_argument_patterns", config.denyAnyArgumentPatterns(), "nothing would be denied");
		checkNotEmpty("ask_tools", config.askTools(), "no person would be asked");
		checkNotEmpty("ask_any_argument_patterns", config.askAnyArgumentPatterns(), "no person would be asked");
		checkNotEmpty(RULES, config.rules(), "nothing would be denied");
		checkNotEmpty(PACKS, config.packs(), "nothing would be denied");
		checkTexts();
	}

	private void checkTexts() {
		if (this.config.reason() != null && this.config.reason().isBlank()) {
			problem(List.of("reason"), "The reason is blank.", "Write it, or remove it.");
		}
		if (this.config.reasons() != null) {
			this.problems.addAll(this.config.reasons().problems(this.config));
		}
		if (this.config.showPattern() && isEmpty(this.config.denyArgumentPatterns())
				&& isEmpty(this.config.denyAnyArgumentPatterns()) && isEmpty(this.config.askArgumentPatterns())
				&& isEmpty(this.config.askAnyArgumentPatterns())) {
			problem(List.of("show_pattern"), "The policy has no patterns, so there is none to show.",
					"Write patterns, or remove 'show_pattern'.");
		}
	}

	/** Packs are {@code null} if nobody knows them. */
	@Nullable PackRules packRules(@Nullable List<RulePack> packs) {
		List<String> names = Objects.requireNonNullElse(this.config.packs(), List.of());
		List<String> given = (packs != null) ? packs.stream().map(RulePack::name).toList() : List.of();
		for (String name : given) {
			if (!names.contains(name)) {
				problem(List.of(PACKS),
						"The pack '%s' is given, but the policy does not name it.".formatted(SafeText.name(name)),
						"Name the pack, or do not give it to the hook.");
			}
		}
		if (names.isEmpty()) {
			return null;
		}
		if (packs == null) {
			problem(List.of(PACKS), "The packs of rules come with the starter, and the core has none.",
					"Configure the policy with the starter, or give the hook the packs.");
			return null;
		}
		for (int i = 0; i < names.size(); i++) {
			if (!given.contains(names.get(i))) {
				problem(List.of(PACKS, String.valueOf(i)),
						"The pack '%s' is not given to the hook, so nothing of it would be denied."
							.formatted(SafeText.name(String.valueOf(names.get(i)))),
						"Give the hook the pack, or remove its name.");
			}
		}
		return new PackRules(packs, PatternList.CELLS / sets());
	}

	static boolean hasLists(PolicyConfig config) {
		return config.allowTools() != null || !isEmpty(config.denyTools()) || !isEmpty(config.denyAnyArgumentPatterns())
				|| !isEmpty(config.denyArgumentPatterns()) || !isEmpty(config.denyDetectors())
				|| !isEmpty(config.packs()) || !isEmpty(config.denyPaths()) || !isEmpty(config.allowPaths())
				|| !isEmpty(config.denyHosts()) || !isEmpty(config.allowHosts()) || asks(config);
	}

	static boolean asks(PolicyConfig config) {
		return !isEmpty(config.askTools()) || !isEmpty(config.askArgumentPatterns())
				|| !isEmpty(config.askAnyArgumentPatterns()) || !isEmpty(config.askDetectors());
	}

	private void checkNotEmpty(String option, @Nullable List<?> list, String consequence) {
		if (list != null && list.isEmpty()) {
			problem(List.of(option), "The list is empty, so " + consequence + ".", "Fill it, or remove it.");
		}
	}

	private static boolean isEmpty(@Nullable List<?> list) {
		return list == null || list.isEmpty();
	}

	private static boolean isEmpty(@Nullable Map<?, ?> map) {
		return map == null || map.isEmpty();
	}

	/** The language is {@code null} if nobody can read conditions. */
	@Nullable ToolRules rules(@Nullable Function<List<PolicyRule>, ToolRules> language) {
		List<PolicyRule> rules = this.config.rules();
		if (rules == null || rules.isEmpty()) {
			return null;
		}
		for (int i = 0; i < rules.size(); i++) {
			checkRule(List.of(RULES, String.valueOf(i)), rules.get(i));
		}
		if (language == null) {
			problem(List.of(RULES), "The conditions of rules are in CEL, which the core cannot read.",
					"Configure the policy with the starter, or give the hook something that reads them.");
			return null;
		}
		try {
			return language.apply(rules.stream().map((rule) -> rule.orReason(this.config.reason())).toList());
		}
		catch (InvalidHookConfigException ex) {
			this.problems.addAll(ex.getProblems());
			return null;
		}
	}

	private void checkRule(List<String> path, PolicyRule rule) {
		if (rule.tools() == null && rule.when() == null && rule.unless() == null) {
			problem(path, "The rule has neither tools nor a condition, so it matches every call.",
					"Write 'tools', 'when' or 'unless'.");
		}
		checkGlobs(path, "tools", rule.tools(), "the rule is for no tool");
		checkGlobs(path, "except", rule.except(), "no tool is exempted");
		boolean isForNone = rule.except() != null && rule.except().stream().anyMatch(PolicyReader::isForAll);
		if (isForNone || areExempt(UnreachedParts.usable(rule.tools()), UnreachedParts.usable(rule.except()))) {
			List<String> place = new ArrayList<>(path);
			place.add("except");
			problem(place,
					"It exempts %s, so the rule can never match."
						.formatted((isForNone) ? "every tool" : "each of the rule's tools"),
					"Name only tools that the rule is not for.");
		}
	}

	/**
	 * As it is written, or by name. A name without a server exempts tools of the
	 * application alone.
	 */
	private static boolean areExempt(List<String> tools, List<String> except) {
		Predicate<String> exempt = Glob.anyOf(except);
		return !tools.isEmpty() && tools.stream()
			.allMatch((tool) -> tool.contains("__")
					&& (except.contains(tool) || (Glob.of(tool).isName() && exempt.test(tool))));
	}

	/** Whether a glob matches every name, none of which is empty. */
	private static boolean isForAll(@Nullable String glob) {
		return glob != null && glob.matches("\\*+|\\**\\?\\**") && !glob.equals("?");
	}

	private void checkGlobs(List<String> path, String option, @Nullable List<String> globs, String consequence) {
		List<String> place = new ArrayList<>(path);
		place.add(option);
		if (globs != null && globs.isEmpty()) {
			problem(place, "The list is empty, so " + consequence + ".", "Fill it, or remove it.");
		}
		else if (globs != null) {
			tools(place, globs);
		}
	}

	void check() {
		if (!this.problems.isEmpty()) {
			throw new InvalidHookConfigException(this.problems);
		}
	}

	@Nullable ToolGlobs allowedTools() {
		List<String> globs = this.config.allowTools();
		return (globs != null) ? ToolGlobs.of(tools(List.of("allow_tools"), globs)) : null;
	}

	Predicate<String> deniedTools() {
		return anyOf("deny_tools", this.config.denyTools());
	}

	Predicate<String> askedTools() {
		return anyOf("ask_tools", this.config.askTools());
	}

	private Predicate<String> anyOf(String option, @Nullable List<String> globs) {
		return Glob.anyOf(tools(List.of(option), Objects.requireNonNullElse(globs, List.of())));
	}

	private List<String> tools(List<String> place, List<String> globs) {
		List<String> usable = new ArrayList<>();
		for (int i = 0; i < globs.size(); i++) {
			String glob = globs.get(i);
			List<String> path = new ArrayList<>(place);
			path.add(String.valueOf(i));
			GlobMistake mistake = (isBlank(glob)) ? null : GlobMistake.find(glob, NameKind.TOOL);
			if (isBlank(glob)) {
				problem(path, "The name of a tool is blank.", "Write a name or a glob such as 'run_*'.");
			}
			else if (mistake != null) {
				problem(path, mistake.message(), mistake.action());
			}
			else if (!ToolNames.isUsual(glob)) {
				problem(path,
						"No tool has such a name: white space, invisible characters and more than %d characters "
							.formatted(ToolNames.MAX_LENGTH) + "are always denied.",
						"Write a name or a glob such as 'run_*'.");
			}
			else {
				usable.add(glob);
			}
		}
		return usable;
	}

	ThingLists thingLists() {
		return ThingLists.read(this.config, this.problems);
	}

	Detectors denyingDetectors() {
		return Detectors.read("deny_detectors", this.config.denyDetectors(), "nothing would be denied", this.problems);
	}

	Detectors askingDetectors() {
		return Detectors.read("ask_detectors", this.config.askDetectors(), "no person would be asked", this.problems);
	}

	ArgumentRules deniedArguments() {
		return argumentRules("deny", "nothing would be denied", this.config.denyArgumentPatterns(),
				this.config.denyAnyArgumentPatterns());
	}

	ArgumentRules askedArguments() {
		return argumentRules("ask", "no person would be asked", this.config.askArgumentPatterns(),
				this.config.askAnyArgumentPatterns());
	}

	/** The pattern sets, which share the memory of a policy. All packs are one. */
	private int sets() {
		return size(this.config.denyArgumentPatterns()) + size(this.config.askArgumentPatterns())
				+ ((isEmpty(this.config.denyAnyArgumentPatterns())) ? 0 : 1)
				+ ((isEmpty(this.config.askAnyArgumentPatterns())) ? 0 : 1) + ((isEmpty(this.config.packs())) ? 0 : 1);
	}

	private static int size(@Nullable Map<?, ?> map) {
		return (map != null) ? map.size() : 0;
	}

	private ArgumentRules argumentRules(String effect, String consequence, @Nullable Map<String, List<String>> lists,
			@Nullable List<String> patternsOfAny) {
		int sets = sets();
		Map<String, TextSearch> named = new LinkedHashMap<>();
		if (lists != null) {
			lists.forEach((name, patterns) -> {
				List<String> path = List.of(effect + "_argument_patterns", (name != null) ? name : "");
				if (isBlank(name)) {
					problem(path, "The name of an argument is blank.", "Write the name of the argument.");
				}
				else if (name.contains("*")) {
					logger
						.warn("A policy has patterns for the argument '{}', and its name is no glob: only an argument "
								+ "of that very name is searched. For all arguments write '{}_any_argument_patterns'",
								SafeText.name(name), effect);
				}
				if (patterns.isEmpty()) {
					problem(path, "There is no pattern for this argument, so " + consequence + ".",
							"Write at least one pattern, or remove the argument.");
				}
				else {
					named.put(name, TextSearch.of(this.patterns.read(path, patterns, PatternList.CELLS / sets)));
				}
			});
		}
		TextSearch any = (patternsOfAny == null || patternsOfAny.isEmpty()) ? null : TextSearch.of(this.patterns
			.read(List.of(effect + "_any_argument_patterns"), patternsOfAny, PatternList.CELLS / sets));
		return new ArgumentRules(named, any);
	}

	private static boolean isBlank(@Nullable String text) {
		return text == null || text.isBlank();
	}

	private void problem(List<String> path, String message, String action) {
		this.problems.add(new Problem(path, message, action));
	}

}
