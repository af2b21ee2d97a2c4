package io.agenthooks.spring.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.SafeText;
import io.agenthooks.policy.InternalAddress;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyRule;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.policy.RulePack;
import io.agenthooks.policy.ToolRules;
import io.agenthooks.spring.binding.Spelling;

/** The packs of rules that ship with the starter, as YAML in its jar. */
final class RulePacks {

	static final List<String> NAMES = List.of("internal-addresses", "secret-files", "shell-destructive", "sql-ddl");

	private static final Logger logger = LoggerFactory.getLogger(RulePacks.class);

	private static final String FOLDER = "META-INF/agent-hooks/packs/";

	private RulePacks() {
	}

	/** From the root of the class path. */
	static String fileOf(String name) {
		return FOLDER + name + ".yaml";
	}

	static PolicyToolHook policy(String name, PolicyConfig config, Function<List<PolicyRule>, ToolRules> language) {
		List<Problem> problems = new ArrayList<>();
		List<RulePack> packs = choose(name, config, problems);
		try {
			PolicyToolHook policy = new PolicyToolHook(config, packs, language);
			if (problems.isEmpty()) {
				return policy;
			}
		}
		catch (InvalidHookConfigException ex) {
			// Of an unknown pack, more is known here than that nobody gave it.
			ex.getProblems()
				.stream()
				.filter((problem) -> problems.stream().map(Problem::path).noneMatch(problem.path()::equals))
				.forEach(problems::add);
		}
		throw new InvalidHookConfigException(problems);
	}

	private static List<RulePack> choose(String name, PolicyConfig config, List<Problem> problems) {
		List<RulePack> packs = new ArrayList<>();
		List<String> names = Objects.requireNonNullElse(config.packs(), List.of());
		Set<String> seen = new HashSet<>();
		for (int i = 0; i < names.size(); i++) {
			List<String> path = List.of("packs", String.valueOf(i));
			if (!NAMES.contains(names.get(i))) {
				problems.add(new Problem(path, "There is no pack of rules '%s'.".formatted(SafeText.name(names.get(i))),
						Spelling.didYouMean(names.get(i), NAMES) + "The packs are " + String.join(", ", NAMES) + "."));
			}
			else if (!seen.add(names.get(i))) {
				problems.add(new Problem(path, "The pack is named twice.", "Name it once."));
			}
			else {
				packs.add(read(names.get(i)));
			}
		}
		return without(exceptions(config, packs, problems), packs, name);
	}

	private static Set<String> exceptions(PolicyConfig config, List<RulePack> packs, List<Problem> problems) {
		List<String> excepted = config.exceptRules();
		if (excepted == null) {
			return Set.of();
		}
		if (config.packs() == null) {
			problems.add(new Problem(List.of("except_rules"), "There is no pack to except rules of.",
					"Write 'packs', or remove this list."));
			return Set.of();
		}
		if (excepted.isEmpty()) {
			problems.add(new Problem(List.of("except_rules"), "The list is empty, so nothing is excepted.",
					"Fill it, or remove it."));
		}
		Set<String> found = new LinkedHashSet<>();
		List<String> known = packs.stream().flatMap(RulePacks::names).toList();
		List<String> ids = known.stream().map((rule) -> rule.substring(rule.indexOf('/') + 1)).toList();
		for (int i = 0; i < excepted.size(); i++) {
			String written = excepted.get(i);
			List<String> meant = known.stream()
				.filter((rule) -> rule.equals(written) || rule.endsWith("/" + written))
				.toList();
			found.addAll(meant);
			// Where a pack is not known, it may be the one with the rule.
			if (meant.isEmpty() && packs.size() == config.packs().size()) {
				problems.add(new Problem(List.of("except_rules", String.valueOf(i)),
						"No pack that is named has a rule '%s'.".formatted(SafeText.name(written)),
						Spelling.didYouMean(written, (written.contains("/")) ? known : ids) + "The rules are "
								+ String.join(", ", known) + "."));
			}
		}
		return found;
	}

	private static Stream<String> names(RulePack pack) {
		return pack.rules().stream().map((rule) -> pack.name() + "/" + rule.id());
	}

	/** Logs what is active: the versions of packs differ in what they deny. */
	private static List<RulePack> without(Set<String> exceptions, List<RulePack> packs, String hook) {
		List<RulePack> narrowed = new ArrayList<>();
		for (RulePack pack : packs) {
			RulePack left = new RulePack(pack.name(), pack.version(),
					pack.rules()
						.stream()
						.filter((rule) -> !exceptions.contains(pack.name() + "/" + rule.id()))
						.toList());
			if (left.rules().isEmpty()) {
				logger.warn("The pack '{}' of the hook '{}' has no effect: each of its rules is excepted", pack.name(),
						SafeText.name(hook));
			}
			else {
				logger.info("The hook '{}' uses version {} of the rule pack '{}': {}", SafeText.name(hook),
						pack.version(), pack.name(), left.rules().stream().map(RulePack.Rule::id).toList());
			}
			narrowed.add(left);
		}
		return narrowed;
	}

	static RulePack read(String name) {
		try (InputStream file = RulePacks.class.getResourceAsStream("/" + fileOf(name))) {
			Map<?, ?> pack = new Yaml(new SafeConstructor(new LoaderOptions())).load(Objects.requireNonNull(file));
			return new RulePack(name, (Integer) Objects.requireNonNull(pack.get("version")),
					((List<?>) Objects.requireNonNull(pack.get("rules"))).stream()
						.map((rule) -> rule((Map<?, ?>) Objects.requireNonNull(rule)))
						.toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static RulePack.Rule rule(Map<?, ?> rule) {
		return new RulePack.Rule(text(rule, "id"), text(rule, "reason"), text(rule, "why"), texts(rule, "owasp"),
				texts(rule, "deny_any_argument_patterns"), texts(rule, "deny_command_patterns"),
				texts(rule, "addresses").stream()
					.map((kind) -> InternalAddress.valueOf(kind.toUpperCase(Locale.ROOT)))
					.toList(),
				texts(rule, "host_arguments"));
	}

	private static String text(Map<?, ?> rule, String key) {
		return (String) Objects.requireNonNull(rule.get(key), key);
	}

	private static List<String> texts(Map<?, ?> rule, String key) {
		@Nullable Object texts = rule.get(key);
		return (texts instanceof List<?> list) ? list.stream().map(String.class::cast).toList() : List.of();
	}

}
