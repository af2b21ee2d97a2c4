package io.agenthooks.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a program ended that a test has run, and what it wrote. It writes to a file:
 * whoever reads from a program itself waits as long as it wants.
 *
 * @param status its exit status
 * @param output what it wrote, also of errors
 */
public record EndedProgram(int status, String output) {

	/**
	 * Run a program, for three minutes at most.
	 * @param command the program and its arguments
	 * @return how it ended
	 */
	public static EndedProgram run(List<String> command) throws IOException, InterruptedException {
		Path output = Files.createTempFile("ended-program", ".txt");
		Process program = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(program.waitFor(3, TimeUnit.MINUTES)).as("ended: %s", command.get(0)).isTrue();
			return new EndedProgram(program.exitValue(), Files.readString(output));
		}
		finally {
			program.destroyForcibly();
			Files.delete(output);
		}
	}

}
