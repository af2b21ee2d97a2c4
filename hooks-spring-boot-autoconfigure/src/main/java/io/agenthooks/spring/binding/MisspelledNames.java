package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * Finds names that are almost ours, or ours at another place: a mistyped gate is not a
 * gate.
 */
final class MisspelledNames {

	private static final Logger logger = LoggerFactory.getLogger(MisspelledNames.class);

	private static final int MISPLACED_DEPTH = 4;

	/** Keys that others may have below a name such as {@code tool_call}, too. */
	private static final List<String> COMMON = List.of(HookSection.ENABLED, HookSection.REPLACES);

	/** Beginnings of our names in variables of the environment that split them. */
	private static final Set<String> OF_OTHER_NAMES = Set.of("tool", "tools", "llm");

	private final HookPropertySources properties;

	private final List<Mistake> problems = new ArrayList<>();

	private MisspelledNames(HookPropertySources properties) {
		this.properties = properties;
	}

	static List<Mistake> find(HookPropertySources properties, ConfigurableEnvironment environment) {
		MisspelledNames names = new MisspelledNames(properties);
		for (PropertyNode source : PropertyNode.rootsOf(environment, (property) -> true)) {
			for (PropertyNode root : source.children()) {
				if (root.uniformName().equals(HookPropertySources.ROOT)) {
					names.checkHooks(root);
				}
				else {
					names.findMisplaced(root, 0);
				}
			}
		}
		return names.problems;
	}

	private void findMisplaced(PropertyNode node, int depth) {
		if (node.children().isEmpty()) {
			return;
		}
		HookSection<?> section = HookSection.ALL.stream()
			.filter((candidate) -> isMisplaced(node, candidate))
			.findFirst()
			.orElse(null);
		if (section != null) {
			problem(node, "does nothing under this name", "Write it below 'hooks." + section.key() + "'.");
		}
		else if (depth < MISPLACED_DEPTH) {
			boolean isRoot = (depth == 0) ? Spelling.isNear(node.name(), HookPropertySources.ROOT)
					: node.uniformName().equals(HookPropertySources.ROOT);
			for (PropertyNode child : node.children()) {
				if (isRoot && isSwitchedOn(child)) {
					problem(child, "does nothing under this name", "Write it below 'hooks'.");
				}
				else {
					findMisplaced(child, depth + 1);
				}
			}
		}
	}

	private static boolean isMisplaced(PropertyNode node, HookSection<?> section) {
		return isList(node, section) || (Spelling.isNear(node.name(), section.key())
				&& node.children().stream().anyMatch((child) -> isOf(section, child)));
	}

	private static boolean isOf(HookSection<?> section, PropertyNode node) {
		return section.lists().stream().anyMatch((list) -> Spelling.isNear(node.name(), list)) || section.allowed()
			.stream()
			.filter((key) -> !COMMON.contains(key))
			.map(PropertyNode::uniform)
			.anyMatch(node.uniformName()::equals);
	}

	/** Variables of the environment may be those of other programs. */
	private static boolean isSwitchedOn(PropertyNode node) {
		return isFeature(node) && !node.isFromEnvironment()
				&& !HookSection.FEATURES_WITHOUT_SWITCH.contains(node.uniformName())
				&& node.child(HookSection.ENABLED) != null;
	}

	private static boolean isList(PropertyNode node, HookSection<?> section) {
		return section.lists().stream().map(PropertyNode::uniform).anyMatch(node.uniformName()::equals)
				&& node.children().stream().anyMatch((child) -> child.isPosition() && child.child("type") != null);
	}

