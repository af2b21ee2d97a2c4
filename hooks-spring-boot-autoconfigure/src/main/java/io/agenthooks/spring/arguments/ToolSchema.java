package io.agenthooks.spring.arguments;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * The JSON schema of a tool's arguments. Reading it and holding arguments against it end
 * within about a quarter of a second, whatever the two are; what takes longer is denied.
 *
 * @since 0.1.0
 */
public final class ToolSchema {

	/** The most bytes of the schemas in memory, roughly. */
	private static final long MAX_WEIGHT = 32 * 1024 * 1024;

	private static final long OWN_WEIGHT = 1024;

	/** Tools are often made anew for each request, with the same schema as before. */
	private static final ConcurrentMap<String, ToolSchema> schemas = new ConcurrentHashMap<>();

	private static final AtomicLong weight = new AtomicLong();

	private final @Nullable SchemaCheck check;

	private ToolSchema(@Nullable SchemaCheck check) {
		this.check = check;
	}

	public static ToolSchema of(String schema) {
		ToolSchema known = schemas.get(schema);
		if (known != null) {
			return known;
		}
		ToolSchema read = new ToolSchema((schema.isBlank()) ? null : SchemaCheck.of(schema));
		return (schema.length() <= SchemaCheck.MAX_LENGTH) ? remember(schema, read) : read;
	}

	public static ToolSchema of(Map<String, ? extends @Nullable Object> schema) {
		try {
			return of(ToolArguments.write(schema, SchemaCheck.MAX_LENGTH));
		}
		catch (InvalidToolArgumentsException ex) {
			return new ToolSchema(SchemaCheck.tooLong());
		}
	}

	/** When there are too many, all are forgotten, and are read again when needed. */
	private static ToolSchema remember(String schema, ToolSchema read) {
		long added = OWN_WEIGHT + 2L * schema.length() + ((read.check != null) ? read.check.weight() : 0);
		if (weight.addAndGet(added) > MAX_WEIGHT) {
			schemas.clear();
			weight.set(added);
		}
		ToolSchema other = schemas.putIfAbsent(schema, read);
		return (other != null) ? other : read;
	}

	/**
	 * Hold arguments against the schema.
	 * @param arguments the arguments
	 * @return where they break the schema and how, without their values; {@code null} if
	 * they do not
	 */
	public @Nullable String objection(Map<String, ? extends @Nullable Object> arguments) {
		return (this.check != null) ? this.check.objection(arguments) : null;
	}

}
