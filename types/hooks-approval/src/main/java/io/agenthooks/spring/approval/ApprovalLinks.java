package io.agenthooks.spring.approval;

import java.net.URI;
import java.util.Optional;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;

/**
 * Makes links by which one person decides about one call without a login, to be sent by
 * mail or chat. It is a bean if {@code hooks.approval.links} is configured.
 * <p>
 * <b>Anyone who has a link decides as its person</b>, once: send it to that person alone.
 *
 * @since 0.1.0
 */
public interface ApprovalLinks {

	/**
	 * Make a link.
	 * @param request a question as it is now
	 * @param person who gets the link, with the authorities that this person has now:
	 * those among {@code hooks.approval.approvers} stand in the link
	 * @return the link, or nothing if this person may not decide about the question, did
	 * so before, or if nobody can any more
	 * @throws IllegalArgumentException if the name of the person is too long for a link
	 */
	Optional<URI> linkFor(ApprovalRequest request, Person person);

}
