/**
 * Hooks as annotated methods of beans, in the manner of {@code @EventListener}. Start at
 * {@link io.agenthooks.spring.annotation.BeforeToolCall}; they are found by
 * {@link io.agenthooks.spring.annotation.AnnotatedToolHooks}.
 */
@NullMarked
package io.agenthooks.spring.annotation;

import org.jspecify.annotations.NullMarked;
