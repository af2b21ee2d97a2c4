package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalRequest.Brief;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * The description of a tool and the order of its arguments, for people. Nothing depends
 * on them.
 */
record ToolWords(ApprovalConfig config, Supplier<KnownTools> known, OfferedSchemas offered) {

	private static final StrictJson json = new StrictJson(Byte.MAX_VALUE);

	private static final int MAX_ARGUMENTS = 100;

	private static final int MAX_NAME = 100;

	Brief briefOf(ToolIdentity tool, ToolDecision.Ask question) {
		OfferedSchemas.Told told = this.offered.toldOf(tool.modelName());
		KnownTools tools = (told == null && tool.isOfApplication()) ? this.known.get() : new KnownTools();
		String description = (told != null) ? told.description() : tools.descriptionOf(tool.modelName());
		Set<String> schemas = (told != null) ? Set.of(told.schema()) : tools.declaredOf(tool.modelName());
		return new Brief(this.config.templateFor(tool), lineOf(description),
				(schemas.size() == 1) ? orderIn(schemas.iterator().next()) : List.of(), question.about());
	}

	private static @Nullable String lineOf(@Nullable String description) {
		String line = (description != null) ? SafeText.reason(description) : "";
		return (line.isEmpty()) ? null : line;
	}

	private static List<String> orderIn(String schema) {
		try {
			Map<String, ?> read = json.readObject(schema.getBytes(StandardCharsets.UTF_8));
			return (read.get("properties") instanceof Map<?, ?> properties) ? properties.keySet()
				.stream()
				.map(String::valueOf)
				.filter((name) -> name.length() <= MAX_NAME)
				.limit(MAX_ARGUMENTS)
				.toList() : List.of();
		}
		catch (RuntimeException ex) {
			return List.of();
		}
	}

}
