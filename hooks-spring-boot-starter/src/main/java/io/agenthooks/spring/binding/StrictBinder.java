package io.agenthooks.spring.binding;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.PlaceholderResolutionException;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * Binds options to a type, or tells everything that is wrong with them. Spring's binder
 * does the last step only, from properties whose names, shapes and values have been
 * checked and whose placeholders are resolved.
 */
final class StrictBinder {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("config");

	private final Placeholders placeholders;

	private final List<ConversionService> conversions;

	private final Function<Object, List<Problem>> validation;

	private final List<ConfigProblem> problems = new ArrayList<>();

	/**
	 * Create a binder.
	 * @param validation finds what is wrong with a bound object, each problem under the
	 * path of the Java property
	 */
	StrictBinder(Placeholders placeholders, List<ConversionService> conversions,
			Function<Object, List<Problem>> validation) {
		this.placeholders = placeholders;
		this.conversions = conversions;
		this.validation = validation;
	}

	/**
	 * Bind options.
	 * @param options the options as they are written
	 * @param type what to bind them to
	 * @param inherited options that stand outside of these, and count as one of them if
	 * the type has an option of the name
	 * @param separate names that may stand among the options but are not theirs
	 * @return the bound object, or {@code null} if there are problems
	 */
	<T> @Nullable T bind(PropertyNode options, Class<T> type, List<PropertyNode> inherited, Set<String> separate) {
		int before = this.problems.size();
		T bound = new Binding<>(options, type, inherited, separate).bind();
		return (this.problems.size() == before) ? bound : null;
	}

	/**
	 * Everything that is wrong, with all that was bound so far.
	 */
	List<ConfigProblem> problems() {
		return this.problems;
	}

	/**
	 * Add problems that a hook found with its options.
	 */
	void report(List<Problem> problems, PropertyNode options) {
		problems.forEach((problem) -> this.problems.add(locate(problem, options)));
	}

	private static ConfigProblem locate(Problem problem, PropertyNode options) {
		PropertyNode node = options;
		String path = options.path();
		boolean written = true;
		for (String segment : problem.path()) {
			PropertyNode child = (written) ? find(node, segment) : null;
			written = child != null;
			node = (child != null) ? child : node;
			path = (child != null) ? child.path()
					: path + ((segment.chars().allMatch(Character::isDigit)) ? "[" + segment + "]" : "." + segment);
		}
		return new ConfigProblem(path, node.place(), problem.message(), problem.action());
	}

	private static @Nullable PropertyNode find(PropertyNode node, String segment) {
		return Stream.<Function<PropertyNode, String>>of(PropertyNode::plainName, PropertyNode::uniformName)
			.flatMap((name) -> node.children()
				.stream()
				.filter((child) -> name.apply(child).equals(segment)
						|| name.apply(child).equals(PropertyNode.uniform(segment))))
			.findFirst()
			.orElse(null);
	}

	static List<PropertyNode> inOrder(PropertyNode list) {
		return list.children().stream().sorted(Comparator.comparingInt(PropertyNode::position)).toList();
	}

	/**
	 * One binding under way.
	 */
	private final class Binding<T> implements IterableConfigurationPropertySource {

		private final PropertyNode options;

		private final Class<T> type;

		private final List<PropertyNode> inherited;

		private final Set<String> separate;

		private final Map<ConfigurationPropertyName, ConfigurationProperty> properties = new LinkedHashMap<>();

		private Binding(PropertyNode options, Class<T> type, List<PropertyNode> inherited, Set<String> separate) {
			this.options = options;
			this.type = type;
			this.inherited = inherited;
			this.separate = separate;
		}

		private @Nullable T bind() {
			int before = StrictBinder.this.problems.size();
			if (!this.options.isBlank()) {
				readOptions(this.options, OptionType.of(this.type), ROOT);
			}
			this.inherited.forEach(this::readInherited);
			if (StrictBinder.this.problems.size() > before) {
				return null;
			}
			try {
				T bound = binder().bindOrCreate(ROOT.toString(), Bindable.of(this.type));
				report(StrictBinder.this.validation.apply(bound), this.options);
				return bound;
			}
			catch (Exception ex) {
				reportFailure(ex);
				return null;
			}
		}

		private Binder binder() {
			return new Binder(List.of(this), null, StrictBinder.this.conversions, null, null, null);
		}

