package io.agenthooks.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that an option of a hook may be an empty text. Without this an option that has no
 * value is a mistake. It stands at the component of the record that a
 * {@link ToolHookFactory} binds.
 *
 * @since 0.1.0
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface EmptyAllowed {

}
