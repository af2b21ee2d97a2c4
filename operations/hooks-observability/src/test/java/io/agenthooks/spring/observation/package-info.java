/**
 * Tests of observations, the log context and events of Java Flight Recorder.
 */
@NullMarked
package io.agenthooks.spring.observation;

import org.jspecify.annotations.NullMarked;
