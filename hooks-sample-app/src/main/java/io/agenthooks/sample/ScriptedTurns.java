package io.agenthooks.sample;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

import io.agenthooks.test.ai.DemoChatModel;

/**
 * Says some things to the agent: the same hooks around whole turns of a
 * {@code ChatClient}. The last turn waits for a person. A real model is not asked without
 * need.
 */
@Component
@ConditionalOnProperty(name = "spring.ai.model.chat", havingValue = "none")
class ScriptedTurns {

	private static final List<ChatQuestion> QUESTIONS = List.of(
			new ChatQuestion("Clean up the workspace", "script", null, null),
			new ChatQuestion("Refund 900 EUR for order A-17", "script", "ann", "support"));

	private final ChatAgent agent;

	private final String page;

	ScriptedTurns(ChatAgent agent, @Value("http://127.0.0.1:${server.port}${hooks.console.path:/hooks}") String page) {
		this.agent = agent;
		this.page = page;
	}

	/** Run the turns, and return what came of them, line by line. */
	List<String> play() {
		List<String> lines = new ArrayList<>();
		for (ChatQuestion question : QUESTIONS) {
			ChatReport report = this.agent.ask(question);
			lines.add("A turn of the agent. Model: %s. Message: %s".formatted(DemoChatModel.NAME, question.message()));
			lines.add("");
			lines.add(SessionTable.heading());
			report.toolCalls().forEach((call) -> lines.add(SessionTable.row(call)));
			if (!report.approvals().isEmpty()) {
				lines.add("");
				lines.add("The refund waits for a person. Decide at %s#approvals, and the agent goes on."
					.formatted(this.page));
			}
			lines.add("");
		}
		lines.add("What the agent did: %s".formatted(this.page));
		lines.add("");
		return lines;
	}

}
