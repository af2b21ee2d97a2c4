package io.agenthooks.spring.binding;

import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindConstructorProvider;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.env.PropertyResolver;
import org.springframework.util.Assert;

import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;

/**
 * Compares options with the type they are for, and becomes a source that Spring's binder
 * cannot mistake: canonical names, names of maps in brackets, placeholders resolved.
 */
final class OptionReader implements IterableConfigurationPropertySource {

	private static final Logger logger = LoggerFactory.getLogger(OptionReader.class);

	/** A number of seconds without a unit hardly ever means more than this. */
	private static final Duration LONG = Duration.ofMinutes(1);

	/** Shorter values are not secrets, but parts of words. */
	private static final int MIN_SECRET = 4;

	private final TextReader texts;

	private final List<ConversionService> conversions;

	private final List<Mistake> problems;

	private final Map<ConfigurationPropertyName, ConfigurationProperty> properties = new LinkedHashMap<>();

	OptionReader(PropertyResolver properties, List<ConversionService> conversions, List<Mistake> problems) {
		this.texts = new TextReader(properties, problems);
		this.conversions = conversions;
		this.problems = problems;
	}

	void read(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		if (node.hasValue() && !node.children().isEmpty()) {
			problem(node, "has both a value and entries", "Write only one of them.");
		}
		else if (type.isTextOrList()) {
			readTextOrList(node, type, name);
		}
		else if (type.isTextOrOptions() && !node.children().isEmpty()) {
			readOptions(node, type, name);
		}
		else if (type.isTextOrOptions()) {
			readText(node, type, name);
		}
		else if (type.isList()) {
			readList(node, type.element(), name);
		}
		else if (type.isMap()) {
			new MapReader(this, type.mapValue(), name).read(node);
		}
		else if (type.hasOptions() || (!node.hasValue() && type.mayHaveOptions())) {
			readOptions(node, type, name);
		}
		else {
			readValue(node, type, name);
		}
	}

	private void readOptions(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		readOptions(node, type, Set.of(), name);
	}

	void readOptions(PropertyNode node, OptionType type, Set<String> separate, ConfigurationPropertyName name) {
		Map<String, OptionType.Option> known = type.options();
		List<String> names = Stream
			.concat(known.values().stream().map(OptionType.Option::displayName), separate.stream())
			.toList();
		if (node.hasValue()) {
			problem(node, "is a single value", "Write options below it: " + String.join(", ", names) + ".");
			return;
		}
		if (!node.isFromEnvironment() && node.isList()) {
			problem(node, "is a list where options are expected",
					"Write them without '-' before them. " + whatIsKnown(names, type));
			return;
		}
		Map<String, PropertyNode> seen = new HashMap<>();
		for (PropertyNode child : node.children()) {
			OptionType.Option option = known.get(child.uniformName());
			PropertyNode same = seen.putIfAbsent(child.uniformName(), child);
			boolean isKnown = (option != null || separate.contains(child.uniformName())) && !child.isBracketed();
			if (!isKnown) {
				String former = type.formerly(child.uniformName());
				problem(child, (former != null) ? "is no option any more" : "is not an option here",
						(former != null) ? former : wordOfYaml(child) + whatToWrite(child, names, type)
								+ ((separate.isEmpty()) ? "" : " Options of the type stand below 'config'."));
			}
			else if (same != null) {
				problem(child, "says the same as '" + same.path() + "' in another spelling", "Write it once.");
			}
			else if (option != null && option.emptyAllowed() && child.isBlank()) {
				property(name.append(option.name()), "");
			}
			else if (option != null) {
				this.texts.withForeignPlaceholders(option.foreignPlaceholders(),
						() -> read(child, option.type(), name.append(option.name())));
			}
		}
	}

	private static String wordOfYaml(PropertyNode unknown) {
		return (unknown.isWordOfYaml()) ? "YAML makes this of keys such as on, yes, off and no. " : "";
	}

	private static String whatToWrite(PropertyNode unknown, List<String> names, OptionType type) {
		String asking = (unknown.uniformName().startsWith("ask")
				&& names.stream().noneMatch((name) -> name.startsWith("ask")))
						? "A person can be asked about calls of tools only, by an entry of hooks.tool_call.pre_call. "
						: "";
		return asking + Spelling.didYouMean(unknown.plainName(), names) + whatIsKnown(names, type)
				+ ((unknown.isFromEnvironment())
						? " Environment variables leave out underscores within a name: FAILOPEN for fail_open." : "");
	}

	private static String whatIsKnown(List<String> names, OptionType type) {
		return (names.isEmpty()) ? type.withoutOptions() + "There are no options here."
				: "The options are " + String.join(", ", names) + ".";
	}

