/**
 * Makes the chains of tool calls, model calls and runs from hook beans, annotated methods
 * and the configuration. It knows no type of hook.
 */
@NullMarked
package io.agenthooks.spring.assembly;

import org.jspecify.annotations.NullMarked;
