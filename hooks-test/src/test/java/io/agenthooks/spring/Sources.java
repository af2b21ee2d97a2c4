package io.agenthooks.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sources of all modules, for tests that read them.
 */
public final class Sources {

	private static final Path ROOT = Path.of("..");

	private static final Pattern MODULE = Pattern.compile("<module>([\\w/-]+)</module>");

	private Sources() {
	}

	/**
	 * A file of the project.
	 */
	public static String text(String file) {
		try {
			return Files.readString(ROOT.resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The folders of the modules, such as {@code ../types/hooks-programs}.
	 */
	public static Stream<Path> modules() {
		return MODULE.matcher(text("pom.xml")).results().map((module) -> ROOT.resolve(module.group(1)));
	}

	/**
	 * The Java files of the main code of all modules.
	 */
	public static List<Path> files() {
		return modules().map((module) -> module.resolve("src/main/java"))
			.filter(Files::isDirectory)
			.flatMap((folder) -> walk(folder).stream())
			.filter((file) -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
			.toList();
	}

	private static List<Path> walk(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
