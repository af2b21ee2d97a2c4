package io.agenthooks.spring.annotation;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

record MethodParameters<S>(List<Parameter<S>> parameters) {

	static final List<Parameter<ToolCall>> OF_CALL = List.of(new Parameter<>(ToolCall.class, (call) -> call),
			new Parameter<>(CallContext.class, ToolCall::context));

	static final List<Parameter<ToolOutcome>> OF_OUTCOME = List.of(
			new Parameter<>(ToolOutcome.class, (outcome) -> outcome),
			new Parameter<>(ToolCall.class, ToolOutcome::effective),
			new Parameter<>(CallContext.class, (outcome) -> outcome.effective().context()),
			new Parameter<>(ToolResult.class, ToolOutcome::result));

	static final List<Parameter<ToolOutcome>> OF_FAILURE = List.of(OF_OUTCOME.get(0), OF_OUTCOME.get(1),
			OF_OUTCOME.get(2), new Parameter<>(Throwable.class, ToolOutcome::failure));

	@Nullable Object[] arguments(S source) {
		@Nullable Object[] arguments = new Object[this.parameters.size()];
		for (int i = 0; i < arguments.length; i++) {
			arguments[i] = this.parameters.get(i).source().apply(source);
		}
		return arguments;
	}

	record Parameter<S>(Class<?> type, Function<S, @Nullable Object> source) {

		boolean isOf(@Nullable Class<?> type) {
			return type != null
					&& (type == this.type || (this.type == Throwable.class && Throwable.class.isAssignableFrom(type)));
		}

	}

}
