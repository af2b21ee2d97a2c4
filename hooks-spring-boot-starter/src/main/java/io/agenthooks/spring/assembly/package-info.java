/**
 * Puts the chain together and in front of every
 * {@link io.agenthooks.toolcall.ToolExecutor} bean.
 */
@NullMarked
package io.agenthooks.spring.assembly;

import org.jspecify.annotations.NullMarked;
