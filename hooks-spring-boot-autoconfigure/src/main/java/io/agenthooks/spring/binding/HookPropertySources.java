package io.agenthooks.spring.binding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertyResolver;

/**
 * All properties under {@code hooks.}, source by source, as they are written.
 *
 * @since 0.1.0
 */
public final class HookPropertySources {

	static final String ROOT = "hooks";

	static final String STRICT = "strict";

	/** Tells the data of an application from those of others in the same store. */
	static final String APPLICATION = "application";

	private final PropertyResolver properties;

	private final PropertyValues values;

	private final List<PropertyNode> sources;

	private final List<PropertyNode> roots;

	private HookPropertySources(PropertyResolver properties, List<PropertyNode> sources) {
		this.properties = properties;
		this.values = new PropertyValues(properties);
		this.sources = sources;
		this.roots = sources.stream()
			.flatMap((source) -> source.children().stream())
			.filter((root) -> root.uniformName().equals(ROOT))
			.toList();
	}

	/**
	 * Read the properties of an environment.
	 * @param environment the environment
	 * @return the properties
	 */
	public static HookPropertySources of(ConfigurableEnvironment environment) {
		return new HookPropertySources(environment, PropertyNode.rootsOf(environment, HookPropertySources::mayBeOurs));
	}

	/** Most properties of an application are not, and a start asks several times. */
	private static boolean mayBeOurs(String property) {
		return PropertyNode.uniform(property).startsWith(ROOT);
	}

	/**
	 * Whether the environment says anything about hooks of a kind.
	 * @param section the part of the configuration
	 * @return whether there is such a property
	 */
	public boolean isPresent(HookSection<?> section) {
		return sectionNodes(section).findAny().isPresent();
	}

	/**
	 * Whether the hooks of a kind are switched off. Only the value {@code true} does
	 * that; another value is a mistake, which is reported, and leaves them on. So is
	 * switching the tools off as well, which needs the hooks, and writing the former name
	 * of the switch beside the new one.
	 * @param section the part of the configuration
	 * @return whether its {@code bypass_hooks} is true
	 */
	public boolean isDisabled(HookSection<?> section) {
		return areHooksBypassed(section) && !(section.equals(HookSection.TOOL_CALL) && areToolsDisabled())
				&& section.renamed()
					.entrySet()
					.stream()
					.noneMatch((names) -> isWritten(section, names.getKey()) && isWritten(section, names.getValue()));
	}

	boolean areHooksBypassed(HookSection<?> section) {
		return isEither(section, HookSection.BYPASS_HOOKS, "true") || isEither(section, HookSection.ENABLED, "false");
	}

	/**
	 * Whether all tools are switched off.
	 * @return whether {@code hooks.tool_call.kill_switch} is true
	 */
	public boolean areToolsDisabled() {
		return isEither(HookSection.TOOL_CALL, HookSection.KILL_SWITCH, "true")
				|| isEither(HookSection.TOOL_CALL, HookSection.TOOLS_ENABLED, "false");
	}

	boolean isKillSwitchShared() {
		return isEither(HookSection.TOOL_CALL, HookSection.SHARE_KILL_SWITCH, "true");
	}

	private boolean isWritten(HookSection<?> section, String name) {
		return named(section, name).findAny().isPresent();
	}

	/**
	 * The switches that are written under a former name.
	 * @param section the part of the configuration
	 * @return for each, where it is written and what to write instead, as a sentence
	 */
	public List<String> formerNames(HookSection<?> section) {
		List<String> sentences = new ArrayList<>();
		section.renamed()
			.forEach((former, name) -> switches(section, former).stream()
				.findFirst()
				.ifPresent((node) -> sentences
					.add("%s (%s) has another name now: write 'hooks.%s.%s: %s' instead".formatted(node.path(),
							node.place(), section.key(), name, this.values.isEither(node, List.of("false"))))));
		return sentences;
	}

	/**
	 * The parts that are written with nothing below them, such as one whose hooks are all
	 * commented out.
	 * @return for each, where it is written and what that means, as a sentence
	 */
	public List<String> emptyParts() {
		Stream<List<PropertyNode>> parts = (areBlank(this.roots)) ? Stream.of(this.roots)
				: Stream.of(HookSection.TOOL_CALL, HookSection.LLM_CALL, HookSection.RUN)
					.map((section) -> sectionNodes(section).toList());
		return parts.filter(HookPropertySources::areBlank)
			.map((nodes) -> nodes.get(0))
			.map((node) -> "%s is empty (%s): it has no hooks".formatted(node.path(), node.place()))
			.toList();
	}

