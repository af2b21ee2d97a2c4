package io.agenthooks.sample.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.ai.chat.messages.AssistantMessage;

/**
 * The calls that stand in a message of the user: one per line, as the name of the tool
 * and its arguments, which need not be valid. The lines up to an empty one are made
 * together; other text says nothing to a script. A few sentences stand for such lines.
 */
record Script(List<List<AssistantMessage.ToolCall>> batches) {

	static final String HELP = """
			Write calls of tools, one per line, such as
			read_file {"path": "notes.txt"}
			An empty line between two calls makes the second one wait for the first one's result. \
			Or write one of: Clean up the workspace. Read the secrets. Which machine is this? Look again and again. \
			Send the report to ann@example.com. Read my mails. Pay 50 EUR to GB29NWBK60161331926819. \
			What did I say before?""";

	private static final Pattern CALL = Pattern.compile("([\\w.-]+)[ \\t]*(\\{.*)");

	private static final Pattern SEND_REPORT = Pattern.compile("send the report to ([\\w.+-]+@[\\w.-]*\\w)\\.?",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern PAY = Pattern.compile("pay (\\d+(?:\\.\\d+)?) EUR to (\\w+)\\.?",
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

	static Script of(String message) {
		Matcher report = SEND_REPORT.matcher(firstLine(message));
		if (report.matches()) {
			return read("send_email {\"to\": \"%s\", \"subject\": \"The report\", \"body\": \"All is well.\"}"
				.formatted(report.group(1)));
		}
		Matcher pay = PAY.matcher(firstLine(message));
		if (pay.matches()) {
			return read("send_money {\"recipient\": \"%s\", \"amount\": %s}".formatted(pay.group(2), pay.group(1)));
		}
		return read(SENTENCES.getOrDefault(sentence(message), message));
	}

	/**
	 * The first line of a message as one of the sentences, without regard to case and the
	 * mark at its end.
	 */
	static String sentence(String message) {
		return firstLine(message).toLowerCase(Locale.ROOT).replaceAll("[.!?]$", "");
	}

	private static String firstLine(String message) {
		return message.strip().lines().findFirst().orElse("").strip();
	}

	private static Script read(String text) {
		List<List<AssistantMessage.ToolCall>> batches = new ArrayList<>();
		List<AssistantMessage.ToolCall> batch = new ArrayList<>();
		for (String line : text.lines().map(String::strip).toList()) {
			Matcher call = CALL.matcher(line);
			if (call.matches()) {
				batch.add(new AssistantMessage.ToolCall(UUID.randomUUID().toString(), "function", call.group(1),
						call.group(2)));
			}
			else if (line.isEmpty() && !batch.isEmpty()) {
				batches.add(List.copyOf(batch));
				batch.clear();
			}
		}
		if (!batch.isEmpty()) {
			batches.add(batch);
		}
		return new Script(batches);
	}

}
