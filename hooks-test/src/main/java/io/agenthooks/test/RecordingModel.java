package io.agenthooks.test;

import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmExecutor;
import io.agenthooks.llmcall.LlmResponse;

/**
 * The model of a test: it remembers every call that reached it, and answers what the test
 * wants; {@code answered} unless the test says otherwise. Safe for use by many threads.
 * Without Spring it serves as well: {@code chain.execute(call, new RecordingModel())}.
 *
 * @since 0.1.0
 */
public final class RecordingModel implements LlmExecutor {

	private final Queue<LlmCall> calls = new ConcurrentLinkedQueue<>();

	private volatile LlmExecutor model = (call) -> response("answered");

	/**
	 * Let the model answer with a text.
	 * @param text the text
	 * @return this model
	 */
	public RecordingModel answering(String text) {
		LlmResponse response = response(text);
		return running((call) -> response);
	}

	/**
	 * Let the model fail.
	 * @param failure what every call throws
	 * @return this model
	 */
	public RecordingModel failing(RuntimeException failure) {
		Objects.requireNonNull(failure, "'failure' must not be null");
		return running((call) -> {
			throw failure;
		});
	}

	/**
	 * Let another model answer, which may also throw.
	 * @param model answers every call
	 * @return this model
	 */
	public RecordingModel running(LlmExecutor model) {
		this.model = Objects.requireNonNull(model, "'model' must not be null");
		return this;
	}

	@Override
	public LlmResponse execute(LlmCall call) {
		this.calls.add(call);
		return this.model.execute(call);
	}

	/**
	 * The calls that reached the model, as the hooks left them.
	 * @return the calls so far, in order
	 */
	public List<LlmCall> calls() {
		return List.copyOf(this.calls);
	}

	private static LlmResponse response(String text) {
		return new LlmResponse(text, List.of(), "stop", null, null, null);
	}

}
