package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that are killed when people have decided, before the agent has answered.
 * The next one on the same database goes on.
 */
@Tag("slow")
class ContinuationChaosTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int KILLS = 5;

	@TempDir
	private Path folder;

	private final List<Process> processes = new ArrayList<>();

	@AfterEach
	void killAll() throws InterruptedException {
		for (Process process : this.processes) {
			kill(process);
		}
	}

	@Test
	void turnThatWasDecidedIsAnsweredByTheNextApplication() throws Exception {
		killAt("decided");
		assertThat(done()).isEmpty();
		assertThat(next()).isEqualTo("end ANSWERED The mail came");
		assertThat(done()).containsExactly("send", "asked", "look");
	}

	/** The result of the call is on record, so the model is asked once more with it. */
	@Test
	void turnWhoseModelWasBeingAskedIsAnsweredAndNoToolRunsAgain() throws Exception {
		killAt("model");
		assertThat(done()).containsExactly("send", "asked");
		assertThat(next()).isEqualTo("end ANSWERED The mail came");
		assertThat(done()).containsExactly("send", "asked", "asked", "look");
	}

	/**
	 * Nobody knows whether the tool had its effect, or whether there are more of them.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "before-tool", "after-tool", "after-own-tool" })
	void turnThatWasKilledInAToolIsNotGoneOnWithAndNoToolRunsAgain(String place) throws Exception {
		killAt(place);
		List<String> before = done();
		assertThat(next()).isEqualTo("end FAILED null");
		assertThat(done()).isEqualTo(before);
	}

	/** Wherever it is killed: each tool ran at most once, and there is one end. */
	@Test
	@Timeout(600)
	void turnThatIsKilledAgainAndAgainEndsAndNoToolRunsTwice() throws Exception {
		killAt("decided");
		for (int i = 1; i <= KILLS; i++) {
			String name = "wild-" + i;
			Process process = start("nowhere", name);
			Awaitility.await().atMost(PATIENCE).until(() -> lines(name).contains("at start") || !process.isAlive());
			// Each time a little later.
			boolean unused = process.waitFor(i * 150L, TimeUnit.MILLISECONDS);
			kill(process);
		}
		String end = next();
		assertThat(end).matches("end (ANSWERED The mail came|FAILED null)");
		assertThat(Collections.frequency(done(), "send")).isLessThanOrEqualTo(1);
		assertThat(Collections.frequency(done(), "look")).isLessThanOrEqualTo(1);
		assertThat(next()).isEqualTo(end);
	}

	private void killAt(String place) throws Exception {
		Process process = start(place, place);
		Awaitility.await().atMost(PATIENCE).until(() -> lines(place).contains("at " + place) || !process.isAlive());
		assertThat(lines(place)).contains("at " + place);
		kill(process);
	}

	private String next() throws Exception {
		Process process = start("nowhere", "next");
		assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		return lines("next").stream().filter((line) -> line.startsWith("end ")).findFirst().orElseThrow();
	}

	private List<String> done() throws IOException {
		Path file = this.folder.resolve("done");
		return (Files.exists(file)) ? Files.readAllLines(file) : List.of();
	}

	private List<String> lines(String name) throws IOException {
		Path file = this.folder.resolve(name + ".out");
		return (Files.exists(file)) ? Files.readAllLines(file)
			.stream()
			.filter((line) -> line.startsWith("at ") || line.startsWith("end "))
			.toList() : List.of();
	}

	private Process start(String place, String name) throws IOException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				ContinuationNode.class.getName(), this.folder.toString(), place)
			.redirectErrorStream(true)
			.redirectOutput(this.folder.resolve(name + ".out").toFile())
			.start();
		this.processes.add(process);
		return process;
	}

	private static void kill(Process process) throws InterruptedException {
		boolean unused = process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
	}

}
