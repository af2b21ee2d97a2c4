package io.agenthooks.spring.dialect;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DialectJsonTests {

	private static String written(Object value) {
		return DialectJson.write(value, (name) -> false).toString();
	}

	private static String expected(Object value) {
		return new String(StrictJson.write(value), StandardCharsets.US_ASCII);
	}

	static List<Object> values() {
		StringBuilder characters = new StringBuilder();
		for (char character = 0; character < Character.MIN_SURROGATE; character++) {
			characters.append(character);
		}
		characters.append("\ue000\uffff\ud83d\ude00");
		return List.of("", characters.toString(), true, 0, -1, 9, 10, 2_147_483_647, Long.MIN_VALUE, (short) -7,
				(byte) 3, 0.1, -0.0, 1e300, 4.9e-324, 1.5f, new BigDecimal("1e300"), new BigDecimal("-0.00"),
				BigInteger.TEN.pow(2_000), new BigDecimal(BigInteger.TEN.pow(2_000), 5), Map.of(), List.of(),
				Map.of("a\"\u00fc\n", List.of(Map.of(), List.of(1, 2), "x")), List.of(Set.of("s")),
				List.of(new Object[] { 1, "a" }), Arrays.asList(null, null), Collections.singletonMap("n", null));
	}

	@ParameterizedTest
	@MethodSource("values")
	void valueIsWrittenAsByStrictJson(Object value) {
		assertThat(written(value)).isEqualTo(expected(value));
	}

	@Test
	void randomValuesAreWrittenAsByStrictJson() {
		Random random = new Random(5);
		for (int i = 0; i < 2_000; i++) {
			Object value = random(random, 0);

			assertThat(written(value)).isEqualTo(expected(value));
		}
	}

	private static Object random(Random random, int depth) {
		return switch (random.nextInt((depth < 4) ? 7 : 5)) {
			case 0 -> random.nextInt();
			case 1 -> random.nextLong();
			case 2 -> random.nextInt(1000) / 8.0;
			case 3 -> random.nextBoolean();
			case 4 -> text(random);
			case 5 -> {
				List<Object> list = new ArrayList<>();
				while (random.nextInt(4) > 0) {
					list.add(random(random, depth + 1));
				}
				yield list;
			}
			default -> {
				Map<String, Object> map = new LinkedHashMap<>();
				while (random.nextInt(4) > 0) {
					map.put(text(random), random(random, depth + 1));
				}
				yield map;
			}
		};
	}

	private static String text(Random random) {
		StringBuilder text = new StringBuilder();
		while (random.nextInt(8) > 0) {
			int character = random.nextInt((random.nextBoolean()) ? 0x80 : 0x11000);
			if (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE) {
				text.appendCodePoint(character);
			}
		}
		return text.toString();
	}

	@Test
	void halfACharacterIsReplaced() {
		assertThat(written("a\ud83d")).isEqualTo("\"a\\uFFFD\"");
		assertThat(written("\ude00a")).isEqualTo("\"\\uFFFDa\"");
		assertThat(written("\ud83d\ud83d\ude00")).isEqualTo("\"\\uFFFD\\uD83D\\uDE00\"");
		assertThat(written(Map.of("\ud83d", 1))).isEqualTo("{\"\\uFFFD\":1}");
	}

	@Test
	void hiddenNameIsFoundByReadersOnly() {
		Map<String, Object> members = Map.of("event", Map.of("event", "event"));
		Map<String, Object> others = new LinkedHashMap<>();
		for (String name : List.of("", "\"a", "\\a", "\u00fca", "\na", "other")) {
			others.put(name, name);
		}

		String hidden = DialectJson.write(members, "event"::equals).toString();

		assertThat(hidden).isEqualTo("{\"\\u0065vent\":{\"\\u0065vent\":\"event\"}}");
		assertThat(new StrictJson(1).readObject(hidden.getBytes(StandardCharsets.UTF_8))).isEqualTo(members);
		byte[] all = DialectJson.write(others, (name) -> true).toString().getBytes(StandardCharsets.UTF_8);
		assertThat(new StrictJson(1).readObject(all)).isEqualTo(others);
	}

	@Test
	void whatIsTooLongIsRefused() {
		String half = "x".repeat(StrictJson.MAX_WRITTEN / 2);
		DialectJson.Written written = DialectJson.write(half, (name) -> false);

		for (Object value : List.of(List.of(half, half), "\u00fc".repeat(StrictJson.MAX_WRITTEN / 6 + 1),
				List.of(written, written), BigInteger.ONE.shiftLeft(20_000),
				List.of(new BigDecimal(BigInteger.ONE.shiftLeft(20_000), 3)))) {
			assertThatExceptionOfType(InvalidJsonException.class).isThrownBy(() -> written(value));
		}
	}

}
