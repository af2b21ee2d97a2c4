package io.agenthooks.spring.approval;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.Former;
import io.agenthooks.spring.external.WebhookTarget;
import io.agenthooks.spring.suspend.Person;

/**
 * The options of an entry of {@code hooks.approval.notify}.
 *
 * @param url Address that messages are posted to; http or https.
 * @param format Shape of the messages.
 * @param secret Secret that messages are signed with, as the Standard Webhooks
 * specification says: 'whsec_' and 24 to 64 bytes in Base64. Several, separated by a
 * space, give a signature each.
 * @param headers Headers that are sent as well.
 * @param events What is told; everything unless set.
 * @param arguments What is told of the arguments of calls.
 * @param as Person whose link the messages have.
 */
@Former(value = "template",
		instead = "Send a message of another shape yourself: a bean that listens to ApprovalChangedEvent has the question.")
record ApprovalNotifyConfig(@Nullable String url, @Nullable Format format, @Nullable String secret,
		@Nullable Map<String, String> headers, @Nullable List<Event> events, @Nullable Arguments arguments,
		@Nullable As as) {

	/**
	 * Find what is wrong.
	 * @param index the position in the list
	 * @param hasLinks whether there are links
	 * @param approvers the authorities of people who may decide
	 */
	void check(int index, boolean hasLinks, Set<String> approvers, List<Problem> problems) {
		try {
			WebhookTarget unused = target();
			if (this.as != null && !ApprovalLinksConfig.isPrivate(URI.create(Objects.requireNonNull(this.url)))) {
				problems.add(new Problem(path(index, "url"),
						"does not begin with https://, so anyone who reads a message on its way could decide with its link",
						"Write an address that begins with 'https://' or is one of this machine, or remove 'as'."));
			}
		}
		catch (InvalidHookConfigException ex) {
			ex.getProblems()
				.forEach((problem) -> problems.add(new Problem(path(index, problem.path().toArray(String[]::new)),
						problem.message(), problem.action())));
		}
		if (this.events != null && this.events.isEmpty()) {
			problems.add(new Problem(path(index, "events"), "is empty, so no message would be sent",
					"Remove it to get a message of every event."));
		}
		if (this.as == null) {
			return;
		}
		if (!hasLinks) {
			problems.add(new Problem(path(index, "as"), "names a person, but there are no links",
					"Write 'hooks.approval.links', or remove 'as'."));
		}
		if (this.as.name() == null || this.as.name().isBlank()) {
			problems.add(new Problem(path(index, "as", "name"), "is missing",
					"Write the name that the application knows this person by."));
		}
		if (!approvers.isEmpty() && this.as.authoritiesOrNone().stream().noneMatch(approvers::contains)) {
			problems.add(new Problem(path(index, "as", "authorities"), "has none of 'approvers'",
					"Write the authority that lets this person decide."));
		}
	}

	private static List<String> path(int index, String... names) {
		List<String> path = new ArrayList<>(List.of("notify", String.valueOf(index)));
		path.addAll(List.of(names));
		return path;
	}

	WebhookTarget target() {
		return WebhookTarget.of(this.url, this.secret, Objects.requireNonNullElse(this.headers, Map.of()));
	}

	Format formatOrDefault() {
		return Objects.requireNonNullElse(this.format, Format.JSON);
	}

	boolean includes(Event event) {
		return this.events == null || this.events.contains(event);
	}

	boolean showsArguments() {
		return this.arguments == Arguments.SHOWN;
	}

	/** The authorities of the person whose link messages have. */
	Collection<String> authorities() {
		return (this.as != null) ? this.as.authoritiesOrNone() : List.of();
	}

	/** The person whose link messages have, or {@code null} if they have none. */
	@Nullable Person person() {
		return (this.as != null) ? new Person(Objects.requireNonNull(this.as.name()), this.as.authoritiesOrNone())
				: null;
	}

	/** The options without addresses and secrets. */
	@Override
	public String toString() {
		return "ApprovalNotifyConfig[format=%s, events=%s, arguments=%s]".formatted(this.format, this.events,
				this.arguments);
	}

	/** Shapes of messages. */
	enum Format {

		/** An object of our own. */
		JSON,

		/** A message with blocks for an incoming webhook of Slack. */
		SLACK

	}

	/** The news that are told. */
	enum Event {

		/** People are asked about a call. */
		APPROVAL_REQUESTED,

		/** The question needs no decision any more. */
		APPROVAL_SETTLED

	}

	/** The view of arguments. */
	enum Arguments {

		/** Nothing. */
		NONE,

		/** The arguments as people see them. */
		SHOWN

	}

	/**
	 * A person whose link is sent.
	 *
	 * @param name Name that the application knows the person by.
	 * @param authorities Authorities of the person.
	 */
	record As(@Nullable String name, @Nullable List<String> authorities) {

		Set<String> authoritiesOrNone() {
			return (this.authorities != null) ? Set.copyOf(this.authorities) : Set.of();
		}

	}

}
