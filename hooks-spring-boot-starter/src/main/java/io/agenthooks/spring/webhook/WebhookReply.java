package io.agenthooks.spring.webhook;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

/**
 * The answer of the endpoint, read strictly: one JSON object in UTF-8, no name twice,
 * nothing after it, and a verdict that is spelled exactly so. Two readers must not
 * understand it differently, and what cannot be understood is no approval. Members that
 * this reader does not know are left alone.
 */
final class WebhookReply {

	/**
	 * Arguments may have 64 levels, and the reply is one around them.
	 */
	private static final int MAX_DEPTH = 65;

	/**
	 * A number like 1e1000000000 is short to write and takes a gigabyte to write out.
	 */
	private static final int MAX_SCALE = 1000;

	private static final JsonMapper mapper = JsonMapper
		.builder(JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
			.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
			.build())
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private final Map<?, ?> members;

	private WebhookReply(Map<?, ?> members) {
		this.members = members;
	}

	/**
	 * What the endpoint decided about a call.
	 * @throws WebhookException if that is not a valid verdict
	 */
	static ToolDecision decisionOf(byte[] body, ToolCall call) {
		if (!(parse(body) instanceof Map<?, ?> members)) {
			throw invalid("is not a JSON object");
		}
		return new WebhookReply(members).decisionAbout(call);
	}

	private static @Nullable Object parse(byte[] body) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
			return plain(mapper.readValue(text, Object.class));
		}
		catch (CharacterCodingException ex) {
			throw invalid("is not UTF-8");
		}
		catch (JacksonException | NumberFormatException ex) {
			throw invalid("is not valid JSON");
		}
	}

	private ToolDecision decisionAbout(ToolCall call) {
		String callId = text("call_id");
		if (callId != null && !callId.equals(call.id())) {
			throw invalid("is about another call");
		}
		String reasoning = text("reasoning");
		String verdict = text("verdict");
		if (verdict == null) {
			throw invalid("has no verdict");
		}
		return switch (verdict) {
			case "approve" -> ToolDecision.approve();
			case "deny" -> ToolDecision.deny(orElse(reasoning, "The webhook gave no reason"));
			case "modify" -> ToolDecision.modify(modifiedArguments());
			case "respond" -> ToolDecision.respond(result());
			case "ask" -> ToolDecision.ask(orElse(reasoning, "The webhook wants a person to approve this call"));
			case "abort" -> abort(orElse(reasoning, "The webhook gave no reason"));
			default -> throw invalid("has a verdict that is none of approve, deny, modify, respond, ask and abort");
		};
	}

	/**
	 * A text that may be missing, but may not be anything else.
	 */
	private @Nullable String text(String name) {
		Object value = this.members.get(name);
		if (value == null) {
			return null;
		}
		if (!(value instanceof String text)) {
			throw invalid("has a " + name + " that is not a string");
		}
		return text;
	}

	private Map<String, @Nullable Object> modifiedArguments() {
		if (!(this.members.get("modified_arguments") instanceof Map<?, ?> arguments)) {
			throw invalid("has the verdict modify, but no object modified_arguments");
		}
		Map<String, @Nullable Object> modified = new LinkedHashMap<>();
		arguments.forEach((name, value) -> modified.put((String) name, value));
		return modified;
	}

	private ToolResult result() {
		Object result = this.members.get("result");
		if (result == null) {
			throw invalid("has the verdict respond, but no result");
		}
		return (result instanceof String text) ? ToolResult.success(text)
				: ToolResult.success(mapper.writeValueAsString(result), result);
	}

	private ToolDecision abort(String reason) {
		String scope = text("scope");
		if (scope == null || scope.equals("turn")) {
			return ToolDecision.abortTurn(reason);
		}
		if (scope.equals("run")) {
			return ToolDecision.abortRun(reason);
		}
		throw invalid("has a scope that is neither turn nor run");
	}

	private static String orElse(@Nullable String reasoning, String other) {
		return (reasoning == null || reasoning.isBlank()) ? other : reasoning;
	}

	/**
	 * The value with the number types that tools are used to, and no number that is too
	 * big to be one for them.
	 */
	private static @Nullable Object plain(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
			map.forEach((name, member) -> copy.put(name, plain(member)));
			return copy;
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> copy = new ArrayList<>(list.size());
			list.forEach((element) -> copy.add(plain(element)));
			return copy;
		}
		if (value instanceof BigInteger integer && Double.isInfinite(integer.doubleValue())) {
			throw invalid("holds a number that is too big");
		}
		return (value instanceof BigDecimal decimal) ? plain(decimal) : value;
	}

	/**
	 * The number as a double if that is exactly the same number.
	 */
	private static Number plain(BigDecimal decimal) {
		double number = decimal.doubleValue();
		if (Math.abs((long) decimal.scale()) > MAX_SCALE || Double.isInfinite(number)) {
			throw invalid("holds a number that is too big");
		}
		return (new BigDecimal(Double.toString(number)).compareTo(decimal) == 0) ? (Number) number : decimal;
	}

	private static WebhookException invalid(String what) {
		return WebhookException.refusal("The answer of the webhook " + what);
	}

}
