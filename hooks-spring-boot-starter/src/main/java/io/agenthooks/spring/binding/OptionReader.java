package io.agenthooks.spring.binding;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.PlaceholderResolutionException;

import io.agenthooks.spring.CommandLine;

/**
 * Reads options as they are written, compares them with the type that they are meant for,
 * and becomes a source of properties that Spring's binder cannot mistake: names in
 * canonical form, names of maps in brackets, placeholders resolved.
 */
final class OptionReader implements IterableConfigurationPropertySource {

	/** Shorter values are no secrets, but parts of words. */
	private static final int MIN_SECRET = 4;

	private final Placeholders placeholders;

	private final List<ConversionService> conversions;

	private final List<ConfigProblem> problems;

	private final Map<ConfigurationPropertyName, ConfigurationProperty> properties = new LinkedHashMap<>();

	/** Whether a dollar sign in what is read may be meant for others than Spring. */
	private boolean foreignPlaceholders;

	/**
	 * Create a reader.
	 * @param problems gets everything that is wrong
	 */
	OptionReader(Placeholders placeholders, List<ConversionService> conversions, List<ConfigProblem> problems) {
		this.placeholders = placeholders;
		this.conversions = conversions;
		this.problems = problems;
	}

	void read(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		if (node.hasValue() && !node.children().isEmpty()) {
			problem(node, "has both a value and entries", "Write only one of them.");
		}
		else if (type.isCommandLine()) {
			readCommandLine(node, name);
		}
		else if (type.isList()) {
			readList(node, type.element(), name);
		}
		else if (type.isMap()) {
			readMap(node, type.mapValue(), name);
		}
		else if (type.hasOptions()) {
			readOptions(node, type, name);
		}
		else {
			readValue(node, type, name);
		}
	}

	private void readOptions(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		readOptions(node, type, Set.of(), name);
	}

	/**
	 * Read options.
	 * @param separate names that may stand among the options but are not theirs
	 */
	void readOptions(PropertyNode node, OptionType type, Set<String> separate, ConfigurationPropertyName name) {
		Map<String, OptionType.Option> known = type.options();
		List<String> names = Stream
			.concat(known.values().stream().map(OptionType.Option::displayName), separate.stream())
			.toList();
		if (node.hasValue()) {
			problem(node, "is a single value", "Write options below it: " + String.join(", ", names) + ".");
			return;
		}
		Map<String, PropertyNode> seen = new HashMap<>();
		for (PropertyNode child : node.children()) {
			OptionType.Option option = known.get(child.uniformName());
			PropertyNode same = seen.putIfAbsent(child.uniformName(), child);
			boolean isKnown = (option != null || separate.contains(child.uniformName())) && !child.isBracketed();
			if (!isKnown) {
				problem(child, "is not an option here", whatToWrite(child, names)
						+ ((separate.isEmpty()) ? "" : " Options of the type stand below 'config'."));
			}
			else if (same != null) {
				problem(child, "says the same as '" + same.path() + "' in another spelling", "Write it once.");
			}
			else if (option != null && option.emptyAllowed() && child.isBlank()) {
				property(name.append(option.name()), "");
			}
			else if (option != null) {
				boolean outer = this.foreignPlaceholders;
				this.foreignPlaceholders = option.foreignPlaceholders();
				read(child, option.type(), name.append(option.name()));
				this.foreignPlaceholders = outer;
			}
		}
	}

	private static String whatToWrite(PropertyNode unknown, List<String> names) {
		String known = (names.isEmpty()) ? "There are no options here."
				: "The options are " + String.join(", ", names) + ".";
		return Spelling.didYouMean(unknown.plainName(), names) + known + ((unknown.isFromEnvironment())
				? " Environment variables leave out underscores within a name: FAILOPEN for fail_open." : "");
	}

