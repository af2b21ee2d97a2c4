package io.agenthooks.spring.annotation;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for annotated methods that take arguments of calls.
 */
@ExtendWith(OutputCaptureExtension.class)
class TypedArgumentsTests {

	private final ArgumentBinder binder = new ArgumentBinder(ApplicationConversionService.getSharedInstance());

	static List<Arguments> fitting() {
		return List.of(fits("1", int.class, 1), fits("1.0", int.class, 1), fits("1e3", int.class, 1000),
				fits("\"1000\"", int.class, 1000), fits("2147483647", Integer.class, Integer.MAX_VALUE),
				fits("-128", byte.class, (byte) -128), fits("9007199254740993", long.class, 9007199254740993L),
				fits("9223372036854775807", Long.class, Long.MAX_VALUE),
				fits("9007199254740992", double.class, 9007199254740992.0), fits("0.1", double.class, 0.1),
				fits("0.1", float.class, 0.1f), fits("-0", int.class, 0),
				fits("123456789012345678901234567890", BigInteger.class,
						new BigInteger("123456789012345678901234567890")),
				fits("0.10000000000000000555", BigDecimal.class, new BigDecimal("0.10000000000000000555")),
				fits("\"500.01\"", BigDecimal.class, new BigDecimal("500.01")), fits("true", boolean.class, true),
				fits("\"false\"", Boolean.class, false), fits("\"a\"", String.class, "a"),
				fits("\"\"", String.class, ""), fits("\"EUR\"", Currency.class, Currency.EUR),
				fits("\"2026-04-01\"", LocalDate.class, LocalDate.of(2026, 4, 1)),
				fits("\"PT5M\"", Duration.class, Duration.ofMinutes(5)),
				fits("\"00000000-0000-0000-0000-000000000001\"", UUID.class, new UUID(0, 1)),
				fits("{\"a\": 1}", Object.class, Map.of("a", 1)), fits("[1, 2]", int[].class, new int[] { 1, 2 }));
	}

	private static Arguments fits(String json, Class<?> type, Object expected) {
		return Arguments.of(json, type, expected);
	}

	@ParameterizedTest
	@MethodSource("fitting")
	void valueThatFitsIsBoundExactly(String json, Class<?> type, Object expected) {
		assertThat(bind(json, ResolvableType.forClass(type))).isEqualTo(expected);
		assertThat(this.binder.isPossible(ResolvableType.forClass(type))).isTrue();
	}

	static List<Arguments> unfit() {
		return List.of(unfit("1.5", int.class), unfit("2147483648", int.class), unfit("-129", byte.class),
				unfit("9223372036854775808", long.class), unfit("1e30", long.class), unfit("0.5", BigInteger.class),
				unfit("9007199254740993", double.class), unfit("0.10000000000000000555", double.class),
				unfit("16777217", float.class), unfit("\"0x10\"", int.class), unfit("\"#10\"", int.class),
				unfit("\" 1\"", int.class), unfit("\"1 \"", int.class), unfit("\"+1\"", int.class),
				unfit("\"01\"", int.class), unfit("\"NaN\"", double.class), unfit("\"Infinity\"", double.class),
				unfit("\"1d\"", double.class), unfit("\"\"", int.class), unfit("\"1e999999999\"", BigInteger.class),
				unfit("\"1e999999999\"", BigDecimal.class), unfit("\"\u0661\"", int.class), unfit("true", int.class),
				unfit("[1]", int.class), unfit("{}", BigDecimal.class), unfit("1", boolean.class),
				unfit("\"yes\"", boolean.class), unfit("\"TRUE\"", boolean.class), unfit("\"\"", boolean.class),
				unfit("1", String.class), unfit("[\"a\"]", String.class), unfit("\"eur\"", Currency.class),
				unfit("\" EUR\"", Currency.class), unfit("0", Currency.class), unfit("\"4/1/26\"", LocalDate.class),
				unfit("1", LocalDate.class), unfit("\"x\"", UUID.class), unfit("\"a,b\"", String[].class),
				unfit("[1, null]", int[].class));
	}

	private static Arguments unfit(String json, Class<?> type) {
		return Arguments.of(json, type);
	}

