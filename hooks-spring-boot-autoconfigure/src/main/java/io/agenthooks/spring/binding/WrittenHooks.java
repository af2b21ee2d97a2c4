package io.agenthooks.spring.binding;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookScope;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * The hooks of one list as all sources write them together. The list of a profile
 * replaces that of the base file: a hook that gets lost that way stops the start, unless
 * {@code replaces} names it. A map of names to hooks is merged, as Spring Boot merges
 * maps.
 */
final class WrittenHooks {

	private static final Logger logger = LoggerFactory.getLogger(WrittenHooks.class);

	private static final Set<String> OPTIONS = Stream
		.concat(Stream.of("config"), Stream.of(ListEntry.class.getRecordComponents()).map(RecordComponent::getName))
		.map(PropertyNode::uniform)
		.collect(Collectors.toSet());

	/** Options by which a hook is asked about fewer calls, or its no does not count. */
	private static final Set<String> NARROWING = Stream
		.concat(Stream.of("mode", "failOpen", "type"),
				Stream.of(HookScope.class.getRecordComponents()).map(RecordComponent::getName))
		.map(PropertyNode::uniform)
		.collect(Collectors.toSet());

	private static final List<String> NO = List.of("false", "off", "no", "0");

	private static final List<String> YES = List.of("true", "on", "yes", "1");

	private final List<PropertyNode> sources;

	private final HookSection<?> section;

	private final String list;

	private final HookPropertySources properties;

	private final List<Mistake> problems;

	WrittenHooks(HookSection<?> section, String list, HookPropertySources properties, List<Mistake> problems) {
		this.section = section;
		this.list = list;
		this.properties = properties;
		this.sources = properties.lists(section, list);
		this.problems = problems;
	}

	List<Entry> entries() {
		List<PropertyNode> filled = this.sources.stream().filter((source) -> !source.isBlank()).toList();
		List<PropertyNode> maps = filled.stream().filter((source) -> !isList(source)).toList();
		if (filled.stream().anyMatch(this::hasMistake)) {
			return List.of();
		}
		if (maps.isEmpty()) {
			return listed();
		}
		if (maps.size() == filled.size()) {
			return merged(maps);
		}
		PropertyNode first = filled.get(0);
		PropertyNode other = filled.stream()
			.filter((source) -> isList(source) != isList(first))
			.findFirst()
			.orElse(first);
		problem(first,
				(isList(first)) ? "is a list of hooks, and %s writes hooks by name".formatted(other.place())
						: "writes hooks by name, and %s is a list of hooks".formatted(other.place()),
				"Write the hooks by name in both places, so that they are merged.");
		return List.of();
	}

	private static boolean isList(PropertyNode source) {
		return source.children().stream().allMatch(PropertyNode::isPosition);
	}

	private boolean hasMistake(PropertyNode source) {
		String twice = this.sources.stream()
			.filter((other) -> other != source && other.sourceName().equals(source.sourceName()))
			.map(PropertyNode::path)
			.findFirst()
			.orElse(null);
		if (twice != null) {
			problem(source, "is written twice in the same source, also as '" + twice + "'", "Write it once.");
		}
		else if (source.hasValue()) {
			problem(source, "is a single value where a list of hooks is expected", "Write '- type: ...' below it.");
		}
		else if (!isList(source) && source.children().stream().anyMatch(PropertyNode::isPosition)) {
			problem(source, "has names as well as positions below it",
					"Write '- type: ...' for each hook, or a name and 'type: ...' below it for each.");
		}
		else {
			PropertyNode option = (isList(source)) ? null
					: source.children()
						.stream()
						.filter((child) -> !child.isBlank())
						.filter(PropertyNode::hasValue)
						.findFirst()
						.orElse(null);
			if (option != null) {
				problem(option, "is an option where a list of hooks is expected",
						"Write '- type: ...' for each hook, or a name and 'type: ...' below it for each.");
			}
			return option != null;
		}
		return true;
	}

	private List<Entry> listed() {
		if (this.sources.isEmpty()) {
			return List.of();
		}
		PropertyNode list = this.sources.get(0);
		int problemsBefore = this.problems.size();
		this.sources.stream().skip(1).forEach((other) -> checkReplaced(other, list));
		if (list.isBlank() && this.problems.size() == problemsBefore) {
			logger.warn("{} is an empty list ({}): no hook is asked", list.path(), list.place());
		}
		List<Entry> entries = new ArrayList<>();
		for (PropertyNode entry : list.childrenInOrder()) {
			if (entry.position() != entries.size()) {
				problem(entry, "leaves out position " + entries.size() + " of the list",
						"Number the hooks from 0 without gaps.");
				return List.of();
			}
			entries.add(new Entry(null, entry.position(), entry));
		}
		return entries;
	}

