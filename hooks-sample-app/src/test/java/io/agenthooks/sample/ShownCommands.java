package io.agenthooks.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands of a page, and what it says that they print.
 */
final class ShownCommands {

	/** Commands with an empty line between them, and a line of output for each. */
	private static final Pattern SHOWN = Pattern
		.compile("```sh\n(curl [^`]+?)\n```\n\n<!-- not run[^>]*-->\n```text\n([^`]+?)\n```");

	private ShownCommands() {
	}

	/**
	 * Run the commands of a section against the sample, and check that each prints all
	 * that the page shows, which is shortened at the dots.
	 * @return how many commands there are
	 */
	static int check(Path page, String heading, int port) throws IOException, InterruptedException {
		String text = Files.readString(page);
		int start = text.indexOf("\n## " + heading + "\n");
		assertThat(start).as("'%s' in %s", heading, page).isNotNegative();
		int end = text.indexOf("\n## ", start + 1);
		Matcher shown = SHOWN.matcher(text.substring(start, (end >= 0) ? end : text.length()));
		int found = 0;
		while (shown.find()) {
			String[] commands = shown.group(1).strip().split("\n\n", -1);
			String[] answers = shown.group(2).strip().split("\n", -1);
			assertThat(commands).hasSameSizeAs(answers);
			for (int i = 0; i < commands.length; i++) {
				found++;
				String answer = run(commands[i].replaceFirst("(localhost|127\\.0\\.0\\.1):8080", "127.0.0.1:" + port));
				for (String part : answers[i].split("\\.\\.\\.", -1)) {
					assertThat(answer).contains(part.strip());
				}
			}
		}
		return found;
	}

	private static String run(String command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
		return output;
	}

}
