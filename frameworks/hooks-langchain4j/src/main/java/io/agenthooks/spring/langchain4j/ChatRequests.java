package io.agenthooks.spring.langchain4j;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.UniqueId;
import io.agenthooks.llmcall.LlmCall;

/**
 * Translates questions. Hooks see the options that every model has, with its defaults.
 */
final class ChatRequests {

	private ChatRequests() {
	}

	static LlmCall forHooks(ChatRequest asked, @Nullable ChatRequestParameters defaults, CallContext context) {
		ChatRequestParameters parameters = (defaults != null) ? defaults.overrideWith(asked.parameters())
				: asked.parameters();
		return new LlmCall(UniqueId.next(), asked.messages().stream().map(ChatMessages::forHooks).toList(),
				parameters.modelName(), options(parameters), toolsOf(parameters), context);
	}

	private static Map<String, Object> options(ChatRequestParameters parameters) {
		Map<String, @Nullable Object> options = new LinkedHashMap<>();
		options.put("temperature", parameters.temperature());
		options.put("maxOutputTokens", parameters.maxOutputTokens());
		options.put("topP", parameters.topP());
		options.put("topK", parameters.topK());
		options.put("frequencyPenalty", parameters.frequencyPenalty());
		options.put("presencePenalty", parameters.presencePenalty());
		List<String> stops = parameters.stopSequences();
		options.put("stopSequences", (stops != null && !stops.isEmpty()) ? stops : null);
		Map<String, Object> known = new LinkedHashMap<>();
		options.forEach((name, value) -> {
			if (value != null) {
				known.put(name, value);
			}
		});
		return known;
	}

	private static List<String> toolsOf(ChatRequestParameters parameters) {
		List<ToolSpecification> tools = parameters.toolSpecifications();
		return (tools != null) ? tools.stream().map(ToolSpecification::name).toList() : List.of();
	}

	/** An option that a hook leaves out stays: LangChain4j cannot unset any. */
	static ChatRequest fromHooks(ChatRequest asked, LlmCall before, LlmCall call) {
		ChatRequest.Builder changed = asked.toBuilder();
		if (!call.messages().equals(before.messages())) {
			changed.messages(call.messages().stream().map(ChatMessages::fromHooks).toList());
		}
		else if (call.options().equals(before.options()) && Objects.equals(call.model(), before.model())) {
			return asked;
		}
		DefaultChatRequestParameters.Builder<?> overrides = ChatRequestParameters.builder();
		if (!Objects.equals(call.model(), before.model())) {
			overrides.modelName(call.model());
		}
		call.options().forEach((name, value) -> {
			if (!value.equals(before.options().get(name))) {
				set(overrides, name, value);
			}
		});
		return changed.parameters(asked.parameters().overrideWith(overrides.build())).build();
	}

	private static void set(DefaultChatRequestParameters.Builder<?> parameters, String name, Object value) {
		try {
			switch (name) {
				case "temperature" -> parameters.temperature(decimal(value));
				case "maxOutputTokens" -> parameters.maxOutputTokens(integer(value));
				case "topP" -> parameters.topP(decimal(value));
				case "topK" -> parameters.topK(integer(value));
				case "frequencyPenalty" -> parameters.frequencyPenalty(decimal(value));
				case "presencePenalty" -> parameters.presencePenalty(decimal(value));
				case "stopSequences" ->
					parameters.stopSequences(((List<?>) value).stream().map(String.class::cast).toList());
				default -> throw new IllegalStateException(
						"A hook set the option '%s' of a model call, which LangChain4j does not have"
							.formatted(SafeText.name(name)));
			}
		}
		catch (ArithmeticException | ClassCastException ex) {
			throw new IllegalStateException(
					"A hook set the option '%s' of a model call to a value of another kind".formatted(name), ex);
		}
	}

	private static Double decimal(Object value) {
		return ((Number) value).doubleValue();
	}

	private static Integer integer(Object value) {
		return (value instanceof Integer integer) ? integer : Math.toIntExact((Long) value);
	}

}
