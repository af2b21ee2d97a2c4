package io.agenthooks.spring.assembly;

import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.type.AnnotationMetadata;

import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Every way to declare a hook, in every setting: it is asked, or the start says no, or
 * which bean nobody can see.
 */
@ExtendWith(OutputCaptureExtension.class)
class HookWaysTests {

	/** What is said of calls that hooks deny. */
	private static final String DENIED = "denied by the hook";

	/** Whether a hook was told of a call that has ended. */
	private static final AtomicBoolean TOLD = new AtomicBoolean();

	private static Stream<Class<?>> ways() {
		return Stream.of(Declared.class, OwnClass.class, AsObject.class, AsInterface.class, JdkProxy.class,
				VagueJdkProxy.class, TypedFactory.class, UntypedFactory.class, RawFactory.class, GivenBySupplier.class,
				GivenByVagueSupplier.class, GivenByCallable.class, InAList.class, InAVagueList.class, InAMap.class,
				InAnOptional.class, Annotated.class, AnnotatedAsObject.class, ModelHook.class, ModelHookAsObject.class,
				RunHookBean.class, RunHookAsObject.class, ResultHookAsObject.class, Registered.class,
				RegisteredAsObject.class, GuardAutoConfiguration.class, ListAutoConfiguration.class,
				OfInfrastructure.class, NoCandidate.class, NoDefaultCandidate.class, ScopedByInterface.class,
				ScopedAsObject.class, AsArray.class, InAReference.class, InAFuture.class, GenericFactory.class,
				PostHookAsObject.class, PostRunHookAsObject.class, PostModelHookInAList.class);
	}

	static Stream<Arguments> waysInANormalSetting() {
		return ways().map((way) -> Arguments.of(way, Setting.NORMAL));
	}

	static Stream<Arguments> waysInOtherSettings() {
		return ways().flatMap((way) -> Stream.of(Setting.values())
			.filter((setting) -> setting != Setting.NORMAL)
			.map((setting) -> Arguments.of(way, setting)));
	}

	@ParameterizedTest(name = "{0} {1}")
	@Tag("slow")
	@MethodSource("waysInOtherSettings")
	void hookInAnotherSettingIsAskedOrTheStartSaysThatItIsNot(Class<?> way, Setting setting, CapturedOutput output) {
		hookIsAskedOrTheStartSaysThatItIsNot(way, setting, output);
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource("waysInANormalSetting")
	void hookIsAskedOrTheStartSaysThatItIsNot(Class<?> way, Setting setting, CapturedOutput output) {
		boolean asked;
		try (ConfigurableApplicationContext context = setting.start(way)) {
			asked = isAsked(context);
			if (!asked && (way == AsInterface.class || way == VagueJdkProxy.class)) {
				assertThat(output).doesNotContain("Nobody can see at the start");
				assertRefused(context);
				assertRefused(context);
				return;
			}
		}
		catch (RuntimeException ex) {
			assertThat(ex).hasStackTraceContaining("guard");
			return;
		}
		assertThat(asked || output.toString().contains("Nobody can see at the start"))
			.as("asked, or the start says that nobody can see it")
			.isTrue();
		if (asked) {
			assertThat(output).doesNotContain("Nobody can see at the start");
		}
		else {
			assertThat(output.toString().lines())
				.anyMatch((line) -> line.contains("Nobody can see at the start") && line.contains("'guard'"));
		}
	}

	/**
	 * Nobody gets the bean, so nobody believes that it is asked.
	 */
	private static void assertRefused(ConfigurableApplicationContext context) {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> context.getBean("guard"))
			.withMessageContaining("has hooks that would not be asked")
			.withMessageContaining("bean 'guard'")
			.withMessageContaining("Declare the bean with its own class");
	}

	/**
	 * Beans as most applications have them have nothing to do with hooks.
	 */
	@ParameterizedTest
	@ValueSource(classes = { TypedInterfaceFactory.class, UntypedInterfaceFactory.class, OrdinaryBeans.class })
	void ordinaryBeansAreNoHooks(Class<?> beans, CapturedOutput output) {
		for (Setting setting : Setting.values()) {
			setting.start(beans, "--hooks.strict=true").close();
		}
		assertThat(output).doesNotContain("Nobody can see at the start").doesNotContain("would not be asked");
	}

