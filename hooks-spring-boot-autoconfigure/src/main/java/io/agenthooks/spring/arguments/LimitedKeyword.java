package io.agenthooks.spring.arguments;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.keyword.RefValidator;
import com.networknt.schema.path.NodePath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Counts as a part of its schema, and pays for what its checks have to go through. */
final class LimitedKeyword implements Keyword {

	/** They go through all of their values. */
	private static final Set<String> COMPARING = Set.of("enum", "const", "uniqueItems", "dependencies",
			"dependentRequired");

	/** The least cost of a check, compared to searching a character. */
	private static final int CHECK = 50;

	/** The cost of coming by an element or a member. */
	private static final int ELEMENT = 15;

	/** The cost of remembering a member for keywords that ask about the rest. */
	private static final int NOTE = 40;

	private final Keyword keyword;

	LimitedKeyword(Keyword keyword) {
		this.keyword = keyword;
	}

	@Override
	public String getValue() {
		return this.keyword.getValue();
	}

	@Override
	public @Nullable KeywordValidator newValidator(SchemaLocation location, JsonNode schema, Schema parent,
			SchemaContext context) throws Exception {
		SchemaLimits limits = SchemaLimits.of(context);
		limits.addPart(getValue(), schema);
		KeywordValidator validator = this.keyword.newValidator(location, schema, parent, context);
		return (validator != null) ? new Validator(validator, schema, limits) : null;
	}

	/**
	 * All of a value that is compared, otherwise only its first level. Time to calculate
	 * grows with the square of the digits.
	 */
	private static long weightOf(JsonNode value, boolean whole) {
		long weight = 1L + value.size();
		if (value.isString()) {
			return weight + value.stringValue().length() / 32;
		}
		if (value.isNumber()) {
			long digits = digitsOf(value);
			return weight + digits * (20 + digits / 4) / ELEMENT;
		}
		if (whole) {
			for (JsonNode inner : value) {
				weight += weightOf(inner, true);
			}
		}
		return weight;
	}

	private static long digitsOf(JsonNode number) {
		if (number.isBigDecimal()) {
			BigDecimal decimal = number.decimalValue();
			return Math.abs((long) decimal.scale()) + decimal.unscaledValue().bitLength() / 3;
		}
		if (number.isBigInteger()) {
			return number.bigIntegerValue().bitLength() / 3;
		}
		return (number.isIntegralNumber()) ? 0 : Math.abs(Math.getExponent(number.doubleValue())) / 3;
	}

	private static final class Validator implements KeywordValidator {

		private final KeywordValidator validator;

		private final String keyword;

		private final SchemaLimits limits;

		private final long weight;

		private final boolean comparing;

		Validator(KeywordValidator validator, JsonNode schema, SchemaLimits limits) {
			this.validator = validator;
			this.keyword = validator.getKeyword();
			this.limits = limits;
			this.comparing = COMPARING.contains(this.keyword);
			this.weight = weightOf(schema, this.comparing);
		}

		@Override
		public void validate(ExecutionContext executionContext, JsonNode value, JsonNode root, NodePath place) {
			CheckContext context = (CheckContext) executionContext;
			context.spend(CHECK + ELEMENT * (this.weight + weightOf(value, this.comparing))
					+ ((context.isUnevaluatedPropertiesPresent()) ? (long) NOTE * value.size() : 0));
			switch (this.keyword) {
				case "uniqueItems" -> checkUnique(context, value, root, place);
				case "$ref" -> checkReferred(context, value, root, place);
				case "unevaluatedItems", "unevaluatedProperties" -> {
					List<?> annotations = context.getAnnotations().asMap().get(place);
					context.spendOnNotes((annotations != null) ? annotations.size() : 0);
					this.validator.validate(context, value, root, place);
				}
				default -> this.validator.validate(context, value, root, place);
			}
		}

		private void checkReferred(CheckContext context, JsonNode value, JsonNode root, NodePath place) {
			if (value.isContainer() && !this.limits.depends() && this.validator instanceof RefValidator reference) {
				Schema schema = reference.getSchemaRef().getSchema();
				if (schema != null) {
					context.refer(schema, value, () -> this.validator.validate(context, value, root, place));
					return;
				}
			}
			this.validator.validate(context, value, root, place);
		}

		/**
		 * Texts can be put in order: elements made to have the same hash are not compared
		 * each with each.
		 */
		private void checkUnique(CheckContext context, JsonNode value, JsonNode root, NodePath place) {
			if (!value.isArray()) {
				return;
			}
			Set<String> seen = new HashSet<>();
			for (JsonNode element : value) {
				StringBuilder text = new StringBuilder();
				write(element, text);
				context.spend(text.length());
				if (!seen.add(text.toString())) {
					this.validator.validate(context, JsonNodeFactory.instance.arrayNode().add(element).add(element),
							root, place);
					return;
				}
			}
		}

		/** Equal values are the same text. */
		private static void write(JsonNode value, StringBuilder text) {
			if (value.isArray()) {
				text.append('[').append(value.size()).append(':');
				value.forEach((element) -> write(element, text));
			}
			else if (value.isObject()) {
				text.append('{').append(value.size()).append(':');
				TreeMap<String, JsonNode> members = new TreeMap<>();
				value.properties().forEach((member) -> members.put(member.getKey(), member.getValue()));
				members.forEach((name, member) -> {
					text.append(name.length()).append(name);
					write(member, text);
				});
			}
			else if (value.isNumber()) {
				text.append('#').append(value.decimalValue().stripTrailingZeros()).append(';');
			}
			else if (value.isString()) {
				text.append('"').append(value.stringValue().length()).append(':').append(value.stringValue());
			}
			else {
				text.append(value.asString()).append(';');
			}
		}

		@Override
		public void walk(ExecutionContext executionContext, JsonNode value, JsonNode root, NodePath place,
				boolean validate) {
			throw new UnsupportedOperationException("Schemas are only checked");
		}

		@Override
		public void preloadSchema() {
			this.validator.preloadSchema();
		}

		@Override
		public String getKeyword() {
			return this.keyword;
		}

		@Override
		public SchemaLocation getSchemaLocation() {
			return this.validator.getSchemaLocation();
		}

	}

}
