package io.agenthooks.spring.annotation;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.stream.Stream;

enum HookAnnotation {

	BEFORE_TOOL_CALL(BeforeToolCall.class, "ToolCall, CallContext"),

	AFTER_TOOL_CALL(AfterToolCall.class, "ToolOutcome, ToolCall, CallContext, ToolResult"),

	ON_TOOL_ERROR(OnToolError.class, "the exception, ToolOutcome, ToolCall, CallContext");

	static final List<Class<? extends Annotation>> TYPES = Stream.of(values())
		.<Class<? extends Annotation>>map((each) -> each.type)
		.toList();

	private final Class<? extends Annotation> type;

	final String parameters;

	HookAnnotation(Class<? extends Annotation> type, String parameters) {
		this.type = type;
		this.parameters = parameters;
	}

	static HookAnnotation of(Class<?> type) {
		return values()[TYPES.indexOf(type)];
	}

	@Override
	public String toString() {
		return "@" + this.type.getSimpleName();
	}

}
