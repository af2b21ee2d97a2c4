package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.ToolEffect;
import io.agenthooks.spring.binding.EffectsConfig.Consequence;

/**
 * The consequences of what tools do, as {@code hooks.tool_call.effects} says them: one
 * policy, whose rules can only object.
 *
 * @since 0.1.0
 */
public final class ToolEffects {

	static final String KEY = "effects";

	private static final String UNKNOWN = "unknown";

	private static final String TOOLS = "tools";

	/** A server may lie: what it says adds an effect, and never takes 'unknown' away. */
	private static final Map<ToolEffect, String> HINTS = Map.of(ToolEffect.WRITE,
			"has(tool.annotations.readOnlyHint) && !tool.annotations.readOnlyHint", ToolEffect.DESTRUCTIVE,
			"has(tool.annotations.destructiveHint) && tool.annotations.destructiveHint", ToolEffect.EXTERNAL,
			"has(tool.annotations.openWorldHint) && tool.annotations.openWorldHint");

	private final EffectsConfig config;

	private final PropertyNode node;

	ToolEffects(EffectsConfig config, PropertyNode node) {
		this.config = config;
		this.node = node;
	}

	/**
	 * Return the name of an effect.
	 * @param effect the effect
	 * @return such as {@code read}
	 */
	public static String nameOf(ToolEffect effect) {
		return effect.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return why a tool with an effect is not just called.
	 * @param effect the effect
	 * @return a sentence for the model, and for the person who is asked
	 */
	public static String reasonOf(ToolEffect effect) {
		return switch (effect) {
			case READ -> "The tool reads data";
			case WRITE -> "The tool changes data";
			case DESTRUCTIVE -> "The tool deletes or overwrites data";
			case EXTERNAL -> "The tool reaches others";
		};
	}

	/**
	 * Return what a rule about an effect does.
	 * @param effect the effect
	 * @return {@code ask} or {@code deny}, or {@code null} if there is no objection
	 */
	public @Nullable String then(ToolEffect effect) {
		return then(this.config.of(effect));
	}

	private static @Nullable String then(@Nullable Consequence consequence) {
		return (consequence == null || consequence == Consequence.APPROVE) ? null
				: consequence.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Make the entry of the list of hooks.
	 * @param annotated the names of the tools whose effect is written beside them, and
	 * has a rule of its own there
	 * @return the entry, which approves if nothing is to be asked or denied
	 */
	public AddedEntry entry(Collection<String> annotated) {
		Map<String, String> known = new LinkedHashMap<>();
		annotated.forEach((tool) -> known.put(tool, this.node.place()));
		List<String> rules = new ArrayList<>();
		AddedEntry entry = new AddedEntry(this.node.place()).with("name", KEY, path());
		for (ToolEffect effect : ToolEffect.values()) {
			String name = nameOf(effect);
			Map<String, String> tools = placesOf(effect);
			known.putAll(tools);
			String then = then(effect);
			if (!tools.isEmpty() && then != null) {
				addTools(entry, rule(entry, rules, name, name, then, reasonOf(effect)) + "tools", tools);
			}
			String hint = HINTS.get(effect);
			if (hint != null && then != null) {
				entry.with(rule(entry, rules, name + "_hint", name, then, reasonOf(effect)) + "when", hint, path(name));
			}
		}
		String unknown = then(this.config.unknown());
		if (unknown != null && known.keySet().stream().noneMatch((glob) -> glob.matches("\\*+"))) {
			String rule = rule(entry, rules, UNKNOWN, UNKNOWN, unknown, "The effect of the tool is not known");
			entry.with(rule + "tools[0]", "*", path(UNKNOWN));
			addTools(entry, rule + "except", known);
		}
		return entry.with("type", (rules.isEmpty()) ? "passthrough" : "policy", path());
	}

	private Map<String, String> placesOf(ToolEffect effect) {
		Map<String, String> places = new LinkedHashMap<>();
		List<String> tools = this.config.toolsOf(effect);
		for (int i = 0; i < tools.size(); i++) {
			places.putIfAbsent(tools.get(i), this.node.of(List.of(TOOLS, nameOf(effect), String.valueOf(i))));
		}
		return places;
	}

	private void addTools(AddedEntry entry, String option, Map<String, String> tools) {
		int position = 0;
		for (Map.Entry<String, String> tool : tools.entrySet()) {
			entry.with(option + "[" + position++ + "]", tool.getKey(), path(TOOLS), tool.getValue());
		}
	}

	/** Returns what the options of the rule begin with. */
	private String rule(AddedEntry entry, List<String> rules, String name, String effect, String then, String reason) {
		String rule = "config.rules[" + rules.size() + "].";
		rules.add(name);
		String place = this.node.of(List.of(effect));
		entry.with(rule + "name", name, path(effect), place)
			.with(rule + "then", then, path(effect), place)
			.with(rule + "reason", reason, path(effect), place);
		return rule;
	}

	private String path(String... below) {
		return this.node.path() + ((below.length == 0) ? "" : "." + String.join(".", below));
	}

}
