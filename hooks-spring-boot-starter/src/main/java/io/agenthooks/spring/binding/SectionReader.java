package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.agenthooks.Hook;

/**
 * Reads the two lists and the switches of one part of the configuration.
 *
 * @param <H> the kind of hooks
 */
final class SectionReader<H extends Hook> {

	private final HookSection<H> section;

	private final HookPropertySources properties;

	private final EntryReader<H> entries;

	private final List<ConfigProblem> problems;

	SectionReader(HookSection<H> section, HookPropertySources properties, EntryReader<H> entries,
			List<ConfigProblem> problems) {
		this.section = section;
		this.properties = properties;
		this.entries = entries;
		this.problems = problems;
	}

	ConfiguredHooks<H> read() {
		this.section.choices().forEach(this::checkChoice);
		if (this.section.choices().containsKey(HookSection.TOOLS_ENABLED)) {
			checkSwitches();
		}
		return new ConfiguredHooks<>(readList(true), readList(false), this.entries.placedBeans());
	}

	private void checkChoice(String name, List<String> values) {
		List<PropertyNode> choices = this.properties.switches(this.section, name);
		if (values.isEmpty()) {
			choices.stream()
				.filter((node) -> !this.properties.isSize(node))
				.forEach((node) -> problem(node, "is no size between 1KB and 64MB", "Write one, such as 1MB."));
		}
		else {
			choices.stream()
				.filter((node) -> !this.properties.isEither(node, values))
				.forEach((node) -> problem(node, isNone(values), "Write %s.".formatted(String.join(" or ", values))));
		}
		choices.stream().skip(1).forEach((other) -> reportTwice(other, choices.get(0)));
	}

	private static String isNone(List<String> values) {
		return (values.size() == 2) ? "is neither %s nor %s".formatted(values.toArray())
				: "is none of " + String.join(", ", values);
	}

	private void checkSwitches() {
		if (this.properties.areToolsDisabled() && this.properties.isFalse(this.section, HookSection.ENABLED)) {
			problem(this.properties.switches(this.section, HookSection.TOOLS_ENABLED).get(0),
					"has no effect while 'enabled' is false, which lets every tool run", "Remove 'enabled: false'.");
		}
	}

	private void reportTwice(PropertyNode node, PropertyNode same) {
		problem(node, "is written twice in the same source, also as '" + same.path() + "'", "Write it once.");
	}

	private List<ConfiguredHooks.Entry<H>> readList(boolean preCall) {
		String list = (preCall) ? this.section.pre() : this.section.post();
		List<ConfiguredHooks.Entry<H>> hooks = new ArrayList<>();
		Set<String> names = new HashSet<>();
		new WrittenHooks(this.section, list, this.properties, this.problems).entries()
			.forEach((entry) -> this.entries.read(entry, preCall, names, hooks));
		return hooks;
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(ConfigProblem.of(node, message, action));
	}

}
