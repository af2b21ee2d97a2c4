package io.agenthooks.spring.limit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code loop} hook around model calls, as written. What is
 * {@code null} was not written, and its default holds.
 *
 * @param repeats Numbers of times in a row that the model gave the same answer: the same
 * text and the same calls of tools; 10, 20 and 30 unless written.
 * @param failures Numbers of times in a row that the model failed; 10, 20 and 30 unless
 * written.
 * @param calls Numbers of model calls of a run; none unless written.
 * @param missing What becomes of a call of which neither the run nor the session is
 * known.
 * @param maxRuns Number of runs that are remembered at most.
 * @param forgetAfter Time without a call after which a run is forgotten; without a unit
 * in seconds.
 * @param per Whose calls make a loop: those of the outermost run, with all agents inside
 * of its tools, unless written.
 */
record LlmLoopConfig(LoopConfig.@Nullable Steps repeats, LoopConfig.@Nullable Steps failures,
		LoopConfig.@Nullable Steps calls, @Nullable OnMissingKey missing, @Nullable Integer maxRuns,
		@Nullable Duration forgetAfter, LoopConfig.@Nullable Per per) {
}