	private void readList(PropertyNode node, OptionType element, ConfigurationPropertyName name) {
		if (node.hasValue()) {
			if (node.isBlank()) {
				property(name, "");
			}
			else if (node.value() instanceof CharSequence text && looksLikeList(text.toString())) {
				problem(node, "is one text where a list is expected",
						"Write it as a list: [\"...\", \"...\"] in YAML, name[0]=... and name[1]=... elsewhere.");
			}
			else {
				read(node, element, name.append("[0]"));
			}
			return;
		}
		int position = 0;
		for (PropertyNode child : node.children()) {
			if (!child.isPosition()) {
				problem(node, "has names below it where a list is expected", "Write it as a list: [\"...\", \"...\"].");
				return;
			}
		}
		for (PropertyNode child : node.childrenInOrder()) {
			if (child.position() != position) {
				problem(child, "leaves out position " + position + " of the list",
						"Number the entries of a list from 0 without gaps.");
				return;
			}
			read(child, element, name.append("[" + position + "]"));
			position++;
		}
	}

	/**
	 * Whether a text holds a list, at least when its placeholders are resolved. One that
	 * cannot be resolved is told later.
	 */
	private boolean looksLikeList(String text) {
		try {
			String value = this.placeholders.resolve(text);
			return text.contains(",") || value.contains(",") || (value.startsWith("[") && value.endsWith("]"));
		}
		catch (IllegalArgumentException ex) {
			return text.contains(",");
		}
	}

	/**
	 * Read a command line as what it is made of, and put that together: the binder does
	 * not tell a text from a list of one.
	 */
	private void readCommandLine(PropertyNode node, ConfigurationPropertyName name) {
		if (node.hasValue()) {
			readValue(node, OptionType.TEXT, name);
			ConfigurationProperty line = this.properties.get(name);
			if (line != null) {
				property(name, new CommandLine.Shell((String) line.getValue()));
			}
			return;
		}
		readList(node, OptionType.TEXT, name);
		List<String> words = this.properties.entrySet()
			.stream()
			.filter((property) -> name.isParentOf(property.getKey()))
			.map((property) -> (String) property.getValue().getValue())
			.toList();
		this.properties.keySet().removeIf(name::isParentOf);
		if (words.size() == node.children().size()) {
			property(name, new CommandLine.Exec(words));
		}
	}

	private void readMap(PropertyNode node, OptionType value, ConfigurationPropertyName name) {
		if (node.hasValue()) {
			problem(node, (node.isBlank()) ? "has no entries" : "is a single value where names are expected",
					"Write names with their values below it, or remove it.");
			return;
		}
		if (node.isFromEnvironment()) {
			problem(node, "cannot be written as an environment variable, which loses the case and the "
					+ "underscores of names", "Write it in a configuration file or SPRING_APPLICATION_JSON.");
			return;
		}
		if (node.children().stream().allMatch(PropertyNode::isPosition)) {
			problem(node, "is a list where names are expected", "Write names with their values below it.");
			return;
		}
		MapEntries entries = new MapEntries(value, name);
		for (PropertyNode child : node.children()) {
			readMapEntry(child, child.plainName(), entries);
		}
	}

	/**
	 * Read an entry of a map. A name with dots arrives as nodes inside one another.
	 */
	private void readMapEntry(PropertyNode node, String key, MapEntries entries) {
		boolean dotted = entries.value.isSingle() && !node.hasValue()
				&& node.children().stream().noneMatch(PropertyNode::isPosition);
		if (!isKept(node, key) || (dotted && node.isBracketed())) {
			problem(node, "is a name that Spring cannot keep as it is written",
					(node.isBracketed()) ? "The empty name, and names with brackets, cannot be configured."
							: "Write the name in quotes and brackets: \"[" + key + "]\".");
		}
		else if (dotted) {
			node.children().forEach((child) -> readMapEntry(child, key + "." + child.name(), entries));
		}
		else if (!entries.add(node, key)) {
			problem(node, "is a name that Spring cannot tell from another one beside it",
					"Write such names in quotes and brackets: \"[" + key + "]\".");
		}
		else {
			read(node, entries.value, entries.name.append("[" + key + "]"));
		}
	}

	private static boolean isKept(PropertyNode node, String key) {
		return (node.isBracketed()) ? !key.isEmpty() && !key.contains("[") : key.matches("[A-Za-z0-9][A-Za-z0-9_.-]*");
	}

