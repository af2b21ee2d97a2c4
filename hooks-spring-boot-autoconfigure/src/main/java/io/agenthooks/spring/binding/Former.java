package io.agenthooks.spring.binding;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Name of an option, or word of an enum, that was known once, at the record or enum that
 * no longer has it. Whoever still writes it reads what to write instead.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Former.All.class)
@Documented
public @interface Former {

	String value();

	String instead();

	/** Several names. */
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@Documented
	@interface All {

		Former[] value();

	}

}