	private void readList(PropertyNode node, OptionType element, ConfigurationPropertyName name) {
		if (node.hasValue()) {
			if (node.isBlank()) {
				property(name, "");
			}
			else if (node.value() instanceof CharSequence text && this.texts.looksLikeList(text.toString())) {
				problem(node, "is one text where a list is expected", (node.isFromEnvironment())
						? "Write a variable for each entry: %1$s_0, %1$s_1.".formatted(node.path())
						: "Write it as a list: [\"...\", \"...\"] in YAML, name[0]=... and name[1]=... elsewhere.");
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

	/** The binder does not tell a text from a list of one. */
	private void readTextOrList(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		if (node.hasValue()) {
			readText(node, type, name);
			return;
		}
		readList(node, OptionType.TEXT, name);
		List<String> texts = this.properties.entrySet()
			.stream()
			.filter((property) -> name.isParentOf(property.getKey()))
			.map((property) -> (String) property.getValue().getValue())
			.toList();
		this.properties.keySet().removeIf(name::isParentOf);
		if (texts.size() == node.children().size()) {
			readMade(node, name, () -> type.ofList(texts));
		}
	}

	private void readText(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		readValue(node, OptionType.TEXT, name);
		ConfigurationProperty text = this.properties.get(name);
		this.properties.remove(name);
		if (text != null) {
			readMade(node, name, () -> type.ofText((String) text.getValue()));
		}
	}

	/** A message of the type may quote its texts, and any text may be a secret. */
	private void readMade(PropertyNode node, ConfigurationPropertyName name, Supplier<Object> made) {
		try {
			property(name, made.get());
		}
		catch (RuntimeException ex) {
			problem(node, "is refused (" + ex.getClass().getSimpleName() + ")", "Correct the value.");
		}
	}

	private void readValue(PropertyNode node, OptionType type, ConfigurationPropertyName name) {
		if (node.isBlank()) {
			problem(node, "has no value", "Give it one, or remove it.");
			return;
		}
		Object raw = node.value();
		if (raw == null) {
			problem(node, "has entries below it where a single value is expected, " + type.words().noun(),
					type.words().fix());
			return;
		}
		if (raw instanceof Collection || raw instanceof Map || raw.getClass().isArray()) {
			problem(node, "is a list or a map of Java where a single value is expected",
					"Set a property for each value: name[0], name[1] for a list, name.key for a map.");
			return;
		}
		if (type.isText() && !(raw instanceof CharSequence)) {
			problem(node, "is not a text: YAML and JSON read such a value as a number, a boolean or a date",
					"Write it in quotes.");
			return;
		}
		Object value = (raw instanceof CharSequence text) ? this.texts.resolve(node, text.toString()) : raw;
		if (value != null && (type.isText() || isConvertible(node, type, name, value))) {
			property(name, value);
		}
	}

	private boolean isConvertible(PropertyNode node, OptionType type, ConfigurationPropertyName name, Object value) {
		property(name, value);
		try {
			if (value instanceof Number number && type.isInteger()) {
				new BigDecimal(number.toString()).toBigIntegerExact();
			}
			Assert.isTrue(!(value instanceof Number && type.isEnum()), "A number would be the position of a constant");
			Object bound = binder().bind(name, Bindable.of(type.type())).orElse(null);
			if (bound instanceof Duration duration) {
				warnOfSeconds(node, value.toString().strip(), duration);
			}
			return true;
		}
		catch (Exception ex) {
			this.properties.remove(name);
			String former = type.formerly(value.toString());
			problem(node, (former != null) ? "is no word that is known any more" : "is not " + type.words().noun(),
					(former != null) ? former : type.words().fix());
			return false;
		}
	}

	/**
	 * Milliseconds are what a number without a unit is for Spring Boot's own properties.
	 */
	private static void warnOfSeconds(PropertyNode node, String value, Duration duration) {
		if (duration.compareTo(LONG) > 0 && value.matches("\\d+")) {
			logger.warn("{} ({}) has no unit, so it is {} seconds. Write {}s, or {}ms for milliseconds", node.path(),
					node.place(), value, value, value);
		}
	}

	private void property(ConfigurationPropertyName name, Object value) {
		this.properties.put(name, new ConfigurationProperty(name, value, null));
	}

	void problem(PropertyNode node, String message, String action) {
		this.problems.add(Mistake.of(node, message, action));
	}

	/** Each of the values may be a secret. */
	String withoutValues(String text) {
		String safe = text;
		for (ConfigurationProperty property : this.properties.values()) {
			String value = String.valueOf(property.getValue());
			safe = (value.length() >= MIN_SECRET) ? safe.replace(value, "***") : safe;
		}
		return safe;
	}

	Binder binder() {
		return new Binder(List.of(this), null, this.conversions, null, null, OptionReader::constructor);
	}

	/** Of a record, also a private one, that of all its options. */
	private static @Nullable Constructor<?> constructor(Bindable<?> bindable, boolean nested) {
		Class<?> type = bindable.getType().resolve(Object.class);
		return (type.isRecord()) ? OptionType.constructor(type)
				: BindConstructorProvider.DEFAULT.getBindConstructor(bindable, nested);
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
