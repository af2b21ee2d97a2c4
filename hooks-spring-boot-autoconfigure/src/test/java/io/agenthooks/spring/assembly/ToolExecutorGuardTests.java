package io.agenthooks.spring.assembly;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ToolExecutorGuard} and {@link ToolExecutorGuardVerifier}: whichever
 * way an executor becomes a bean, its calls pass the hooks or the application does not
 * start.
 */
@ExtendWith(OutputCaptureExtension.class)
class ToolExecutorGuardTests {

	private static final ToolCall RUN = ToolCall.of("run_command", Map.of());

	private final AtomicInteger asked = new AtomicInteger();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("countingHook", PreToolHook.class, () -> (call) -> {
			this.asked.incrementAndGet();
			return ToolDecision.approve();
		})
		.withPropertyValues("hooks.tool-call.pre-call[0].type=policy",
				"hooks.tool-call.pre-call[0].config.deny-tools[0]=run_command");

	@Test
	void executorInjectedByItsClassIsGuarded() {
		this.contextRunner.withBean(OpenTools.class).withBean(NeedsOpenTools.class).run((context) -> {
			assertThat(context.getBean(NeedsOpenTools.class).tools.execute(RUN).succeeded()).isFalse();
			assertThat(context.getBean(OpenTools.class).other()).isEqualTo("other");
		});
	}

	@Test
	void executorThatCannotBeExtendedIsGuarded() {
		this.contextRunner.withBean("record", ToolExecutor.class, () -> new RecordTools("x"))
			.withBean("finalMethod", ToolExecutor.class, FinalMethodTools::new)
			.withBean("anonymous", ToolExecutor.class, ToolExecutorGuardTests::anonymous)
			.withBean("lambda", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withBean("sealed", ToolExecutor.class, SealedTools::new)
			.run((context) -> assertThat(context.getBeansOfType(ToolExecutor.class)).hasSize(5)
				.allSatisfy((name, executor) -> {
					assertThat(executor.execute(RUN).succeeded()).as(name).isFalse();
					assertThat(executor.execute(ToolCall.of("t", Map.of())).content()).as(name).isEqualTo("ran");
				}));
	}

	@Test
	void executorKeepsItsToolNames() {
		this.contextRunner.withBean("record", ToolExecutor.class, () -> new RecordTools("x"))
			.run((context) -> assertThat(context.getBean(ToolExecutor.class).toolNames()).containsExactly("x"));
	}

	@Test
	void exceptionOfTheToolReachesTheCallerUnchanged() { // K13
		IllegalStateException failure = new IllegalStateException("broken");
		this.contextRunner.withBean("failing", ToolExecutor.class, () -> (call) -> {
			throw failure;
		})
			.run((context) -> assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> context.getBean(ToolExecutor.class).execute(ToolCall.of("t", Map.of())))
				.isSameAs(failure));
	}

	@Test
	void callThatAnExecutorMakesOfItselfIsDecided() {
		this.contextRunner.withBean(RetryingTools.class).run((context) -> {
			RetryingTools tools = context.getBean(RetryingTools.class);
			assertThat(tools.execute(ToolCall.of("t", Map.of())).content()).isEqualTo("ran 3");
			assertThat(this.asked).hasValue(3);
		});
	}

	@Test
	void executorOfAFactoryBeanIsGuarded() {
		this.contextRunner.withBean(ToolsFactory.class)
			.run((context) -> assertThat(context.getBean(ToolExecutor.class).execute(RUN).succeeded()).isFalse());
	}

	@Test
	void lazyAndPrototypeExecutorsAreGuarded() {
		this.contextRunner.withUserConfiguration(LazyAndPrototype.class).run((context) -> {
			assertThat(context.getBean("lazyTools", ToolExecutor.class).execute(RUN).succeeded()).isFalse();
			assertThat(context.getBean("prototypeTools", ToolExecutor.class).execute(RUN).succeeded()).isFalse();
		});
	}

	@Test
	void executorBehindAScopedProxyIsAskedAboutOnce() {
		this.contextRunner.withUserConfiguration(ScopedTools.class).run((context) -> {
			ToolExecutor executor = context.getBean("scopedTools", ToolExecutor.class);
			assertThat(executor.execute(RUN).succeeded()).isFalse();
			assertThat(this.asked).hasValue(1);
		});
	}

	@Test
	void executorThatIsAProxyAlreadyIsGuarded() {
		this.contextRunner.withUserConfiguration(ProxiedTools.class)
			.run((context) -> assertThat(context.getBeansOfType(ToolExecutor.class)).hasSize(2)
				.allSatisfy((name, executor) -> assertThat(executor.execute(RUN).succeeded()).as(name).isFalse()));
	}

