package io.agenthooks.spring.binding;

import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.Sources;
import io.agenthooks.spring.ToolHookFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Modules}: what it names is what stands in the modules.
 */
class ModulesTests {

	private static final List<String> KERNEL = List.of("hooks-core", "hooks-spring-boot-autoconfigure");

	/**
	 * The types of hooks of all modules, with the module that each is in.
	 */
	private static Map<String, String> types() {
		Map<String, String> types = new TreeMap<>();
		Class<?>[] all = Stream
			.of(ImportCandidates.load(AutoConfiguration.class, ModulesTests.class.getClassLoader())
				.getCandidates()
				.toArray(String[]::new))
			.filter((name) -> name.startsWith("io.agenthooks."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.toArray(Class<?>[]::new);
		// Ahead of time, so all types are made
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(all))
			.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true")
			.run((context) -> context.getBeansOfType(HookFactory.class).forEach((name, factory) -> {
				List<Class<?>> kinds = List.of(ToolHookFactory.class, LlmHookFactory.class, RunHookFactory.class);
				int kind = 0;
				while (!kinds.get(kind).isInstance(factory)) {
					kind++;
				}
				types.put(HookSection.ALL.get(kind).key() + "." + factory.type(), module(factory.configType()));
			}));
		return types;
	}

	private static String module(Class<?> type) {
		URL location = type.getProtectionDomain().getCodeSource().getLocation();
		return location.getPath().replaceFirst(".*/(hooks-[a-z0-9-]+)/target/.*", "$1");
	}

	private static @Nullable String dependency(String module) {
		return (KERNEL.contains(module)) ? null : "io.agenthooks:" + module;
	}

	@Test
	void eachTypeIsOfTheModuleThatTheStartNames() {
		assertThat(types()).isNotEmpty()
			.allSatisfy((type, module) -> assertThat(Modules.dependency(type)).as(type).isEqualTo(dependency(module)));
	}

	@Test
	void noModuleIsMissingWhereAllAre() {
		assertThat(types().keySet()).isNotEmpty()
			.allSatisfy((type) -> assertThat(Modules.missing(type)).as(type).isNull());
		assertThat(HookSection.ALL).allSatisfy((section) -> assertThat(Modules.types(section, false)).isEmpty());
	}

	@Test
	void typesThatNoEntryNamesAreKnown() {
		Set<String> known = new TreeSet<>(Set.of("tool_call.bean", "llm_call.bean", "run.bean"));
		known.addAll(types().keySet());
		assertThat(HookSection.ALL.stream()
			.flatMap((section) -> Modules.types(section, true).map((type) -> section.key() + "." + type)))
			.containsExactlyInAnyOrderElementsOf(known);
	}

	@Test
	void eachDependencyIsAModule() {
		assertThat(types().keySet().stream().map(Modules::dependency).distinct())
			.filteredOn((dependency) -> dependency != null)
			.isNotEmpty()
			.allSatisfy((dependency) -> assertThat(Sources.modules())
				.anyMatch((module) -> dependency.equals("io.agenthooks:" + module.getFileName())));
	}

}
