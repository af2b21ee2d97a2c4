package io.agenthooks.spring.hostile;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class HostileInputsTests {

	/** Half a second for each, with room for a cold and busy machine. */
	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Pattern LINE = Pattern.compile(" *(\\d+) ms {2}(.*) -> (.*)");

	@Test
	@Timeout(660)
	void noInputUsesUpTheMemory(@TempDir Path directory) throws Exception {
		Path output = directory.resolve("output");
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		Process process = new ProcessBuilder(java, "-Xmx256m", "-Xss1m", "-XX:+ExitOnOutOfMemoryError",
				"-Dlogging.level.root=warn", "-cp", System.getProperty("java.class.path"),
				HostileInputs.class.getName())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
			.start();
		try {
			assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		List<String> lines = Files.readAllLines(output);
		assertThat(process.exitValue()).as("%s", lines.subList(Math.max(0, lines.size() - 10), lines.size())).isZero();
		assertThat(lines).endsWith("END");
		assertThat(lines.stream().map(LINE::matcher).filter(Matcher::matches)).hasSizeGreaterThan(150)
			.allSatisfy(
					(line) -> assertThat(Long.parseLong(line.group(1))).as(line.group(2)).isLessThan(LIMIT.toMillis()));
	}

}