	@ParameterizedTest
	@MethodSource("unfit")
	void valueThatDoesNotFitIsRefusedAndNotTold(String json, Class<?> type) {
		assertThatExceptionOfType(UnfitArgumentException.class)
			.isThrownBy(() -> bind(json, ResolvableType.forClass(type)))
			.satisfies((ex) -> assertThat(ex.getMessage()).startsWith("the argument 'value' is not ")
				.doesNotContain("0x10", "4/1/26", "1e999", "2147483648", "9007199254740993"));
	}

	@Test
	@Timeout(10)
	void numberOfAMillionDigitsIsRefusedInNoTime() {
		BigInteger digits = BigInteger.ONE.shiftLeft(3_400_000);
		for (Object number : List.of(digits, new BigDecimal(digits))) {
			assertThatExceptionOfType(UnfitArgumentException.class)
				.isThrownBy(() -> this.binder.bind(Map.of("value", number), "value",
						ResolvableType.forClass(BigDecimal.class), false))
				.withMessageContaining("is not a number");
		}
	}

	@Test
	void listsMapsAndRecordsAreBoundWithTheirParts() {
		assertThat(bind("[1, \"2\"]", type("longs"))).isEqualTo(List.of(1L, 2L));
		assertThat(bind("[\"EUR\", \"EUR\"]", type("currencies"))).isEqualTo(Set.of(Currency.EUR));
		assertThat(bind("{\"a\": 1}", type("counts"))).isEqualTo(Map.of("a", 1));
		assertThat(bind("{\"order_id\": \"o1\", \"lines\": [{\"price\": 1.10}], \"more\": true}", type("order")))
			.isEqualTo(new Order("o1", List.of(new Line(new BigDecimal("1.10"), null)), Optional.empty()));
	}

	@ParameterizedTest
	@MethodSource
	void partOfARecordThatDoesNotFitIsNamed(String json, String message) {
		assertThatExceptionOfType(UnfitArgumentException.class).isThrownBy(() -> bind(json, type("order")))
			.withMessage(message);
	}

	static List<Arguments> partOfARecordThatDoesNotFitIsNamed() {
		return List.of(Arguments.of("{\"lines\": []}", "the argument 'order_id' is missing, in 'value'"),
				Arguments.of("{\"order_id\": \"o\", \"lines\": [{\"price\": \"hunter2\"}]}",
						"the argument 'price' is not a number, in 'lines', in 'value'"),
				Arguments.of("{\"order_id\": \"refused\", \"lines\": []}",
						"the argument 'value' is not one that Order takes"),
				Arguments.of("[]", "the argument 'value' is not an object"));
	}

	@Test
	void missingValueIsRefusedUnlessItMayBeMissing() {
		ResolvableType text = ResolvableType.forClass(String.class);
		ResolvableType optional = ResolvableType.forClassWithGenerics(Optional.class, String.class);
		Map<String, @Nullable Object> withNull = new HashMap<>();
		withNull.put("value", null);
		for (Map<String, ?> arguments : Arrays.asList(Map.<String, Object>of(), withNull)) {
			assertThatExceptionOfType(UnfitArgumentException.class)
				.isThrownBy(() -> this.binder.bind(arguments, "value", text, false))
				.withMessage("the argument 'value' is missing");
			assertThat(this.binder.bind(arguments, "value", text, true)).isNull();
			assertThat(this.binder.bind(arguments, "value", optional, false)).isEqualTo(Optional.empty());
		}
		assertThat(bind("\"a\"", optional)).isEqualTo(Optional.of("a"));
	}

	@Test
	void callIsDecidedByItsArguments(CapturedOutput output) {
		run(Refunds.class).run((context) -> {
			ToolHookChain chain = context.getBean(ToolHookChain.class);
			assertThat(refund(chain, Map.of("amount", 100)).succeeded()).isTrue();
			assertThat(refund(chain, Map.of("amount", "100.00")).succeeded()).isTrue();
			assertThat(refund(chain, Map.of("amount", 501)).content()).contains("'refunds.small' does not allow");
			assertThat(refund(chain, Map.of()).content()).contains("the argument 'amount' is missing");
			assertThat(refund(chain, Map.of("amount", "hunter2")).content())
				.contains("the argument 'amount' is not a number");
			assertThat(refund(chain, Map.of("amount", 1, "order", "later")).succeeded()).isTrue();
			assertThat(refund(chain, Map.of("amount", 1, "order", "never")).succeeded()).isFalse();
			assertThat(refund(chain, Map.of("amount", 1, "order", List.of("hunter2"))).content())
				.contains("the argument 'order' is not a text");
			assertThat(context.getBean(Refunds.class).ended).contains("100", "100.00").doesNotContain("hunter2");
			assertThat(output).doesNotContain("hunter2");
		});
	}

