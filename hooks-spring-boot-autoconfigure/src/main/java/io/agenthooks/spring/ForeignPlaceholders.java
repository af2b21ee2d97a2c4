package io.agenthooks.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a dollar sign in an option of a hook may be meant for others than Spring,
 * such as a shell or a template. If a placeholder of the option cannot be resolved, the
 * message then says how to write one for them: without braces. It stands at the component
 * of the record that a {@link HookFactory} binds.
 *
 * @since 0.1.0
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ForeignPlaceholders {

}
