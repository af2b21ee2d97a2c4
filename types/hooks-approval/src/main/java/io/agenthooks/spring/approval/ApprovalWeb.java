package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.web.InvalidEndpointException;

/** The paths and people to whom questions are shown over HTTP. */
record ApprovalWeb(String path, Set<String> approvers, boolean insecure) {

	private static final String EVENTS = "events";

	private static final Pattern ID = Pattern.compile("/([A-Za-z0-9_-]{1,100})");

	private static final Pattern ANSWER = Pattern.compile("/answers/([A-Za-z0-9_-]{1,100})(/events)?");

	/** Also what mail programs make of a link, which is refused as any other. */
	private static final Pattern TOKEN = Pattern.compile("/links/([A-Za-z0-9_-][A-Za-z0-9._=-]{0,3999})");

	ApprovalWeb {
		approvers = Set.copyOf(approvers);
	}

	/** The authorities, where people log in. */
	Set<String> requiredApprovers() {
		if (this.approvers.isEmpty()) {
			throw new InvalidEndpointException("Nobody could decide about calls at '%s'.".formatted(this.path),
					"Write the authorities of the people who may in 'hooks.approval.approvers'.");
		}
		return this.approvers;
	}

	String events() {
		return this.path + "/" + EVENTS;
	}

	String question() {
		return this.path + "/{id}";
	}

	String answer() {
		return this.path + "/answers/{id}";
	}

	String answerEvents() {
		return answer() + "/" + EVENTS;
	}

	/**
	 * The id in the path of an answer, or of the events of one; {@code null} if it is
	 * another path, or spelled in another way.
	 */
	@Nullable String answerIn(String requested, boolean events) {
		if (!requested.startsWith(this.path)) {
			return null;
		}
		Matcher answer = ANSWER.matcher(requested.substring(this.path.length()));
		return (answer.matches() && events == (answer.group(2) != null)) ? answer.group(1) : null;
	}

	List<String> patterns() {
		return List.of(this.path, question());
	}

	String link() {
		return linkPrefix() + "{token}";
	}

	/** The beginning of the path of each link, before its token. */
	String linkPrefix() {
		return this.path + "/links/";
	}

	/**
	 * The token in the path of a link, or {@code null} if it is another path, or spelled
	 * in another way.
	 */
	@Nullable String tokenIn(String requested) {
		if (!requested.startsWith(this.path)) {
			return null;
		}
		Matcher token = TOKEN.matcher(requested.substring(this.path.length()));
		return (token.matches()) ? token.group(1) : null;
	}

	/**
	 * The id in the path of a question, or {@code null} if it is another path, or spelled
	 * in another way than the filter chains know it.
	 */
	@Nullable String idIn(String requested) {
		if (!requested.startsWith(this.path)) {
			return null;
		}
		Matcher id = ID.matcher(requested.substring(this.path.length()));
		return (id.matches() && !id.group(1).equals(EVENTS)) ? id.group(1) : null;
	}

}
