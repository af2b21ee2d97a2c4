package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for hook beans of every kind whose declared type does not say that they are
 * hooks: Spring finds them only when they are made, which is too late for the chain; and
 * for hooks in collections, which Spring does not find at all.
 */
class MissedHookBeansTests {

	private static final String TOOL_HOOKS = "PreToolHook, ToolResultHook or PostToolHook";

	private static final String LLM_HOOKS = "PreLlmHook, LlmResponseHook or PostLlmHook";

	private static final String RUN_HOOKS = "PreRunHook or PostRunHook";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class));

	static Stream<Arguments> vagueHooks() {
		return Stream.of(hook("tool call", (PreToolHook) (call) -> ToolDecision.approve(), TOOL_HOOKS),
				hook("end of a tool call", (PostToolHook) (outcome) -> {
				}, TOOL_HOOKS), hook("model call", (PreLlmHook) (call) -> LlmDecision.approve(), LLM_HOOKS),
				hook("response", (LlmResponseHook) (call, response) -> LlmDecision.approve(), LLM_HOOKS),
				hook("end of a model call", (PostLlmHook) (outcome) -> {
				}, LLM_HOOKS), hook("run", (PreRunHook) (run) -> RunDecision.approve(), RUN_HOOKS),
				hook("end of a run", (PostRunHook) (outcome) -> {
				}, RUN_HOOKS));
	}

	private static Arguments hook(String name, Object hook, String types) {
		return Arguments.of(Named.of(name, hook), types);
	}

	@ParameterizedTest
	@MethodSource("vagueHooks")
	void hookBeanThatIsDeclaredTooVaguelyStopsTheStart(Object hook, String types) {
		this.runner.withBean("given", Given.class, () -> new Given(hook))
			.withUserConfiguration(Vague.class)
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContainingAll("bean 'vague'",
					Vague.class.getName() + ".vague()", "its own class or with " + types));
	}

	@Test
	void hookOfAFactoryThatDoesNotSayItsTypeStopsTheStart() {
		this.runner.withUserConfiguration(VagueFactory.class)
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContainingAll("bean 'vague'",
					VagueFactory.class.getName() + ".vague()", "getObjectType() of its FactoryBean"));
	}

	static Stream<Object> collections() {
		List<Object> hooks = List.of((PreToolHook) (call) -> ToolDecision.approve(), (PostToolHook) (outcome) -> {
		}, (PreLlmHook) (call) -> LlmDecision.approve(), (LlmResponseHook) (call, response) -> LlmDecision.approve(),
				(PreRunHook) (run) -> RunDecision.approve());
		return hooks.stream()
			.flatMap((hook) -> Stream.of(List.of(hook), Map.of("name", List.of(hook)), Optional.of(hook),
					new AtomicReference<>(List.of(hook))));
	}

	@ParameterizedTest
	@MethodSource("collections")
	void hookThatIsNoBeanButInACollectionThatIsOneStopsTheStart(Object collection) {
		this.runner.withBean("given", Given.class, () -> new Given(collection))
			.withUserConfiguration(Collected.class)
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContainingAll("hooks in a collection",
					"bean 'collected'", Collected.class.getName() + ".collected()", "@Bean method for each hook"));
	}

	@Test
	void hookInACollectionOfTheParentContextStopsTheStart() {
		new ApplicationContextRunner()
			.withBean("collected", List.class, () -> List.of((PreRunHook) (run) -> RunDecision.approve()))
			.run((parent) -> this.runner.withParent(parent)
				.run((context) -> assertThat(context.getStartupFailure())
					.hasMessageContainingAll("hooks in a collection", "bean 'collected'")));
	}

	/**
	 * Nobody can know them before, if their type is not declared.
	 */
	@ParameterizedTest
	@CsvSource({ "hook, Late.hook()", "anew, Late.anew()", "hooks, Late.hooks()", "methods, Annotated.check()",
			"factory, Late.factory()" })
	void beanWithHooksThatIsMadeAfterTheStartIsRefusedEachTime(String bean, String hook) {
		this.runner.withUserConfiguration(Late.class).run((context) -> {
			assertThat(context).hasNotFailed();
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean(bean))
					.withMessageContaining("'%s'".formatted(bean))
					.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(hook)
						.hasStackTraceContaining("Declare the bean with its own class"));
			}
		});
	}

	@Test
	void readyMadeBeanWithHooksThatIsRegisteredAfterTheStartIsRefused() {
		this.runner.run((context) -> {
			var beans = context.getSourceApplicationContext().getBeanFactory();
			assertThatExceptionOfType(BeanCreationException.class)
				.isThrownBy(() -> beans.registerSingleton("ready", new Anew()))
				.withMessageContaining("'ready'");
			assertThat(beans.containsSingleton("ready")).isFalse();
		});
	}

	/**
	 * What one prototype holds says nothing of the next.
	 */
	@Test
	void prototypeThatGetsHooksLaterIsRefusedThen() {
		this.runner.withUserConfiguration(Changing.class).run((context) -> {
			assertThat(context.getBean("collection")).isEqualTo(List.of());
			assertThat(context.getBean("object")).isEqualTo("no hook");
			context.getBean(AtomicBoolean.class).set(true);
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("collection"));
			assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("object"));
		});
	}

	@Test
	void hooksThatAreKnownAreNotRefusedWhenTheyAreMade() {
		this.runner.withUserConfiguration(Precise.class, Selected.class, LazyMethods.class).run((context) -> {
			for (String bean : List.of("models", "runs", "anew", "anew", "lazyMethods")) {
				assertThat(context.getBean(bean)).isNotNull();
			}
			assertThat(context.getSourceApplicationContext().getAutowireCapableBeanFactory().createBean(Anew.class))
				.isNotNull();
		});
	}

	static Stream<Class<?>> hooksOfAChild() {
		return Stream.of(Precise.class, Annotated.class, ListOfHooks.class);
	}

	/**
	 * Calls in a child context without a chain pass the hooks of its parent.
	 */
	@ParameterizedTest
	@MethodSource("hooksOfAChild")
	void hooksOfAChildContextThatHasNoChainStopItsStart(Class<?> hooks) {
		this.runner.run((parent) -> new ApplicationContextRunner().withUserConfiguration(hooks)
			.withParent(parent)
			.run((child) -> assertThat(child.getStartupFailure()).hasMessageContainingAll("hooks of a child context",
					"Declare them in the parent context", "MissedHookBeansTests$" + hooks.getSimpleName())));
	}

	@Test
	void hooksOfBothContextsMayBeInAChildContext() {
		this.runner.withUserConfiguration(Precise.class, Annotated.class)
			.run((parent) -> new ApplicationContextRunner().withUserConfiguration(Precise.class, Annotated.class)
				.withParent(parent)
				.run((child) -> assertThat(child).hasNotFailed()));
	}

	@Test
	void childContextWithAChainOfItsOwnHasItsHooks() {
		this.runner.run((parent) -> this.runner.withUserConfiguration(Precise.class, Annotated.class)
			.withParent(parent)
			.run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBean(ToolHooks.class).list()).extracting("name").contains("annotated.check");
			}));
	}

	@Test
	void collectionOfHookBeansStopsNothing() {
		this.runner.withUserConfiguration(Precise.class, Selected.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void hookBeansThatAreDeclaredAsHooksAreAsked() {
		this.runner.withUserConfiguration(Precise.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(LlmHookChain.class).isEmpty()).isFalse();
			assertThat(context.getBean(RunHookChain.class).isEmpty()).isFalse();
		});
	}

	@Test
	void hooksThatAreSwitchedOffAreNotMissed() {
		this.runner.withBean("given", Given.class, () -> new Given((PreLlmHook) (call) -> LlmDecision.approve()))
			.withUserConfiguration(Vague.class)
			.withPropertyValues("hooks.llm_call.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void chainOfTheApplicationSaysItselfWhichHooksItHas() {
		this.runner.withBean("given", Given.class, () -> new Given((PreRunHook) (run) -> RunDecision.approve()))
			.withBean("own", RunHookChain.class, () -> new RunHookChain(List.of(), List.of()))
			.withUserConfiguration(Vague.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	record Given(Object hook) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Vague {

		/**
		 * Made after the hooks were collected, as most beans may be.
		 */
		@Bean
		Object vague(Given given, ObjectProvider<HookAssembly<?>> collected) {
			assertThat(collected.stream()).isNotEmpty();
			return given.hook();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class VagueFactory {

		@Bean
		FactoryBean<?> vague() {
			return new FactoryBean<PreRunHook>() {

				@Override
				public PreRunHook getObject() {
					return (run) -> RunDecision.approve();
				}

				@Override
				public @Nullable Class<?> getObjectType() {
					return null;
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Collected {

		@Bean
		Object collected(Given given) {
			return given.hook();
		}

	}

	/**
	 * Collects what is asked anyway.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Selected {

		@Bean
		@Scope("prototype")
		Anew anew() {
			return new Anew();
		}

		@Bean
		List<Object> selected(PreLlmHook models, PreRunHook runs, Anew anew) {
			return List.of(models, runs, anew);
		}

	}

	static class Anew implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

	}

	@Configuration(value = "annotated", proxyBeanMethods = false)
	static class Annotated {

		@BeforeToolCall
		boolean check() {
			return true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Late {

		@Bean
		@Lazy
		Object hook() {
			return (PreToolHook) (call) -> ToolDecision.approve();
		}

		@Bean
		@Scope("prototype")
		Object anew() {
			return (PreRunHook) (run) -> RunDecision.approve();
		}

		@Bean
		@Lazy
		List<PreToolHook> hooks() {
			return List.of((call) -> ToolDecision.approve());
		}

		@Bean
		@Lazy
		Object methods() {
			return new Annotated();
		}

		@Bean
		@Lazy
		FactoryBean<Object> factory() {
			return new FactoryBean<>() {

				@Override
				public Object getObject() {
					return (PreRunHook) (run) -> RunDecision.approve();
				}

				@Override
				public Class<?> getObjectType() {
					return Object.class;
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Changing {

		@Bean
		AtomicBoolean later() {
			return new AtomicBoolean();
		}

		@Bean
		@Scope("prototype")
		List<?> collection(AtomicBoolean later) {
			PreToolHook hook = (call) -> ToolDecision.approve();
			return new ArrayList<>((later.get()) ? List.of(hook) : List.of());
		}

		@Bean
		@Scope("prototype")
		Object object(AtomicBoolean later) {
			return (later.get()) ? new Anew() : "no hook";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyMethods {

		@Bean
		@Lazy
		Annotated lazyMethods() {
			return new Annotated();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ListOfHooks {

		@Bean
		List<PreToolHook> hooks() {
			return List.of((call) -> ToolDecision.approve());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Precise {

		@Bean
		PreLlmHook models() {
			return (call) -> LlmDecision.approve();
		}

		@Bean
		@Lazy
		PreRunHook runs() {
			return (run) -> RunDecision.approve();
		}

	}

}
