package io.agenthooks.spring.assembly;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ResolvableType;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.guard.PlainCollections;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whichever way something that runs tools becomes a bean, and whatever it is: its calls
 * pass the hooks, or the application does not start.
 */
class EscapedBeansTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
						McpToolCallsAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class))
		.withBean("nothing", PreToolHook.class, () -> (call) -> ToolDecision.deny("nothing is allowed"));

	/**
	 * Each way with some things, and each thing in some ways.
	 */
	static Stream<Arguments> someThingsInWays() {
		return everyThird(thingsInWays().toList());
	}

	static Stream<Arguments> someThingsInContexts() {
		return everyThird(thingsInContexts().toList());
	}

	private static Stream<Arguments> everyThird(List<Arguments> all) {
		return IntStream.range(0, all.size()).filter((i) -> i % 3 == 0).mapToObj(all::get);
	}

	static Stream<Arguments> thingsInWays() {
		return Arrays.stream(GuardedThing.values())
			.flatMap((thing) -> Arrays.stream(BeanWay.values()).map((way) -> Arguments.of(thing, way)));
	}

	static Stream<Arguments> thingsInContexts() {
		return Arrays.stream(GuardedThing.values())
			.flatMap((thing) -> Arrays.stream(ContextFamily.values()).map((family) -> Arguments.of(thing, family)));
	}

	@ParameterizedTest
	@MethodSource("someThingsInWays")
	void passesTheHooksOrStopsTheStart(GuardedThing thing, BeanWay way) {
		passesOrStops(thing, way);
	}

	@ParameterizedTest
	@Tag("slow")
	@MethodSource("thingsInWays")
	void everythingPassesTheHooksOrStopsTheStartInEveryWay(GuardedThing thing, BeanWay way) {
		passesOrStops(thing, way);
	}

	private void passesOrStops(GuardedThing thing, BeanWay way) {
		AtomicInteger runs = new AtomicInteger();
		this.application.withInitializer((context) -> way.add(thing, runs, (GenericApplicationContext) context))
			.run((context) -> {
				if (way.mayStart()) {
					assertThat(context).hasNotFailed();
					call(thing, context.getBean(GuardedThing.NAME));
				}
				else {
					assertThat(NestedExceptionUtils
						.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure())))
						.isInstanceOf(UnguardedBeansException.class)
						.hasMessageContaining("'" + GuardedThing.NAME + "'");
				}
				assertThat(runs).hasValue(0);
			});
	}

	/**
	 * A bean, or what is in it.
	 */
	private static void call(GuardedThing thing, Object bean) {
		List<Object> things = (thing.type.isInstance(bean)) ? List.of(bean) : PlainCollections.elements(bean).toList();
		assertThat(things).filteredOn(thing.type::isInstance).isNotEmpty().allSatisfy(thing::call);
	}

	@Test
	void whatIsRefusedAfterTheStartDoesNotStay() {
		this.application.run((context) -> {
			ConfigurableListableBeanFactory factory = context.getSourceApplicationContext().getBeanFactory();
			ToolExecutor late = (call) -> ToolResult.success("ran");
			assertThatExceptionOfType(UnguardedBeansException.class)
				.isThrownBy(() -> factory.registerSingleton(GuardedThing.NAME, late))
				.withMessageContaining("'" + GuardedThing.NAME + "'");
			assertThat(factory.containsBean(GuardedThing.NAME)).isFalse();
			assertThat(factory.getBeanNamesForType(ToolExecutor.class)).isEmpty();
			factory.registerSingleton(GuardedThing.NAME, "any other object");
			assertThat(factory.getBean(GuardedThing.NAME)).isEqualTo("any other object");
		});
	}

	@Test
	void beanWhoseClassSaysThatItGivesAnExecutorIsRefusedAlsoAfterTheStart() {
		this.application.withBean("giver", ExecutorSupplier.class, ExecutorSupplier::new)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContaining("what is given by the bean 'giver'"));
		this.application.withBean("givers", List.class, () -> List.of(new ExecutorSupplier()))
			.run((context) -> assertThat(context).getFailure().isInstanceOf(UnguardedBeansException.class));
		this.application.run((context) -> {
			ConfigurableListableBeanFactory factory = context.getSourceApplicationContext().getBeanFactory();
			assertThatExceptionOfType(UnguardedBeansException.class)
				.isThrownBy(() -> factory.registerSingleton("giver", new ExecutorSupplier()));
			assertThat(factory.containsBean("giver")).isFalse();
		});
	}

	@Test
	void beansThatGiveSomethingElseStayWhatTheyAre() {
		Supplier<String> text = () -> "text";
		Function<Object, Object> function = (input) -> input;
		this.application
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBeanDefinition("text",
					given(ResolvableType.forClassWithGenerics(Supplier.class, String.class), text)))
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBeanDefinition("function",
					given(ResolvableType.forClass(Function.class), function)))
			.withBean("own", TextSupplier.class, TextSupplier::new)
			.run((context) -> {
				assertThat(context.getBean("text")).isSameAs(text);
				assertThat(context.getBean("function")).isSameAs(function);
				assertThat(context.getBean("own").getClass()).isEqualTo(TextSupplier.class);
			});
	}

	private static RootBeanDefinition given(ResolvableType type, Object bean) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(type);
		definition.setInstanceSupplier(() -> bean);
		return definition;
	}

	@ParameterizedTest
	@MethodSource("someThingsInContexts")
	void passesTheHooksOfAnotherContextOrIsRefused(GuardedThing thing, ContextFamily family) {
		passesOrIsRefused(thing, family);
	}

	@ParameterizedTest
	@Tag("slow")
	@MethodSource("thingsInContexts")
	void everythingPassesTheHooksOfEveryOtherContextOrIsRefused(GuardedThing thing, ContextFamily family) {
		passesOrIsRefused(thing, family);
	}

	private void passesOrIsRefused(GuardedThing thing, ContextFamily family) {
		AtomicInteger runs = new AtomicInteger();
		this.application.withInitializer((context) -> family.before(thing, runs, context)).run((context) -> {
			if (family.stopsTheStart()) {
				assertThat(context).getFailure()
					.isInstanceOf(UnguardedBeansException.class)
					.hasMessageContaining("'" + GuardedThing.NAME + "'");
			}
			else {
				assertThat(context).hasNotFailed();
				family.after(thing, runs, context.getSourceApplicationContext());
			}
			assertThat(runs).hasValue(0);
		});
	}

	@Test
	void thingsRunWithoutHooks() {
		for (GuardedThing thing : GuardedThing.values()) {
			AtomicInteger runs = new AtomicInteger();
			thing.call(thing.make(runs));
			assertThat(runs).as(thing.name()).hasValue(1);
		}
	}

	record ExecutorSupplier() implements Supplier<ToolExecutor> {

		@Override
		public ToolExecutor get() {
			return (call) -> ToolResult.success("ran");
		}

	}

	record TextSupplier() implements Supplier<String> {

		@Override
		public String get() {
			return "text";
		}

	}

}
