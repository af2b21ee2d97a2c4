package io.agenthooks.spring.binding;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the types that a native image binds the configuration of hooks to. No native
 * image is built here: the hints for one are compared with what is bound.
 */
class ConfigHintsTests {

	/** All auto-configurations of the starter. */
	private static final Class<?>[] ALL = ImportCandidates.load(AutoConfiguration.class, null)
		.getCandidates()
		.stream()
		.filter((name) -> name.startsWith("io.agenthooks."))
		.map((name) -> ClassUtils.resolveClassName(name, null))
		.toArray(Class<?>[]::new);

	/** What switches on what stands beside the hooks. */
	private static final String[] FEATURES = { "hooks.approval.enabled=true", "hooks.approval.approvers=ROLE_A",
			"hooks.audit.enabled=true", "hooks.console.enabled=true" };

	@TempDir
	Path directory;

	@Test
	void noTypeOfAFactoryIsMissing() {
		RuntimeHints hints = processAheadOfTime(ALL);
		ApplicationContextRunner application = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ALL))
			.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true");
		application.run((context) -> {
			List<HookFactory<?, ?>> factories = new ArrayList<>();
			context.getBeansOfType(HookFactory.class).values().forEach(factories::add);
			assertThat(factories).extracting(HookFactory::type)
				.contains("policy", "passthrough", "redact", "respond", "cache", "command", "process", "webhook",
						"prompt", "rate_limit", "concurrency", "loop", "alert", "budget", "flow");
			assertThat(factories)
				.allSatisfy((factory) -> bound(factory.configType()).forEach((type) -> assertBindable(type, hints)));
		});
		bound(ListEntry.class).forEach((type) -> assertBindable(type, hints));
		bound(BeanConfig.class).forEach((type) -> assertBindable(type, hints));
	}

	@Test
	void noTypeBesideTheHooksIsMissing() {
		RuntimeHints hints = processAheadOfTime(FEATURES, ALL);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ALL))
			.withPropertyValues(FEATURES)
			.withPropertyValues("hooks.audit.file.path=" + this.directory)
			.run((context) -> {
				List<FeatureOptions<?>> features = context
					.<FeatureOptions<?>>getBeanProvider(ResolvableType.forClass(FeatureOptions.class))
					.stream()
					.toList();
				assertThat(features).extracting((feature) -> feature.name())
					.containsExactlyInAnyOrderElementsOf(HookSection.FEATURES);
				assertThat(features)
					.allSatisfy((feature) -> bound(feature.type()).forEach((type) -> assertBindable(type, hints)));
			});
	}

	@Test
	void packsOfRulesAndScriptsOfTheAuditAreThere() throws IOException {
		RuntimeHints hints = processAheadOfTime(FEATURES, ALL);
		PathMatchingResourcePatternResolver resources = new PathMatchingResourcePatternResolver();
		List<String> files = new ArrayList<>();
		for (String folder : List.of("META-INF/agent-hooks/packs/", "io/agenthooks/spring/audit/")) {
			for (Resource resource : resources.getResources("classpath*:" + folder + "*.*")) {
				String name = Objects.requireNonNull(resource.getFilename());
				if (!name.endsWith(".class")) {
					files.add(folder + name);
				}
			}
		}
		assertThat(files).contains("META-INF/agent-hooks/packs/secret-files.yaml",
				"io/agenthooks/spring/audit/schema-h2.sql", "io/agenthooks/spring/audit/schema-postgresql.sql");
		assertThat(files)
			.allSatisfy((file) -> assertThat(hints).matches(RuntimeHintsPredicates.resource().forResource(file)));
		assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/agent-hooks/packs/other.yaml"))
			.rejects(hints);
	}

	@Test
	void typesOfTheApplicationAreThere() {
		RuntimeHints hints = processAheadOfTime(Application.class);
		Stream.of(Declared.class, Inner.class, InMap.class, Undeclared.class, Setters.class, OfTexts.class, Level.class)
			.forEach((type) -> assertBindable(type, hints));
		assertThat(hints)
			.matches(
					RuntimeHintsPredicates.reflection()
						.onMethodInvocation(Objects
							.requireNonNull(ReflectionUtils.findMethod(Setters.class, "setSize", int.class))))
			.matches(RuntimeHintsPredicates.reflection()
				.onMethodInvocation(
						Objects.requireNonNull(ReflectionUtils.findMethod(OfTexts.class, "of", String.class))));
		assertThat(RuntimeHintsPredicates.reflection().onType(ConfigHintsTests.class)).rejects(hints);
	}

	@Test
	void factoryThatCannotBeMadeStopsNothing() {
		RuntimeHints hints = processAheadOfTime(Broken.class);
		assertBindable(ListEntry.class, hints);
	}

	@Test
	void whatGuardsNeedIsThere() throws Exception {
		RuntimeHints hints = processAheadOfTime(ALL);
		assertThat(hints)
			.matches(RuntimeHintsPredicates.proxies()
				.forInterfaces(AopProxyUtils.completeJdkProxyInterfaces(ToolExecutor.class)))
			.matches(RuntimeHintsPredicates.reflection()
				.onFieldAccess(Objects.requireNonNull(
						ReflectionUtils.findField(DefaultSingletonBeanRegistry.class, "singletonCallbacks"))))
			.matches(RuntimeHintsPredicates.reflection()
				.onMethodInvocation("io.agenthooks.spring.langchain4j.GuardedToolService", "createContext"))
			.matches(RuntimeHintsPredicates.resource()
				.forResource("META-INF/services/dev.langchain4j.spi.services.AiServiceContextFactory"));
	}

	private static void assertBindable(Class<?> type, RuntimeHints hints) {
		assertThat(RuntimeHintsPredicates.reflection().onType(type)).as(type.getName()).accepts(hints);
		for (Constructor<?> constructor : type.getDeclaredConstructors()) {
			assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(constructor))
				.as(constructor.toString())
				.accepts(hints);
		}
		for (Method method : type.getDeclaredMethods()) {
			if (!method.isSynthetic()) {
				assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method)).as(method.toString())
					.accepts(hints);
			}
		}
	}

	/**
	 * A type with all types of ours that are somewhere in its components, at any depth.
	 */
	private static Set<Class<?>> bound(Class<?> type) {
		Set<Class<?>> found = new LinkedHashSet<>();
		add(type, found);
		return found;
	}

	private static void add(Class<?> type, Set<Class<?>> found) {
		if (!type.getName().startsWith("io.agenthooks.") || !found.add(type) || !type.isRecord()) {
			return;
		}
		for (RecordComponent component : type.getRecordComponents()) {
			add(component.getType(), found);
			// The names of all types in a generic one, however they are nested.
			Arrays.stream(component.getGenericType().getTypeName().split("[^\\w.$]+"))
				.filter((name) -> name.startsWith("io.agenthooks."))
				.forEach((name) -> add(ClassUtils.resolveClassName(name, null), found));
		}
	}

	private static RuntimeHints processAheadOfTime(Class<?>... configurations) {
		return processAheadOfTime(new String[0], configurations);
	}

	private static RuntimeHints processAheadOfTime(String[] properties, Class<?>... configurations) {
		return TestPropertyValues.of(AbstractAotProcessor.AOT_PROCESSING + "=true").applyToSystemProperties(() -> {
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
				TestPropertyValues.of(properties).applyTo(context);
				context.register(configurations);
				DefaultGenerationContext generation = new DefaultGenerationContext(
						new ClassNameGenerator(ClassName.get("com.example", "Application")),
						new InMemoryGeneratedFiles());
				new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
				generation.writeGeneratedContent();
				return generation.getRuntimeHints();
			}
		});
	}

	private static PreToolHook hook(Object config) {
		return (call) -> ToolDecision.approve();
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		ToolHookFactory<Declared> declared() {
			throw new AssertionError("Nobody has to make this");
		}

		@Bean
		ToolHookFactory<?> undeclared() {
			return ToolHookFactory.of("undeclared", Undeclared.class, ConfigHintsTests::hook);
		}

		@Bean
		OwnFactory own() {
			return new OwnFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Broken {

		@Bean
		ToolHookFactory<?> broken() {
			throw new IllegalStateException("There is no database at build time");
		}

	}

	record Declared(List<Inner> inner, Map<String, InMap> map, List<Level> levels, OfTexts texts) {
	}

	record Inner(int size) {
	}

	private record InMap(String text) {
	}

	record Undeclared(String text) {
	}

	enum Level {

		LOW, HIGH

	}

	record OfTexts(List<String> texts) {

		static OfTexts of(String text) {
			return of(List.of(text));
		}

		static OfTexts of(List<String> texts) {
			return new OfTexts(texts);
		}

	}

	public static class Setters {

		private int size;

		public int getSize() {
			return this.size;
		}

		public void setSize(int size) {
			this.size = size;
		}

	}

	static class OwnFactory implements ToolHookFactory<Setters> {

		@Override
		public String type() {
			return "own";
		}

		@Override
		public Class<Setters> configType() {
			return Setters.class;
		}

		@Override
		public PreToolHook create(String name, Setters config) {
			return hook(config);
		}

	}

}
