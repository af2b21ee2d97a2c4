package io.agenthooks.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.Ordered;

import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Makes a method of a bean a hook that learns of calls whose tool
 * {@linkplain ToolCallStatus#FAILED failed}: it threw, or it reported a failure.
 * <p>
 * The method takes, in any order and each at most once, the exception, a
 * {@link ToolOutcome}, the {@link ToolCall} as the hooks left it, and its
 * {@link CallContext}; or nothing. One that takes an exception hears only of tools that
 * threw one of that type. It returns nothing. What it throws is logged and changes
 * nothing. It is called by many threads at once, and must be an instance method that is
 * not private.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface OnToolError {

	/**
	 * For which tools the method is.
	 * @return {@linkplain Glob globs} of names of tools, of which one has to match one of
	 * the names of a tool; all tools if there is none
	 */
	String[] tools() default {};

	/**
	 * The place among all hooks after the call.
	 * @return the order; lower runs first
	 */
	int order() default Ordered.LOWEST_PRECEDENCE;

	/**
	 * The name in logs, metrics and audit.
	 * @return the name; that of the bean, a dot and that of the method if empty
	 */
	String name() default "";

}
