package io.agenthooks.spring.binding;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.StringUtils;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Names the place of the mistake and the fix, and never what is written there, as Spring
 * Boot does.
 */
final class InvalidYamlFailureAnalyzer implements FailureAnalyzer {

	private static final String ELSEWHERE = "Look at three things that Spring Boot cannot read: below a list, a key that "
			+ "YAML does not take for text (on, off, yes, no, null, a number, nothing), which is to stand in quotes; "
			+ "'<<' with what it merges written in its place; an alias within what it is an alias of.";

	@Override
	public @Nullable FailureAnalysis analyze(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (isOfConfiguration(cause)) {
				return (cause instanceof MarkedYAMLException invalid) ? analysis(invalid)
						: new FailureAnalysis("A YAML file of the configuration cannot be read.", ELSEWHERE, cause);
			}
		}
		return null;
	}

	/** An application may read other YAML itself. */
	private static boolean isOfConfiguration(Throwable cause) {
		return cause.getCause() == null && !(cause instanceof IOException)
				&& Arrays.stream(cause.getStackTrace())
					.map(StackTraceElement::getClassName)
					.anyMatch((name) -> name.equals(YamlPropertySourceLoader.class.getName()));
	}

	private static FailureAnalysis analysis(MarkedYAMLException invalid) {
		Mark mark = (invalid.getProblemMark() != null) ? invalid.getProblemMark() : invalid.getContextMark();
		String file = fileOf(invalid);
		String place = (mark != null) ? "%d:%d".formatted(mark.getLine() + 1, mark.getColumn() + 1) : "";
		place = (file != null) ? file + ":" + place : "line " + place + " of a file";
		String problem = String.valueOf(invalid.getProblem());
		return new FailureAnalysis("The configuration is not valid YAML:\n\n   %s: %s".formatted(place, problem),
				actionFor(problem), invalid);
	}

	/**
	 * The mistake does not name its file: find the one among those that Spring Boot reads
	 * by default.
	 */
	private static @Nullable String fileOf(MarkedYAMLException invalid) {
		Map<URI, String> found = new HashMap<>();
		for (Resource file : files()) {
			try {
				if (hasMistake(file, invalid)) {
					found.put(file.getURI().normalize(), PlaceInText.file(file));
				}
			}
			catch (IOException | RuntimeException ex) {
				// Not the one.
			}
		}
		return (found.size() == 1) ? found.values().iterator().next() : null;
	}

	private static boolean hasMistake(Resource file, MarkedYAMLException mistake) throws IOException {
		try {
			new YamlPropertySourceLoader().load("candidate", file);
			return false;
		}
		catch (MarkedYAMLException ex) {
			return String.valueOf(ex.getMessage()).equals(mistake.getMessage());
		}
	}

	private static List<Resource> files() {
		StandardEnvironment environment = new StandardEnvironment();
		List<Resource> files = new ArrayList<>();
		Stream
			.concat(Stream.of("location", "additional-location", "import")
				.map((name) -> environment.getProperty("spring.config." + name, ""))
				.flatMap((written) -> Stream.of(written.split("[,;]"))),
					Stream.of("classpath:/", "classpath:/config/", "file:./", "file:./config/", "file:./config/*/"))
			.map((location) -> StringUtils.delete(location.strip(), "optional:"))
			.filter((location) -> !location.isEmpty())
			.map((location) -> (location.endsWith("/")) ? location + "application*.y*ml" : location)
			.forEach((location) -> {
				try {
					files.addAll(List.of(new PathMatchingResourcePatternResolver().getResources(location)));
				}
				catch (IOException ex) {
					// There is no such folder.
				}
			});
		return files;
	}

	private static String actionFor(String problem) {
		if (problem.contains("duplicate key")) {
			return "Write each key once, with all that belongs to it below.";
		}
		if (problem.contains("undefined alias") || problem.startsWith("unexpected character found")) {
			return "Write a text that begins with a sign, such as '*', in quotes.";
		}
		if (problem.contains("unknown escape character")) {
			return "Write a text with a backslash in single quotes: in double quotes the backslash begins an escape.";
		}
		if (problem.contains("expected <block end>")) {
			return "Correct the file at that place or just before: look at the indentation and the quotes. All keys of "
					+ "one thing stand below one another, and a list ('- ...') has no names beside its entries.";
		}
		return (problem.contains("TAB")) ? "Indent with spaces: YAML allows no tabs there."
				: "Correct the file at that place or just before: look at the indentation and the quotes.";
	}

}