	private static boolean areBlank(List<PropertyNode> nodes) {
		return !nodes.isEmpty() && nodes.stream().allMatch(PropertyNode::isBlank);
	}

	/**
	 * Return the longest time that something may hold a call.
	 * @param section the part of the configuration
	 * @param name the name of the time
	 * @return what is written; the default if nothing is, or no such time, which is a
	 * mistake, to be reported
	 */
	public Duration duration(HookSection<?> section, String name) {
		HookSection.Bound bound = Objects.requireNonNull(section.bounds().get(name), "'name' must be known");
		List<PropertyNode> written = switches(section, name);
		return (written.isEmpty() || !this.values.isDuration(written.get(0), bound)) ? bound.usual()
				: this.values.duration(written.get(0));
	}

	/**
	 * Whether tools of Spring AI that are beans get hooks of their own.
	 * @return {@code true} unless {@code hooks.tool_call.wrap_tool_callbacks} is false
	 */
	public boolean areToolCallbacksWrapped() {
		return !isEither(HookSection.TOOL_CALL, HookSection.WRAP_TOOL_CALLBACKS, "false");
	}

	/**
	 * Return the policy for tools whose calls pass no hooks.
	 * @return what {@code hooks.tool_call.unguarded} says; {@code null} if that says
	 * nothing, or nothing that is known, which is a mistake, to be reported; to deny if
	 * the configuration is strict
	 */
	public @Nullable Unguarded unguarded() {
		if (isStrict()) {
			return Unguarded.DENY;
		}
		return switches(HookSection.TOOL_CALL, HookSection.UNGUARDED).stream()
			.findFirst()
			.flatMap((node) -> Stream.of(Unguarded.values())
				.filter((value) -> this.values.isEither(node, List.of(value.name())))
				.findAny())
			.orElse(null);
	}

	/**
	 * Whether an entry may decide, as far as that can be told before hooks are made of
	 * the entries: one that only observes does not.
	 * @param section the part of the configuration
	 * @return whether any source has such an entry
	 */
	public boolean mayDecide(HookSection<?> section) {
		return (section.equals(HookSection.TOOL_CALL) && areEffectsWritten())
				|| entries(section, section.pre()).anyMatch((entry) -> !isEither(entry, "mode", List.of("observe"))
						&& !isEither(entry, HookSection.ENABLED, List.of("false")));
	}

	/**
	 * Whether an entry may name a type of hooks.
	 * @param types the types
	 * @return whether an entry of any source names one of them, in any case of letters
	 */
	public boolean mayName(List<String> types) {
		return HookSection.ALL.stream()
			.flatMap((section) -> Stream.of(section.pre(), section.post()).flatMap((list) -> entries(section, list)))
			.anyMatch((entry) -> isEither(entry, "type", types));
	}

	private Stream<PropertyNode> entries(HookSection<?> section, String list) {
		return named(section, list).flatMap((node) -> node.children().stream());
	}

	private boolean isEither(PropertyNode entry, String name, List<String> values) {
		PropertyNode child = entry.child(name);
		return child != null && child.hasValue() && this.values.isEither(child, values);
	}

	PropertyValues values() {
		return this.values;
	}

	/**
	 * Empty if it is not written, or no such size, which is a mistake, to be reported.
	 */
	OptionalInt size(String name) {
		List<PropertyNode> sizes = switches(HookSection.TOOL_CALL, name);
		return (sizes.isEmpty() || !this.values.isSize(sizes.get(0))) ? OptionalInt.empty()
				: OptionalInt.of((int) this.values.size(sizes.get(0)).toBytes());
	}

	/**
	 * The names of the claims about the user that hooks get.
	 * @return what is listed; empty if it is not written, or mistaken, which is reported
	 */
	public List<String> claims() {
		return context().getOrDefault(ContextSettings.CLAIMS, List.of());
	}

	List<String> claims(StrictBinder binder) {
		return context(binder).getOrDefault(ContextSettings.CLAIMS, List.of());
	}

	/**
	 * The names that {@code hooks.context} lists.
	 * @return names of claims, and globs of other names, by the name of the option;
	 * nothing of what is not written, or mistaken, which is reported
	 */
	public Map<String, List<String>> context() {
		return context(new StrictBinder(this.properties, HookConversions.inOrder(null), (settings) -> List.of()));
	}

	private Map<String, List<String>> context(StrictBinder binder) {
		return ContextSettings.read(children(ContextSettings.KEY).toList(), binder);
	}

