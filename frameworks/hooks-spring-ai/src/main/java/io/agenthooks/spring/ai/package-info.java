/**
 * Tool calls of Spring AI pass the hooks. Start at
 * {@link io.agenthooks.spring.ai.SpringAiToolHooks}.
 */
@NullMarked
package io.agenthooks.spring.ai;

import org.jspecify.annotations.NullMarked;
