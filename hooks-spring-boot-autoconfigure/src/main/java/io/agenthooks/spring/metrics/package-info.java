/**
 * Measures tool calls, model calls, runs and hooks with Micrometer.
 */
@NullMarked
package io.agenthooks.spring.metrics;

import org.jspecify.annotations.NullMarked;
