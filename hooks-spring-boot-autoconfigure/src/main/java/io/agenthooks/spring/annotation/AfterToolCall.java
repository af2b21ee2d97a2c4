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
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * Makes a method of a bean a hook that learns how a call ended: of every call, also one
 * that was denied, answered, aborted, or that failed. Look at {@link ToolOutcome#status()
 * the status} for successes only.
 * <p>
 * The method takes, in any order and each at most once, a {@link ToolOutcome}, the
 * {@link ToolCall} as the hooks left it, its {@link CallContext}, and the
 * {@link ToolResult} that the agent got, which is {@code null} if an exception ended the
 * call; or nothing. It returns nothing. What it throws is logged and changes nothing. It
 * is called by many threads at once, and must be an instance method that is not private.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface AfterToolCall {

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
