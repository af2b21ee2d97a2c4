package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.aot.AbstractAotProcessor;
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

	private static final String ENTRY = "META-INF/spring/configuration-metadata/"
			+ ToolCallHooksProperties.Entry.class.getName() + ".json";

	@Test
	void metadataDescribesAllLists() throws IOException {
		assertThat(properties("META-INF/spring-configuration-metadata.json"))
			.extracting(ConfigurationMetadataTests::name)
			.containsExactlyInAnyOrder("hooks.application", "hooks.approval.approvers", "hooks.approval.enabled",
					"hooks.approval.four-eyes", "hooks.approval.insecure", "hooks.approval.jdbc.initialize-schema",
					"hooks.approval.max-pending", "hooks.approval.max-pending-per-session", "hooks.approval.mode",
					"hooks.approval.decisions", "hooks.approval.dry-runs", "hooks.approval.max-scope",
					"hooks.approval.previews", "hooks.approval.preview-must-match", "hooks.approval.versions",
					"hooks.approval.questions", "hooks.approval.path", "hooks.approval.prevent-self-approval",
					"hooks.approval.remember", "hooks.approval.remember-denials", "hooks.approval.remember-for",
					"hooks.approval.resume", "hooks.approval.retention", "hooks.approval.store",
					"hooks.approval.timeout", "hooks.limit.store", "hooks.limit.jdbc.initialize-schema",
					"hooks.limit.redis.key-prefix", "hooks.limit.redis.may-evict", "hooks.limit.timeout",
					"hooks.audit.former-keys", "hooks.context.claims", "hooks.context.users",
					"hooks.context.authorities", "hooks.context.agents", "hooks.context.roles",
					"hooks.context.workspaces", "hooks.context.mcp-servers", "hooks.context.tools", "hooks.strict",
					"hooks.refusal.text", "hooks.tool-call.bypass-hooks", "hooks.tool-call.enabled",
					"hooks.tool-call.kill-switch", "hooks.tool-call.share-kill-switch", "hooks.tool-call.tools-enabled",
					"hooks.tool-call.post-call-timeout", "hooks.tool-call.event-timeout",
					"hooks.tool-call.approval-timeout", "hooks.tool-call.unguarded",
					"hooks.tool-call.wrap-tool-callbacks", "hooks.tool-call.max-arguments-size",
					"hooks.tool-call.max-result-size", "hooks.tool-call.pre-call", "hooks.tool-call.post-call",
					"hooks.llm-call.bypass-hooks", "hooks.llm-call.enabled", "hooks.llm-call.post-call-timeout",
					"hooks.llm-call.event-timeout", "hooks.llm-call.pre-call", "hooks.llm-call.post-call",
					"hooks.run.bypass-hooks", "hooks.run.enabled", "hooks.run.post-run-timeout",
					"hooks.run.event-timeout", "hooks.run.pre-run", "hooks.run.post-run", "hooks.audit.enabled",
					"hooks.audit.node", "hooks.audit.arguments", "hooks.audit.strict", "hooks.audit.queue-size",
					"hooks.audit.store", "hooks.audit.jdbc.initialize-schema", "hooks.audit.key.id",
					"hooks.audit.key.secret", "hooks.audit.file.path", "hooks.audit.file.max-size",
					"hooks.audit.file.sync", "hooks.audit.anchor.file", "hooks.audit.anchor.interval",
					"hooks.observation.enabled", "hooks.observation.genai-attributes", "hooks.observation.mdc",
					"hooks.console.enabled", "hooks.console.path", "hooks.console.authority", "hooks.console.insecure",
					"hooks.journal.max-calls", "hooks.journal.max-size", "hooks.approval.links.base-url",
					"hooks.approval.links.former-secrets", "hooks.approval.links.secret",
					"hooks.approval.links.valid-for", "hooks.approval.notify", "hooks.tool-call.replaces",
					"hooks.tool-call.effects.read", "hooks.tool-call.effects.write",
					"hooks.tool-call.effects.destructive", "hooks.tool-call.effects.external",
					"hooks.tool-call.effects.unknown", "hooks.tool-call.effects.tools.read",
					"hooks.tool-call.effects.tools.write", "hooks.tool-call.effects.tools.destructive",
					"hooks.tool-call.effects.tools.external", "hooks.llm-call.replaces", "hooks.run.replaces",
					"management.health.toolhooks.enabled", "management.info.hooks.enabled");
	}

	@Test
	void metadataDescribesEveryKeyOfAnEntryAndEveryOptionOfTheBuiltInTypes() {
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
					RunHooksAutoConfiguration.class, PromptHooksAutoConfiguration.class))
			.withSystemProperties(AbstractAotProcessor.AOT_PROCESSING + "=true")
			.run((context) -> {
				Stream<Class<?>> configs = Stream.of(context.getBeanNamesForType(HookFactory.class))
					.map((name) -> ((HookFactory<?, ?>) context.getBean(name)).configType());
				Stream<String> options = Stream.concat(Stream.of(BeanConfig.class), configs)
					.flatMap((config) -> keys("config.", config))
					.distinct()
					.map((option) -> option.equals("config.notifications") ? "config.notify" : option)
					.map((option) -> option.equals("config.private-tools") ? "config.private" : option)
					.map((option) -> option.equals("config.system") ? "config.for" : option);
				Class<?> entry = Class.forName("io.agenthooks.spring.binding.ListEntry");
				assertThat(properties(ENTRY)).extracting(ConfigurationMetadataTests::name)
					.containsExactlyInAnyOrderElementsOf(Stream.concat(keys("", entry), options).toList());
			});
	}

	@Test
	void everyKeyHasADescription() throws IOException {
		assertThat(Stream.of(properties("META-INF/spring-configuration-metadata.json"), properties(ENTRY))
			.flatMap(List::stream)).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString("")).as(name(property))
				.endsWith("."));
	}

	@Test
	void noKeyHasTheDescriptionOfALongerOne() throws IOException {
		for (String file : List.of("META-INF/spring-configuration-metadata.json", ENTRY)) {
			List<JsonNode> properties = properties(file);
			assertThat(properties).allSatisfy((property) -> assertThat(properties)
				.filteredOn((other) -> !name(other).equals(name(property)) && name(other).startsWith(name(property)))
				.noneMatch((other) -> description(property).endsWith(description(other))));
		}
	}

	@Test
	void metadataOfAnEntryClaimsNoDefaults() throws IOException {
		assertThat(properties(ENTRY)).noneMatch((property) -> property.has("defaultValue"));
	}

	@Test
	void metadataKnowsTheDefaultsOfTheSwitches() throws IOException {
		assertThat(properties("META-INF/spring-configuration-metadata.json"))
			.filteredOn((property) -> property.has("defaultValue"))
			.extracting((property) -> name(property) + "=" + property.get("defaultValue").asString())
			.containsExactlyInAnyOrder("hooks.strict=false", "hooks.approval.enabled=false",
					"hooks.approval.four-eyes=1", "hooks.approval.insecure=false",
					"hooks.approval.jdbc.initialize-schema=embedded", "hooks.approval.max-pending=1000",
					"hooks.approval.max-pending-per-session=20", "hooks.approval.path=/hooks/approvals",
					"hooks.approval.prevent-self-approval=true", "hooks.approval.remember=never",
					"hooks.approval.remember-denials=false", "hooks.approval.retention=30d", "hooks.limit.store=memory",
					"hooks.limit.timeout=2s", "hooks.limit.jdbc.initialize-schema=embedded",
					"hooks.limit.redis.key-prefix=agent-hooks:limit", "hooks.tool-call.bypass-hooks=false",
					"hooks.tool-call.kill-switch=false", "hooks.tool-call.share-kill-switch=false",
					"hooks.tool-call.enabled=true", "hooks.tool-call.tools-enabled=true", "hooks.llm-call.enabled=true",
					"hooks.run.enabled=true", "hooks.tool-call.post-call-timeout=10s",
					"hooks.tool-call.event-timeout=10s", "hooks.tool-call.approval-timeout=2m",
					"hooks.llm-call.post-call-timeout=10s", "hooks.llm-call.event-timeout=10s",
					"hooks.run.post-run-timeout=10s", "hooks.run.event-timeout=10s",
					"hooks.tool-call.wrap-tool-callbacks=true", "hooks.tool-call.max-arguments-size=8MB",
					"hooks.llm-call.bypass-hooks=false", "hooks.run.bypass-hooks=false", "hooks.audit.enabled=false",
					"hooks.audit.arguments=redacted", "hooks.audit.strict=false", "hooks.audit.queue-size=10000",
					"hooks.audit.file.path=audit", "hooks.audit.file.max-size=100MB", "hooks.audit.file.sync=true",
					"hooks.audit.anchor.interval=1m", "hooks.audit.store=file",
					"hooks.audit.jdbc.initialize-schema=embedded", "hooks.observation.enabled=true",
					"hooks.observation.genai-attributes=false", "hooks.observation.mdc=true",
					"hooks.console.enabled=false", "hooks.console.path=/hooks", "hooks.console.authority=HOOKS_CONSOLE",
					"hooks.console.insecure=false", "hooks.journal.max-calls=1000", "hooks.journal.max-size=16MB",
					"hooks.refusal.text=This is not allowed.", "hooks.approval.links.valid-for=1h",
					"management.health.toolhooks.enabled=true", "management.info.hooks.enabled=true");
	}

	@Test
	void metadataNamesTheNewNamesOfSwitches() throws IOException {
		assertThat(properties("META-INF/spring-configuration-metadata.json"))
			.filteredOn((property) -> property.has("deprecation"))
			.extracting(
					(property) -> name(property) + "=" + property.path("deprecation").path("replacement").asString())
			.containsExactlyInAnyOrder("hooks.tool-call.enabled=hooks.tool-call.bypass-hooks",
					"hooks.tool-call.tools-enabled=hooks.tool-call.kill-switch",
					"hooks.llm-call.enabled=hooks.llm-call.bypass-hooks", "hooks.run.enabled=hooks.run.bypass-hooks");
	}

	private static Stream<String> keys(String prefix, Class<?> record) {
		return Arrays.stream(record.getRecordComponents()).flatMap((component) -> {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			return (component.getType().isRecord() && component.getType() != CommandLine.class)
					? keys(name + ".", component.getType()) : Stream.of(name);
		});
	}

	private static String description(JsonNode property) {
		return property.path("description").asString("");
	}

	private static String name(JsonNode property) {
		return property.get("name").asString();
	}

	/**
	 * The properties of a file of our modules, without those that Spring Boot has for
	 * each endpoint.
	 */
	private static List<JsonNode> properties(String file) throws IOException {
		List<JsonNode> properties = new ArrayList<>();
		for (URL part : Collections.list(ConfigurationMetadataTests.class.getClassLoader().getResources(file))) {
			if (part.toString().matches(".*/hooks-[a-z0-9-]+/target/.*")) {
				try (InputStream json = part.openStream()) {
					new JsonMapper().readTree(json)
						.get("properties")
						.valueStream()
						.filter((property) -> !name(property).startsWith("management.endpoint."))
						.forEach(properties::add);
				}
			}
		}
		return properties;
	}

}
