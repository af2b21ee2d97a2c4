package io.agenthooks.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Plays the calls of an agent when the application has started, and then the
 * {@link ScriptedTurns}, and prints how they ended. There is no model behind the first
 * ones: the calls stand in a file, one per line, as the API takes them. All is printed at
 * once, so that the log does not come between.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.script", matchIfMissing = true)
class ScriptedSession implements ApplicationRunner {

	private final List<ToolCall> calls;

	private final ToolExecutor executor;

	private final SampleJournal journal;

	private final SampleEvents events;

	private final ObjectProvider<ScriptedTurns> turns;

	ScriptedSession(@Value("classpath:scripted-session.jsonl") Resource script, ToolExecutor executor,
			SampleJournal journal, SampleEvents events, ObjectProvider<ScriptedTurns> turns) throws IOException {
		this.calls = script.getContentAsString(StandardCharsets.UTF_8)
			.lines()
			.map((line) -> ToolCallJson.read(line.getBytes(StandardCharsets.UTF_8)))
			.toList();
		this.executor = executor;
		this.journal = journal;
		this.events = events;
		this.turns = turns;
	}

	@Override
	public void run(ApplicationArguments args) {
		List<String> lines = new ArrayList<>(List.of("",
				"A scripted agent session: its calls are fixed, no model is involved.", "", SessionTable.heading()));
		for (ToolCall call : this.calls) {
			lines.add(SessionTable.row(ToolCallReport.of(this.journal.follow(call, this.executor))));
			lines.add(SessionTable.steps(this.events.of(call.id())));
		}
		lines.add("");
		this.turns.ifAvailable((turns) -> lines.addAll(turns.play()));
		SessionTable.print(lines);
	}

}
