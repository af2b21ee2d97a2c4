package io.agenthooks.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Plays the calls of an agent when the application has started, and prints how they
 * ended. There is no model behind it: the calls stand in a file, one per line, as the API
 * takes them.
 */
@Component
@Order(1)
@ConditionalOnBooleanProperty(name = "sample.script", matchIfMissing = true)
class ScriptedSession implements ApplicationRunner {

	private final List<ToolCall> calls;

	private final ToolExecutor executor;

	private final SampleJournal journal;

	private final SampleEvents events;

	ScriptedSession(@Value("classpath:scripted-session.jsonl") Resource script, ToolExecutor executor,
			SampleJournal journal, SampleEvents events) throws IOException {
		this.calls = script.getContentAsString(StandardCharsets.UTF_8)
			.lines()
			.map((line) -> ToolCallJson.read(line.getBytes(StandardCharsets.UTF_8)))
			.toList();
		this.executor = executor;
		this.journal = journal;
		this.events = events;
	}

	@Override
	public void run(ApplicationArguments args) {
		SessionTable.print("");
		SessionTable.print("A scripted agent session: its calls are fixed, no model is involved.");
		SessionTable.print("");
		SessionTable.print(SessionTable.heading());
		for (ToolCall call : this.calls) {
			SessionTable.print(SessionTable.row(ToolCallReport.of(this.journal.follow(call, this.executor))));
			SessionTable.print(SessionTable.steps(this.events.of(call.id())));
		}
		SessionTable.print("");
	}

}
