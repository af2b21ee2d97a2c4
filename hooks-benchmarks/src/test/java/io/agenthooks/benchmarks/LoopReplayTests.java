package io.agenthooks.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LoopReplay}, with recordings that were made by hand: a booking with
 * questions and a mistake, an agent that asks for a status which changes after a while,
 * and one that books the same again and again in vain.
 */
class LoopReplayTests {

	private static final Path RECORDING = Path.of("src/test/resources/io/agenthooks/benchmarks/recorded-runs.json");

	@TempDir
	private Path directory;

	@Test
	void onlyTheLoopIsFlaggedAtTheDefaults() throws IOException {
		assertThat(LoopReplay.replay(RECORDING, Map.of())).isEqualTo(new LoopReplay.Report(3, 31, 2, List.of(2)));
	}

	@Test
	void lowerNumbersAlsoFlagTheAgentThatWaits() throws IOException {
		assertThat(LoopReplay.replay(RECORDING, Map.of("repeats.warn", 8)).flaggedRuns()).containsExactly(1, 2);
		assertThat(LoopReplay.replay(RECORDING, Map.of("repeats.warn", 9)).flaggedRuns()).containsExactly(2);
	}

	@Test
	void recordingWhoseCallsHaveNoResultIsNotReplayed() throws IOException {
		Path broken = Files.writeString(this.directory.resolve("broken.json"),
				Files.readString(RECORDING).replaceFirst("\"role\": \"tool\"", "\"role\": \"user\""));
		assertThatIllegalArgumentException().isThrownBy(() -> LoopReplay.replay(broken, Map.of()))
			.withMessageContaining("has no result");
	}

}
