package io.agenthooks.sample.tools;

import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/** Sends an e-mail to one receiver, by way of the {@link Outbox}. */
@Component
class SendEmailTool {

	private static final Predicate<String> isAddress = Pattern.compile("[^\\s@,;:<>\"]+@[^\\s@,;:<>\"]+")
		.asMatchPredicate();

	private final Outbox outbox;

	SendEmailTool(Outbox outbox) {
		this.outbox = outbox;
	}

	@Tool(name = "send_email", description = "Send an e-mail", resultConverter = PlainText.class)
	String send(@ToolParam(description = "The address of the receiver") String to,
			@ToolParam(description = "What it is about, one line") String subject,
			@ToolParam(description = "What it says") String body) {
		if (!isAddress.test(to)) {
			throw new ToolFailedException("The argument 'to' must be one e-mail address");
		}
		if (subject.lines().count() > 1) {
			throw new ToolFailedException("The argument 'subject' must be one line");
		}
		this.outbox.send(new Outbox.Email(to, subject, body));
		return "Sent the e-mail";
	}

}
