package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Optional;

/**
 * The questions to people about calls, on all nodes that share a store.
 *
 * @since 0.1.0
 */
public interface ToolApprovals {

	/**
	 * The questions that wait for people.
	 * @param limit how many at most, from 1 on
	 * @return the questions, the one that expires first first
	 */
	List<ApprovalRequest> pending(int limit);

	/**
	 * The questions that are settled.
	 * @param limit how many at most, from 1 on
	 * @return the questions, the last settled first
	 */
	List<ApprovalRequest> settled(int limit);

	/**
	 * One question.
	 * @param id its id
	 * @return the question, or nothing if there is none
	 */
	Optional<ApprovalRequest> find(String id);

	/**
	 * Whether a person may decide about a question at all.
	 * @param request the question
	 * @param person the person
	 * @return whether the person has the authority, and is not the one for whom the agent
	 * acts where that is forbidden
	 */
	boolean mayDecide(ApprovalRequest request, Person person);

	/**
	 * Answer a question. A denial settles it at once; an approval as soon as enough
	 * people approved.
	 * @param id the id of the question
	 * @param revision the revision that the person saw, or 0 to answer whatever it is
	 * @param answer the answer
	 * @return the question as it is now
	 * @throws ApprovalRefusedException if the answer does not count
	 */
	ApprovalRequest answer(String id, int revision, ApprovalAnswer answer);

}
