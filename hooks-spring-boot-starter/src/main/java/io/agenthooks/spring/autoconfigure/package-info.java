/**
 * Puts the chain together and in front of every
 * {@link io.agenthooks.toolcall.ToolExecutor} bean.
 */
@NullMarked
package io.agenthooks.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
