package io.agenthooks.spring.arguments;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import io.agenthooks.SafeText;
import io.agenthooks.pattern.Budget;

/**
 * Both arguments and schema come from strangers: nothing is loaded from elsewhere, and
 * reading and checking have a budget of steps, over which the call is denied.
 */
final class SchemaCheck {

	/** In characters. */
	static final int MAX_LENGTH = 256 * 1024;

	private static final int MAX_MISTAKES = 5;

	private static final int MAX_VALUES = 10_000;

	private static final int MAX_OF_ONE_HASH = 100;

	private static final ExecutionConfig CONFIG = ExecutionConfig.builder().locale(Locale.ENGLISH).build();

	private static final String UNUSABLE = "The schema of the tool cannot be used";

	private static final String UNCHECKED = "The arguments could not be checked against the schema of the tool";

	private final @Nullable Schema schema;

	private final JsonNode source;

	private final @Nullable SchemaLimits limits;

	/** Empty if the schema can be used. */
	private final String reason;

	private SchemaCheck(@Nullable Schema schema, JsonNode source, @Nullable SchemaLimits limits, String reason) {
		this.schema = schema;
		this.source = source;
		this.limits = limits;
		this.reason = reason;
	}

	static SchemaCheck of(String schema) {
		if (schema.length() > MAX_LENGTH) {
			return tooLong();
		}
		try {
			JsonNode source = ToolArguments.mapper.readTree(schema);
			checkValues(source);
			SchemaLimits limits = new SchemaLimits();
			Schema read = registry(limits).getSchema(source);
			limits.check();
			return new SchemaCheck(read, source, limits, "");
		}
		catch (TooCostlyException ex) {
			return unusable(ex.reason());
		}
		catch (JacksonException | SchemaException | NumberFormatException | StackOverflowError ex) {
			return unusable(UNUSABLE);
		}
	}

	static SchemaCheck tooLong() {
		return unusable("The schema of the tool is longer than %d characters".formatted(MAX_LENGTH));
	}

	private static SchemaCheck unusable(String reason) {
		return new SchemaCheck(null, MissingNode.getInstance(), null, reason);
	}

	private static SchemaRegistry registry(SchemaLimits limits) {
		return SchemaRegistry.withDialects(Dialects.LIMITED, (builder) -> builder.schemaCacheEnabled(false)
			.schemaLoader((loader) -> loader.allow((iri) -> false))
			.schemaRegistryConfig(
					SchemaRegistryConfig.builder().locale(Locale.ENGLISH).regularExpressionFactory(limits).build()));
	}

	private static void checkValues(JsonNode schema) {
		if (schema.isNumber() && GivenNodes.isHuge(schema.decimalValue())) {
			throw new TooCostlyException("The schema of the tool has a number that is too large");
		}
		if ((schema.isArray() && schema.size() > MAX_VALUES) || hasManyOfOneHash(schema.path("enum"))) {
			throw new TooCostlyException("The schema of the tool has a list with too many values");
		}
		schema.forEach(SchemaCheck::checkValues);
	}

	/** Values made to have the same hash are compared each with each. */
	private static boolean hasManyOfOneHash(JsonNode list) {
		Map<Integer, Integer> counts = new HashMap<>();
		for (JsonNode element : list) {
			if (counts.merge(element.hashCode(), 1, Integer::sum) > MAX_OF_ONE_HASH) {
				return true;
			}
		}
		return false;
	}

	/** In bytes, roughly. */
	long weight() {
		return (this.limits != null) ? this.limits.weight() : 0;
	}

	@Nullable String objection(Map<String, ? extends @Nullable Object> arguments) {
		if (this.schema == null) {
			return this.reason;
		}
		try {
			List<Error> mistakes = mistakes(this.schema, arguments);
			return (mistakes.isEmpty()) ? null
					: mistakes.stream()
						.limit(MAX_MISTAKES)
						.map(SchemaCheck::describe)
						.collect(Collectors.joining("; ", "The arguments break the schema of the tool: ", ""));
		}
		catch (TooCostlyException ex) {
			return ex.reason();
		}
		catch (Budget.ExhaustedException | StackOverflowError ex) {
			return SchemaLimits.TOO_LONG;
		}
		catch (SchemaException ex) {
			return UNCHECKED;
		}
	}

	private List<Error> mistakes(Schema schema, Map<String, ? extends @Nullable Object> arguments) {
		Budget budget = new Budget();
		CheckContext context = new CheckContext(CONFIG, budget);
		JsonNode given = GivenNodes.of(arguments, this.source);
		SchemaLimits.within(budget, () -> schema.validate(context, given));
		return context.getErrors();
	}

	private static String describe(Error mistake) {
		String place = SafeText.name(mistake.getInstanceLocation().toString());
		return ((place.isEmpty()) ? "" : place + ": ") + SafeText.name(mistake.getMessage());
	}

}
