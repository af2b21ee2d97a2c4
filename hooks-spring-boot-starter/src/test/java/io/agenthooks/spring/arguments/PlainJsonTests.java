package io.agenthooks.spring.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Tests for {@link PlainJson}: whatever it reads, the library reads just so.
 */
class PlainJsonTests {

	/** What the texts of the search are made of. */
	private static final List<String> PIECES = List.of("{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"b\":", "\"a\":",
			"\\", "\\u0041", "\\n", "1", "0", "-", "-0", "12", "2147483647", "2147483648", "-2147483648", "-2147483649",
			"999999999999999999", "1000000000000000000", "9223372036854775808", ".5", "e1", "E", "+", "true", "false",
			"null", "nul", " ", "\n", "\t", "\r", "\f", "\u0000", "\u001f", "\u007f", "\u00a0", "\u2028", "\ufeff", "ä",
			"\ud83d", "\ude00", "\ud83d\ude00", "/*x*/", "//", "#", "'", "NaN", "Infinity", "_", "0x1", "text", "{}",
			"[]", "\"\"");

	@ParameterizedTest
	@ValueSource(strings = { "{}", " { } ", "{\"a\":1}", "\n{\t\"path\" :\r \"docs/notes.txt\" , \"from\":1}\n",
			"{\"a\":\"ä\u2028\u007f\",\"\":null,\"b\":true,\"c\":false}", "{\"a\":{\"b\":[1,[2,{}],\"x\"]}}",
			"{\"a\":0,\"b\":-1,\"c\":2147483647,\"d\":2147483648,\"e\":-2147483648,\"f\":-2147483649}",
			"{\"a\":999999999999999999,\"b\":-999999999999999999}" })
	void readReadsPlainTextsAsTheLibraryDoes(String json) {
		Map<String, @Nullable Object> plain = PlainJson.read(json);
		assertThat(plain).isNotNull().isEqualTo(ArgumentsReader.readStrictly(json, "It"));
		assertThat(typesOf(plain)).isEqualTo(typesOf(ArgumentsReader.readStrictly(json, "It")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "1", "null", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
			"{\"a\":1,}", "{,}", "{\"a\":1}x", "{\"a\":1}{}", "{\"a\":1,\"a\":2}", "{\"a\":1 \"b\":2}", "{\"a\":[1,]}",
			"{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":01}", "{\"a\":-}", "{\"a\":-01}", "{\"a\":+1}", "{\"a\":.5}",
			"{\"a\":1.}", "{\"a\":truex}", "{\"a\":nul}", "{\"a\":NaN}", "{a:1}", "{'a':1}", "{\"a\":1/**/}",
			"{\"a\u0000\":1}", "{\"a\":\"\t\"}", "{\"a\":\"\ud83d\"}", "\ufeff{}", "{\u00a0}", "{\"a\":\"x}",
			"{\"a\":\"\\u0000" })
	void readLeavesTheRefusalToTheLibrary(String json) {
		assertThat(PlainJson.read(json)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"a\":\"\\n\"}", "{\"\\u0061\":1}", "{\"a\":1.5}", "{\"a\":1e2}", "{\"a\":-0}",
			"{\"a\":1000000000000000000}", "{\"a\":\"\ud83d\ude00\"}" })
	void readLeavesWhatIsNotPlainToTheLibrary(String json) {
		assertThat(PlainJson.read(json)).isNull();
		assertThatCode(() -> ArgumentsReader.read(json, "It")).doesNotThrowAnyException();
	}

	@Test
	void readLeavesLongDeepAndWideTextsToTheLibrary() {
		List<String> texts = new ArrayList<>();
		texts.add("{\"a\":\"%s\"}".formatted("x".repeat(PlainJson.MAX_LENGTH)));
		texts.add("{\"a\":" + "[".repeat(20) + "]".repeat(20) + "}");
		texts.add("{" + String.join(",", IntStream.range(0, 17).mapToObj("\"n%d\":1"::formatted).toList()) + "}");
		for (String json : texts) {
			assertThat(PlainJson.read(json)).isNull();
			assertThatCode(() -> ArgumentsReader.read(json, "It")).doesNotThrowAnyException();
		}
	}

	@Test
	void readKeepsOrderOfManyMembers() {
		List<String> names = IntStream.range(0, 16).mapToObj((i) -> "name" + (97 * i % 31)).toList();
		String json = "{" + String.join(",", names.stream().map("\"%s\":[]"::formatted).toList()) + "}";
		Map<String, @Nullable Object> plain = PlainJson.read(json);
		assertThat(plain).isNotNull();
		assertThat(plain.keySet()).containsExactlyElementsOf(names);
		assertThat(ToolArguments.parse(json).keySet()).containsExactlyElementsOf(names);
	}

	@Test
	void readNeverReadsOtherThanTheLibrary() {
		Random random = new Random(42);
		int read = 0;
		for (int i = 0; i < 200_000; i++) {
			String json = text(random);
			Map<String, @Nullable Object> plain = PlainJson.read(json);
			if (plain == null) {
				continue;
			}
			read++;
			Map<String, @Nullable Object> strict = ArgumentsReader.readStrictly(json, "It");
			assertThat(plain).as(json).isEqualTo(strict);
			assertThat(typesOf(plain)).as(json).isEqualTo(typesOf(strict));
		}
		assertThat(read).isGreaterThan(1_000);
	}

	/**
	 * A text that begins as an object does, so that some are valid.
	 */
	private static String text(Random random) {
		StringBuilder text = new StringBuilder("{");
		int members = random.nextInt(3);
		for (int i = 0; i < members; i++) {
			text.append((i > 0) ? "," : "").append("\"").append((char) ('a' + random.nextInt(3))).append("\":");
			text.append(PIECES.get(random.nextInt(PIECES.size())));
			if (random.nextInt(3) == 0) {
				text.append(PIECES.get(random.nextInt(PIECES.size())));
			}
		}
		text.append("}");
		if (random.nextInt(4) == 0) {
			text.insert(random.nextInt(text.length() + 1), PIECES.get(random.nextInt(PIECES.size())));
		}
		return text.toString();
	}

	/**
	 * The values with the classes of their numbers: two equal numbers may be of two
	 * classes.
	 */
	private static String typesOf(@Nullable Object value) {
		if (value instanceof Map<?, ?> map) {
			StringBuilder types = new StringBuilder();
			map.forEach((name, member) -> types.append(name).append('=').append(typesOf(member)).append(';'));
			return "{" + types + "}";
		}
		if (value instanceof List<?> list) {
			return list.stream().map(PlainJsonTests::typesOf).toList().toString();
		}
		return (value != null) ? value.getClass().getSimpleName() : "null";
	}

}
