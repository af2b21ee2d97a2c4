package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertyResolver;
import org.springframework.core.env.PropertySource;

import io.agenthooks.spring.Unguarded;

/**
 * All properties under {@code hooks.}, source by source, as they are written.
 *
 * @since 0.1.0
 */
public final class HooksProperties {

	private static final Logger logger = LoggerFactory.getLogger(HooksProperties.class);

	private static final String ROOT = "hooks";

	private static final String TOOL_CALL = "tool_call";

	/** The switch of the hooks. */
	static final String ENABLED = "enabled";

	/** The switch of all tools. */
	static final String TOOLS_ENABLED = "tools_enabled";

	/** What to do about tools whose calls pass no hooks. */
	static final String UNGUARDED = "unguarded";

	/** The switch of the hooks around tools of Spring AI that are beans. */
	static final String WRAP_TOOL_CALLBACKS = "wrap_tool_callbacks";

	private static final Set<String> TOOL_CALL_KEYS = Set.of(ENABLED, TOOLS_ENABLED, UNGUARDED, WRAP_TOOL_CALLBACKS,
			"pre_call", "post_call");

	private static final Set<String> LISTS = Set.of("pre_call", "post_call");

	/** How many names may stand before a misplaced {@code tool_call}. */
	private static final int MISPLACED_DEPTH = 2;

	private final PropertyResolver properties;

	private final List<PropertyNode> sources;

	private HooksProperties(PropertyResolver properties, List<PropertyNode> sources) {
		this.properties = properties;
		this.sources = sources;
	}

