package io.agenthooks.spring.assembly;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Only where an entry of the configuration names a type of hooks, or may do so once the
 * application is built ahead of time.
 *
 * @since 0.1.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnHookType.class)
public @interface ConditionalOnHookType {

	/**
	 * The types of hooks, of which one has to be named.
	 * @return types, such as {@code webhook}
	 */
	String[] value();

}
