/**
 * Replays of recorded calls.
 */
@NullMarked
package io.agenthooks.benchmarks.flow;

import org.jspecify.annotations.NullMarked;
