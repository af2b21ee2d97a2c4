package io.agenthooks.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

/**
 * An argument of the tool call, as a parameter of an annotated method or a component of a
 * record that is one: <pre>{@code @BeforeToolCall(tools = "refund_order")
 * boolean small(@Arg BigDecimal amount, ToolCall call)}</pre>
 * <p>
 * The value is what the tool will get, never rounded, cut or guessed: a fraction is no
 * {@code int}, a number beyond what the type can hold is none of that type, and a text is
 * a number only if it is written as one in JSON. If the argument is missing, {@code null}
 * or does not fit, a method before the call denies the call; one after the call is not
 * called, which counts as a failure of the hook. A parameter that is an {@link Optional}
 * or nullable is empty or {@code null} if the argument is missing or {@code null}.
 *
 * @since 0.1.0
 */
@Target({ ElementType.PARAMETER, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Arg {

	/**
	 * The name of the argument.
	 * @return the name; that of the parameter if empty, which needs {@code -parameters}
	 * of the compiler, as with Spring MVC
	 */
	String value() default "";

}