	@Test
	void parametersThatNothingCanBeBoundToStopTheStart() {
		HookMethodReader reader = new HookMethodReader();
		new ApplicationContextRunner().withBean(Wrong.class)
			.run((context) -> AnnotatedMethods.findIn(context.getSourceApplicationContext().getBeanFactory())
				.forEach(reader::read));
		assertThat(reader.problems()).extracting(AnnotatedMethodProblem::message)
			.containsExactlyInAnyOrder(
					"takes the argument 'stream' as a 'java.io.InputStream', which JSON cannot be converted to",
					"takes the argument 'counts' as a 'java.util.Map<java.lang.Integer, java.lang.String>', "
							+ "which JSON cannot be converted to");
	}

	@Test
	void nameThatNoToolHasStopsTheStart() {
		run(Misspelled.class).withBean("refund_order", ToolCallback.class, TypedArgumentsTests::refundTool)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("method 'misspelled.check'")
				.hasMessageContaining("takes the argument 'amuont', but none of its tools has it")
				.hasMessageContaining("amount"));
	}

	@Test
	void nameThatNoToolHasIsAWarningIfToolsMayComeLater(CapturedOutput output) {
		run(Misspelled.class).withBean("refund_order", ToolCallback.class, TypedArgumentsTests::refundTool)
			.withBean("others", ToolExecutor.class, () -> (call) -> ToolResult.success(""))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("takes the argument 'amuont'").contains("amount");
			});
	}

	private static ToolCallback refundTool() {
		return FunctionToolCallback.builder("refund_order", (Refund refund) -> "done").inputType(Refund.class).build();
	}

	private static ApplicationContextRunner run(Class<?> bean) {
		return new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean(StringUtils.uncapitalize(bean.getSimpleName()), bean);
	}

	private static ToolResult refund(ToolHookChain chain, Map<String, Object> arguments) {
		return chain.execute(ToolCall.of("refund_order", new LinkedHashMap<>(arguments)),
				(call) -> ToolResult.success("done"));
	}

	private @Nullable Object bind(String json, ResolvableType type) {
		return this.binder.bind(ToolArguments.parse("{\"value\": %s}".formatted(json)), "value", type, false);
	}

	private static ResolvableType type(String method) {
		for (Method each : ReflectionUtils.getDeclaredMethods(Types.class)) {
			if (each.getName().equals(method)) {
				return ResolvableType.forMethodReturnType(each);
			}
		}
		throw new IllegalArgumentException(method);
	}

	enum Currency {

		EUR

	}

	record Refund(BigDecimal amount) {
	}

	record Line(BigDecimal price, @Nullable String note) {
	}

	record Order(@Arg("order_id") String id, List<Line> lines, Optional<String> note) {

		Order {
			if (id.equals("refused")) {
				throw new IllegalArgumentException("hunter2");
			}
		}

	}

	interface Types {

		List<Long> longs();

		Set<Currency> currencies();

		Map<String, Integer> counts();

		Order order();

	}

	static class Refunds {

		private final List<String> ended = new CopyOnWriteArrayList<>();

		@BeforeToolCall(tools = "refund_order")
		boolean small(@Arg BigDecimal amount, ToolCall call) {
			return amount.compareTo(new BigDecimal(500)) <= 0 && call.tool().equals("refund_order");
		}

		@BeforeToolCall(tools = "refund_order")
		CompletableFuture<Boolean> later(@Arg("order") @Nullable String order) {
			return CompletableFuture.completedFuture(!"never".equals(order));
		}

		@AfterToolCall(tools = "refund_order")
		void ended(@Arg Object amount, ToolOutcome outcome) {
			if (outcome.result() != null && outcome.result().succeeded()) {
				this.ended.add(amount.toString());
			}
		}

	}

	static class Wrong {

		@BeforeToolCall
		void stream(@Arg InputStream stream) {
		}

		@BeforeToolCall
		void counts(@Arg Map<Integer, String> counts) {
		}

	}

	static class Misspelled {

		@BeforeToolCall(tools = "refund_order")
		boolean check(@Arg BigDecimal amuont) {
			return true;
		}

	}

}
