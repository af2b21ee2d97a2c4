package io.agenthooks.test;

/**
 * What stands behind the hooks of a test.
 *
 * @param tools runs the tools
 * @param model answers the calls of models
 * @param agent answers the runs
 */
record Recorders(RecordingToolExecutor tools, RecordingModel model, RecordingAgent agent) {

	Recorders() {
		this(new RecordingToolExecutor(), new RecordingModel(), new RecordingAgent());
	}

}
