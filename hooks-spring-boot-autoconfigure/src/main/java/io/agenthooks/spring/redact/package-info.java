/**
 * The type {@code redact}: takes secrets out of arguments, prompts and results.
 */
@NullMarked
package io.agenthooks.spring.redact;

import org.jspecify.annotations.NullMarked;
