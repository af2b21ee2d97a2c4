package io.agenthooks.test;

import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import io.agenthooks.run.AgentRun;

/**
 * The agent of a test: it remembers every run that began, and answers what the test
 * wants; {@code answered} unless the test says otherwise. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class RecordingAgent {

	private final Queue<AgentRun> runs = new ConcurrentLinkedQueue<>();

	private volatile Function<AgentRun, String> agent = (run) -> "answered";

	/**
	 * Let the agent answer with a text.
	 * @param text the text
	 * @return this agent
	 */
	public RecordingAgent answering(String text) {
		Objects.requireNonNull(text, "'text' must not be null");
		return running((run) -> text);
	}

	/**
	 * Let every run fail.
	 * @param failure what every run throws
	 * @return this agent
	 */
	public RecordingAgent failing(RuntimeException failure) {
		Objects.requireNonNull(failure, "'failure' must not be null");
		return running((run) -> {
			throw failure;
		});
	}

	/**
	 * Let another agent run, which may also call tools and models, or throw.
	 * @param agent answers every run
	 * @return this agent
	 */
	public RecordingAgent running(Function<AgentRun, String> agent) {
		this.agent = Objects.requireNonNull(agent, "'agent' must not be null");
		return this;
	}

	String run(AgentRun run) {
		this.runs.add(run);
		return Objects.requireNonNull(this.agent.apply(run), "The agent gave no answer");
	}

	/**
	 * The runs that began.
	 * @return the runs so far, in order
	 */
	public List<AgentRun> runs() {
		return List.copyOf(this.runs);
	}

}
