package io.agenthooks.spring.arguments;

import java.util.List;
import java.util.Locale;
import java.util.Map;
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

	private SchemaCheck(@Nullable Schema schema) {
		this.schema = schema;
	}

	static SchemaCheck of(String schema) {
		try {
			return new SchemaCheck(registry.getSchema(ToolArguments.mapper.readTree(schema)));
		}
		catch (JacksonException | SchemaException ex) {
			return new SchemaCheck(null);
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
			mistakes = this.schema.validate(ToolArguments.mapper.valueToTree(arguments));
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

	private static String describe(Error mistake) {
		String place = SafeText.name(mistake.getInstanceLocation().toString());
		return ((place.isEmpty()) ? "" : place + ": ") + SafeText.name(mistake.getMessage());
	}

}
