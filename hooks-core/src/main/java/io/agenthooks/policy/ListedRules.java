package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.agenthooks.DescribedHook.ListedRule;

/**
 * The rules of a policy for operators. Patterns and conditions stay out, for secrets may
 * stand in them.
 */
final class ListedRules {

	private static final String DENY = "deny";

	static final String ASK = "ask";

	private final List<ListedRule> rules = new ArrayList<>();

	private final Function<List<String>, @Nullable String> places;

	private ListedRules(Function<List<String>, @Nullable String> places) {
		this.places = places;
	}

	static List<ListedRule> of(PolicyConfig config, @Nullable PackRules packs,
			Function<List<String>, @Nullable String> places) {
		ListedRules listed = new ListedRules(places);
		ListReasons why = Objects.requireNonNullElse(config.reasons(), ListReasons.NONE);
		UnaryOperator<@Nullable String> written = (reason) -> (reason != null) ? reason : config.reason();
		listed.addTools("deny_tools", config.denyTools(), DENY, written.apply(why.denyTools()));
		listed.addArguments("deny_argument_patterns", config.denyArgumentPatterns(), DENY,
				written.apply(why.denyArgumentPatterns()));
		listed.addAny("deny_any_argument_patterns", config.denyAnyArgumentPatterns(), DENY,
				written.apply(why.denyAnyArgumentPatterns()));
		listed.addAny("deny_detectors", config.denyDetectors(), DENY, written.apply(why.denyDetectors()));
		listed.addAny("deny_paths", config.denyPaths(), DENY, written.apply(why.denyPaths()));
		listed.addAny("allow_paths", config.allowPaths(), DENY, written.apply(why.allowPaths()));
		listed.addAny("deny_hosts", config.denyHosts(), DENY, written.apply(why.denyHosts()));
		listed.addAny("allow_hosts", config.allowHosts(), DENY, written.apply(why.allowHosts()));
		if (packs != null) {
			String reasonOfPacks = written.apply(why.packs());
			packs.reasons()
				.forEach((name, reason) -> listed.add(name, null, List.of(), DENY,
						(reasonOfPacks != null) ? reasonOfPacks : reason, "packs"));
		}
		if (config.allowTools() != null) {
			listed.add("allow_tools", null, config.allowTools(), DENY, written.apply(why.allowTools()), "allow_tools");
		}
		listed.addTools("ask_tools", config.askTools(), ASK, written.apply(why.askTools()));
		listed.addArguments("ask_argument_patterns", config.askArgumentPatterns(), ASK,
				written.apply(why.askArgumentPatterns()));
		listed.addAny("ask_any_argument_patterns", config.askAnyArgumentPatterns(), ASK,
				written.apply(why.askAnyArgumentPatterns()));
		listed.addAny("ask_detectors", config.askDetectors(), ASK, written.apply(why.askDetectors()));
		List<PolicyRule> rules = Objects.requireNonNullElse(config.rules(), List.of());
		for (int i = 0; i < rules.size(); i++) {
			PolicyRule rule = rules.get(i).orReason(config.reason());
			listed.add((rule.name() != null) ? rule.name() : "rules[%d]".formatted(i), rule.tools(),
					Objects.requireNonNullElse(rule.except(), List.of()),
					(rule.then() != null) ? rule.then().name().toLowerCase(Locale.ROOT) : DENY, rule.reason(), "rules",
					String.valueOf(i));
		}
		return List.copyOf(listed.rules);
	}

	static List<ListedRule> ofTexts(List<String> options, @Nullable String reason,
			Function<List<String>, @Nullable String> places) {
		ListedRules listed = new ListedRules(places);
		options.forEach((option) -> listed.add(option, null, List.of(), DENY, reason, option));
		return listed.rules;
	}

	private void addTools(String option, @Nullable List<String> globs, String then, @Nullable String reason) {
		if (globs != null) {
			add(option, globs, List.of(), then, reason, option);
		}
	}

	private void addArguments(String option, @Nullable Map<String, List<String>> patterns, String then,
			@Nullable String reason) {
		if (patterns != null) {
			patterns.keySet()
				.forEach((argument) -> this.rules.add(new ListedRule(nameOf(option, argument), null, List.of(),
						argument, then, reason, this.places.apply(List.of(option, argument)))));
		}
	}

	static String nameOf(String option, String argument) {
		return option + "." + argument;
	}

	private void addAny(String option, @Nullable List<String> patterns, String then, @Nullable String reason) {
		if (patterns != null) {
			add(option, null, List.of(), then, reason, option);
		}
	}

	private void add(String name, @Nullable List<String> tools, List<String> except, String then,
			@Nullable String reason, String... path) {
		this.rules.add(new ListedRule(name, tools, except, null, then, reason, this.places.apply(List.of(path))));
	}

}
