package io.agenthooks.spring.web;

import java.util.List;

/**
 * Says that the turn of an agent ended because people are asked: an exception that is
 * this, too, answers a web request with status 202 and the ids of the questions.
 *
 * @since 0.1.0
 */
public interface PendingTurn {

	/**
	 * The questions to people that wait.
	 * @return their ids, each once, in the order of the calls
	 */
	List<String> approvalIds();

}
