package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.Hook;

/**
 * Reads the two lists and the switches of one part of the configuration.
 *
 * @param <H> the kind of hooks
 */
final class SectionReader<H extends Hook> {

	private static final Logger logger = LoggerFactory.getLogger(SectionReader.class);

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
		List<PropertyNode> lists = this.properties.lists(this.section,
				(preCall) ? this.section.pre() : this.section.post());
		if (lists.isEmpty()) {
			return List.of();
		}
		PropertyNode list = lists.get(0);
		lists.stream().skip(1).forEach((other) -> checkReplaced(other, list));
		if (list.hasValue()) {
			if (!list.isBlank()) {
				problem(list, "is a single value where a list of hooks is expected", "Write '- type: ...' below it.");
			}
			else if (lists.size() == 1) {
				logger.warn("{} is an empty list ({}): no hook is asked", list.path(), list.place());
			}
			return List.of();
		}
		List<ConfiguredHooks.Entry<H>> hooks = new ArrayList<>();
		Set<String> names = new HashSet<>();
		int position = 0;
		for (PropertyNode entry : list.childrenInOrder()) {
			if (!entry.isPosition()) {
				problem(list, "has names below it where a list of hooks is expected",
						"Write '- type: ...' for each hook.");
				return hooks;
			}
			if (entry.position() != position) {
				problem(entry, "leaves out position " + position + " of the list",
						"Number the hooks from 0 without gaps.");
				return hooks;
			}
			this.entries.read(entry, position, preCall, names, hooks);
			position++;
		}
		return hooks;
	}

	/**
	 * A list is taken from one source, so one entry in an environment variable
	 * deactivates all hooks of a file. That must not go unnoticed.
	 */
	private void checkReplaced(PropertyNode other, PropertyNode list) {
		if (other.sourceName().equals(list.sourceName())) {
			reportTwice(other, list);
			return;
		}
		String types = other.childrenInOrder()
			.stream()
			.map((entry) -> entry.childOrEmpty("type").value())
			.map((type) -> Objects.toString(type, "?"))
			.collect(Collectors.joining(", "));
		logger.warn("{} of {} replaces the whole list of {}: its hooks [{}] are not active", list.path(), list.place(),
				other.place(), types);
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(ConfigProblem.of(node, message, action));
	}

}