	/**
	 * What is a gate in production is one in a test that is lazy.
	 */
	@ParameterizedTest
	@ValueSource(classes = { Declared.class, OwnClass.class, AsObject.class, AsInterface.class, JdkProxy.class,
			VagueJdkProxy.class, TypedFactory.class, UntypedFactory.class, InAList.class, AnnotatedAsObject.class,
			ModelHookAsObject.class })
	void gateIsTheSameIfAllBeansAreLazy(Class<?> way) {
		assertThat(outcome(Setting.LAZY_INITIALIZATION, way)).isEqualTo(outcome(Setting.NORMAL, way));
	}

	private static String outcome(Setting setting, Class<?> way) {
		try (ConfigurableApplicationContext context = setting.start(way)) {
			return "asked: " + isAsked(context);
		}
		catch (RuntimeException ex) {
			return ex.getClass().getName();
		}
	}

	private static boolean isAsked(ConfigurableApplicationContext context) {
		TOLD.set(false);
		ToolResult result = context.getBean(ToolExecutor.class).execute(ToolCall.of("tool", Map.of()));
		return result.content().contains(DENIED) || TOLD.get() || !context.getBean(RunHookChain.class).isEmpty()
				|| !context.getBean(LlmHookChain.class).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "exclude = io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration.class",
			"exclude = io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration.class" })
	void excludedAutoConfigurationIsNoticedInTheDefaultPackage(String exclude, @TempDir Path directory)
			throws Exception {
		Files.writeString(directory.resolve("InNoPackage.java"), """
				@org.springframework.boot.autoconfigure.EnableAutoConfiguration(%s)
				@org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
				public class InNoPackage {
				}
				""".formatted(exclude));
		StringWriter problems = new StringWriter();
		var compiler = ToolProvider.getSystemJavaCompiler();
		try (var files = compiler.getStandardFileManager(null, null, null)) {
			assertThat(
					compiler
						.getTask(problems, files, null,
								List.of("-proc:none", "-d", directory.toString(), "-classpath",
										System.getProperty("java.class.path")),
								null, files.getJavaFileObjects(directory.resolve("InNoPackage.java")))
						.call())
				.as(problems.toString())
				.isTrue();
		}
		try (URLClassLoader classes = new URLClassLoader(new URL[] { directory.toUri().toURL() },
				HookWaysTests.class.getClassLoader())) {
			SpringApplication application = new SpringApplication(classes.loadClass("InNoPackage"));
			application.setWebApplicationType(WebApplicationType.NONE);
			assertThat(startFailure(application)).isInstanceOf(ActiveHooksInitializer.InactiveHooksException.class);
		}
	}

	private static @Nullable Throwable startFailure(SpringApplication application) {
		try {
			application.run("--hooks.tool-call.pre-call[0].type=passthrough").close();
			return null;
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	private static PreToolHook hook() {
		return (call) -> ToolDecision.deny(DENIED);
	}

	private static Object proxy(Class<?>... interfaces) {
		Guard guard = new Guard();
		return Proxy.newProxyInstance(HookWaysTests.class.getClassLoader(), interfaces,
				(proxy, method, arguments) -> (method.getDeclaringClass().isInstance(guard))
						? method.invoke(guard, arguments) : "proxied");
	}

	/**
	 * What is done to all beans, or to that of the hook.
	 */
	enum Setting {

		NORMAL, LAZY_INITIALIZATION, LAZY, PROTOTYPE;

		ConfigurableApplicationContext start(Class<?> way, String... arguments) {
			SpringApplication application = new SpringApplication(way);
			application.setWebApplicationType(WebApplicationType.NONE);
			application.setLazyInitialization(this == LAZY_INITIALIZATION);
			application.addInitializers((context) -> context.addBeanFactoryPostProcessor(change()));
			return application.run(arguments);
		}

		private BeanFactoryPostProcessor change() {
			return (beanFactory) -> {
				if (this == LAZY) {
					beanFactory.getBeanDefinition("guard").setLazyInit(true);
				}
				if (this == PROTOTYPE) {
					beanFactory.getBeanDefinition("guard").setScope("prototype");
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
			RunHooksAutoConfiguration.class })
	abstract static class Application {

		@Bean
		ToolExecutor tools() {
			return (call) -> ToolResult.success("ran");
		}

	}

	static class Guard implements PreToolHook {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.deny(DENIED);
		}

	}

	interface Named {

		default String called() {
			return "named";
		}

	}

	static class NamedGuard extends Guard implements Named {

	}

	static class Methods {

		@BeforeToolCall
		ToolDecision check() {
			return ToolDecision.deny(DENIED);
		}

	}

	static class Declared extends Application {

		@Bean
		PreToolHook guard() {
			return hook();
		}

	}

	static class OwnClass extends Application {

		@Bean
		Guard guard() {
			return new Guard();
		}

	}

	static class AsObject extends Application {

		@Bean
		Object guard() {
			return hook();
		}

	}

	static class AsInterface extends Application {

		@Bean
		Named guard() {
			return new NamedGuard();
		}

	}

	static class JdkProxy extends Application {

		@Bean
		PreToolHook guard() {
			return (PreToolHook) proxy(PreToolHook.class);
		}

	}

	static class VagueJdkProxy extends Application {

		@Bean
		Named guard() {
			return (Named) proxy(Named.class, PreToolHook.class);
		}

	}

	static class Factory implements FactoryBean<PreToolHook> {

		@Override
		public PreToolHook getObject() {
			return hook();
		}

		@Override
		public Class<?> getObjectType() {
			return PreToolHook.class;
		}

	}

	static class VagueFactory implements FactoryBean<Object> {

		@Override
		public Object getObject() {
			return hook();
		}

		@Override
		public @Nullable Class<?> getObjectType() {
			return null;
		}

	}

	interface UserMapper {

		String find(String id);

	}

	static class MapperFactory implements FactoryBean<UserMapper> {

		@Override
		public UserMapper getObject() {
			return (id) -> id;
		}

		@Override
		public Class<?> getObjectType() {
			return UserMapper.class;
		}

	}

	static class StubFactory implements FactoryBean<Object> {

		@Override
		public Object getObject() {
			return (UserMapper) (id) -> id;
		}

		@Override
		public @Nullable Class<?> getObjectType() {
			return null;
		}

	}

	static class TypedInterfaceFactory extends Application {

		@Bean
		MapperFactory guard() {
			return new MapperFactory();
		}

	}

	static class UntypedInterfaceFactory extends Application {

		@Bean
		UserMapper guard() {
			return (id) -> id;
		}

		@Bean
		StubFactory stub() {
			return new StubFactory();
		}

	}

	static class OrdinaryBeans extends Application {

		@Bean
		UserMapper guard() {
			return (id) -> id;
		}

		@Bean
		@Lazy
		Executor pool() {
			return Runnable::run;
		}

		@Bean
		@Lazy
		Clock clock() {
			return Clock.systemUTC();
		}

		@Bean
		@Scope("prototype")
		Map<String, Object> settings() {
			return Map.of();
		}

		@Bean
		Supplier<Object> anything() {
			return Object::new;
		}

		@Bean
		Function<String, Object> mapping() {
			return (text) -> text;
		}

	}

	static class TypedFactory extends Application {

		@Bean
		Factory guard() {
			return new Factory();
		}

	}

	static class UntypedFactory extends Application {

		@Bean
		FactoryBean<?> guard() {
			return new VagueFactory();
		}

	}

	static class RawFactory extends Application {

		@Bean
		VagueFactory guard() {
			return new VagueFactory();
		}

	}

	static class GivenBySupplier extends Application {

		@Bean
		Supplier<PreToolHook> guard() {
			return HookWaysTests::hook;
		}

	}

	static class GivenByVagueSupplier extends Application {

		@Bean
		Supplier<?> guard() {
			return HookWaysTests::hook;
		}

	}

	static class GivenByCallable extends Application {

		@Bean
		Callable<PreRunHook> guard() {
			return () -> (run) -> RunDecision.deny(DENIED);
		}

	}

	static class InAList extends Application {

		@Bean
		List<PreToolHook> guard() {
			return List.of(hook());
		}

	}

	static class InAVagueList extends Application {

		@Bean
		List<?> guard() {
			return List.of(hook());
		}

	}

	static class InAMap extends Application {

		@Bean
		Map<String, PreToolHook> guard() {
			return Map.of("one", hook());
		}

	}

	static class InAnOptional extends Application {

		@Bean
		Optional<PreToolHook> guard() {
			return Optional.of(hook());
		}

	}

	static class Annotated extends Application {

		@Bean
		Methods guard() {
			return new Methods();
		}

	}

	static class AnnotatedAsObject extends Application {

		@Bean
		Object guard() {
			return new Methods();
		}

	}

	static class ModelHook extends Application {

		@Bean
		PreLlmHook guard() {
			return (call) -> LlmDecision.deny(DENIED);
		}

	}

	static class ModelHookAsObject extends Application {

		@Bean
		Object guard() {
			return (PreLlmHook) (call) -> LlmDecision.deny(DENIED);
		}

	}

	static class RunHookBean extends Application {

		@Bean
		PreRunHook guard() {
			return (run) -> RunDecision.deny(DENIED);
		}

	}

	static class RunHookAsObject extends Application {

		@Bean
		Object guard() {
			return (PreRunHook) (run) -> RunDecision.deny(DENIED);
		}

	}

	static class ResultHookAsObject extends Application {

		@Bean
		Object guard() {
			return (ToolResultHook) (call, result) -> ToolDecision.deny(DENIED);
		}

	}

	static class Registrar implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
			GenericBeanDefinition definition = new GenericBeanDefinition();
			definition.setInstanceSupplier(HookWaysTests::hook);
			registry.registerBeanDefinition("guard", definition);
		}

	}

	@Import(Registrar.class)
	static class Registered extends Application {

	}

	static class VagueRegistrar implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
			registry.registerBeanDefinition("guard",
					BeanDefinitionBuilder.genericBeanDefinition(Object.class, HookWaysTests::hook).getBeanDefinition());
		}

	}

	@Import(VagueRegistrar.class)
	static class RegisteredAsObject extends Application {

	}

	/** As the starter of a company has it. */
	static class GuardAutoConfiguration extends Application {

		@Bean
		Object guard() {
			return hook();
		}

	}

	static class ListAutoConfiguration extends Application {

		@Bean
		List<?> guard() {
			return List.of(hook());
		}

	}

	static class OfInfrastructure extends Application {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		Object guard() {
			return hook();
		}

	}

	static class NoCandidate extends Application {

		@Bean(autowireCandidate = false)
		PreToolHook guard() {
			return hook();
		}

	}

	static class NoDefaultCandidate extends Application {

		@Bean(defaultCandidate = false)
		PreToolHook guard() {
			return hook();
		}

	}

	static class ScopedByInterface extends Application {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
		PreToolHook guard() {
			return hook();
		}

	}

	static class ScopedAsObject extends Application {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Object guard() {
			return new Guard();
		}

	}

	static class AsArray extends Application {

		@Bean
		PreToolHook[] guard() {
			return new PreToolHook[] { hook() };
		}

	}

	static class InAReference extends Application {

		@Bean
		AtomicReference<PreToolHook> guard() {
			return new AtomicReference<>(hook());
		}

	}

	static class InAFuture extends Application {

		@Bean
		CompletableFuture<PreToolHook> guard() {
			return CompletableFuture.completedFuture(hook());
		}

	}

	static class GenericFactory extends Application {

		@Bean
		FactoryBean<PreToolHook> guard() {
			return new FactoryBean<>() {

				@Override
				public PreToolHook getObject() {
					return hook();
				}

				@Override
				public @Nullable Class<?> getObjectType() {
					return null;
				}
			};
		}

	}

	static class PostHookAsObject extends Application {

		@Bean
		Object guard() {
			return (PostToolHook) (outcome) -> TOLD.set(true);
		}

	}

	static class PostRunHookAsObject extends Application {

		@Bean
		Object guard() {
			return (PostRunHook) (outcome) -> TOLD.set(true);
		}

	}

	static class PostModelHookInAList extends Application {

		@Bean
		List<PostLlmHook> guard() {
			return List.of((outcome) -> TOLD.set(true));
		}

	}

}
