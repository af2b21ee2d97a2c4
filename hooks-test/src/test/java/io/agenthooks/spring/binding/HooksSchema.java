package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import io.agenthooks.toolcall.ToolHook;

/**
 * Makes a JSON schema of everything below {@code hooks}, for completion in editors. It is
 * made of what the strict reader reads: the sections, the options of an entry, the types
 * of hooks with the types of their {@code config}, and the Javadoc of all these. Nothing
 * is written here a second time, so a new option is in the schema as soon as it is read.
 * <p>
 * The schema never refuses what the reader takes. What it cannot say is left to the
 * reader: mistakes in patterns and globs, what one file says against another, and bounds.
 * Draft 7, because yaml-language-server knows none that is newer.
 */
final class HooksSchema {

	private static final String PLACEHOLDER = "\\$\\{";

	private static final String NAME_IN_MAP = "^([A-Za-z0-9][A-Za-z0-9_.-]*|\\[[^\\[]+\\])$";

	/** Names of nested properties in one, which only the reader takes apart. */
	private static final String PATH = "^[^.\\[]+[.\\[]";

	private static final String DEFINITIONS = "#/definitions/";

	private static final String CONFIG = "config";

	private static final Path PAGE = Path.of("../docs/reference/configuration.md");

	private static final Pattern TYPE_ON_PAGE = Pattern.compile("^\\| `(\\w+)` \\| ([^|]+) \\|");

	private static final Map<String, String> SECTIONS = Map.of("tool_call", "Hooks around calls of tools.", "llm_call",
			"Hooks around calls of models.", "run", "Hooks around runs of agents.");

	private static final JsonMapper JSON = new JsonMapper();

	private final SourceComments comments = new SourceComments();

	private final Map<String, ObjectNode> definitions = new TreeMap<>();

	private final Map<String, Map<String, Class<?>>> types;

	private final Map<String, Set<String>> required;

	/** The classes that describe the keys below {@code hooks}, by the key. */
	private final Map<String, Class<?>> properties = propertiesClasses();

	/**
	 * Create a schema.
	 * @param types the types of hooks of each section, with that of their config
	 * @param required for each type of a section the options that must be written, or the
	 * empty name if any must
	 */
	HooksSchema(Map<String, Map<String, Class<?>>> types, Map<String, Set<String>> required) {
		this.types = types;
		this.required = required;
	}

	String write() {
		Map<String, ObjectNode> keys = new LinkedHashMap<>();
		for (HookSection<?> section : HookSection.ALL) {
			keys.put(section.key(), section(section));
		}
		this.properties.forEach((key, type) -> {
			if (!keys.containsKey(key)) {
				keys.put(key, reference(options(type)));
			}
		});
		keys.put("application", text().put("description",
				"Tells the data of this application from those of others in the same database or Redis."));
		ObjectNode strict = choice(List.of("true", "false"));
		describe(strict, ClassUtils.resolveClassName("io.agenthooks.spring.assembly.HooksProperties", null),
				HookPropertySources.STRICT);
		keys.put(HookPropertySources.STRICT, strict);
		this.definitions.put("hooks", closed("hooks", keys, true));
		ObjectNode schema = JSON.createObjectNode();
		schema.put("$schema", "http://json-schema.org/draft-07/schema#");
		schema.put("title", "Agent Hooks");
		schema.put("description",
				"What Agent Hooks reads of a configuration file. Made by the build; see HooksSchema.");
		schema.putArray("type").add("object").add("null");
		ObjectNode hooks = reference("hooks");
		schema.putObject("properties")
			.set("hooks", hooks.put("description", "The hooks around tool calls, model calls and runs of agents."));
		schema.putObject("patternProperties")
			.set(spelling("hooks"), JSON.createObjectNode().put("$ref", "#/properties/hooks"));
		ObjectNode all = schema.putObject("definitions");
		this.definitions.forEach(all::set);
		return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
	}