	/**
	 * All hooks of a file could get lost by one environment variable. Those that are off
	 * do not count.
	 */
	private void checkReplaced(PropertyNode other, PropertyNode list) {
		Set<String> acknowledged = replacedOver(this.properties, this.section, other);
		List<String> replaced = other.childrenInOrder()
			.stream()
			.filter((entry) -> !this.properties.values()
				.isEither(entry.childOrEmpty(HookSection.ENABLED), List.of("false")))
			.map(this::nameOf)
			.toList();
		List<String> lost = replaced.stream().filter((name) -> !acknowledged.contains(name)).toList();
		if (lost.isEmpty() && !replaced.isEmpty()) {
			logger.warn("{} ({}) replaces the list of {}, as 'replaces' says: the hooks {} are not asked", list.path(),
					list.place(), other.place(), replaced);
		}
		if (!lost.isEmpty()) {
			String names = String.join(", ", lost);
			problem(list,
					"replaces the whole list of %s, so the hooks [%s] would not be asked".formatted(other.place(),
							names),
					howToKeep(list)
							+ " To do without these hooks, write 'replaces: [%s]' beside this list.".formatted(names));
		}
	}

	private String howToKeep(PropertyNode list) {
		if (list.isBlank()) {
			return (list.isFromEnvironment()) ? "Remove the variable." : "Remove this list, which is empty.";
		}
		return "Write the hooks by name in both places, such as '%s: {my-rules: {type: ...}}', so that they are merged."
			.formatted(this.list);
	}

	static Set<String> replacedOver(HookPropertySources properties, HookSection<?> section, PropertyNode other) {
		Set<String> names = new HashSet<>();
		for (PropertyNode replaced : properties.lists(section, HookSection.REPLACES)) {
			if (properties.holdsOver(replaced, other)) {
				Stream.concat(Stream.of(replaced), replaced.children().stream())
					.map(PropertyNode::value)
					.filter(Objects::nonNull)
					.flatMap((value) -> Stream.of(value.toString().split(",", -1)))
					.map(String::strip)
					.forEach(names::add);
			}
		}
		return names;
	}

	private String nameOf(PropertyNode entry) {
		Object name = entry.childOrEmpty("name").value();
		Object bean = entry.childOrEmpty("config").childOrEmpty("bean").value();
		Object type = entry.childOrEmpty("type").value();
		return Objects.toString((name != null) ? name : bean,
				"%s%s#%d".formatted(this.section.prefix(), Objects.toString(type, "?"), entry.position()));
	}

	private List<Entry> merged(List<PropertyNode> maps) {
		this.sources.stream()
			.filter(PropertyNode::isBlank)
			.forEach((empty) -> logger.warn(
					"{} is empty ({}) and changes nothing: hooks that have names are merged. "
							+ "Write 'enabled: false' below a name to switch its hook off",
					empty.path(), empty.place()));
		PropertyNode all = maps.get(maps.size() - 1);
		for (int i = maps.size() - 2; i >= 0; i--) {
			warnOfAlike(maps.get(i), all);
			checkNarrowed(maps.get(i), all);
			Collection<PropertyNode> below = all.children();
			all = maps.get(i).over(all, (list, replaced) -> checkReplacedOption(list, replaced, below));
		}
		List<Entry> entries = new ArrayList<>();
		for (PropertyNode entry : all.children()) {
			if (entry.hasValue() || entry.child("type") != null) {
				entries.add(new Entry(entry.plainName(), entries.size(), entry));
			}
			else {
				List<String> others = all.children()
					.stream()
					.filter((other) -> other != entry)
					.map(PropertyNode::plainName)
					.toList();
				problem(entry, "has no type, and no other source has a hook of this name", whatToWrite(entry, others));
			}
		}
		return entries;
	}

	private static String whatToWrite(PropertyNode entry, List<String> others) {
		if (entry.isFromEnvironment()) {
			String variable = PropertyNode.uniform(entry.path());
			String meant = others.stream()
				.filter((other) -> variable.contains(PropertyNode.uniform(other)))
				.findFirst()
				.map((other) -> "Did you mean '%s'? ".formatted(other))
				.orElseGet(() -> Spelling.didYouMean(entry.plainName(), others));
			return meant + "An environment variable leaves out dashes and underscores within a name: HOUSERULES "
					+ "for house-rules. A hook that is in no file needs a variable for its type, too.";
		}
		if (OPTIONS.contains(entry.uniformName())) {
			return "If this is an option of a hook, indent it below the name of that hook. "
					+ "If it is the name of a hook, write 'type: ...' below it.";
		}
		String meant = Spelling.didYouMean(entry.plainName(), others);
		return meant + ((meant.isEmpty()) ? "Write 'type: ...' below it."
				: "If this is another hook, write 'type: ...' below it.");
	}