		private void read(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
			if (node.value() != null && !node.children().isEmpty()) {
				problem(node, "has both a value and entries", "Write only one of them.");
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
			Map<String, OptionType.Option> known = type.options();
			List<String> names = Stream
				.concat(known.values().stream().map(OptionType.Option::displayName),
						(node == this.options) ? this.separate.stream() : Stream.empty())
				.toList();
			if (node.value() != null) {
				problem(node, "is a single value", "Write options below it: " + String.join(", ", names) + ".");
				return;
			}
			Map<String, PropertyNode> seen = new HashMap<>();
			for (PropertyNode child : node.children()) {
				OptionType.Option option = known.get(child.uniformName());
				PropertyNode same = seen.putIfAbsent(child.uniformName(), child);
				if (node == this.options && this.separate.contains(child.uniformName())) {
					continue;
				}
				if (option == null || child.isBracketed()) {
					problem(child, "is not an option here",
							Spelling.didYouMean(child.plainName(), names) + "The options are "
									+ ((names.isEmpty()) ? "none" : String.join(", ", names)) + "."
									+ ((child.isFromEnvironment()) ? " Environment variables leave out underscores"
											+ " within a name: FAILOPEN for fail_open." : ""));
				}
				else if (same != null) {
					problem(child, "says the same as '" + same.path() + "' in another spelling",
							"Write '" + option.displayName() + "' once.");
				}
				else {
					read(child, option.type(), name.append(option.name()));
				}
			}
		}

		private void readInherited(PropertyNode node) {
			OptionType.Option option = OptionType.of(this.type).options().get(node.uniformName());
			PropertyNode same = this.options.child(node.uniformName());
			if (option != null && same != null) {
				problem(node, "is written twice for this hook, also as '" + same.path() + "'", "Write it once.");
			}
			else if (option != null) {
				read(node, option.type(), ROOT.append(option.name()));
			}
		}

		private void readList(PropertyNode node, OptionType element, ConfigurationPropertyName name) {
			if (node.value() != null) {
				if (node.isBlank()) {
					property(name, "");
				}
				else if (node.value() instanceof CharSequence text && text.toString().contains(",")) {
					problem(node, "is one text with a comma where a list is expected",
							"Write it as a list: [\"...\", \"...\"].");
				}
				else {
					read(node, element, name.append("[0]"));
				}
				return;
			}
			int position = 0;
			for (PropertyNode child : node.children()) {
				if (!child.isPosition()) {
					problem(node, "has names below it where a list is expected",
							"Write it as a list: [\"...\", \"...\"].");
					return;
				}
			}
			for (PropertyNode child : inOrder(node)) {
				if (child.position() != position) {
					problem(child, "leaves out position " + position + " of the list",
							"Number the entries of a list from 0 without gaps.");
					return;
				}
				read(child, element, name.append("[" + position + "]"));
				position++;
			}
		}

		private void readMap(PropertyNode node, OptionType value, ConfigurationPropertyName name) {
			if (node.value() != null) {
				problem(node, (node.isBlank()) ? "has no entries" : "is a single value where names are expected",
						"Write names with their values below it, or remove it.");
				return;
			}
			if (node.isFromEnvironment()) {
				problem(node,
						"cannot be written as an environment variable, which loses the case and the "
								+ "underscores of names",
						"Write it in a configuration file or SPRING_APPLICATION_JSON.");
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
			boolean dotted = entries.value.isSingle() && node.value() == null
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
			return (node.isBracketed()) ? !key.isEmpty() && !key.contains("[")
					: key.matches("[A-Za-z0-9][A-Za-z0-9_.-]*");
		}

		private void readValue(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
			Object raw = node.value();
			if (raw == null) {
				problem(node, "has entries below it where a single value is expected",
						"Write " + ((type.isText()) ? "a text" : type.expectation()) + ".");
				return;
			}
			if (node.isBlank()) {
				problem(node, "has no value", "Give it one, or remove it.");
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
				String value = StrictBinder.this.placeholders.resolve(text);
				if (value.isEmpty()) {
					problem(node, "has no value, because its placeholder resolves to nothing",
							"Set the property that it names.");
					return null;
				}
				return value;
			}
			catch (PlaceholderResolutionException ex) {
				problem(node, "has a placeholder that cannot be resolved: ${" + ex.getPlaceholder() + "}",
						"Set '" + ex.getPlaceholder() + "', or give a default: ${" + ex.getPlaceholder() + ":...}.");
				return null;
			}
			catch (IllegalArgumentException ex) {
				problem(node, "has a placeholder that refers to itself", "Remove the circle.");
				return null;
			}
		}

		private boolean isConvertible(PropertyNode node, OptionType type, ConfigurationPropertyName name,
				Object value) {
			property(name, value);
			try {
				if (value instanceof Number number && type.isInteger()) {
					new BigDecimal(number.toString()).toBigIntegerExact();
				}
				binder().bind(name, Bindable.of(type.type()));
				return true;
			}
			catch (Exception ex) {
				problem(node, "cannot be read", "Write " + type.expectation() + ".");
				return false;
			}
		}

		private void property(ConfigurationPropertyName name, Object value) {
			this.properties.put(name, new ConfigurationProperty(name, value, null));
		}

		private void problem(PropertyNode node, String message, String action) {
			StrictBinder.this.problems.add(ConfigProblem.of(node, message, action));
		}

		/**
		 * Report why a type did not take its options. What it says may quote a value, and
		 * any value may be a secret.
		 */
		private void reportFailure(Exception ex) {
			Throwable cause = ex;
			while (cause instanceof BindException || cause.getClass().getName().startsWith("org.springframework.")) {
				if (cause.getCause() == null) {
					break;
				}
				cause = cause.getCause();
			}
			if (cause instanceof InvalidHookConfigException invalid) {
				report(invalid.getProblems(), this.options);
				return;
			}
			String message = Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
			for (ConfigurationProperty property : this.properties.values()) {
				String value = String.valueOf(property.getValue());
				if (value.length() >= 4) {
					message = message.replace(value, "***");
				}
			}
			problem(this.options, "is refused: " + message, "Correct the options.");
		}

		@Override
		public Stream<ConfigurationPropertyName> stream() {
			return this.properties.keySet().stream();
		}

		@Override
		public @Nullable ConfigurationProperty getConfigurationProperty(ConfigurationPropertyName name) {
			return this.properties.get(name);
		}

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
