/**
 * Guards {@link io.agenthooks.toolcall.ToolExecutor} beans.
 */
@NullMarked
package io.agenthooks.spring.executor;

import org.jspecify.annotations.NullMarked;
