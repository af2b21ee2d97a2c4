package io.agenthooks.spring.limit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code loop} hook, as written. What is {@code null} was not
 * written, and its default holds.
 *
 * @param repeats Numbers of times that the same call had the same result, others in
 * between or not; 10, 20 and 30 unless written.
 * @param pingPong Numbers of calls in a row of which two take turns, each with the same
 * result; 10, 20 and 30 unless written.
 * @param failures Numbers of times in a row that the same tool failed; 10, 20 and 30
 * unless written.
 * @param calls Numbers of calls of a run; none unless written.
 * @param missing What becomes of a call of which neither the run nor the session is
 * known.
 * @param maxRuns Number of runs that are remembered at most.
 * @param forgetAfter Time without a call after which a run is forgotten; without a unit
 * in seconds.
 * @param per Whose calls make a loop: those of the outermost run, with all agents inside
 * of its tools, unless written.
 */
record LoopConfig(@Nullable Steps repeats, @Nullable Steps pingPong, @Nullable Steps failures, @Nullable Steps calls,
		@Nullable OnMissingKey missing, @Nullable Integer maxRuns, @Nullable Duration forgetAfter, @Nullable Per per) {

	/** The calls that make a loop. */
	enum Per {

		/** The calls of the outermost run, with all agents inside of its tools. */
		RUN,

		/** The calls of the run of one agent. */
		AGENT_RUN

	}

	/**
	 * The numbers from which on a call is warned of, denied, or ends the turn.
	 *
	 * @param warn Number from which on the model is warned; 0 for never.
	 * @param deny Number from which on the call is denied; 0 for never.
	 * @param abort Number from which on the turn ends; 0 for never.
	 */
	record Steps(@Nullable Integer warn, @Nullable Integer deny, @Nullable Integer abort) {
	}

}