	/** A name in another spelling is that of another hook, which is hardly ever meant. */
	private static void warnOfAlike(PropertyNode map, PropertyNode below) {
		for (PropertyNode entry : map.children()) {
			List<PropertyNode> alike = below.children()
				.stream()
				.filter((other) -> other.uniformName().equals(entry.uniformName()))
				.toList();
			boolean isKnown = entry.isFromEnvironment()
					|| alike.stream().anyMatch((other) -> other.plainName().equals(entry.plainName()));
			if (!isKnown && !alike.isEmpty()) {
				logger.warn(
						"{} ({}) is another hook than '{}' ({}), since its name is spelled in another way; "
								+ "write the same name to change that one",
						entry.path(), entry.place(), alike.get(0).plainName(), alike.get(0).place());
			}
		}
	}

	/**
	 * A profile that is active where nobody expects it must not open the gate by a line.
	 */
	private void checkNarrowed(PropertyNode map, PropertyNode below) {
		for (PropertyNode entry : map.children()) {
			PropertyNode lower = below.same(entry);
			List<PropertyNode> narrowing = (lower != null)
					? entry.children().stream().filter((option) -> isNarrowing(option, lower)).toList() : List.of();
			if (lower == null || narrowing.isEmpty()) {
				continue;
			}
			String name = lower.plainName();
			String options = narrowing.stream().map(PropertyNode::plainName).collect(Collectors.joining("', '"));
			if (replacedOver(this.properties, this.section, lower).contains(name)) {
				logger.warn("{} ({}) narrows the hook '{}' of {} by '{}', as 'replaces' says", entry.path(),
						entry.place(), name, lower.place(), options);
			}
			else {
				problem(narrowing.get(0),
						"narrows the hook '%s' of %s, whose no would not count for each of its calls any more"
							.formatted(name, lower.place()),
						"Remove it, or give the hook here another name. If it is meant, write '%s: [%s]' under 'hooks.%s' of this source."
							.formatted(HookSection.REPLACES, name, this.section.key()));
			}
		}
	}

	/**
	 * The meaning of the value counts, however it is written; one that cannot be read may
	 * mean anything.
	 */
	private boolean isNarrowing(PropertyNode option, PropertyNode lower) {
		if (!NARROWING.contains(option.uniformName()) || option.isBlank()) {
			return false;
		}
		PropertyNode before = lower.same(option);
		if (before != null && before.written().equals(option.written())) {
			return false;
		}
		return switch (option.uniformName()) {
			case "mode" -> !isMode(option, HookOptions.Mode.ENFORCE)
					&& !(before != null && isMode(before, HookOptions.Mode.OBSERVE));
			case "failopen" -> !this.properties.values().isEither(option, NO)
					&& !(before != null && this.properties.values().isEither(before, YES));
			default -> true;
		};
	}

	private boolean isMode(PropertyNode option, HookOptions.Mode mode) {
		String letters = this.properties.values().textOf(option).replaceAll("[^\\p{L}\\p{N}]", "");
		return mode.name().equals(letters.toUpperCase(Locale.ROOT));
	}

	/**
	 * A list of what is denied may get shorter by being replaced, and an environment
	 * variable that is not filled must not empty it.
	 */
	private void checkReplacedOption(PropertyNode list, PropertyNode replaced, Collection<PropertyNode> hooks) {
		if (list.isBlank() && list.isFromEnvironment()) {
			problem(list, "is empty, and would replace the whole list of " + replaced.place(),
					"Remove the variable, or fill it.");
			return;
		}
		Set<Object> values = list.children().stream().map(PropertyNode::written).collect(Collectors.toSet());
		if (list.hasValue() && !list.isBlank()) {
			values.add(list.written());
		}
		int all = replaced.children().size();
		long lost = replaced.children().stream().filter((value) -> !values.contains(value.written())).count();
		PropertyNode hook = hooks.stream()
			.filter((each) -> replaced.path().startsWith(each.path() + "."))
			.findFirst()
			.orElse(replaced);
		// Less that is allowed opens nothing.
		boolean allows = PropertyNode.uniform(list.plainName()).startsWith("allow");
		if (lost != 0 && !allows && this.properties.isStrict()
				&& !replacedOver(this.properties, this.section, replaced).contains(hook.plainName())) {
			problem(list,
					"replaces the whole list of %s, and lacks %d of the %d values there".formatted(replaced.place(),
							lost, all),
					"Lists of options are not merged: repeat what is still meant. To do without it, write '%s: [%s]' under 'hooks.%s' of this source."
						.formatted(HookSection.REPLACES, hook.plainName(), this.section.key()));
			return;
		}
		logger.warn("{} ({}) replaces the whole list of {}, {}", replaced.path(), list.place(), replaced.place(),
				(lost != 0) ? "and lacks %d of the %d values there".formatted(lost, all)
						: "and has each of the %d values there".formatted(all));
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(Mistake.of(node, message, action));
	}

	/** The name is that in a map, {@code null} in a list. */
	record Entry(@Nullable String name, int position, PropertyNode node) {
	}

}
