package io.agenthooks.sample;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Says one thing to the agent after the {@link ScriptedSession}, and prints what came of
 * it: the same hooks around a whole turn of a {@code ChatClient}. A real model is not
 * asked without need.
 */
@Component
@Order(2)
@ConditionalOnBooleanProperty(name = "sample.script", matchIfMissing = true)
@ConditionalOnProperty(name = "spring.ai.model.chat", havingValue = "none")
class ScriptedTurn implements ApplicationRunner {

	private static final String MESSAGE = "Clean up the workspace";

	private final ChatAgent agent;

	ScriptedTurn(ChatAgent agent) {
		this.agent = agent;
	}

	@Override
	public void run(ApplicationArguments args) {
		ChatReport report = this.agent.ask(new ChatQuestion(MESSAGE, "script", null, null));
		SessionTable.print("A turn of the agent. Model: %s. Message: %s".formatted(report.model(), MESSAGE));
		SessionTable.print("");
		SessionTable.print(SessionTable.heading());
		report.toolCalls().forEach((call) -> SessionTable.print(SessionTable.row(call)));
		SessionTable.print("");
	}

}
