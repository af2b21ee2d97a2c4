package io.agenthooks.spring.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every configuration that the pages and the sample show is one that the JSON schema for
 * editors allows.
 */
class SchemaDocsTests {

	private static final String MODELINE = "# yaml-language-server: $schema=";

	private static Schema schema;

	@BeforeAll
	static void read() throws IOException {
		schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
			.getSchema(Files.readString(file()), InputFormat.JSON);
	}

	private static Path file() {
		return Page.root().resolve("docs/hooks.schema.json");
	}

	@TestFactory
	Stream<DynamicTest> schemaAllowsEveryConfigurationOfAPage() {
		return Page.all()
			.stream()
			.flatMap((page) -> page.blocks().stream())
			.filter((block) -> block.is("yaml") && block.isRun() && block.note("fails") == null)
			.map((block) -> DynamicTest.dynamicTest(block.place(),
					() -> assertThat(objections(block.text())).isEmpty()));
	}

	@Test
	void schemaRefusesAMistypedOptionOfAHook() {
		assertThat(objections("hooks: {tool_call: {pre_call: [{type: policy, config: {deny_tool: [a]}}]}}"))
			.isNotEmpty();
	}

	@Test
	void schemaAllowsTheSampleWhichNamesIt() throws IOException {
		Path folder = Page.root().resolve("hooks-sample-app/src/main/resources");
		List<Path> files;
		try (Stream<Path> found = Files.list(folder)) {
			files = found.filter((file) -> file.toString().endsWith(".yaml")).toList();
		}
		assertThat(files).isNotEmpty();
		for (Path file : files) {
			assertThat(objections(Files.readString(file))).as(file.toString()).isEmpty();
		}
		String named = Files.readAllLines(folder.resolve("application.yaml")).get(0);
		assertThat(named).startsWith(MODELINE);
		assertThat(folder.resolve(named.substring(MODELINE.length())).normalize()).isEqualTo(file());
	}

	private static List<String> objections(String yaml) {
		List<String> objections = new ArrayList<>();
		for (Object document : new Yaml().loadAll(yaml)) {
			JsonNode json = new JsonMapper().valueToTree(document);
			schema.validate(json).forEach((objection) -> objections.add(objection.toString()));
		}
		return objections;
	}

}
