package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.agenthooks.Hook;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

final class SectionReader<H extends Hook> {

	private final HookSection<H> section;

	private final HookPropertySources properties;

	private final EntryReader<H> entries;

	private final List<Mistake> problems;

	SectionReader(HookSection<H> section, HookPropertySources properties, EntryReader<H> entries,
			List<Mistake> problems) {
		this.section = section;
		this.properties = properties;
		this.entries = entries;
		this.problems = problems;
	}

	ConfiguredHooks<H> read(List<AddedEntry> added) {
		this.section.choices().forEach(this::checkChoice);
		this.section.bounds().forEach(this::checkBound);
		this.section.renamed().forEach(this::checkRenamed);
		if (this.section.choices().containsKey(HookSection.TOOLS_ENABLED)) {
			checkSwitches();
		}
		return new ConfiguredHooks<>(readList(true, added), readList(false, List.of()), this.entries.placedBeans());
	}

	private void checkChoice(String name, List<String> values) {
		List<PropertyNode> choices = this.properties.switches(this.section, name);
		if (values.isEmpty()) {
			choices.stream()
				.filter((node) -> !this.properties.values().isSize(node))
				.forEach((node) -> problem(node, "is not a size between 1KB and 64MB", "Write one, such as 1MB."));
		}
		else {
			choices.stream()
				.filter((node) -> !this.properties.values().isEither(node, values))
				.forEach((node) -> problem(node, isNone(values), "Write %s.".formatted(String.join(" or ", values))));
		}
		choices.stream().skip(1).forEach((other) -> reportTwice(other, choices.get(0)));
		if (name.equals(HookSection.UNGUARDED) && this.properties.isStrict()) {
			choices.stream()
				.filter((node) -> this.properties.values().isEither(node, List.of("ignore", "warn")))
				.forEach((node) -> problem(node, "lets tools run without hooks, and 'hooks.strict' is true",
						"Write 'deny', or remove it."));
		}
	}

	private void checkBound(String name, HookSection.Bound bound) {
		List<PropertyNode> written = this.properties.switches(this.section, name);
		written.stream()
			.filter((node) -> !this.properties.values().isDuration(node, bound))
			.forEach((node) -> problem(node,
					(this.properties.values().isDuration(node))
							? "is not above zero and at most %d seconds".formatted(bound.longest().toSeconds())
							: "is not a duration",
					"Write a duration such as 5s or 2m."));
		written.stream().skip(1).forEach((other) -> reportTwice(other, written.get(0)));
	}

	/** Two names for one switch would leave it open which one holds. */
	private void checkRenamed(String former, String name) {
		List<PropertyNode> current = this.properties.switches(this.section, name);
		if (!current.isEmpty()) {
			this.properties.switches(this.section, former)
				.forEach((node) -> problem(node, "is the former name of '%s', which is written as well (%s)"
					.formatted(name, current.get(0).place()), "Remove it."));
		}
	}

	private static String isNone(List<String> values) {
		return (values.size() == 2) ? "is neither %s nor %s".formatted(values.toArray())
				: "is none of " + String.join(", ", values);
	}

	private void checkSwitches() {
		if (this.properties.areToolsDisabled() && this.properties.areHooksBypassed(this.section)) {
			PropertyNode bypass = first(HookSection.BYPASS_HOOKS, HookSection.ENABLED);
			problem(first(HookSection.KILL_SWITCH, HookSection.TOOLS_ENABLED),
					"has no effect while '%s' is %s, which lets every tool run".formatted(bypass.name(),
							bypass.value()),
					"Remove '%s: %s'.".formatted(bypass.name(), bypass.value()));
		}
	}

	private PropertyNode first(String name, String former) {
		List<PropertyNode> written = this.properties.switches(this.section, name);
		return (written.isEmpty()) ? this.properties.switches(this.section, former).get(0) : written.get(0);
	}

	private void reportTwice(PropertyNode node, PropertyNode same) {
		problem(node, "is written twice in the same source, also as '" + same.path() + "'", "Write it once.");
	}

	private List<ConfiguredHooks.Entry<H>> readList(boolean preCall, List<AddedEntry> added) {
		String list = (preCall) ? this.section.pre() : this.section.post();
		List<ConfiguredHooks.Entry<H>> hooks = new ArrayList<>();
		Set<String> names = new HashSet<>();
		new WrittenHooks(this.section, list, this.properties, this.problems).entries()
			.forEach((entry) -> this.entries.read(entry, preCall, names, hooks));
		added.forEach((entry) -> this.entries.read(new WrittenHooks.Entry(null, hooks.size(), entry.node()), preCall,
				names, hooks));
		return hooks;
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(Mistake.of(node, message, action));
	}

}
