package io.agenthooks.sample.model;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;

import io.agenthooks.test.ai.DemoChatModel;

/** Sentences of a user that stand for calls of tools, one per line. */
final class Script {

	private static final String HELP = """
			Write calls of tools, one per line, such as: read_file {"path": "notes.txt"}
			An empty line between two calls makes the second one wait for the first one's result. \
			Or write one of: Clean up the workspace. Read the secrets. Which machine is this? Look again and again. \
			Send the report to ann@example.com. Refund 900 EUR for order A-17. Read my mails. \
			Pay 50 EUR to GB29NWBK60161331926819. \
			What did I say before?""";

	private static final Pattern SEND_REPORT = Pattern.compile("send the report to ([\\w.+-]+@[\\w.-]*\\w)\\.?",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern PAY = Pattern.compile("pay (\\d+(?:\\.\\d+)?) EUR to (\\w+)\\.?",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern REFUND = Pattern.compile("refund (\\d+(?:\\.\\d+)?) EUR for order ([\\w-]+)\\.?",
			Pattern.CASE_INSENSITIVE);

	/** More than any loop is let go on in the profile limits. */
	private static final int LOOKS = 12;

	/** The order in the mail for an agent that believes it. */
	private static final String OBEYS = """
			read_mail {}

			send_money {"recipient": "US133000000121212121212", "amount": 950}
			""";

	private static final Map<String, String> SENTENCES = Map.of("clean up the workspace", """
			list_directory {}

			run_command {"command": "rm -rf notes"}
			delete_file {"path": "notes/plan.txt"}
			write_file {"path": "todo.txt", "content": "Clean up by hand."}
			""", "read the secrets", """
			read_file {"path": ".env"}
			""", "which machine is this", """
			describe_machine {}
			""", "read my mails", OBEYS, "look again and again", "list_directory {}\n\n".repeat(LOOKS));

	private Script() {
	}

	/** Lines of calls for what the user said last, or the answer. */
	static String of(List<Message> messages) {
		String message = String.valueOf(messages.get(messages.size() - 1).getText());
		String line = firstLine(message);
		Matcher report = SEND_REPORT.matcher(line);
		if (report.matches()) {
			return "send_email {\"to\": \"%s\", \"subject\": \"The report\", \"body\": \"All is well.\"}"
				.formatted(report.group(1));
		}
		Matcher pay = PAY.matcher(line);
		if (pay.matches()) {
			return "send_money {\"recipient\": \"%s\", \"amount\": %s}".formatted(pay.group(2), pay.group(1));
		}
		Matcher refund = REFUND.matcher(line);
		if (refund.matches()) {
			return "refund_order {\"orderId\": \"%s\", \"amount\": %s}".formatted(refund.group(2), refund.group(1));
		}
		if (sentence(message).equals("what did i say before")) {
			return recall(messages.subList(0, messages.size() - 1));
		}
		return SENTENCES.getOrDefault(sentence(message), (DemoChatModel.hasCalls(message)) ? message : HELP);
	}

	/** Quote what was said, which is no call then. */
	private static String recall(List<Message> before) {
		String said = before.stream()
			.filter(UserMessage.class::isInstance)
			.flatMap((message) -> String.valueOf(message.getText()).lines())
			.map((line) -> "> " + line)
			.collect(Collectors.joining("\n"));
		return (said.isEmpty()) ? "Nothing." : "You said:\n" + said;
	}

	/**
	 * The first line of a message as one of the sentences, without regard to case and the
	 * mark at its end.
	 */
	private static String sentence(String message) {
		return firstLine(message).toLowerCase(Locale.ROOT).replaceAll("[.!?]$", "");
	}

	private static String firstLine(String message) {
		return message.strip().lines().findFirst().orElse("").strip();
	}

}
