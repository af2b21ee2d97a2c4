package io.agenthooks.spring.assembly;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Only where a feature beside the hooks, such as {@code hooks.audit}, is switched on.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnFeature.class)
public @interface ConditionalOnFeature {

	/**
	 * The name below {@code hooks}.
	 * @return the name
	 */
	String value();

	/**
	 * An option that has to be written, too.
	 * @return the name of the option; empty if none has to be
	 */
	String option() default "";

}