	private boolean isEither(HookSection<?> section, String name, String value) {
		List<PropertyNode> switches = switches(section, name);
		return !switches.isEmpty() && switches.stream().allMatch((node) -> this.values.isEither(node, List.of(value)));
	}

	List<PropertyNode> switches(HookSection<?> section, String name) {
		List<PropertyNode> all = named(section, name).toList();
		return all.stream().filter((node) -> node.sourceName().equals(all.get(0).sourceName())).toList();
	}

	@Nullable PropertyNode feature(String name) {
		PropertyNode merged = null;
		for (PropertyNode node : children(name).toList()) {
			merged = (merged != null) ? merged.over(node, (holds, lost) -> {
			}) : node;
		}
		return merged;
	}

	boolean hasSwitch(PropertyNode feature) {
		return children(feature.name()).anyMatch((node) -> node.child(HookSection.ENABLED) != null);
	}

	/**
	 * Whether a feature is on.
	 * @param name the name below {@code hooks}
	 * @return whether its {@code enabled} is true, or it is written and has no switch
	 */
	public boolean isFeatureEnabled(String name) {
		return (HookSection.FEATURES_WITHOUT_SWITCH.contains(name)) ? feature(name) != null
				: children(name).map((node) -> node.child(HookSection.ENABLED))
					.filter(Objects::nonNull)
					.findFirst()
					.filter((node) -> this.values.isEither(node, List.of("true")))
					.isPresent();
	}

	/**
	 * Whether an option of a feature is written.
	 * @param name the name below {@code hooks}
	 * @param option the name of the option
	 * @return whether any source has it
	 */
	public boolean isWritten(String name, String option) {
		return children(name).anyMatch((node) -> node.child(PropertyNode.uniform(option)) != null);
	}

	/**
	 * Return the place of an option of a feature.
	 * @param name the name below {@code hooks}
	 * @param path the path of the option below that
	 * @return the place, or that of what holds it
	 */
	public String placeOf(String name, String... path) {
		PropertyNode feature = feature(name);
		return (feature != null) ? feature.of(List.of(path)) : "configuration";
	}

	/**
	 * Return the name that tells the data of this application from those of others in the
	 * same store.
	 * @return {@code hooks.application}, or else {@code spring.application.name};
	 * {@code null} if neither is written
	 */
	public @Nullable String application() {
		List<PropertyNode> written = children(APPLICATION).toList();
		String id = (written.isEmpty()) ? this.properties.getProperty("spring.application.name")
				: this.values.textOf(written.get(0));
		return (id != null && !id.isBlank()) ? id.strip() : null;
	}

	/**
	 * Whether somebody wrote what tells the data of this application from those of
	 * others, and it is not just its name.
	 * @return whether {@code hooks.application} is written
	 */
	public boolean isApplicationWritten() {
		return children(APPLICATION).findAny().isPresent();
	}

	/**
	 * Whether what may be a mistake stops the start.
	 * @return whether {@code hooks.strict} is true
	 */
	public boolean isStrict() {
		List<PropertyNode> written = children(STRICT).toList();
		return !written.isEmpty() && this.values.isEither(written.get(0), List.of("true"));
	}

	List<PropertyNode> lists(HookSection<?> section, String name) {
		return named(section, name).toList();
	}

	boolean holdsOver(PropertyNode node, PropertyNode other) {
		for (PropertyNode source : this.sources) {
			if (source.isOfSourceOf(other)) {
				return false;
			}
			if (source.isOfSourceOf(node)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether anything is written about the effects of tools.
	 * @return whether any source has {@code hooks.tool_call.effects}
	 */
	public boolean areEffectsWritten() {
		return !lists(HookSection.TOOL_CALL, ToolEffects.KEY).isEmpty();
	}

	private Stream<PropertyNode> named(HookSection<?> section, String name) {
		return sectionNodes(section).flatMap((node) -> node.children()
			.stream()
			.filter((child) -> !child.isBracketed() && child.uniformName().equals(PropertyNode.uniform(name))));
	}

	private Stream<PropertyNode> sectionNodes(HookSection<?> section) {
		return children(section.key());
	}

	private Stream<PropertyNode> children(String key) {
		return this.roots.stream()
			.flatMap((hooks) -> hooks.children().stream())
			.filter((child) -> child.uniformName().equals(PropertyNode.uniform(key)));
	}

	/** The properties below 'hooks' in each source, that which holds first. */
	List<PropertyNode> roots() {
		return this.roots;
	}

}
