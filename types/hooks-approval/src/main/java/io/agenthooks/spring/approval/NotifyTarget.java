package io.agenthooks.spring.approval;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.approval.ApprovalNotifyConfig.Event;
import io.agenthooks.spring.approval.ApprovalNotifyConfig.Format;
import io.agenthooks.spring.external.WebhookSender;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;

record NotifyTarget(ApprovalNotifyConfig config, @Nullable ApprovalLinks links,
		WebhookSender sender) implements AutoCloseable {

	/** Tell what became of a question, without waiting for it. */
	void send(Event event, ApprovalRequest request) {
		if (!this.config.includes(event)) {
			return;
		}
		try {
			this.sender.send(write(event, request));
		}
		catch (RuntimeException ex) {
			// Its message may hold arguments.
			this.sender.drop("it could not be written (%s)".formatted(ex.getClass().getSimpleName()));
		}
	}

	private byte[] write(Event event, ApprovalRequest request) {
		URI link = (event == Event.APPROVAL_REQUESTED) ? link(request) : null;
		boolean arguments = this.config.showsArguments();
		return StrictJson.write((this.config.formatOrDefault() == Format.SLACK)
				? SlackMessage.of(event, request, arguments, link) : neutral(event, request, arguments, link));
	}

	private @Nullable URI link(ApprovalRequest request) {
		Person person = this.config.person();
		return (this.links != null && person != null) ? this.links.linkFor(request, person).orElse(null) : null;
	}

	/**
	 * Without what is for the one who reads it there, and arguments only as people see
	 * them.
	 */
	private static Map<String, @Nullable Object> neutral(Event event, ApprovalRequest request, boolean arguments,
			@Nullable URI link) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("event", event.name().toLowerCase(Locale.ROOT));
		message.putAll(ApprovalWriter.listed(request, false));
		message.keySet().removeAll(Set.of("may_decide", "may_revoke", "remembered_until"));
		message.remove("fingerprint");
		message.remove("arguments");
		if (message.get("preview") instanceof Map<?, ?> preview) {
			preview.keySet().removeAll(Set.of("text", "columns", "rows"));
		}
		if (!arguments) {
			message.keySet().removeAll(Set.of("display", "sentence", "order", "about", "preview", "target_version"));
		}
		message.put("link", (link != null) ? link.toString() : null);
		return message;
	}

	@Override
	public void close() {
		this.sender.close();
	}

}
