/**
 * Tests for the hooks around tool calls of Spring AI.
 */
@NullMarked
package io.agenthooks.spring.ai;

import org.jspecify.annotations.NullMarked;
