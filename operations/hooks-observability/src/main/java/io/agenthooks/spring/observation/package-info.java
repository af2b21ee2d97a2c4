/**
 * Shows calls and hooks to tracing by Micrometer observations, to the log by the MDC, and
 * to Java Flight Recorder.
 */
@NullMarked
package io.agenthooks.spring.observation;

import org.jspecify.annotations.NullMarked;
