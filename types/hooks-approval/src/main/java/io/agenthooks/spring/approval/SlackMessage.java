package io.agenthooks.spring.approval;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.ApprovalNotifyConfig.Event;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.toolcall.Asker;

/** A message for an incoming webhook of Slack, within the lengths that Slack takes. */
final class SlackMessage {

	/** The most characters of a value beside its name. */
	private static final int MAX_VALUE = 500;

	private static final String CUT = "\nMore than fits here: look at the question itself.";

	private SlackMessage() {
	}

	static Map<String, @Nullable Object> of(Event event, ApprovalRequest request, boolean arguments,
			@Nullable URI link) {
		boolean asked = event == Event.APPROVAL_REQUESTED;
		String tool = SlackText.code(request.tool().modelName(), MAX_VALUE);
		List<Object> blocks = new ArrayList<>();
		blocks.add(Map.of("type", "header", "text",
				plain((asked) ? "A call waits for a person" : "A question is settled")));
		blocks.add(Map.of("type", "section", "fields", fields(asked, request)));
		String description = ApprovalWriter.description(request);
		if (asked && description != null) {
			blocks.add(section("*What the tool does*\n" + SlackText.code(description, SlackText.MAX_SECTION - 100)));
		}
		String sentence = (asked && arguments) ? request.sentence() : null;
		if (sentence != null) {
			blocks.add(section("*What*\n" + SlackText.code(sentence, SlackText.MAX_SECTION - 10)));
		}
		CallPreview preview = (asked && arguments) ? request.effect().preview() : null;
		if (preview != null) {
			blocks.add(section("*What this call would do, as its tool says*\n"
					+ block(preview.display(), SlackText.MAX_SECTION - 100)));
		}
		if (asked) {
			blocks.add(section("*Why*\n" + SlackText.code(request.reason(), SlackText.MAX_SECTION - 10)));
		}
		if (asked && arguments) {
			if (!request.about().isEmpty()) {
				blocks.add(section(
						"*Asked because of*\n" + SlackText.code(String.join(", ", request.about()), MAX_VALUE)));
			}
			blocks.add(section(block(request.display(), SlackText.MAX_SECTION)));
		}
		if (link != null) {
			blocks.add(Map.of("type", "actions", "elements",
					List.of(Map.of("type", "button", "text", plain("Look and decide"), "url", link.toString()))));
		}
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("text", (asked) ? "A call of %s waits for a person.".formatted(tool)
				: "The call of %s is %s.".formatted(tool, stateOf(request)));
		message.put("blocks", blocks);
		// Slack would open the addresses in a message to show what is there.
		message.put("unfurl_links", false);
		message.put("unfurl_media", false);
		return message;
	}

	private static String block(String shown, int max) {
		String block = SlackText.block(shown, max - CUT.length());
		return (block.endsWith("...\n```")) ? block + CUT : block;
	}

	private static List<Object> fields(boolean asked, ApprovalRequest request) {
		List<Object> fields = new ArrayList<>();
		add(fields, "Tool", request.tool().modelName());
		add(fields, "Server",
				(request.tool().isOfApplication()) ? null : Objects.requireNonNullElse(request.tool().server(), "?"));
		add(fields, "Agent", request.agent());
		add(fields, "For the user", request.user());
		add(fields, "Asked by", String.join("; ", request.askers().stream().map(Asker::describe).toList()));
		if (asked) {
			add(fields, "Waits until", request.expiresAt().toString());
			add(fields, "People needed", String.valueOf(Math.max(1, request.approvals())));
		}
		else {
			add(fields, "Result", stateOf(request));
			add(fields, "Decided by", decidedBy(request));
			add(fields, "Reason", decisionReason(request));
		}
		return fields;
	}

	private static void add(List<Object> fields, String name, @Nullable String value) {
		if (value != null && !value.isEmpty()) {
			fields.add(mrkdwn("*%s*\n%s".formatted(name, SlackText.code(value, MAX_VALUE))));
		}
	}

	/** The people who decided, or {@code null} if too few did. */
	private static @Nullable String decidedBy(ApprovalRequest request) {
		Set<String> people = request.votes()
			.stream()
			.filter((vote) -> vote.verdict() == Verdict.DENY)
			.map(Vote::person)
			.collect(Collectors.toSet());
		if (people.isEmpty()
				&& (request.state() == ApprovalState.APPROVED || request.state() == ApprovalState.CLAIMED)) {
			people = ApprovalRules.approvers(request.votes());
		}
		return (people.isEmpty()) ? null : String.join(", ", people);
	}

	private static @Nullable String decisionReason(ApprovalRequest request) {
		List<Vote> votes = request.votes();
		return (votes.isEmpty()) ? null : votes.get(votes.size() - 1).reason();
	}

	private static String stateOf(ApprovalRequest request) {
		return request.state().name().toLowerCase(Locale.ROOT);
	}

	private static Map<String, Object> section(String text) {
		return Map.of("type", "section", "text", mrkdwn(text));
	}

	/** Slack looks in it for nothing that is not written as a link or a mention. */
	private static Map<String, Object> mrkdwn(String text) {
		return Map.of("type", "mrkdwn", "text", text, "verbatim", true);
	}

	private static Map<String, Object> plain(String text) {
		return Map.of("type", "plain_text", "text", text, "emoji", false);
	}

}
