/**
 * The {@code prompt} hook: a model judges what an agent is about to do, or what came
 * back. Start at {@link io.agenthooks.spring.prompt.Judge}.
 */
@NullMarked
package io.agenthooks.spring.prompt;

import org.jspecify.annotations.NullMarked;
