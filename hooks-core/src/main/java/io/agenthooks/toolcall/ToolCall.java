package io.agenthooks.toolcall;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.UniqueId;
import io.agenthooks.chain.HookedCall;

/**
 * A call of a tool that the agent wants. Deeply immutable: what a hook saw is what the
 * tool gets. Arguments are copied JSON values: {@code null}, strings, booleans, finite
 * numbers, lists and maps with string keys, nested at most {@value Arguments#MAX_DEPTH}
 * levels, at most {@value Arguments#MAX_VALUES} of them. How large they may be all
 * together is for the {@linkplain ToolHookChain#setMaxArgumentsSize chain} to say.
 *
 * @param id identifies this call among all others. The id that a model's provider gave to
 * it, which may come again, is the attribute {@value CallAttributes#PROVIDER_CALL_ID} of
 * the context.
 * @param tool the name of the tool, exactly as the agent wrote it; only one of its names
 * @param arguments the arguments by name
 * @param context who makes the call, and where; {@value CallAttributes#MCP_SERVER} and
 * {@value CallAttributes#MCP_TOOL} always agree with {@code identity}
 * @param identity which tool it is: a hook that is for a tool tests
 * {@link ToolIdentity#isNamed(String)}, since a name alone says little
 * @since 0.1.0
 */
public record ToolCall(String id, String tool, Map<String, @Nullable Object> arguments, CallContext context,
		ToolIdentity identity) implements HookedCall {

	/**
	 * Create a call.
	 * @throws IllegalArgumentException if the arguments are no such JSON values, or the
	 * tool is not that of the identity
	 */
	public ToolCall {
		Objects.requireNonNull(id, "'id' must not be null");
		Objects.requireNonNull(tool, "'tool' must not be null");
		Objects.requireNonNull(context, "'context' must not be null");
		if (!identity.modelName().equals(tool)) {
			throw new IllegalArgumentException("'identity' must be that of the tool");
		}
		arguments = Arguments.copyOf(arguments);
		context = identity.describeIn(context);
	}

	/**
	 * A call with a new id and an empty context.
	 * @param tool the name of the tool
	 * @param arguments the arguments by name
	 * @return the call
	 * @throws IllegalArgumentException if the arguments are no such JSON values
	 */
	public static ToolCall of(String tool, Map<String, ? extends @Nullable Object> arguments) {
		return of(tool, arguments, CallContext.empty());
	}

	/**
	 * A call with a new id.
	 * @param tool the name of the tool
	 * @param arguments the arguments by name
	 * @param context who makes the call, and where
	 * @return the call
	 * @throws IllegalArgumentException if the arguments are no such JSON values
	 */
	public static ToolCall of(String tool, Map<String, ? extends @Nullable Object> arguments, CallContext context) {
		return of(UniqueId.next(), tool, arguments, context);
	}

	/**
	 * Create a call that has an id already.
	 * @param id the id of the call
	 * @param tool the name of the tool
	 * @param arguments the arguments
	 * @param context who makes the call
	 * @return the call
	 * @throws IllegalArgumentException if the arguments are no such JSON values
	 */
	public static ToolCall of(String id, String tool, Map<String, ? extends @Nullable Object> arguments,
			CallContext context) {
		return new ToolCall(id, tool, Arguments.copyOf(arguments), context, ToolIdentity.of(tool, context));
	}

	/**
	 * Create a call of a tool whose origin is known.
	 * @param id the id of the call
	 * @param tool the tool
	 * @param arguments the arguments
	 * @param context who makes the call
	 * @return the call
	 * @throws IllegalArgumentException if the arguments are no such JSON values
	 */
	public static ToolCall of(String id, ToolIdentity tool, Map<String, ? extends @Nullable Object> arguments,
			CallContext context) {
		return new ToolCall(id, tool.modelName(), Arguments.copyOf(arguments), context, tool);
	}

	/**
	 * This call with other arguments.
	 * @param arguments all arguments
	 * @return the new call, with the same id
	 * @throws IllegalArgumentException if the arguments are no such JSON values
	 */
	public ToolCall withArguments(Map<String, ? extends @Nullable Object> arguments) {
		return new ToolCall(this.id, this.tool, Arguments.copyOf(arguments), this.context, this.identity);
	}

	/**
	 * This call from elsewhere.
	 * @param context who makes the call, and where
	 * @return the new call, with the same id
	 */
	public ToolCall withContext(CallContext context) {
		return new ToolCall(this.id, this.tool, this.arguments, context, this.identity);
	}

	long length() {
		return ((Arguments) this.arguments).length();
	}

	/** The call without the values of its arguments, which may be secret. */
	@Override
	public String toString() {
		return "ToolCall[id=%s, tool=%s, arguments=%s, context=%s]".formatted(SafeText.name(this.id),
				SafeText.name(this.tool), this.arguments.keySet().stream().map(SafeText::name).toList(), this.context);
	}

}
