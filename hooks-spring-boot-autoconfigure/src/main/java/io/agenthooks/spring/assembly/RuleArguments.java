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
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.SafeText;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.Spelling;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.NamesTools;
import io.agenthooks.spring.scope.ArgumentsInConditions;
import io.agenthooks.spring.scope.Findings;

final class RuleArguments {

	private final KnownTools tools;

	private final Findings findings;

	private final boolean all;

	RuleArguments(KnownTools tools, Findings findings, boolean all) {
		this.tools = tools;
		this.findings = findings;
		this.all = all;
	}

	/** Look at the rules of a hook. What tools of servers have is not known. */
	void verify(HookRules rules) {
		verifyTaken(rules);
		if (rules.options().scope().mcpServers() != null) {
			return;
		}
		verifyConditions(rules);
		PolicyConfig policy = rules.policy();
		if (policy != null) {
			verifyPatterns(rules, "deny_argument_patterns", policy.denyArgumentPatterns());
			verifyPatterns(rules, "ask_argument_patterns", policy.askArgumentPatterns());
		}
		rules.named().forEach((named) -> verifyNamed(rules, named));
	}

	/** Find arguments that none of these tools has, and tools that have none of them. */
	private void verifyNamed(HookRules rules, NamesTools.Names names) {
		if (names.arguments().isEmpty()) {
			return;
		}
		Set<String> ofAny = new TreeSet<>();
		boolean known = true;
		for (String tool : this.tools.names().stream().filter(Glob.anyOf(names.tools())).toList()) {
			Set<String> arguments = this.tools.argumentsOf(List.of(tool));
			known = known && arguments != null;
			ofAny.addAll((arguments != null) ? arguments : Set.of());
			if (arguments != null && names.arguments().stream().noneMatch((name) -> isOneOf(name, arguments))) {
				this.findings.suspect(new Mistake(rules.property(names.option()), rules.place(),
						"It names arguments under '%s', but the tool '%s' has none of them, so its calls pass."
							.formatted(names.option(), SafeText.name(tool)),
						Spelling.meant(names.arguments().get(0), arguments)), this.all);
			}
		}
		for (String name : (known && !ofAny.isEmpty()) ? names.arguments() : List.<String>of()) {
			if (!isOneOf(name, ofAny)) {
				this.findings.suspect(unknownArgument(rules, names.option(), name, ofAny), this.all);
			}
		}
	}

	private static boolean isOneOf(String name, Set<String> arguments) {
		Set<String> plain = arguments.stream().map(RuleArguments::plain).collect(Collectors.toSet());
		return plain.contains(plain(name))
				|| Stream.of(name.split("\\.", -1)).map(RuleArguments::plain).allMatch(plain::contains);
	}

	private static String plain(String name) {
		return name.strip().toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
	}

	/**
	 * Find arguments that no such tool has, or that are never what they are taken for.
	 */
	private void verifyConditions(HookRules rules) {
		List<ArgumentsInConditions> all = rules.conditions()
			.stream()
			.filter(ArgumentsInConditions.class::isInstance)
			.map(ArgumentsInConditions.class::cast)
			.toList();
		if (all.isEmpty()) {
			return;
		}
		Map<String, Set<String>> called = new TreeMap<>();
		this.tools.names()
			.stream()
			.filter(rules.options().scope().tools())
			.forEach((name) -> called.put(name, this.tools.declaredOf(name)));
		for (ArgumentsInConditions.Found each : all.stream().flatMap((one) -> one.check(called).stream()).toList()) {
			List<String> path = new ArrayList<>(List.of("config"));
			path.addAll(each.path());
			Mistake mistake = new Mistake(rules.property(option(each.path())),
					rules.places().of(path, each.text(), each.position()), each.message(), each.action());
			if (each.suspicion()) {
				this.findings.suspect(mistake);
			}
			else {
				this.findings.add(mistake, this.all);
			}
		}
	}

	private static String option(List<String> path) {
		return path.stream()
			.map((segment) -> (segment.matches("\\d+")) ? "[" + segment + "]" : "." + segment)
			.collect(Collectors.joining())
			.substring(1);
	}

	/** Inside of an argument that may hold any names there may be any. */
	private void verifyPatterns(HookRules rules, String option, @Nullable Map<String, List<String>> patterns) {
		Predicate<String> forTools = rules.options().scope().tools();
		List<String> called = this.tools.names().stream().filter(forTools).toList();
		Set<String> arguments = (patterns != null && !called.isEmpty()) ? this.tools.namedArgumentsOf(called) : null;
		if (patterns == null || arguments == null) {
			return;
		}
		boolean closed = this.tools.argumentsOf(called) != null;
		for (String name : patterns.keySet()) {
			List<String> path = List.of(name.split("\\.", -1));
			if (arguments.contains(name) || arguments.containsAll((closed) ? path : path.subList(0, 1))) {
				continue;
			}
			String meant = Spelling.didYouMean(path.get(0), arguments);
			Mistake unknown = unknownArgument(rules, option, name, arguments);
			if (closed) {
				this.findings.add(unknown, this.all);
			}
			else if (!meant.isEmpty()) {
				this.findings.add(instead(unknown, SafeText.reason(meant.strip())), this.all);
			}
			else {
				this.findings.suspect(instead(unknown,
						unknown.action()
								+ ". Inside of an argument that holds any names, write the path to it: 'argument.%s'."
									.formatted(SafeText.name(name))),
						this.all);
			}
		}
	}

	/** A method denies each call that has not the arguments which it takes. */
	private void verifyTaken(HookRules rules) {
		List<String> called = this.tools.names().stream().filter(rules.options().scope().tools()).toList();
		Set<String> arguments = (rules.arguments().isEmpty() || called.isEmpty()) ? null
				: this.tools.argumentsOf(called);
		for (String name : (arguments != null) ? rules.arguments() : List.<String>of()) {
			if (arguments != null && !arguments.contains(name)) {
				String meant = Spelling.meant(name, arguments);
				this.findings.add(new Mistake("@Arg of the hook '%s'".formatted(rules.name()), rules.place(),
						"The %s takes the argument '%s', but none of its tools has it. %s".formatted(rules.place(),
								SafeText.name(name), meant),
						"Correct the name of the parameter, or the tools of the method."), this.all);
			}
		}
	}

	private static Mistake unknownArgument(HookRules rules, String option, String name, Collection<String> known) {
		return new Mistake(rules.property(option), rules.places().of(List.of("config", option, name)),
				"It has '%s' under '%s', but no tool that the hook is for has this argument."
					.formatted(SafeText.name(name), option),
				Spelling.meant(name, known));
	}

	private static Mistake instead(Mistake mistake, String action) {
		return new Mistake(mistake.property(), mistake.place(), mistake.message(), action);
	}

}
