/**
 * The effect of a rule on the flow of data: replays the recorded calls of agents, with
 * and without an injected text among what they read.
 */
@NullMarked
package io.agenthooks.benchmarks.flow;

import org.jspecify.annotations.NullMarked;
