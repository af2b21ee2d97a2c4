package io.agenthooks.toolcall;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.LocalDate;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Arguments}.
 */
@Timeout(20)
class ArgumentsTests {

	private static final BigInteger HUGE = BigInteger.TEN.pow(400);

	@Test
	void copyOfKeepsJsonValues() {
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
		arguments.put("null", null);
		arguments.put("text", "äöü \ud83d\ude00");
		arguments.put("", "empty name");
		arguments.put("yes", true);
		arguments.put("int", 1);
		arguments.put("long", Long.MAX_VALUE);
		arguments.put("short", (short) 1);
		arguments.put("byte", (byte) 1);
		arguments.put("double", 1.5);
		arguments.put("float", 1.5f);
		arguments.put("big", HUGE);
		arguments.put("exact", new BigDecimal("0.10"));
		arguments.put("list", Arrays.asList(1, null, List.of("a"), Map.of("b", List.of())));
		arguments.put("map", Collections.singletonMap("nothing", null));
		Map<String, @Nullable Object> copy = Arguments.copyOf(arguments);
		assertThat(copy).isEqualTo(arguments);
		assertThat(copy.entrySet()).containsExactlyElementsOf(arguments.entrySet());
		assertThat(copy).hasSameHashCodeAs(arguments);
	}

