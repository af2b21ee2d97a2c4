package io.agenthooks.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.agenthooks.spring.ToolEffect;

/**
 * A rule beside the code that it guards: on a method of a bean that is a tool
 * ({@code @Tool} of Spring AI or LangChain4j, {@code @McpTool}), or on its class, for all
 * tools of that. <pre class="code">
 * &#64;Tool(description = "Refunds an order")
 * &#64;ToolPolicy(ask = "args.amount &gt; 500", reason = "A person approves large refunds", limit = "3 per session")
 * String refund(String order, BigDecimal amount) {
 * </pre>
 * <p>
 * It makes entries of the same chain as {@code hooks.tool_call.pre_call} does, behind
 * those, with {@code Class.method} as their name and place. So it can deny and ask, and
 * opens nothing. Of several, on the method, its class, and what these extend and
 * implement, all count. One that nothing would ask stops the start, or denies each call
 * of the tool.
 * <p>
 * {@link #preview()} and {@link #version()} name methods of the same bean, which are
 * asked about a call before a person is. They take arguments of the call by their names,
 * the {@code ToolCall} or its {@code CallContext}, and change nothing.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.TYPE })
public @interface ToolPolicy {

	/**
	 * The condition under which a call is denied, in CEL, or {@code true} for each call.
	 * @return the condition; nothing is denied if it is empty
	 */
	String deny() default "";

	/**
	 * The condition under which a person is asked, in CEL, or {@code true} for each call.
	 * @return the condition; nobody is asked if it is empty
	 */
	String ask() default "";

	/**
	 * The condition under which neither counts, in CEL.
	 * @return the condition, or nothing
	 */
	String unless() default "";

	/**
	 * Why, for the model, and for the person who is asked.
	 * @return the reason, or nothing
	 */
	String reason() default "";

	/**
	 * The effects of the tool. What becomes of its calls is written in
	 * {@code hooks.tool_call.effects}; of several the strictest counts.
	 * @return the effects; they are not known if there are none
	 */
	ToolEffect[] effect() default {};

	/**
	 * How often calls pass, such as {@code 3 per session} or {@code 10 per 1m}.
	 * @return the limits, which all hold
	 */
	String[] limit() default {};

	/**
	 * The method that says what a call would do, for the person who is asked about it: as
	 * a text, or as a list of records or maps, which is shown as a table.
	 * @return the name of the method, or nothing
	 */
	String preview() default "";

	/**
	 * Whether an approval is void if the preview has changed when the call is to run.
	 * @return whether it has to match
	 */
	boolean previewMustMatch() default false;

	/**
	 * The method that returns the version of what a call is about, such as the version of
	 * an order. An approval is void if there is another one when the call is to run.
	 * @return the name of the method, or nothing
	 */
	String version() default "";

}
