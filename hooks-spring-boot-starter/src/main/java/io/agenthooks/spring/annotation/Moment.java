package io.agenthooks.spring.annotation;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.stream.Stream;

/**
 * When a method is called, told by its annotation.
 */
enum Moment {

	BEFORE_CALL(BeforeToolCall.class, "ToolCall, CallContext"),

	AFTER_CALL(AfterToolCall.class, "ToolOutcome, ToolCall, CallContext, ToolResult"),

	ON_ERROR(OnToolError.class, "the exception, ToolOutcome, ToolCall, CallContext");

	static final List<Class<? extends Annotation>> ANNOTATIONS = Stream.of(values())
		.<Class<? extends Annotation>>map((moment) -> moment.annotation)
		.toList();

	private final Class<? extends Annotation> annotation;

	/** What a method can take, for a person to read. */
	final String parameters;

	Moment(Class<? extends Annotation> annotation, String parameters) {
		this.annotation = annotation;
		this.parameters = parameters;
	}

	static Moment of(Class<?> annotation) {
		return values()[ANNOTATIONS.indexOf(annotation)];
	}

	@Override
	public String toString() {
		return "@" + this.annotation.getSimpleName();
	}

}
