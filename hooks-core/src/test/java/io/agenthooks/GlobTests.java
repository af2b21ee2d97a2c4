package io.agenthooks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Glob}.
 */
class GlobTests {

	@Test
	void testAgreesWithCpython() throws IOException {
		List<String> cases = fixture();
		assertThat(cases).hasSizeGreaterThan(7000);
		for (String line : cases) {
			String[] columns = line.split(";", -1);
			String pattern = decode(columns[0]);
			String name = decode(columns[1]);
			boolean expected = columns[2].equals("1");
			assertThat(Glob.exactly(pattern).test(name)).as("%s on %s", pattern, name).isEqualTo(expected);
			assertThat(Glob.anyExactly(List.of("no such name", pattern)).test(name))
				.as("any of %s on %s", pattern, name)
				.isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@CsvSource({ "run_*, run_command, true", "run_*, Run_command, false", "read_file, read_file, true",
			"*_file, read_files, false", "mcp__[a-c]?, mcp__bx, true", "mcp__[!a-c]?, mcp__bx, false" })
	void testMatchesWholeNameWithCase(String pattern, String name, boolean expected) {
		assertThat(Glob.of(pattern).test(name)).isEqualTo(expected);
	}

	// P03
	@Test
	void testWhenNameHoldsSlashAndLineBreakLetsStarCrossThem() {
		assertThat(Glob.of("mcp__*").test("mcp__x/y\nz")).isTrue();
	}

	// P05
	@Test
	void testWhenNameEndsWithLineBreakDoesNotMatch() {
		assertThat(Glob.of("read_file").test("read_file\n")).isFalse();
	}

	@Test
	@Timeout(20)
	void testWhenPatternHasManyStarsEnds() {
		Glob glob = Glob.of("*a".repeat(50) + "b");
		assertThat(glob.test("a".repeat(10_000))).isFalse();
	}

	@Test
	void anyOfWhenNoPatternsMatchesNothing() {
		assertThat(Glob.anyOf().test("")).isFalse();
		assertThat(Glob.anyOf(List.of()).test("x")).isFalse();
	}

	@Test
	void anyOfMatchesNamesAndWildcards() {
		Predicate<String> tools = Glob.anyOf("read_file", "run_*");
		assertThat(tools).accepts("read_file", "run_", "run_command").rejects("read_file2", "ru");
	}

	@Test
	void toStringIsPattern() {
		assertThat(Glob.of("run_*")).hasToString("run_*");
	}

	private static List<String> fixture() throws IOException {
		try (InputStream stream = Objects.requireNonNull(GlobTests.class.getResourceAsStream("fnmatch-cases.txt"));
				BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
			return reader.lines().toList();
		}
	}

	private static String decode(String codePoints) {
		if (codePoints.isEmpty()) {
			return "";
		}
		StringBuilder text = new StringBuilder();
		Stream.of(codePoints.split("\\.")).forEach((hex) -> text.appendCodePoint(Integer.parseInt(hex, 16)));
		return text.toString();
	}

}