	private static Map<String, Class<?>> propertiesClasses() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		Map<String, Class<?>> found = new TreeMap<>();
		scanner.findCandidateComponents("io.agenthooks.spring").forEach((candidate) -> {
			Class<?> type = ClassUtils.resolveClassName(Objects.requireNonNull(candidate.getBeanClassName()), null);
			String prefix = type.getAnnotation(ConfigurationProperties.class).value();
			if (prefix.matches("hooks\\.[^.]+")) {
				found.put(prefix.substring("hooks.".length()).replace('-', '_'), type);
			}
		});
		return found;
	}

	private ObjectNode section(HookSection<?> section) {
		Class<?> described = this.properties.get(section.key());
		Map<String, ObjectNode> keys = new TreeMap<>();
		section.choices().forEach((name, values) -> keys.put(name, (values.isEmpty()) ? size() : choice(values)));
		section.bounds().keySet().forEach((name) -> keys.put(name, option(Duration.class)));
		if (section.allowed().contains(ToolEffects.KEY)) {
			keys.put(ToolEffects.KEY, reference(options(EffectsConfig.class)));
		}
		keys.put(HookSection.REPLACES, anyOf(listOf(text(), false), JSON.createObjectNode().put("type", "string")));
		String entry = section.key() + ".entry";
		String named = section.key() + ".named_entry";
		entry(section, entry, false);
		entry(section, named, true);
		for (String list : section.lists()) {
			ObjectNode map = JSON.createObjectNode().put("type", "object");
			map.set("additionalProperties", reference(named));
			keys.put(list, anyOf(listOf(reference(entry), false), map, blank()));
		}
		keys.forEach((name, schema) -> describe(schema, described, name));
		String name = section.key();
		this.definitions.put(name, closed(name, keys, true).put("description", SECTIONS.get(name)));
		return reference(name);
	}

	/**
	 * Describe the entry of a list, or of a map, where it has its name before it and may
	 * leave to another file what makes it complete.
	 */
	private void entry(HookSection<?> section, String definition, boolean isNamed) {
		Map<String, Class<?>> configs = Objects.requireNonNull(this.types.get(section.key()));
		Map<String, ObjectNode> options = new LinkedHashMap<>();
		OptionType.of(ListEntry.class).options().values().forEach((option) -> {
			String name = option.displayName();
			if (!section.meaningless().contains(name) && !(isNamed && name.equals("name"))) {
				ObjectNode schema = (name.equals("type")) ? type(configs.keySet())
						: option(option, DEFINITIONS + definition + "/properties/" + name);
				options.put(name, describe(schema, ListEntry.class, name));
			}
		});
		ObjectNode config = JSON.createObjectNode().put("description", "Options of the type.");
		config.putArray("type").add("object").add("null");
		options.put(CONFIG, config);
		if (section.kind() == ToolHook.class) {
			options.put(ProofReader.KEY, proofs());
			configs.values()
				.stream()
				.map((type) -> OptionType.of(type).options().get(EntryReader.FOR))
				.filter(Objects::nonNull)
				.findFirst()
				.ifPresent((option) -> options.put(EntryReader.FOR,
						option(option, DEFINITIONS + definition + "/properties/" + EntryReader.FOR).put("description",
								"System whose messages and replies the program knows.")));
		}
		ObjectNode entry = closed(definition, options, false);
		ArrayNode conditions = entry.putArray("allOf");
		configs.forEach((type, configType) -> {
			ObjectNode condition = conditions.addObject();
			condition.putObject("if")
				.set("properties", property("type", constant(type)))
				.putArray("required")
				.add("type");
			// The same for completion as the config of no type, so that it is offered
			// once.
			ObjectNode typed = config.deepCopy();
			typed.setAll(anyOf(reference(options(configType)), blank()));
			condition.putObject("then").set("properties", property(CONFIG, typed));
			Set<String> missing = this.required.getOrDefault(section.key() + "/" + type, Set.of());
			if (!isNamed && !missing.isEmpty()) {
				complete(conditions.addObject(), type, missing);
			}
		});
		if (!isNamed) {
			conditions.add(present("type"));
		}
		this.definitions.put(definition, entry);
	}

	/**
	 * The calls that a hook must deny at the start.
	 */
	private ObjectNode proofs() {
		ObjectNode arguments = JSON.createObjectNode();
		arguments.putArray("type").add("object").add("null").add("string");
		arguments.put("maxLength", 0).put("description", "The arguments of the call by name.");
		Map<String, ObjectNode> keys = Map.of("tool", text().put("description", "The tool that is called."),
				"arguments", arguments);
		this.definitions.put("proof", closed("proof", new TreeMap<>(keys), false));
		ObjectNode list = JSON.createObjectNode().put("type", "array").put("minItems", 1);
		list.set("items", reference("proof"));
		return anyOf(reference("proof"), list).put("description",
				"A call that the hook must deny at the start, or a list of such calls: otherwise the application does "
						+ "not start.");
	}

	/**
	 * Describe what must be written for a type, unless the entry is switched off or is
	 * written in a way that only the reader understands.
	 */
	private static void complete(ObjectNode condition, String type, Set<String> missing) {
		ObjectNode isOfType = condition.putObject("if");
		ObjectNode values = property("type", constant(type));
		values.set("enabled", constant(true));
		ObjectNode config = values.putObject(CONFIG);
		config.set("propertyNames", not(JSON.createObjectNode().put("pattern", PATH)));
		isOfType.set("properties", values);
		isOfType.set("propertyNames", not(JSON.createObjectNode().put("pattern", PATH)));
		isOfType.putArray("required").add("type");
		ObjectNode then = condition.putObject("then");
		ObjectNode complete = JSON.createObjectNode();
		complete.put("type", "object");
		complete.put("minProperties", 1);
		ArrayNode all = complete.putArray("allOf");
		missing.stream().filter((name) -> !name.isEmpty()).forEach((name) -> all.add(present(name)));
		if (all.isEmpty()) {
			complete.remove("allOf");
		}
		then.set("properties", property(CONFIG, complete));
		then.putArray("allOf").add(present(CONFIG));
	}

	/**
	 * A name that must be there, in whatever spelling.
	 */
	private static ObjectNode present(String name) {
		ObjectNode usual = JSON.createObjectNode();
		usual.putArray("required").add(name);
		ObjectNode other = JSON.createObjectNode();
		other.set("propertyNames", not(JSON.createObjectNode().put("pattern", spelling(name) + "|" + PATH)));
		return anyOf(usual, not(other));
	}

	private static ObjectNode type(Collection<String> types) {
		Map<String, String> said = describedTypes();
		ObjectNode known = JSON.createObjectNode();
		new TreeSet<>(types).forEach(known.putArray("enum")::add);
		ArrayNode descriptions = known.putArray("enumDescriptions");
		new TreeSet<>(types).forEach(
				(type) -> descriptions.add(Objects.requireNonNull(said.get(type), () -> "No line in docs: " + type)));
		return anyOf(known, text());
	}

	/**
	 * What each type does, as the page of all keys says it.
	 */
	private static Map<String, String> describedTypes() {
		Map<String, String> described = new TreeMap<>();
		try (Stream<String> lines = Files.lines(PAGE)) {
			lines.dropWhile((line) -> !line.equals("## Types"))
				.skip(1)
				.takeWhile((line) -> !line.startsWith("## "))
				.map(TYPE_ON_PAGE::matcher)
				.filter(Matcher::find)
				.forEach((row) -> described.put(row.group(1), row.group(2).replace("`", "")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return described;
	}

	/**
	 * Define the options of a type.
	 * @return the name of the definition
	 */
	private String options(Class<?> type) {
		String name = type.getName().replaceFirst(".*\\.", "").replace('$', '.');
		if (!this.definitions.containsKey(name)) {
			this.definitions.put(name, JSON.createObjectNode());
			Map<String, ObjectNode> options = new LinkedHashMap<>();
			OptionType.of(type).options().values().forEach((option) -> {
				String written = option.displayName();
				options.put(written, describe(option(option, DEFINITIONS + name + "/properties/" + written), type,
						component(type, written)));
			});
			ObjectNode closed = closed(name, options, false);
			String comment = this.comments.of(type);
			this.definitions.put(name, (comment != null) ? closed.put("description", comment) : closed);
		}
		return name;
	}

	/**
	 * The component that an option is called by another name than.
	 */
	private static String component(Class<?> type, String option) {
		Constructor<?> constructor = OptionType.constructor(type);
		if (constructor == null) {
			return option;
		}
		return Arrays.stream(constructor.getParameters())
			.filter((parameter) -> parameter.isAnnotationPresent(Name.class)
					&& parameter.getAnnotation(Name.class).value().equals(option))
			.map((parameter) -> parameter.getName())
			.findAny()
			.orElse(option);
	}

	private ObjectNode describe(ObjectNode schema, @Nullable Class<?> type, String name) {
		String comment = (type != null) ? this.comments.of(type, PropertyNode.uniform(name)) : null;
		return (comment != null) ? schema.put("description", comment) : schema;
	}

	private ObjectNode option(OptionType.Option option, String pointer) {
		ObjectNode schema = schema(option.type(), pointer);
		return (option.emptyAllowed()) ? anyOf(schema, blank()) : schema;
	}

	/**
	 * The schema of an option.
	 * @param pointer where it will be
	 */
	private ObjectNode schema(OptionType type, String pointer) {
		if (type.isTextOrList()) {
			ObjectNode list = listOf(text(), false);
			return anyOf(text(), list.put("minItems", 1));
		}
		if (type.isTextOrOptions()) {
			return anyOf(text(), filled(options(rawClass(type))));
		}
		if (type.isList() && type.element().isTextOrOptions()) {
			ObjectNode element = schema(type.element(), pointer + "/anyOf/0/items");
			return anyOf(listOf(element, false), oneText(), blank());
		}
		if (type.isList()) {
			ObjectNode element = schema(type.element(), pointer + "/anyOf/0/items");
			return (type.element().isSingle()) ? listOf(element, true) : anyOf(listOf(element, false), blank());
		}
		if (type.isMap()) {
			return map(type.mapValue(), pointer);
		}
		if (type.hasOptions()) {
			return filled(options(rawClass(type)));
		}
		ObjectNode known = known(type);
		if (known != null) {
			return known;
		}
		return (type.mayHaveOptions()) ? anyOf(filled(options(rawClass(type))), scalar()) : scalar();
	}

	private static Class<?> rawClass(OptionType type) {
		return ClassUtils.resolvePrimitiveIfNecessary(type.type().resolve(Object.class));
	}

	private ObjectNode map(OptionType value, String pointer) {
		ObjectNode map = JSON.createObjectNode().put("type", "object").put("minProperties", 1);
		map.putObject("propertyNames").put("pattern", NAME_IN_MAP);
		ObjectNode values = schema(value, pointer + "/additionalProperties/anyOf/0");
		// A name with dots may also be written as names inside one another.
		map.set("additionalProperties",
				(value.isSingle()) ? anyOf(values, JSON.createObjectNode().put("$ref", pointer)) : values);
		return map;
	}

	/**
	 * A list, of which one element may stand alone.
	 */
	private static ObjectNode listOf(ObjectNode element, boolean mayBeOne) {
		ObjectNode list = JSON.createObjectNode().put("type", "array");
		list.set("items", element);
		if (!mayBeOne) {
			return list;
		}
		ObjectNode one = (element.path("type").asString("").equals("string")) ? oneText() : element.deepCopy();
		return anyOf(list, one, blank());
	}

	private static ObjectNode oneText() {
		return JSON.createObjectNode().put("type", "string").put("pattern", "^(?!\\[.*\\]$)[^,]*$");
	}

	/**
	 * A single value of a type whose texts are known, or {@code null}.
	 */
	private static @Nullable ObjectNode known(OptionType type) {
		Class<?> raw = rawClass(type);
		if (type.isText()) {
			return text();
		}
		if (raw.isEnum()) {
			return choice(Arrays.stream(raw.getEnumConstants())
				.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
				.toList());
		}
		if (raw == Boolean.class) {
			return anyOf(JSON.createObjectNode().put("type", "boolean"),
					pattern("^\\s*(" + anyCase("true|false|on|off|yes|no") + "|1|0)\\s*$"), pattern(PLACEHOLDER));
		}
		if (raw == Duration.class) {
			ObjectNode time = pattern("^\\s*[+-]?(\\d+\\.?\\d*([eE][+-]?\\d+)?|\\.\\d+|\\d+("
					+ anyCase("ns|us|ms|s|m|h|d") + ")|[pP][A-Za-z0-9.+-]+)\\s*$");
			return anyOf(said(time, "A time, such as 500ms, 2s or 5m"), JSON.createObjectNode().put("type", "number"),
					pattern(PLACEHOLDER));
		}
		if (raw == DataSize.class) {
			return size();
		}
		if (type.isInteger()) {
			ObjectNode integer = JSON.createObjectNode().put("type", "integer");
			boolean isInt = raw == Integer.class;
			integer.put("minimum", BigInteger.valueOf((isInt) ? Integer.MIN_VALUE : Long.MIN_VALUE));
			integer.put("maximum", BigInteger.valueOf((isInt) ? Integer.MAX_VALUE : Long.MAX_VALUE));
			return anyOf(integer, pattern("^\\s*[+-]?(\\d+|(0[xX]|#)[0-9A-Fa-f]+)\\s*$"), pattern(PLACEHOLDER));
		}
		if (raw == BigDecimal.class) {
			return anyOf(JSON.createObjectNode().put("type", "number"),
					pattern("^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*$"), pattern(PLACEHOLDER));
		}
		if (Number.class.isAssignableFrom(raw)) {
			return anyOf(JSON.createObjectNode().put("type", "number"), text());
		}
		return null;
	}

	private static ObjectNode option(Class<?> type) {
		return Objects.requireNonNull(known(OptionType.of(type)));
	}

	private static ObjectNode scalar() {
		ObjectNode scalar = JSON.createObjectNode();
		scalar.putArray("type").add("string").add("number").add("boolean");
		return scalar.put("minLength", 1);
	}

	private static ObjectNode text() {
		return JSON.createObjectNode().put("type", "string").put("minLength", 1);
	}

	private static ObjectNode size() {
		ObjectNode size = pattern("^\\s*[+-]?\\d+\\s*(B|KB|MB|GB|TB)?\\s*$");
		return anyOf(said(size, "A size, such as 64KB or 1MB"), JSON.createObjectNode().put("type", "integer"),
				pattern(PLACEHOLDER));
	}

	/** Say what a text is, also to whoever wrote another one. */
	private static ObjectNode said(ObjectNode text, String name) {
		return text.put("title", name).put("patternErrorMessage", name);
	}

	/**
	 * One of some values, which editors complete as they are, and the reader takes in any
	 * case.
	 */
	private static ObjectNode choice(Collection<String> values) {
		if (Set.copyOf(values).equals(Set.of("true", "false"))) {
			return anyOf(JSON.createObjectNode().put("type", "boolean"),
					pattern("^\\s*(" + anyCase("true|false") + ")\\s*$"), pattern(PLACEHOLDER));
		}
		ObjectNode known = JSON.createObjectNode();
		values.forEach(known.putArray("enum")::add);
		String pattern = "^\\s*(" + String.join("|", values.stream().map((value) -> letters(value, "[-_ ]*")).toList())
				+ ")\\s*$";
		return anyOf(known, pattern(pattern), pattern(PLACEHOLDER));
	}

	/**
	 * Nothing behind a name.
	 */
	private static ObjectNode blank() {
		ObjectNode blank = JSON.createObjectNode();
		blank.putArray("type").add("null").add("string").add("object").add("array");
		return blank.put("maxLength", 0).put("maxProperties", 0).put("maxItems", 0);
	}

	private static ObjectNode pattern(String pattern) {
		return JSON.createObjectNode().put("type", "string").put("pattern", pattern);
	}

	private static ObjectNode constant(Object value) {
		return JSON.createObjectNode().set("const", JSON.valueToTree(value));
	}

	private static ObjectNode property(String name, ObjectNode schema) {
		return JSON.createObjectNode().set(name, schema);
	}

	private static ObjectNode not(ObjectNode schema) {
		return JSON.createObjectNode().set("not", schema);
	}

	/**
	 * Any of some forms, which differ in their titles: yaml-language-server joins the
	 * texts of forms that it takes for the same.
	 */
	private static ObjectNode anyOf(ObjectNode... schemas) {
		ObjectNode any = JSON.createObjectNode();
		ArrayNode forms = any.putArray("anyOf");
		for (ObjectNode schema : schemas) {
			String title = (schema.has("title")) ? null : title(schema);
			forms.add((title != null) ? schema.put("title", title) : schema);
		}
		return any;
	}

	/**
	 * Begin the titles of a value with its key: above the description of a key without a
	 * title, editors show the title of whatever form is around it.
	 */
	private static void entitle(ObjectNode value, String key) {
		if (value.has("anyOf")) {
			value.get("anyOf").forEach((form) -> entitle((ObjectNode) form, key));
			return;
		}
		String title = value.path("title").asString("");
		value.put("title", (title.isEmpty()) ? key : key + ": " + StringUtils.uncapitalize(title));
	}

	private static @Nullable String title(ObjectNode form) {
		if (form.has("enum")) {
			return "One of these words";
		}
		if (form.path("type").isArray()) {
			return (form.has("maxLength")) ? "Nothing" : "One value";
		}
		return switch (form.path("type").asString("")) {
			case "array" -> "A list";
			case "object" -> "Values by name";
			case "boolean" -> "true or false";
			case "integer", "number" -> "A number";
			case "string" -> (form.path("pattern").asString("").equals(PLACEHOLDER)) ? "A placeholder" : "A text";
			default -> null;
		};
	}

	/**
	 * Options that are not empty.
	 */
	private static ObjectNode filled(String definition) {
		ObjectNode filled = JSON.createObjectNode().put("minProperties", 1);
		filled.putArray("allOf").add(reference(definition));
		return filled;
	}

	private static ObjectNode reference(String definition) {
		return JSON.createObjectNode().put("$ref", DEFINITIONS + definition);
	}

	/**
	 * An object that has these names only: as editors complete them, or in any spelling
	 * that the reader takes for the same.
	 */
	private static ObjectNode closed(String definition, Map<String, ObjectNode> properties, boolean mayBeBlank) {
		ObjectNode closed = JSON.createObjectNode();
		if (mayBeBlank) {
			closed.putArray("type").add("object").add("null");
		}
		else {
			closed.put("type", "object");
		}
		ObjectNode named = closed.putObject("properties");
		properties.forEach((name, schema) -> {
			entitle(schema, name);
			named.set(name, schema);
		});
		ObjectNode spelled = closed.putObject("patternProperties");
		properties.keySet()
			.forEach((name) -> spelled.putObject(spelling(name))
				.put("$ref", DEFINITIONS + definition + "/properties/" + name));
		spelled.putObject(PATH);
		return closed.put("additionalProperties", false);
	}

	/**
	 * A pattern for the other spellings of a name.
	 */
	private static String spelling(String name) {
		return "^(?!" + name + "$)[-_]*" + letters(PropertyNode.uniform(name), "[-_]*") + "$";
	}

	private static String letters(String name, String between) {
		StringBuilder pattern = new StringBuilder();
		name.chars()
			.filter(Character::isLetterOrDigit)
			.forEach((ch) -> pattern.append(anyCase(String.valueOf((char) ch))).append(between));
		return pattern.toString();
	}

	private static String anyCase(String text) {
		StringBuilder pattern = new StringBuilder();
		text.chars().forEach((ch) -> {
			if (Character.isLetter(ch)) {
				pattern.append('[')
					.append((char) Character.toUpperCase(ch))
					.append((char) Character.toLowerCase(ch))
					.append(']');
			}
			else {
				pattern.append((char) ch);
			}
		});
		return pattern.toString();
	}

}