	private void checkHooks(PropertyNode hooks) {
		if (hooks.hasValue() && !hooks.isBlank()) {
			problem(hooks, "is a single value", "Write 'tool_call' below it.");
		}
		for (PropertyNode child : hooks.children()) {
			HookSection<?> section = HookSection.of(child);
			if (section != null) {
				if (!this.properties.isDisabled(section)) {
					checkSection(child, section);
				}
			}
			else if (child.uniformName().equals(ContextSettings.KEY)) {
				if (child.hasValue() && !child.isBlank()) {
					problem(child, "is a single value", "Write 'claims' below it.");
				}
			}
			else if (child.uniformName().equals(HookPropertySources.APPLICATION)) {
				if (!child.hasValue() || child.isBlank()) {
					problem(child, "is no name", "Write a name that no other application has, such as 'shop'.");
				}
			}
			else if (child.uniformName().equals(HookPropertySources.STRICT) && !child.isBracketed()) {
				if (!child.hasValue() || !this.properties.values().isEither(child, List.of("true", "false"))) {
					problem(child, "is neither true nor false", "Write 'true' or 'false'.");
				}
			}
			else if (isFeature(child)) {
				checkFeature(child);
			}
			else if (!child.isFromEnvironment() || OF_OTHER_NAMES.contains(child.name())
					|| HookSection.keys().stream().anyMatch((key) -> Spelling.isNear(child.name(), key))) {
				String known = (child.isFromEnvironment())
						? "Environment variables leave out underscores within a name: HOOKS_TOOLCALL_..."
						: "The keys below 'hooks' are: " + String.join(", ", HookSection.keys()) + ".";
				problem(child, "is not known: all below 'hooks' belongs to Agent Hooks",
						Spelling.didYouMean(child.name(), HookSection.keys()) + whereItBelongs(child) + known);
			}
			else {
				logger.warn("The environment variable {} looks like a key of Agent Hooks, but is unknown",
						child.path());
			}
		}
	}

	private static String whereItBelongs(PropertyNode node) {
		if (!node.isBracketed() && node.uniformName().equals(HookSection.ENABLED)) {
			return "Hooks are on without it. To let all tool calls pass without them, write 'bypass_hooks: true' below "
					+ "'hooks.tool_call'. ";
		}
		List<String> sections = HookSection.ALL.stream()
			.filter((section) -> section.allowed()
				.stream()
				.map(PropertyNode::uniform)
				.anyMatch(node.uniformName()::equals))
			.map((section) -> "'hooks." + section.key() + "'")
			.toList();
		return (node.isBracketed() || sections.isEmpty()) ? ""
				: "It stands below %s. ".formatted(String.join(" or ", sections));
	}

	private static boolean isFeature(PropertyNode node) {
		return !node.isBracketed()
				&& HookSection.FEATURES.stream().map(PropertyNode::uniform).anyMatch(node.uniformName()::equals);
	}

	/** Options of a feature that is off say that somebody believes that it is on. */
	private void checkFeature(PropertyNode node) {
		String dependency = Modules.missing(node.uniformName());
		if (dependency != null && this.properties.isFeatureEnabled(node.uniformName())) {
			problem(node, "needs the dependency " + dependency, "Add the dependency " + dependency + ".");
		}
		if (HookSection.FEATURES_WITHOUT_SWITCH.contains(node.uniformName())) {
			if (node.hasValue() && !node.isBlank()) {
				problem(node, "is a single value", "Write its options below it.");
			}
			return;
		}
		if (node.hasValue() && !node.isBlank()) {
			problem(node, "is a single value", "Write 'enabled: true' below it.");
		}
		else if (!node.isBlank() && !this.properties.hasSwitch(node)) {
			problem(node, "says neither 'enabled: true' nor 'enabled: false'", "Write 'enabled: true' below it.");
		}
		PropertyNode enabled = node.child(HookSection.ENABLED);
		if (enabled != null && !this.properties.values().isEither(enabled, List.of("true", "false"))) {
			problem(enabled, "is neither true nor false", "Write 'true' or 'false'.");
		}
	}

	private void checkSection(PropertyNode node, HookSection<?> section) {
		if (node.hasValue() && !node.isBlank()) {
			problem(node, "is a single value", "Write '%s' or '%s' below it.".formatted(section.pre(), section.post()));
		}
		for (PropertyNode child : node.children()) {
			if (child.isBracketed()
					|| section.allowed().stream().map(PropertyNode::uniform).noneMatch(child.uniformName()::equals)) {
				problem(child, "is not known",
						Spelling.didYouMean(child.plainName(), section.allowed())
								+ ((child.child("type") != null) ? "If this is a hook, indent it below '%s' or '%s'. "
									.formatted(section.pre(), section.post()) : "")
								+ "The keys here are: " + String.join(", ", section.allowed()) + ".");
			}
		}
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(Mistake.of(node, message, action));
	}

}