	@Test
	void copyOfKeepsOrderAndIdentityOfNames() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		List.of("zebra", "apple", "Apple", "apple ", "äpple", "a\u0308pple", "0", "-1")
			.forEach((name) -> arguments.put(name, name));
		assertThat(Arguments.copyOf(arguments).keySet()).containsExactlyElementsOf(arguments.keySet());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 8, 9, 20 })
	void copyOfFewOrManyArgumentsIsTheSameMap(int count) {
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
		for (int i = 0; i < count; i++) {
			arguments.put("name" + (37 * i % 23), (i % 3 == 0) ? null : Map.of("n" + i, i));
		}
		Map<String, @Nullable Object> copy = Arguments.copyOf(arguments);
		assertThat(copy).isEqualTo(arguments).hasSameHashCodeAs(arguments).hasToString(arguments.toString());
		assertThat(arguments).isEqualTo(copy);
		assertThat(copy.keySet()).containsExactlyElementsOf(arguments.keySet());
		arguments.forEach((name, value) -> {
			assertThat(copy.containsKey(name)).isTrue();
			assertThat(copy.get(name)).isEqualTo(value);
		});
		assertThat(copy.get("absent")).isNull();
		assertThat(copy.containsKey("absent")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 12 })
	void copyOfMapThatLiesAboutItsSizeHoldsEachNameOnceWithTheLastValue(int names) {
		Map<String, Object> lying = new AbstractMap<>() {

			@Override
			public int size() {
				return 1;
			}

			@Override
			public Set<Entry<String, Object>> entrySet() {
				Set<Entry<String, Object>> entries = new LinkedHashSet<>();
				for (int i = 0; i < 2 * names; i++) {
					entries.add(Map.entry("n" + i % names, i));
				}
				return entries;
			}

		};
		Map<String, @Nullable Object> copy = Arguments.copyOf(lying);
		assertThat(copy).hasSize(names);
		assertThat(copy.get("n0")).isEqualTo(names);
		assertThat(copy.keySet()).first().isEqualTo("n0");
	}

	@Test
	void copyOfCopyIsTheSame() {
		Map<String, @Nullable Object> copy = Arguments.copyOf(Map.of("a", List.of(1)));
		assertThat(Arguments.copyOf(copy)).isSameAs(copy);
		ToolCall call = ToolCall.of("tool", copy);
		assertThat(call.arguments()).isSameAs(copy);
		assertThat(call.withArguments(copy).arguments()).isSameAs(copy);
		assertThat(((ToolDecision.Modify) ToolDecision.modify(copy)).arguments()).isSameAs(copy);
	}

	@Test
	void copyOfIsIndependentOfTheOriginal() {
		List<Object> flags = new ArrayList<>(List.of("-l"));
		Map<String, Object> nested = new HashMap<>(Map.of("flags", flags));
		Object[] array = { "a" };
		Map<String, Object> arguments = new HashMap<>(Map.of("nested", nested, "array", array));
		Map<String, @Nullable Object> copy = Arguments.copyOf(arguments);
		flags.add("-rf");
		nested.put("more", true);
		array[0] = "b";
		arguments.clear();
		assertThat(copy).isEqualTo(Map.of("nested", Map.of("flags", List.of("-l")), "array", List.of("a")));
	}

	@Test
	void copyOfTurnsCollectionsAndArraysIntoLists() {
		Set<Object> set = new LinkedHashSet<>(List.of("b", "a"));
		assertThat(Arguments.copyOf(Map.of("value", set))).isEqualTo(Map.of("value", List.of("b", "a")));
		assertThat(Arguments.copyOf(Map.of("value", new Object[] { "b", new String[] { "a" } })))
			.isEqualTo(Map.of("value", List.of("b", List.of("a"))));
	}

	@Test
	void copyOfEmptyMapAllowsLookUps() {
		Map<String, @Nullable Object> empty = Arguments.copyOf(new HashMap<>());
		assertThat(empty).isEmpty();
		assertThat(empty.get(null)).isNull();
		assertThat(empty.containsKey(null)).isFalse();
		assertThat(empty.get("a")).isNull();
		assertThat(empty).isEqualTo(Map.of());
	}

	@Test
	void lookUpsWorkAsInAnyMap() {
		Map<String, @Nullable Object> copy = Arguments.copyOf(Collections.singletonMap("nothing", null));
		assertThat(copy.containsKey("nothing")).isTrue();
		assertThat(copy.getOrDefault("nothing", "default")).isNull();
		assertThat(copy.getOrDefault("absent", "default")).isEqualTo("default");
		assertThat(copy.get(null)).isNull();
		assertThat(copy.containsKey(null)).isFalse();
	}

	static Stream<Consumer<Map<String, @Nullable Object>>> mutations() {
		return Stream.of((map) -> map.put("a", 1), (map) -> map.put("new", 1), (map) -> map.remove("a"),
				(map) -> map.putAll(Map.of("a", 1)), (map) -> map.clear(), (map) -> map.keySet().remove("a"),
				(map) -> map.keySet().clear(), (map) -> map.values().clear(), (map) -> map.entrySet().clear(),
				(map) -> map.values().removeIf((value) -> true), (map) -> map.replaceAll((name, value) -> 1),
				(map) -> map.merge("a", 1, (one, other) -> other), (map) -> map.compute("a", (name, value) -> 1),
				(map) -> map.computeIfAbsent("new", (name) -> 1), (map) -> map.putIfAbsent("new", 1),
				(map) -> map.replace("a", 1), (map) -> {
					Iterator<?> names = map.keySet().iterator();
					names.next();
					names.remove();
				}, (map) -> map.entrySet().iterator().next().setValue(1),
				(map) -> map.entrySet().stream().forEach((entry) -> entry.setValue(1)),
				(map) -> map.entrySet().forEach((entry) -> entry.setValue(1)),
				(map) -> ArgumentsTests.<Map.Entry<?, Object>>castAny(map.entrySet().toArray()[0]).setValue(1),
				(map) -> inner(map).add("x"), (map) -> inner(map).set(0, "x"), (map) -> inner(map).clear(),
				(map) -> inner(map).listIterator().add("x"), (map) -> inner(map).subList(0, 1).set(0, "x"),
				(map) -> inner(map).sort(null), (map) -> innermost(map).put("x", 1), (map) -> innermost(map).clear());
	}

	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	private static <T> T castAny(Object value) {
		return (T) value;
	}

	private static List<Object> inner(Map<String, @Nullable Object> map) {
		return castAny(Objects.requireNonNull(map.get("a")));
	}

	private static Map<String, Object> innermost(Map<String, @Nullable Object> map) {
		return castAny(inner(map).get(0));
	}

	@ParameterizedTest
	@MethodSource("mutations")
	void copyCannotBeMutated(Consumer<Map<String, @Nullable Object>> mutation) {
		Map<String, Object> original = Map.of("a", List.of(Map.of("b", 1), "c"));
		Map<String, @Nullable Object> copy = Arguments.copyOf(original);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> mutation.accept(copy));
		assertThat(copy).isEqualTo(original);
	}

	static Stream<Object> noJsonValues() {
		return Stream.of(new Object(), CharBuffer.wrap("text"), 'c', new int[] { 1 }, new byte[0], new char[] { 'a' },
				Thread.State.NEW, Optional.of("a"), new AtomicInteger(1), UUID.randomUUID(), LocalDate.MIN,
				new ToolResult(true, "", null), new BigDecimal("1") {
					private static final long serialVersionUID = 1L;

				}, List.of(1).iterator(), Stream.of(1), Map.entry("a", 1), (Runnable) () -> {
				});
	}

	@ParameterizedTest
	@MethodSource("noJsonValues")
	void copyOfRefusesWhatIsNoJsonWhereverItStands(Object value) {
		for (Map<String, ?> arguments : List.of(Map.of("secret", value), Map.of("secret", List.of(1, value)),
				Map.of("secret", Map.of("b", value)), Map.of("secret", new Object[] { value }))) {
			assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(arguments))
				.withMessageStartingWith("Arguments must be JSON values")
				.withMessageEndingWith(value.getClass().getTypeName());
		}
	}

	@Test
	void refusalOfPrimitiveArrayNamesItReadably() {
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(Map.of("a", new int[0])))
			.withMessage(
					"Arguments must be JSON values (text, numbers, booleans, null, lists, maps), but one is a int[]");
	}

	@ParameterizedTest
	@ValueSource(doubles = { Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY })
	void copyOfRefusesNumbersThatJsonDoesNotHave(double number) {
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(Map.of("a", number)))
			.withMessage("Numbers in arguments must be finite");
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(Map.of("a", List.of((float) number))));
	}

	@ParameterizedTest
	@ValueSource(strings = { "1E+1000000000", "1E-1000000000", "-9.99E+2000000000" })
	void numbersWithHugeExponentsCostNothing(String text) {
		BigDecimal number = new BigDecimal(text);
		ToolCall call = ToolCall.of("tool", Map.of("number", number));
		ToolCall same = ToolCall.of(call.id(), "tool", Map.of("number", new BigDecimal(text)), call.context());
		assertThat(call.arguments()).containsEntry("number", number);
		assertThat(call).isEqualTo(same).hasSameHashCodeAs(same);
		assertThat(call.toString()).doesNotContain("00000000");
	}

	@Test
	void numbersWithManyDigitsCostNothing() {
		BigInteger digits = BigInteger.ONE.shiftLeft(4_000_000).subtract(BigInteger.ONE);
		ToolCall call = ToolCall.of("tool", Map.of("integer", digits, "decimal", new BigDecimal(digits, 10)));
		ToolCall same = call.withArguments(new HashMap<>(call.arguments()));
		assertThat(call.equals(same)).isTrue();
		assertThat(call.hashCode()).isEqualTo(same.hashCode());
		assertThat(call.toString()).hasSizeLessThan(500);
	}

	@Test
	void equalityIsThatOfMaps() {
		Map<String, @Nullable Object> copy = Arguments.copyOf(Map.of("a", 1, "b", List.of(2)));
		assertThat(copy).isEqualTo(Map.of("b", List.of(2), "a", 1));
		assertThat(Map.of("b", List.of(2), "a", 1)).isEqualTo(copy);
		assertThat(copy).isNotEqualTo(Map.of("a", 1L, "b", List.of(2)));
		assertThat(copy).isNotEqualTo(Map.of("a", "1", "b", List.of(2)));
		assertThat(copy).isNotEqualTo(Map.of("a", 1));
	}

	@Test
	void copyOfRefusesNamesThatAreNotText() {
		Map<Object, Object> numbers = Map.of(1, "a");
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(castAny(numbers)))
			.withMessage("Names of arguments must be strings");
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(Map.of("a", numbers)))
			.withMessage("Names of arguments must be strings");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Arguments.copyOf(Map.of("a", Collections.singletonMap(null, 1))))
			.withMessage("Names of arguments must be strings");
	}

	private static Map<String, Object> nestedMaps(int levels) {
		Map<String, Object> map = Map.of("leaf", 1);
		for (int i = 1; i < levels; i++) {
			map = Map.of("map", map);
		}
		return map;
	}

	private static Map<String, Object> nestedLists(int levels) {
		Object value = List.of(1);
		for (int i = 2; i < levels; i++) {
			value = List.of(value);
		}
		return Map.of("list", value);
	}

	private static Map<String, Object> nestedArrays(int levels) {
		Object value = new Object[] { 1 };
		for (int i = 2; i < levels; i++) {
			value = new Object[] { value };
		}
		return Map.of("array", value);
	}

	@Test
	void copyOfAcceptsSixtyFourLevels() {
		assertThat(Arguments.copyOf(nestedMaps(64))).isEqualTo(nestedMaps(64));
		assertThat(Arguments.copyOf(nestedLists(64))).isEqualTo(nestedLists(64));
		assertThat(Arguments.copyOf(nestedArrays(64))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 65, 66, 20_000 })
	void copyOfRefusesMoreThanSixtyFourLevels(int levels) {
		for (Map<String, Object> arguments : List.of(nestedMaps(levels), nestedLists(levels), nestedArrays(levels))) {
			assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(arguments))
				.withMessage("Arguments must not be nested deeper than 64 levels or contain themselves");
		}
	}

	@Test
	void copyOfRefusesWhatContainsItself() {
		Map<String, Object> map = new HashMap<>();
		map.put("self", map);
		assertThatIllegalArgumentException().isThrownBy(() -> ToolCall.of("tool", map));
		List<Object> list = new ArrayList<>();
		list.add(list);
		assertThatIllegalArgumentException().isThrownBy(() -> ToolDecision.modify(Map.of("list", list)));
		Object[] array = new Object[1];
		array[0] = List.of(Map.of("again", array));
		assertThatIllegalArgumentException().isThrownBy(() -> ToolCall.of("tool", Map.of("array", array)));
	}

	@Test
	void copyOfAcceptsTheSameListTwice() {
		List<Object> list = List.of(1);
		assertThat(Arguments.copyOf(Map.of("a", list, "b", list))).isEqualTo(Map.of("a", list, "b", list));
	}

	@Test
	void copyOfRefusesSharedListsThatUnfoldIntoMoreThanMemoryHolds() {
		List<Object> list = List.of(1);
		for (int i = 0; i < 40; i++) {
			list = List.of(list, list);
		}
		Map<String, Object> arguments = Map.of("bomb", list);
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(arguments))
			.withMessageContaining("1000000 values");
	}

	@Test
	void copyOfAcceptsManyValues() {
		Map<String, Object> arguments = Map.of("list", Collections.nCopies(Arguments.MAX_VALUES - 1, 1));
		assertThat(Arguments.copyOf(arguments)).isEqualTo(arguments);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Arguments.copyOf(Map.of("list", Collections.nCopies(Arguments.MAX_VALUES, 1))));
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MAX_VALUE, 1_000_000_000, 0, -1, Integer.MIN_VALUE })
	void copyOfDoesNotBelieveInSizes(int size) {
		Map<String, Object> truth = Map.of("a", 1);
		Map<String, Object> liar = new AbstractMap<>() {
			@Override
			public Set<Entry<String, Object>> entrySet() {
				return truth.entrySet();
			}

			@Override
			public int size() {
				return size;
			}

			@Override
			public boolean isEmpty() {
				return false;
			}
		};
		assertThat(Arguments.copyOf(liar)).isEqualTo(truth);
		assertThat(Arguments.copyOf(Map.of("nested", liar))).isEqualTo(Map.of("nested", truth));
		Set<Object> lyingSet = new AbstractSet<>() {
			@Override
			public Iterator<Object> iterator() {
				return List.<Object>of(1).iterator();
			}

			@Override
			public int size() {
				return size;
			}
		};
		assertThat(Arguments.copyOf(Map.of("set", lyingSet))).isEqualTo(Map.of("set", List.of(1)));
	}

	@Test
	void copyOfEndsWithListThatDoesNot() {
		Map<String, Object> arguments = Map.of("endless", new AbstractList<Object>() {
			@Override
			public Object get(int index) {
				return "again";
			}

			@Override
			public int size() {
				return Integer.MAX_VALUE;
			}
		});
		assertThatIllegalArgumentException().isThrownBy(() -> Arguments.copyOf(arguments));
	}

	@Test
	void copyOfReadsEachValueOnce() {
		AtomicInteger reads = new AtomicInteger();
		Map<String, Object> changing = new AbstractMap<>() {
			@Override
			public Set<Entry<String, Object>> entrySet() {
				return Set.of(new SimpleImmutableEntry<>("a", "") {
					private static final long serialVersionUID = 1L;

					@Override
					public Object getValue() {
						return (reads.incrementAndGet() == 1) ? "harmless" : "rm -rf /";
					}
				});
			}
		};
		Map<String, @Nullable Object> copy = Arguments.copyOf(changing);
		assertThat(copy.get("a")).isEqualTo("harmless");
		assertThat(copy.get("a")).isEqualTo("harmless");
		assertThat(reads).hasValue(1);
	}

	@Test
	@Timeout(value = 5, unit = TimeUnit.SECONDS)
	void copyOfMapThatChangesMeanwhileIsCompleteOrRefused() {
		Map<String, Object> changing = new HashMap<>(Map.of("a", 1, "b", 2));
		changing.put("c", new AbstractList<Object>() {
			@Override
			public Object get(int index) {
				changing.put("late" + changing.size(), 1);
				return 1;
			}

			@Override
			public int size() {
				return 1;
			}
		});
		try {
			Map<String, @Nullable Object> copy = Arguments.copyOf(changing);
			assertThat(copy).containsKeys("a", "b", "c");
		}
		catch (RuntimeException ex) {
			assertThat(ex).isInstanceOf(ConcurrentModificationException.class);
		}
	}

}
