package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** The names of the files with records. Uses nothing but the JDK. */
final class AuditFiles {

	private static final Pattern NAME = Pattern
		.compile("(" + SealedLine.NAME + ")\\.([0-9]{12,18})\\.([0-9]{4,9}-[0-9]{2}-[0-9]{2})\\.jsonl");

	private AuditFiles() {
	}

	static String nameOf(String node, long first, LocalDate day) {
		return "%s.%012d.%s.jsonl".formatted(node, first, day);
	}

	static LocalDate dayOf(Path file) {
		try {
			return LocalDate.parse(match(file).group(3));
		}
		catch (DateTimeParseException ex) {
			throw new InvalidAuditFileException("'%s' has no day in its name".formatted(file), ex);
		}
	}

	private static Matcher match(Path file) {
		Matcher matcher = NAME.matcher(String.valueOf(file.getFileName()));
		if (!matcher.matches()) {
			throw new InvalidAuditFileException("'%s' is no file of the audit".formatted(file), null);
		}
		return matcher;
	}

	static List<Path> of(Path directory, String node) throws IOException {
		return all(directory).stream().filter((file) -> match(file).group(1).equals(node)).toList();
	}

	static List<Path> all(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> NAME.matcher(String.valueOf(file.getFileName())).matches())
				.sorted(Comparator.comparing((Path file) -> match(file).group(1))
					.thenComparing((file) -> Long.valueOf(match(file).group(2))))
				.toList();
		}
	}

	static boolean read(Path file, LineReader reader) throws IOException {
		try (Reader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
			StringBuilder line = new StringBuilder();
			long number = 0;
			for (int next = in.read(); next != -1; next = in.read()) {
				if (next != '\n') {
					line.append((char) next);
					continue;
				}
				if (!reader.accept(line.toString(), file + ":" + ++number, true)) {
					return false;
				}
				line.setLength(0);
			}
			return line.isEmpty() || reader.accept(line.toString(), file + ":" + ++number, false);
		}
	}

	@FunctionalInterface
	interface LineReader {

		/** The last line is not finished after a crash, or while it is being written. */
		boolean accept(String line, String place, boolean finished) throws IOException;

	}

	static final class InvalidAuditFileException extends IllegalArgumentException {

		InvalidAuditFileException(String message, @Nullable Throwable cause) {
			super(message, cause);
		}

	}

}
