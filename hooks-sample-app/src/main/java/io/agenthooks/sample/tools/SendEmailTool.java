package io.agenthooks.sample.tools;

import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.springframework.stereotype.Component;

/**
 * Sends an e-mail to one receiver, by way of the {@link Outbox}.
 */
@Component
class SendEmailTool implements Tool {

	private static final Predicate<String> isAddress = Pattern.compile("[^\\s@,;:<>\"]+@[^\\s@,;:<>\"]+")
		.asMatchPredicate();

	private final Outbox outbox;

	SendEmailTool(Outbox outbox) {
		this.outbox = outbox;
	}

	@Override
	public String name() {
		return "send_email";
	}

	@Override
	public String run(ToolArguments arguments) throws ToolFailedException {
		String to = arguments.text("to");
		String subject = arguments.text("subject");
		String body = arguments.text("body");
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
