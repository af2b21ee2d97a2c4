package io.agenthooks.spring.program;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.agenthooks.InvalidHookConfigException.Problem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Watchdog}: nothing outlives a virtual machine that is killed.
 */
@Timeout(60)
@Tag("slow")
class WatchdogTests {

	@Test
	void killedVirtualMachineLeavesNoChild() throws Exception {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		Process machine = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Parent.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try (var output = machine.inputReader()) {
			assertThat(output.lines().anyMatch("started"::equals)).isTrue();
			List<ProcessHandle> children = machine.descendants().toList();
			// The shell, both of its children, and the watchdog.
			assertThat(children).hasSizeGreaterThanOrEqualTo(4);
			machine.destroyForcibly();
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
		}
		finally {
			machine.destroyForcibly();
		}
	}

	/**
	 * A virtual machine with a child that cares for nothing.
	 */
	public static final class Parent {

		private Parent() {
		}

		public static void main(String[] arguments) throws Exception {
			List<Problem> problems = new ArrayList<>();
			ChildProgram program = ChildProgram.of(
					CommandLine.of("trap '' TERM HUP; sleep 71 & setsid sleep 72 & echo ready; wait; wait"), null,
					Map.of(), null, problems);
			Child child = Objects.requireNonNull(program)
				.start(new Watchdog().nextMark(), ProcessBuilder.Redirect.DISCARD);
			child.process().inputReader().readLine();
			System.out.println("started");
			Thread.sleep(Duration.ofMinutes(1).toMillis());
		}

	}

}