	private void readValue(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		if (node.isBlank()) {
			problem(node, "has no value", "Give it one, or remove it.");
			return;
		}
		Object raw = node.value();
		if (raw == null) {
			problem(node, "has entries below it where a single value is expected",
					"Write " + ((type.isText()) ? "a text" : type.expectation()) + ".");
			return;
		}
		if (type.isText() && !(raw instanceof CharSequence)) {
			problem(node, "is not a text: YAML and JSON read such a value as a number, a boolean or a date",
					"Write it in quotes.");
			return;
		}
		Object value = (raw instanceof CharSequence text) ? resolve(node, text.toString()) : raw;
		if (value != null && (type.isText() || isConvertible(node, type, name, value))) {
			property(name, value);
		}
	}

	private @Nullable String resolve(PropertyNode node, String text) {
		if (Placeholders.hasEscaped(text)) {
			problem(node, "escapes a placeholder, and Spring would take the backslash away",
					"To match a dollar sign and a brace, write [$][{].");
			return null;
		}
		try {
			String value = this.placeholders.resolve(text);
			if (value.contains("${")) {
				problem(node, "has a placeholder that does not end", "Write ${...} with both braces.");
				return null;
			}
			if (value.isEmpty()) {
				problem(node, "has no value, because its placeholder resolves to nothing",
						"Set the property that it names.");
				return null;
			}
			return value;
		}
		catch (PlaceholderResolutionException ex) {
			if (text.contains(ex.getPlaceholder())) {
				problem(node, "has a placeholder that cannot be resolved: ${" + ex.getPlaceholder() + "}",
						"Set '%1$s', or give a default: ${%1$s:...}.".formatted(ex.getPlaceholder())
								+ ((this.foreignPlaceholders)
										? " Braces are Spring's; for the hook write $%s.".formatted(ex.getPlaceholder())
										: ""));
			}
			else {
				problem(node, "has a placeholder whose value has another one that cannot be resolved",
						"Correct the value that the placeholder stands for.");
			}
			return null;
		}
		catch (IllegalArgumentException ex) {
			problem(node, "has a placeholder that refers to itself", "Remove the circle.");
			return null;
		}
	}

	private boolean isConvertible(PropertyNode node, OptionType type, ConfigurationPropertyName name, Object value) {
		property(name, value);
		try {
			if (value instanceof Number number && type.isInteger()) {
				new BigDecimal(number.toString()).toBigIntegerExact();
			}
			binder().bind(name, Bindable.of(type.type()));
			return true;
		}
		catch (Exception ex) {
			this.properties.remove(name);
			problem(node, "is not " + type.expectation(), "Write " + type.expectation() + ".");
			return false;
		}
	}

	private void property(ConfigurationPropertyName name, Object value) {
		this.properties.put(name, new ConfigurationProperty(name, value, null));
	}

	private void problem(PropertyNode node, String message, String action) {
		this.problems.add(ConfigProblem.of(node, message, action));
	}

	/**
	 * A text without any of the values that were read, each of which may be a secret.
	 */
	String withoutValues(String text) {
		String safe = text;
		for (ConfigurationProperty property : this.properties.values()) {
			String value = String.valueOf(property.getValue());
			safe = (value.length() >= MIN_SECRET) ? safe.replace(value, "***") : safe;
		}
		return safe;
	}

	/**
	 * A binder of what was read.
	 */
	Binder binder() {
		return new Binder(List.of(this), null, this.conversions, null, null, null);
	}

	@Override
	public Stream<ConfigurationPropertyName> stream() {
		return this.properties.keySet().stream();
	}

	@Override
	public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
		return this.properties.get(name);
	}

	/**
	 * The entries of a map so far. Names in brackets are exact; of the others, the binder
	 * takes those for the same that differ in case, dashes and underscores only.
	 */
	private static final class MapEntries {

		private final OptionType value;

		private final ConfigurationPropertyName name;

		private final Set<String> exactNames = new HashSet<>();

		private final Set<String> uniformNames = new HashSet<>();

		private MapEntries(OptionType value, ConfigurationPropertyName name) {
			this.value = value;
			this.name = name;
		}

		private boolean add(PropertyNode node, String key) {
			return this.exactNames.add(key) && (node.isBracketed() || this.uniformNames.add(PropertyNode.uniform(key)));
		}

	}

}
