package io.agenthooks.spring.binding;

import org.jspecify.annotations.Nullable;

/**
 * The configuration of the type {@code bean}, which puts a hook bean of the application
 * at a place in the list.
 *
 * @param bean Name of the bean.
 * @since 0.1.0
 */
public record BeanConfig(@Nullable String bean) {
}
