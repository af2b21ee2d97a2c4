package io.agenthooks.spring.arguments;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentLruCache;

/**
 * The JSON schema of a tool's arguments. Checked by json-schema-validator, which Spring
 * AI brings along; without that library nothing is checked.
 *
 * @since 0.1.0
 */
public final class ToolSchema {

	private static final boolean validatorPresent = ClassUtils.isPresent("com.networknt.schema.SchemaRegistry",
			ToolSchema.class.getClassLoader());

	/** Tools are often made anew for each request, with the same schema as before. */
	private static final ConcurrentLruCache<String, ToolSchema> schemas = new ConcurrentLruCache<>(256,
			ToolSchema::new);

	private final @Nullable SchemaCheck check;

	private ToolSchema(String schema) {
		this.check = (validatorPresent && !schema.isBlank()) ? SchemaCheck.of(schema) : null;
	}

	/**
	 * Read a schema, or take it from memory.
	 * @param schema the JSON text; blank text allows everything
	 * @return the schema; one that allows nothing if the text is no usable schema
	 */
	public static ToolSchema of(String schema) {
		return schemas.get(schema);
	}

	/**
	 * What is wrong with arguments.
	 * @param arguments the arguments
	 * @return where they break the schema and how, without their values; {@code null} if
	 * they do not
	 */
	public @Nullable String objection(Map<String, ? extends @Nullable Object> arguments) {
		return (this.check != null) ? this.check.objection(arguments) : null;
	}

}