	@Test
	void executorThatDelegatesToAnotherIsAskedAboutOnce() { // X07
		this.contextRunner.withUserConfiguration(DelegatingTools.class).run((context) -> {
			context.getBean("outer", ToolExecutor.class).execute(ToolCall.of("t", Map.of()));
			assertThat(this.asked).hasValue(1);
			context.getBean("inner", ToolExecutor.class).execute(ToolCall.of("t", Map.of()));
			assertThat(this.asked).hasValue(2);
			assertThat(context.getBean("changing", ToolExecutor.class).execute(ToolCall.of("t", Map.of())).succeeded())
				.as("the call that another executor makes of it")
				.isFalse();
		});
	}

	@Test
	void executorThatAnotherPostProcessorNeedsIsGuarded() { // X01
		this.contextRunner.withUserConfiguration(EagerPostProcessor.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(ToolExecutor.class).execute(RUN).succeeded()).isFalse();
		});
	}

	@Test
	void hookThatNeedsTheExecutorGetsAGuardedOne() { // X03
		this.contextRunner.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withUserConfiguration(HookThatCallsTools.class)
			.run((context) -> {
				assertThat(context.getBean(ToolExecutor.class).execute(ToolCall.of("outer", Map.of())).succeeded())
					.isTrue();
				assertThat(context.getBean(HookThatCallsTools.class).inner).isNotNull()
					.satisfies((inner) -> assertThat(inner.succeeded()).isFalse());
			});
	}

	@Test
	void startFailsWhenABeanFactoryPostProcessorMadeTheExecutor() {
		this.contextRunner.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor((beanFactory) -> beanFactory.getBean("tools")))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContaining("'tools'"));
	}

	@Test
	void startFailsWhenTheExecutorWasRegisteredReadyMade() {
		ToolExecutor executor = (call) -> ToolResult.success("ran");
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerSingleton("tools", executor))
			.run((context) -> assertThat(context).getFailure().isInstanceOf(UnguardedBeansException.class));
	}

	@Test
	void executorThatIsNotGuardedIsAWarningWithoutHooksAndNoneCanBeRegistered(CapturedOutput output) {
		ToolExecutor executor = (call) -> ToolResult.success("ran");
		withoutHooks().withInitializer((context) -> context.getBeanFactory().registerSingleton("tools", executor))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains("executors are not guarded: [bean 'tools'");
				assertThatExceptionOfType(IllegalStateException.class)
					.isThrownBy(() -> context.getBean(ToolHooks.class)
						.register("late", (PreToolHook) (call) -> ToolDecision.deny("late")))
					.withMessageContaining("'late' would not be asked")
					.withMessageContaining("'tools'");
			});
	}

	@Test
	void executorThatIsNotGuardedStopsTheStartWhenAHookWasRegisteredMeanwhile() {
		ToolExecutor executor = (call) -> ToolResult.success("ran");
		withoutHooks().withBean(Registering.class)
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("tools", executor))
			.run((context) -> assertThat(context).getFailure().isInstanceOf(UnguardedBeansException.class));
	}

	@Test
	void everyKindOfExecutorIsGuardedByAHookThatIsRegisteredLater() {
		withoutHooks().withUserConfiguration(LazyAndPrototype.class, ScopedTools.class)
			.withBean("record", ToolExecutor.class, () -> new RecordTools("x"))
			.run((context) -> {
				ToolExecutor before = context.getBean("prototypeTools", ToolExecutor.class);
				context.getBean(ToolHooks.class).register("late", (PreToolHook) (call) -> ToolDecision.deny("late"));
				assertThat(before.execute(RUN).content()).contains("'late'");
				List.of("lazyTools", "prototypeTools", "scopedTools", "record")
					.forEach((name) -> assertThat(context.getBean(name, ToolExecutor.class).execute(RUN).content())
						.as(name)
						.contains("'late'"));
			});
	}

	private static ApplicationContextRunner withoutHooks() {
		return new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class));
	}

	@Test
	void executorInACollectionIsGuarded() {
		this.contextRunner.withUserConfiguration(ListedTools.class).run((context) -> {
			assertThat(context).hasNotFailed();
			List<?> listed = context.getBean("listed", List.class);
			assertThat(listed).isNotEmpty()
				.allSatisfy((tools) -> assertThat(((ToolExecutor) tools).execute(RUN).succeeded()).isFalse());
		});
	}

	@Test
	void startFailsWhenTheExecutorIsInTheParentContext() { // X05
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
			parent.registerBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"));
			parent.refresh();
			this.contextRunner.withParent(parent)
				.run((context) -> assertThat(context).getFailure().isInstanceOf(UnguardedBeansException.class));
		}
	}

	@Test
	void executorInAParentContextWithHooksOfItsOwnIsGuarded() {
		this.contextRunner.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.run((parent) -> this.contextRunner.withParent(parent).run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(ToolExecutor.class).execute(RUN).succeeded()).isFalse();
			}));
	}

	@Test
	void startFailsWhenHooksOfAChildContextAreNotThoseOfTheExecutorInTheParent() {
		ApplicationContextRunner application = new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class));
		application.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran")).run((parent) -> {
			application.withParent(parent)
				.withBean("child", PreToolHook.class, () -> (call) -> ToolDecision.deny("child"))
				.run((context) -> assertThat(context).getFailure()
					.isInstanceOf(UnguardedBeansException.class)
					.hasMessageContaining("and not [child]"));
			application.withParent(parent).run((context) -> assertThat(context).hasNotFailed());
		});
	}

	@Test
	void startFailsWhenAHookIsFoundTooLate() {
		new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success("ran"))
			.withBean(HiddenHookFactory.class)
			.run((context) -> {
				if (context.getStartupFailure() == null) {
					assertThat(context.getBean(ToolExecutor.class).execute(RUN).succeeded()).isFalse();
				}
				else {
					assertThat(context).getFailure().isInstanceOf(UnguardedBeansException.class);
				}
			});
	}

	@Test
	void prototypeThatWasMadeBeforeAnyHookWasKnownIsGuarded() {
		new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("tools", OpenTools.class, OpenTools::new, (definition) -> definition.setScope("prototype"))
			.withBean(NeedsOpenTools.class)
			.withBean(HiddenHookFactory.class)
			.run((context) -> assertThat(context.getBean(NeedsOpenTools.class).tools().execute(RUN).content())
				.contains("hidden"));
	}

	@Test
	void startFailsWhenWhatAHookNeedsCallsToolsAlready() {
		this.contextRunner.withUserConfiguration(HookThatCausesACall.class)
			.withBean("tools", OpenTools.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(BeanCurrentlyInCreationException.class));
	}

	@Test
	void startFailsWhenABeanTurnsOutToBeAHookTooLate() {
		this.contextRunner.withUserConfiguration(HookInDisguise.class)
			.withBean("tools", OpenTools.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("bean 'disguised'"));
	}

	@Test
	void collectionThatMayBeRemoteIsNotLoaded() {
		this.contextRunner.withBean("remote", RemoteList.class, RemoteList::new)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void executorThatReturnsNothingGivesAFailedResult() {
		this.contextRunner.withBean("tools", NothingTools.class)
			.run((context) -> assertThat(
					context.getBean(ToolExecutor.class).execute(ToolCall.of("read", Map.of())).content())
				.contains("nothing"));
	}

	@Test
	void startFailsWhenHooksAreConfiguredButTheAutoConfigurationIsExcluded() { // X09
		String[] hooks = { "--hooks.tool-call.pre-call[0].type=passthrough",
				"--spring.autoconfigure.exclude=" + ToolCallHooksAutoConfiguration.class.getName() };
		assertThatExceptionOfType(ActiveHooksInitializer.InactiveHooksException.class)
			.isThrownBy(() -> application().run(hooks));
		application().run(hooks[1], "--hooks.tool-call.enabled=false").close();
		application().run(hooks[1]).close();
		application().run(hooks[0]).close();
		application().run(hooks[0], hooks[1], "--spring.boot.enableautoconfiguration=false").close();
	}

	@Test
	void contextThatIsNotTheApplicationStartsWithoutHooks() {
		String hook = "--hooks.tool-call.pre-call[0].type=passthrough";
		application(Helper.class).run(hook).close();
		assertThatExceptionOfType(ActiveHooksInitializer.InactiveHooksException.class)
			.isThrownBy(() -> application(HelperWithTools.class).run(hook));
	}

	private static SpringApplication application() {
		return application(Application.class);
	}

	private static SpringApplication application(Class<?> source) {
		SpringApplication application = new SpringApplication(source);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	private static ToolExecutor anonymous() {
		return new ToolExecutor() {

			@Override
			public ToolResult execute(ToolCall call) {
				return ToolResult.success("ran");
			}

		};
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class Helper {

	}

	@Configuration(proxyBeanMethods = false)
	static class HelperWithTools {

		@Bean
		ToolExecutor tools() {
			return anonymous();
		}

	}

	static class Registering {

		Registering(ToolHooks hooks) {
			hooks.register("early", (PreToolHook) (call) -> ToolDecision.approve());
		}

	}

	static class OpenTools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		String other() {
			return "other";
		}

	}

	static class RetryingTools implements ToolExecutor {

		private final AtomicInteger runs = new AtomicInteger();

		private final ObjectProvider<RetryingTools> itself;

		RetryingTools(ObjectProvider<RetryingTools> itself) {
			this.itself = itself;
		}

		@Override
		public ToolResult execute(ToolCall call) {
			int run = this.runs.incrementAndGet();
			return (run < 3) ? this.itself.getObject().execute(call) : ToolResult.success("ran " + run);
		}

	}

	record NeedsOpenTools(OpenTools tools) {
	}

	record RecordTools(String name) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of(this.name);
		}

	}

	static sealed class SealedTools implements ToolExecutor permits OnlySealedTools {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	static final class OnlySealedTools extends SealedTools {

	}

	static class NothingTools implements ToolExecutor {

		@Override
		@SuppressWarnings("NullAway")
		public ToolResult execute(ToolCall call) {
			return null;
		}

	}

	static class FinalMethodTools implements ToolExecutor {

		@Override
		public final ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	static class ToolsFactory implements FactoryBean<ToolExecutor> {

		@Override
		public ToolExecutor getObject() {
			return (call) -> ToolResult.success("ran");
		}

		@Override
		public Class<?> getObjectType() {
			return ToolExecutor.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyAndPrototype {

		@Bean
		@Lazy
		ToolExecutor lazyTools() {
			return (call) -> ToolResult.success("ran");
		}

		@Bean
		@Scope("prototype")
		ToolExecutor prototypeTools() {
			return (call) -> ToolResult.success("ran");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedTools {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
		ToolExecutor scopedTools() {
			return (call) -> ToolResult.success("ran");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedTools {

		@Bean
		ProxyFactoryBean proxiedTools() {
			ProxyFactoryBean proxy = new ProxyFactoryBean();
			proxy.setInterfaces(ToolExecutor.class);
			proxy.setTarget(new OpenTools());
			return proxy;
		}

		@Bean
		ToolExecutor frozenTools() {
			ProxyFactory proxy = new ProxyFactory(new OpenTools());
			proxy.setFrozen(true);
			return (ToolExecutor) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DelegatingTools {

		@Bean
		ToolExecutor inner() {
			return (call) -> ToolResult.success("ran");
		}

		@Bean
		ToolExecutor outer(ToolExecutor inner) {
			return new DelegatingExecutor(inner);
		}

		@Bean
		ToolExecutor changing(ToolExecutor inner) {
			return (call) -> inner.execute(RUN);
		}

	}

	record DelegatingExecutor(ToolExecutor delegate) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return this.delegate.execute(call);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EagerPostProcessor {

		@Bean
		static ToolExecutor tools() {
			return (call) -> ToolResult.success("ran");
		}

		@Bean
		static BeanPostProcessor needy(ToolExecutor tools) {
			return new BeanPostProcessor() {

				@Override
				public @Nullable Object postProcessAfterInitialization(Object bean, String beanName) {
					return bean;
				}

			};
		}

		@Bean
		static BeanFactoryPostProcessor harmless() {
			return (beanFactory) -> {
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HookThatCallsTools {

		private @Nullable ToolResult inner;

		@Bean
		PreToolHook calling(ObjectProvider<ToolExecutor> tools) {
			return (call) -> {
				if (call.tool().equals("outer")) {
					this.inner = tools.getObject().execute(RUN);
				}
				return ToolDecision.approve();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ListedTools {

		@Bean
		List<ToolExecutor> listed() {
			return List.of((call) -> ToolResult.success("ran"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HookThatCausesACall {

		@Bean
		ToolResult warmUp(ToolExecutor tools) {
			return tools.execute(ToolCall.of("read", Map.of()));
		}

		@Bean
		PreToolHook needy(ToolResult warmUp) {
			return (call) -> ToolDecision.deny("needy");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HookInDisguise {

		@Bean
		ToolResult warmUp(ToolExecutor tools) {
			return tools.execute(ToolCall.of("read", Map.of()));
		}

		@Bean
		Object disguised() {
			return (PreToolHook) (call) -> ToolDecision.deny("disguised");
		}

	}

	static class RemoteList extends AbstractList<Object> {

		@Override
		public Object get(int index) {
			throw new IllegalStateException("Loaded");
		}

		@Override
		public int size() {
			return 1;
		}

	}

	static class HiddenHookFactory implements FactoryBean<Object> {

		@Override
		public Object getObject() {
			return (PreToolHook) (call) -> ToolDecision.deny("hidden");
		}

		@Override
		public Class<?> getObjectType() {
			return PreToolHook.class;
		}

	}

}
