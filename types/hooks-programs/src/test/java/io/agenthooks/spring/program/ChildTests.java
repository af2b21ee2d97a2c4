package io.agenthooks.spring.program;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Child}.
 */
@Timeout(60)
class ChildTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void processThatNobodyHoldsIsFoundByItsMarkAlone() throws Exception {
		ChildProgram program = new ChildProgram(List.of("/bin/sh", "-c", "sleep 60 & wait"), Path.of("/"), Map.of());
		Child marked = program.start("a.1", ProcessBuilder.Redirect.DISCARD);
		Child other = program.start("a.11", ProcessBuilder.Redirect.DISCARD);
		try {
			Child.killMarked("a.1");
			assertThat(marked.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
			assertThat(other.process().isAlive()).isTrue();
		}
		finally {
			other.kill();
			marked.kill();
		}
	}

}
