package io.agenthooks.test;

/** The recorders behind the hooks of a test. */
record Recorders(RecordingToolExecutor tools, RecordingModel model, RecordingAgent agent) {

	Recorders() {
		this(new RecordingToolExecutor(), new RecordingModel(), new RecordingAgent());
	}

}