	/**
	 * Read the properties of an environment.
	 * @param environment the environment
	 * @return the properties
	 */
	public static HooksProperties of(ConfigurableEnvironment environment) {
		return new HooksProperties(environment,
				environment.getPropertySources()
					.stream()
					.filter((source) -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
					.flatMap(HooksProperties::enumerable)
					.map(PropertyNode::rootOf)
					.toList());
	}

	private static Stream<EnumerablePropertySource<?>> enumerable(PropertySource<?> source) {
		if (source instanceof CompositePropertySource composite) {
			return composite.getPropertySources().stream().flatMap(HooksProperties::enumerable);
		}
		return (source instanceof EnumerablePropertySource<?> enumerable) ? Stream.of(enumerable) : Stream.empty();
	}

	/**
	 * Whether the environment says anything about hooks around tool calls.
	 * @return whether there is such a property
	 */
	public boolean isPresent() {
		return toolCallNodes().findAny().isPresent();
	}

	/**
	 * Whether the hooks are switched off. Only the value {@code false} does that: one
	 * that is no boolean is a mistake, to be reported, and leaves them on. So is it to
	 * switch the tools off as well, which needs the hooks.
	 * @return whether {@code hooks.tool_call.enabled} is false
	 */
	public boolean isDisabled() {
		return isFalse(ENABLED) && !areToolsDisabled();
	}

	/**
	 * Whether all tools are switched off.
	 * @return whether {@code hooks.tool_call.tools_enabled} is false
	 */
	boolean areToolsDisabled() {
		return isFalse(TOOLS_ENABLED);
	}

	/**
	 * Whether tools of Spring AI that are beans get hooks of their own.
	 * @return {@code true} unless {@code hooks.tool_call.wrap_tool_callbacks} is false
	 */
	public boolean areToolCallbacksWrapped() {
		return !isFalse(WRAP_TOOL_CALLBACKS);
	}

	/**
	 * What is done about tools whose calls pass no hooks.
	 * @return what {@code hooks.tool_call.unguarded} says; to warn if that says nothing,
	 * or nothing that is known, which is a mistake, to be reported
	 */
	public Unguarded unguarded() {
		return switches(UNGUARDED).stream()
			.findFirst()
			.flatMap((node) -> Stream.of(Unguarded.values()).filter((value) -> isEither(node, value.name())).findAny())
			.orElse(Unguarded.WARN);
	}

	boolean isFalse(String name) {
		List<PropertyNode> switches = switches(name);
		return !switches.isEmpty() && switches.stream().allMatch((node) -> isEither(node, "false"));
	}

	/**
	 * A switch as the source that holds has it: more than one if that writes it in two
	 * spellings.
	 */
	List<PropertyNode> switches(String name) {
		List<PropertyNode> all = named(PropertyNode.uniform(name)).toList();
		return all.stream().filter((node) -> node.sourceName().equals(all.get(0).sourceName())).toList();
	}

	/**
	 * Whether the value of a switch is one of these, in any case.
	 */
	boolean isEither(PropertyNode node, String... values) {
		String value = this.properties.resolvePlaceholders(String.valueOf(node.value())).trim();
		return Stream.of(values).anyMatch(value::equalsIgnoreCase);
	}

	/**
	 * The lists of this name in all sources, the one that holds first.
	 */
	List<PropertyNode> lists(String uniformName) {
		return named(uniformName).toList();
	}

	private Stream<PropertyNode> named(String uniformName) {
		return toolCallNodes().flatMap((toolCall) -> toolCall.children()
			.stream()
			.filter((child) -> !child.isBracketed() && child.uniformName().equals(uniformName)));
	}

	private Stream<PropertyNode> toolCallNodes() {
		return this.sources.stream()
			.flatMap((source) -> source.children().stream())
			.filter((root) -> root.uniformName().equals(ROOT))
			.flatMap((hooks) -> hooks.children().stream())
			.filter((child) -> child.uniformName().equals(PropertyNode.uniform(TOOL_CALL)));
	}

	/**
	 * Find names that are almost ours: a gate that is configured under a mistyped name is
	 * no gate.
	 */
	List<ConfigProblem> misspellings() {
		List<ConfigProblem> problems = new ArrayList<>();
		for (PropertyNode source : this.sources) {
			for (PropertyNode root : source.children()) {
				if (root.uniformName().equals(ROOT)) {
					checkHooks(root, problems);
				}
				else {
					findMisplaced(root, 0, problems);
				}
			}
		}
		return problems;
	}

	/**
	 * Find our lists at another place: below a mistyped or another root, or below none.
	 */
	private static void findMisplaced(PropertyNode node, int depth, List<ConfigProblem> problems) {
		if (isList(node) || (Spelling.isNear(node.name(), TOOL_CALL) && node.children()
			.stream()
			.anyMatch((child) -> LISTS.stream().anyMatch((list) -> Spelling.isNear(child.name(), list))))) {
			problems.add(ConfigProblem.of(node, "does nothing under this name",
					"Write it below 'hooks." + TOOL_CALL + "'."));
		}
		else if (depth < MISPLACED_DEPTH) {
			node.children().forEach((child) -> findMisplaced(child, depth + 1, problems));
		}
	}

	private static boolean isList(PropertyNode node) {
		return LISTS.stream().map(PropertyNode::uniform).anyMatch(node.uniformName()::equals)
				&& node.children().stream().anyMatch((child) -> child.isPosition() && child.child("type") != null);
	}

	private static void checkHooks(PropertyNode hooks, List<ConfigProblem> problems) {
		if (hooks.hasValue() && !hooks.isBlank()) {
			problems.add(ConfigProblem.of(hooks, "is a single value", "Write 'tool_call' below it."));
		}
		for (PropertyNode child : hooks.children()) {
			if (child.uniformName().equals(PropertyNode.uniform(TOOL_CALL))) {
				checkToolCall(child, problems);
			}
			else if (!child.isFromEnvironment() || Spelling.isNear(child.name(), TOOL_CALL)
					|| child.name().equals("tool")) {
				problems.add(ConfigProblem.of(child, "is not known: all below 'hooks' belongs to Agent Hooks",
						Spelling.didYouMean(child.name(), Set.of(TOOL_CALL)) + ((child.isFromEnvironment())
								? "Environment variables leave out underscores within a name: HOOKS_TOOLCALL_..."
								: "The keys below 'hooks' are: " + TOOL_CALL + ".")));
			}
			else {
				logger.warn("The environment variable {} looks as if it were for Agent Hooks, which does not know it",
						child.path());
			}
		}
	}

	private static void checkToolCall(PropertyNode toolCall, List<ConfigProblem> problems) {
		if (toolCall.hasValue() && !toolCall.isBlank()) {
			problems.add(ConfigProblem.of(toolCall, "is a single value", "Write 'pre_call' or 'post_call' below it."));
		}
		for (PropertyNode child : toolCall.children()) {
			if (child.isBracketed()
					|| TOOL_CALL_KEYS.stream().map(PropertyNode::uniform).noneMatch(child.uniformName()::equals)) {
				problems.add(ConfigProblem.of(child, "is not known",
						Spelling.didYouMean(child.plainName(), TOOL_CALL_KEYS) + "The keys here are: "
								+ String.join(", ", TOOL_CALL_KEYS.stream().sorted().toList()) + "."));
			}
		}
	}

}
