package io.agenthooks.spring.suspend;

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

	/**
	 * Take back what was decided: an approval that nobody has used yet, or a decision
	 * that is remembered for the very same call. That call asks people again. What has
	 * run, has run.
	 * @param id the id of the question
	 * @param person who takes it back, one of those who may decide about it
	 * @return the question as it is now
	 * @throws ApprovalRefusedException if there is nothing to take back, or the person
	 * may not decide
	 */
	default ApprovalRequest revoke(String id, Person person) {
		return answer(id, 0, new ApprovalAnswer(person, ApprovalAnswer.Verdict.REVOKE, null, null));
	}

	/**
	 * Run a call that waited for people, if they approved it, and put its result into the
	 * turn that was kept. Exactly this call is run, at most once on all nodes, for the
	 * user for whom it was made, and only if all hooks let it pass now. If people denied,
	 * or the time is over, nothing runs, and the result is the denial. To resume a call
	 * again whose result is known gives the same turn.
	 * <p>
	 * Looks for the tool among the {@link io.agenthooks.toolcall.ToolExecutor} beans and
	 * those of all {@link ResumableTools} beans.
	 * @param id the id of the question
	 * @return the turn with the result
	 * @throws ApprovalRefusedException if nothing can be run: {@code UNKNOWN} if there is
	 * no question that can be resumed, {@code NOT_DECIDED} if people have not decided,
	 * {@code NO_TOOL} if the tool is not known here or could be one of several,
	 * {@code SETTLED} if the call was started before and its result is not known, so that
	 * it may have run, and {@code CHANGED} if the question changes at the moment
	 * @throws io.agenthooks.AgentAbortedException if a hook ends the turn or the run; the
	 * call has its result nevertheless
	 */
	default ResumedTurn resume(String id) {
		return resume(id, (call) -> null);
	}

	/**
	 * Run a call that waited for people, as {@link #resume(String)} does.
	 * @param id the id of the question
	 * @param tools are asked for the tool before beans are
	 * @return the turn with the result
	 * @throws ApprovalRefusedException as above
	 * @throws io.agenthooks.AgentAbortedException as above
	 */
	ResumedTurn resume(String id, ResumableTools tools);

}
