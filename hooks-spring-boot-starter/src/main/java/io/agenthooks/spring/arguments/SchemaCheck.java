package io.agenthooks.spring.arguments;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.regex.RegularExpression;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

import io.agenthooks.SafeText;
import io.agenthooks.pattern.Budget;
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.pattern.PatternSet;
import io.agenthooks.pattern.UnusablePatternException;

/**
 * Holds arguments against a schema. The schema may come from a foreign MCP server, so it
 * can load nothing from elsewhere, and its patterns are searched in linear time.
 */
final class SchemaCheck {

	private static final int MAX_MISTAKES = 5;

	private static final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
			(builder) -> builder.schemaCacheEnabled(false)
				.schemaLoader((loader) -> loader.allow((iri) -> false))
				.schemaRegistryConfig(SchemaRegistryConfig.builder()
					.locale(Locale.ENGLISH)
					.regularExpressionFactory(SchemaCheck::pattern)
					.build()));

	private final @Nullable Schema schema;

	private final JsonNode source;

	private SchemaCheck(@Nullable Schema schema, JsonNode source) {
		this.schema = schema;
		this.source = source;
	}

	static SchemaCheck of(String schema) {
		try {
			JsonNode source = ToolArguments.mapper.readTree(schema);
			return new SchemaCheck(registry.getSchema(source), source);
		}
		catch (JacksonException | SchemaException ex) {
			return new SchemaCheck(null, MissingNode.getInstance());
		}
	}

	/**
	 * A pattern that the engine does not know is the tool's own to check.
	 */
	private static RegularExpression pattern(String regex) {
		try {
			PatternSet pattern = PatternSet.of(new PatternReader().read(regex));
			return (text) -> pattern.find(text, new Budget()) != null;
		}
		catch (UnusablePatternException ex) {
			return (text) -> true;
		}
	}

	@Nullable String objection(Map<String, ? extends @Nullable Object> arguments) {
		if (this.schema == null) {
			return "The schema of the tool cannot be used";
		}
		List<Error> mistakes;
		try {
			JsonNode given = ToolArguments.mapper.valueToTree(arguments);
			leaveOut(given, this.source);
			mistakes = this.schema.validate(given);
		}
		catch (SchemaException | Budget.ExhaustedException ex) {
			return "The arguments could not be held against the schema of the tool";
		}
		return (mistakes.isEmpty()) ? null
				: mistakes.stream()
					.limit(MAX_MISTAKES)
					.map(SchemaCheck::describe)
					.collect(Collectors.joining("; ", "The arguments break the schema of the tool: ", ""));
	}

	/**
	 * Many models write {@code null} for what they leave out, and it means the same to
	 * tools.
	 */
	private static void leaveOut(JsonNode given, JsonNode schema) {
		if (given instanceof ObjectNode object) {
			JsonNode properties = schema.path("properties");
			Set<String> required = new HashSet<>();
			schema.path("required").forEach((name) -> required.add(name.asString("")));
			object.properties()
				.removeIf((member) -> member.getValue().isNull() && properties.has(member.getKey())
						&& !required.contains(member.getKey()));
			object.properties().forEach((member) -> leaveOut(member.getValue(), properties.path(member.getKey())));
		}
		else if (given.isArray()) {
			given.forEach((element) -> leaveOut(element, schema.path("items")));
		}
	}

	private static String describe(Error mistake) {
		String place = SafeText.name(mistake.getInstanceLocation().toString());
		return ((place.isEmpty()) ? "" : place + ": ") + SafeText.name(mistake.getMessage());
	}

}
