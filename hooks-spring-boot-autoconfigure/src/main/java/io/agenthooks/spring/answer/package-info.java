/**
 * Hooks that answer a call in place of its tool: {@code respond} with a fixed result,
 * {@code cache} with what the tool returned the last time. Start at
 * {@link io.agenthooks.spring.answer.CacheToolHook}.
 */
@NullMarked
package io.agenthooks.spring.answer;

import org.jspecify.annotations.NullMarked;
