package io.agenthooks.benchmarks.flow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The actions of an agent for a user, as a line of a file says.
 *
 * @param injection what somebody else wanted, or {@code null} if nobody did
 * @param read whether the injected text is in what these calls return; {@code null} in a
 * benign run
 * @param injected the calls that the injected text asks for, or {@code null} in a benign
 * run
 */
record RecordedRun(String suite, String task, @Nullable String injection, String prompt, List<RecordedCall> calls,
		@Nullable Boolean read, @Nullable List<RecordedCall> injected) {

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	static List<RecordedRun> readAll(Path file) throws IOException {
		List<RecordedRun> runs = new ArrayList<>();
		List<String> lines = Files.readAllLines(file);
		for (int i = 0; i < lines.size(); i++) {
			try {
				runs.add(JSON.readValue(lines.get(i), RecordedRun.class).checked());
			}
			catch (JacksonException | IllegalArgumentException ex) {
				throw new IllegalArgumentException(
						"%s:%d is no run. Write the file with convert.py.".formatted(file, i + 1), ex);
			}
		}
		return runs;
	}

	@SuppressWarnings("ConstantValue") // the reader of JSON leaves out what is not there
	private RecordedRun checked() {
		if (this.suite == null || this.task == null || this.prompt == null || this.calls == null
				|| (this.injection == null) != (this.injected == null)) {
			throw new IllegalArgumentException("suite, task, prompt, calls, or what is injected is missing");
		}
		return this;
	}

	String name() {
		String name = this.suite + " " + this.task;
		return (this.injection != null) ? name + " with " + this.injection : name;
	}

	/** A call. */
	record RecordedCall(String tool, Map<String, @Nullable Object> arguments, String result, boolean changes) {

	}

}
