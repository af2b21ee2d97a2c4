package io.agenthooks.spring.ai;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.prompt.ChatOptions;

import io.agenthooks.SafeText;
import io.agenthooks.llmcall.LlmCall;

/** The options that every model has, as hooks see them, and back. */
final class PromptOptions {

	private static final List<Option> ALL = List.of(
			new Option("temperature", ChatOptions::getTemperature,
					(options, value) -> options.temperature(decimal(value))),
			new Option("maxTokens", ChatOptions::getMaxTokens, (options, value) -> options.maxTokens(integer(value))),
			new Option("topP", ChatOptions::getTopP, (options, value) -> options.topP(decimal(value))),
			new Option("topK", ChatOptions::getTopK, (options, value) -> options.topK(integer(value))),
			new Option("frequencyPenalty", ChatOptions::getFrequencyPenalty,
					(options, value) -> options.frequencyPenalty(decimal(value))),
			new Option("presencePenalty", ChatOptions::getPresencePenalty,
					(options, value) -> options.presencePenalty(decimal(value))),
			new Option("stopSequences", PromptOptions::stopSequences,
					(options, value) -> options.stopSequences(texts(value))));

	private PromptOptions() {
	}

	static Map<String, Object> forHooks(@Nullable ChatOptions options) {
		Map<String, Object> shown = new LinkedHashMap<>();
		if (options != null) {
			for (Option option : ALL) {
				Object value = option.reader().apply(options);
				if (value != null) {
					shown.put(option.name(), value);
				}
			}
		}
		return shown;
	}

	/** Of the same type, with all that hooks do not see. */
	static @Nullable ChatOptions fromHooks(@Nullable ChatOptions options, LlmCall before, LlmCall call) {
		if (call.options().equals(before.options()) && Objects.equals(call.model(), before.model())) {
			return options;
		}
		ChatOptions.Builder<?> changed = (options != null) ? options.mutate() : ChatOptions.builder();
		if (!Objects.equals(call.model(), before.model())) {
			changed = changed.model(call.model());
		}
		Map<String, Object> rest = new LinkedHashMap<>(call.options());
		for (Option option : ALL) {
			Object value = rest.remove(option.name());
			if (!Objects.equals(value, before.options().get(option.name()))) {
				changed = option.write(changed, value);
			}
		}
		if (!rest.isEmpty()) {
			throw new IllegalStateException("A hook set the options %s of a model call, but can only set %s".formatted(
					rest.keySet().stream().map(SafeText::name).toList(), ALL.stream().map(Option::name).toList()));
		}
		return changed.build();
	}

	private static @Nullable Double decimal(@Nullable Object value) {
		return (value != null) ? ((Number) value).doubleValue() : null;
	}

	private static @Nullable Integer integer(@Nullable Object value) {
		if (value == null) {
			return null;
		}
		double number = ((Number) value).doubleValue();
		if (number != Math.rint(number)) {
			throw new ArithmeticException();
		}
		return Math.toIntExact((long) number);
	}

	private static @Nullable List<String> texts(@Nullable Object value) {
		return (value != null) ? ((List<?>) value).stream().map(String.class::cast).toList() : null;
	}

	private static @Nullable List<String> stopSequences(ChatOptions options) {
		return (options.getStopSequences() != null) ? List.copyOf(options.getStopSequences()) : null;
	}

	private record Option(String name, Function<ChatOptions, @Nullable Object> reader,
			BiFunction<ChatOptions.Builder<?>, @Nullable Object, ChatOptions.Builder<?>> writer) {

		ChatOptions.Builder<?> write(ChatOptions.Builder<?> options, @Nullable Object value) {
			try {
				return this.writer.apply(options, value);
			}
			catch (ArithmeticException | ClassCastException ex) {
				throw new IllegalStateException(
						"A hook set the option '%s' of a model call to a value of another kind".formatted(this.name),
						ex);
			}
		}

	}

}
