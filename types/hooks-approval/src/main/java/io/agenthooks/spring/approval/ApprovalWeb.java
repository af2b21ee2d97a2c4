package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.spring.web.InvalidEndpointException;

/** The paths and people to whom questions are shown over HTTP. */
record ApprovalWeb(String path, Set<String> approvers, boolean insecure) {

	private static final Logger logger = LoggerFactory.getLogger(ApprovalWeb.class);

	private static final String EVENTS = "events";

	private static final Pattern ID = Pattern.compile("/([A-Za-z0-9_-]{1,100})");

	private static final Pattern ANSWER = Pattern.compile("/answers/([A-Za-z0-9_-]{1,100})(/events)?");

	/** Also what mail programs make of a link, which is refused as any other. */
	private static final Pattern TOKEN = Pattern.compile("/links/([A-Za-z0-9_-][A-Za-z0-9._=-]{0,3999})");

	ApprovalWeb {
		approvers = Set.copyOf(approvers);
	}

	void requireAccess(boolean secured) {
		if (secured) {
			logger.info("People decide about calls at {}", this.path);
			return;
		}
		if (!this.insecure) {
			throw new InvalidEndpointException(
					"Everybody could decide about calls at '%s': Spring Security is missing, switched off, or has its filter chains from elsewhere than beans."
						.formatted(this.path),
					"Add 'spring-boot-starter-security' and do not exclude its auto-configuration. If nobody else can "
							+ "reach the application, set 'hooks.approval.insecure' to true.");
		}
		logger.warn("Everybody who reaches the application decides about calls at {}, because "
				+ "'hooks.approval.insecure' is true", this.path);
	}

	void requireOpenLinks(boolean open) {
		if (!open) {
			throw new InvalidEndpointException(
					"Links to questions at '%s' would want a login: no bean says what Spring Security protects, so it protects every path."
						.formatted(linkPrefix()),
					"Write a bean with the filter chain of your application (SecurityFilterChain, or in WebFlux "
							+ "SecurityWebFilterChain), or remove 'hooks.approval.links'.");
		}
		logger.info("Links to questions work without a login at {}", linkPrefix());
	}

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
	 * {@code null} for another path, or one spelled in another way than filter chains
	 * know it.
	 */
	@Nullable String answerIn(String requested, boolean events) {
		Matcher answer = below(requested, ANSWER);
		return (answer != null && events == (answer.group(2) != null)) ? answer.group(1) : null;
	}

	List<String> patterns() {
		return List.of(this.path, question());
	}

	String link() {
		return linkPrefix() + "{token}";
	}

	String linkPrefix() {
		return this.path + "/links/";
	}

	@Nullable String tokenIn(String requested) {
		Matcher token = below(requested, TOKEN);
		return (token != null) ? token.group(1) : null;
	}

	@Nullable String idIn(String requested) {
		Matcher id = below(requested, ID);
		return (id != null && !id.group(1).equals(EVENTS)) ? id.group(1) : null;
	}

	private @Nullable Matcher below(String requested, Pattern pattern) {
		Matcher rest = pattern.matcher(requested);
		return (requested.startsWith(this.path) && rest.region(this.path.length(), requested.length()).matches()) ? rest
				: null;
	}

}
