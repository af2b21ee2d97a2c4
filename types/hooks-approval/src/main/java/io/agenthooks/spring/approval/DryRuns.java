package io.agenthooks.spring.approval;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Verdict;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.approval.PreviewValues.UnshowableException;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

/**
 * Calls tools with an argument that lets them change nothing. A tool that does not know
 * the argument would ignore it and do what people are to decide about, so it is called
 * only if its schema says that the argument is true or false, and no hook denies the
 * call. Hooks do not count it: it is part of the question.
 */
record DryRuns(CalledTools tools, Supplier<ToolHookChain> chain, Supplier<ToolHooks> hooks, OfferedSchemas offered,
		Supplier<KnownTools> known) {

	private static final StrictJson json = new StrictJson(1);

	Object run(ToolCall call, String argument) {
		if (!knows(call.identity(), argument)) {
			throw new UnshowableException(
					"was not called, because its schema has no argument '%s' that is true or false"
						.formatted(argument));
		}
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>(call.arguments());
		arguments.put(argument, true);
		ToolCall dry = call.withArguments(arguments);
		Verdict verdict = this.hooks.get().explain(dry).verdict();
		if (verdict == Verdict.DENY || verdict == Verdict.ABORT || verdict == Verdict.MODIFY) {
			throw new UnshowableException("was not called, because a hook does not let it be called so");
		}
		ToolExecutor tool;
		try {
			tool = this.tools.find(dry, (each) -> null, "");
		}
		catch (ApprovalRefusedException ex) {
			throw new UnshowableException("was not called, because it is no bean, or one of several of its name");
		}
		if (tool.objection(dry) != null) {
			throw new UnshowableException("does not accept to be called so");
		}
		ToolResult result = this.chain.get().executeUndecided(dry, tool);
		if (!result.succeeded()) {
			throw new UnshowableException("failed");
		}
		return valueOf(result.content());
	}

	private boolean knows(ToolIdentity tool, String argument) {
		OfferedSchemas.Told told = this.offered.toldOf(tool.modelName());
		Set<String> schemas = (told != null) ? Set.of(told.schema())
				: (tool.isOfApplication()) ? this.known.get().declaredOf(tool.modelName()) : Set.of();
		return !schemas.isEmpty() && schemas.stream().allMatch((schema) -> isFlag(schema, argument));
	}

	private static boolean isFlag(String schema, String argument) {
		try {
			return json.readObject(schema.getBytes(StandardCharsets.UTF_8))
				.get("properties") instanceof Map<?, ?> properties
					&& properties.get(argument) instanceof Map<?, ?> property && "boolean".equals(property.get("type"));
		}
		catch (InvalidJsonException ex) {
			return false;
		}
	}

	private static Object valueOf(String content) {
		if (content.length() > PreviewValues.MAX_CHARACTERS) {
			throw PreviewValues.tooLarge();
		}
		if (!content.startsWith("{") && !content.startsWith("[")) {
			return content;
		}
		try {
			return json.read(content);
		}
		catch (InvalidJsonException ex) {
			return content;
		}
	}

}
