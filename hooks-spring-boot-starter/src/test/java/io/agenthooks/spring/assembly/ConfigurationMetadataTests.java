package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.spring.HookFactory;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.binding.BeanConfig;
import io.agenthooks.spring.program.CommandLine;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata that the configuration processor makes of
 * {@link ToolCallHooksProperties}: IDEs complete every key that the reader knows.
 */
class ConfigurationMetadataTests {

	private static final String ENTRY = "/META-INF/spring/configuration-metadata/"
			+ ToolCallHooksProperties.Entry.class.getName() + ".json";

	@Test
	void metadataDescribesAllLists() throws IOException {
		assertThat(properties("/META-INF/spring-configuration-metadata.json"))
			.extracting(ConfigurationMetadataTests::name)
			.containsExactlyInAnyOrder("hooks.tool-call.enabled", "hooks.tool-call.tools-enabled",
					"hooks.tool-call.unguarded", "hooks.tool-call.wrap-tool-callbacks",
					"hooks.tool-call.max-arguments-size", "hooks.tool-call.pre-call", "hooks.tool-call.post-call",
					"hooks.llm-call.enabled", "hooks.llm-call.pre-call", "hooks.llm-call.post-call",
					"hooks.run.enabled", "hooks.run.pre-run", "hooks.run.post-run");
	}

	@Test
	void metadataDescribesEveryKeyOfAnEntryAndEveryOptionOfTheBuiltInTypes() {
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
					RunHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class))
			.run((context) -> {
				Stream<Class<?>> configs = Stream.of(context.getBeanNamesForType(HookFactory.class))
					.map((name) -> ((HookFactory<?, ?>) context.getBean(name)).configType());
				Stream<String> options = Stream.concat(Stream.of(BeanConfig.class), configs)
					.flatMap((config) -> keys("config.", config))
					.distinct()
					.map((option) -> option.equals("config.notifications") ? "config.notify" : option);
				Class<?> entry = Class.forName("io.agenthooks.spring.binding.ListEntry");
				assertThat(properties(ENTRY)).extracting(ConfigurationMetadataTests::name)
					.containsExactlyInAnyOrderElementsOf(Stream.concat(keys("", entry), options).toList());
			});
	}

	@Test
	void everyKeyHasADescription() throws IOException {
		assertThat(Stream.of(properties("/META-INF/spring-configuration-metadata.json"), properties(ENTRY))
			.flatMap(List::stream)).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString("")).as(name(property))
				.endsWith("."));
	}

	@Test
	void metadataKnowsTheDefaultsOfTheSwitches() throws IOException {
		assertThat(properties("/META-INF/spring-configuration-metadata.json"))
			.filteredOn((property) -> property.has("defaultValue"))
			.extracting((property) -> name(property) + "=" + property.get("defaultValue").asString())
			.containsExactlyInAnyOrder("hooks.tool-call.enabled=true", "hooks.tool-call.tools-enabled=true",
					"hooks.tool-call.unguarded=warn", "hooks.tool-call.wrap-tool-callbacks=true",
					"hooks.tool-call.max-arguments-size=8MB", "hooks.llm-call.enabled=true", "hooks.run.enabled=true");
	}

	private static Stream<String> keys(String prefix, Class<?> record) {
		return Arrays.stream(record.getRecordComponents()).flatMap((component) -> {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			return (component.getType().isRecord() && component.getType() != CommandLine.class)
					? keys(name + ".", component.getType()) : Stream.of(name);
		});
	}

	private static String name(JsonNode property) {
		return property.get("name").asString();
	}

	private static List<JsonNode> properties(String file) throws IOException {
		try (InputStream json = ConfigurationMetadataTests.class.getResourceAsStream(file)) {
			return new JsonMapper().readTree(Objects.requireNonNull(json)).get("properties").valueStream().toList();
		}
	}

}
