package io.agenthooks.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.CompletionStage;

import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.Ordered;
import org.springframework.core.ReactiveAdapterRegistry;

import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

/**
 * Makes a method of a bean a hook that decides about a call before the tool runs.
 * <p>
 * The method takes, in any order and each at most once, a {@link ToolCall} and a
 * {@link CallContext}, and arguments of the call with {@link Arg @Arg}, or nothing. It
 * returns one of these:
 * <ul>
 * <li>a {@link ToolDecision};</li>
 * <li>a {@code boolean}: {@code false} denies;</li>
 * <li>nothing: it has no objection unless it throws;</li>
 * <li>a {@link CompletionStage}, a {@code Mono} or another type of one value that the
 * {@link ReactiveAdapterRegistry} knows, of a {@link ToolDecision}, of a {@link Boolean}
 * or of {@link Void}. The calling thread waits for it.</li>
 * </ul>
 * A method that throws, returns {@code null} or promises a value and never has one
 * denies. It is called by many threads at once, and must be an instance method that is
 * not private. A method that should be asked again when arguments change, because it is a
 * {@linkplain PreToolHook#isRepeatable() policy}, cannot say so: implement
 * {@link PreToolHook} for that.
 *
 * @since 0.1.0
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface BeforeToolCall {

	/**
	 * For which tools the method is.
	 * @return {@linkplain Glob globs} of names of tools, of which one has to match one of
	 * the names of a tool; all tools if there is none
	 */
	String[] tools() default {};

	/**
	 * The place among all hooks before the call.
	 * @return the order; lower runs first
	 */
	int order() default Ordered.LOWEST_PRECEDENCE;

	/**
	 * The name in logs, metrics and audit, and the one that the model reads when a call
	 * is denied.
	 * @return the name; that of the bean, a dot and that of the method if empty
	 */
	String name() default "";

	/**
	 * The longest time of the method; a decision that comes later is none.
	 * @return a duration with a unit, such as {@code 2s} or {@code 750ms}, at most five
	 * minutes, or a placeholder for one. If empty, there is no limit for a method that
	 * decides at once, and one of 30 seconds for a promised decision.
	 */
	String timeout() default "";

}
