package io.agenthooks.llmcall;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AdditionalContext;
import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.HookedCall;

/**
 * A question to a model: the whole prompt, as it is sent. An agent asks once per step, so
 * a run with tools has several.
 *
 * @param id identifies this call among all others
 * @param messages the prompt
 * @param model the name of the model, or {@code null} if it is unknown and the model
 * itself knows
 * @param options what else the model is told, such as {@code temperature}; lists among
 * the values are to be immutable
 * @param tools the names of the tools that the model may call; no hook changes them
 * @param context who makes the call, and where
 * @since 0.1.0
 */
public record LlmCall(String id, List<LlmMessage> messages, @Nullable String model, Map<String, Object> options,
		List<String> tools, CallContext context) implements HookedCall {

	public LlmCall {
		Objects.requireNonNull(id, "'id' must not be null");
		Objects.requireNonNull(context, "'context' must not be null");
		messages = List.copyOf(messages);
		options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
		tools = List.copyOf(tools);
	}

	/**
	 * A call with a new random id, of no particular model, without options and tools.
	 * @param messages the prompt
	 * @return the call
	 */
	public static LlmCall of(LlmMessage... messages) {
		return new LlmCall(UniqueId.next(), List.of(messages), null, Map.of(), List.of(), CallContext.empty());
	}

	/**
	 * This call with another prompt.
	 * @param messages the prompt
	 * @return the new call, with the same id
	 */
	public LlmCall withMessages(List<LlmMessage> messages) {
		return new LlmCall(this.id, messages, this.model, this.options, this.tools, this.context);
	}

	/**
	 * This call to another model.
	 * @param model the name of the model, or {@code null} if it is unknown
	 * @return the new call, with the same id
	 */
	public LlmCall withModel(@Nullable String model) {
		return new LlmCall(this.id, this.messages, model, this.options, this.tools, this.context);
	}

	/**
	 * This call with other options.
	 * @param options the options
	 * @return the new call, with the same id
	 */
	public LlmCall withOptions(Map<String, Object> options) {
		return new LlmCall(this.id, this.messages, this.model, options, this.tools, this.context);
	}

	/**
	 * This call with other tools.
	 * @param tools the names of the tools that the model may call
	 * @return the new call, with the same id
	 */
	public LlmCall withTools(List<String> tools) {
		return new LlmCall(this.id, this.messages, this.model, this.options, tools, this.context);
	}

	/**
	 * This call from elsewhere.
	 * @param context who makes the call, and where
	 * @return the new call, with the same id
	 */
	public LlmCall withContext(CallContext context) {
		return new LlmCall(this.id, this.messages, this.model, this.options, this.tools, context);
	}

	/** As data at the end of the person's last message, or in a message of its own. */
	LlmCall withAdditionalContext(String additionalContext) {
		String run = this.context.runId();
		List<LlmMessage> messages = new ArrayList<>(this.messages);
		for (int i = messages.size() - 1; i >= 0; i--) {
			LlmMessage message = messages.get(i);
			if (message.role() == LlmRole.USER) {
				messages.set(i, message.withText(AdditionalContext.append(message.text(), additionalContext, run)));
				return withMessages(messages);
			}
		}
		messages.add(LlmMessage.user(AdditionalContext.mark(additionalContext, run)));
		return withMessages(messages);
	}

	/**
	 * The call without its messages and the values of its options, which may be secret.
	 */
	@Override
	public String toString() {
		return "LlmCall[id=%s, messages=%d, model=%s, options=%s, tools=%d, context=%s]".formatted(
				SafeText.name(this.id), this.messages.size(), (this.model != null) ? SafeText.name(this.model) : null,
				this.options.keySet().stream().map(SafeText::name).toList(), this.tools.size(), this.context);
	}

}
