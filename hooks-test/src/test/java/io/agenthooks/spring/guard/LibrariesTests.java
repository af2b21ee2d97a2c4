package io.agenthooks.spring.guard;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.spring.EndedProgram;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link LibrariesInitializer}: a library that is too old is refused in one
 * sentence. The lowest and the highest that are supported are what all other tests run
 * with.
 */
class LibrariesTests {

	/** Where the build puts the jars of versions that are too old. */
	private static final Path TOO_OLD = Path.of("target", "too-old");

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withInitializer(new LibrariesInitializer())
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class));

	@ParameterizedTest
	@Timeout(120)
	@CsvSource(delimiter = ';', quoteCharacter = '"',
			textBlock = """
					needs Spring AI 2.0.1 or later, and this application has 2.0.0.; 2.0.0; 'spring-ai-bom' to 2.0.1; spring-ai-(model|commons|client-chat)-
					needs Spring Boot 4.1 or later, and this application has 3.5.7.; 3.5.7; 'spring-boot-dependencies' to 4.1.0; spring-(boot(-autoconfigure)?|core|beans|context|aop|expression)-[0-9]
					cannot guard LangChain4j 1.16.1, because this version of LangChain4j is unknown; langchain4j-1.16.1; 'langchain4j-bom' to one from 1.17; langchain4j(-core)?-[0-9]
					needs json-schema-validator 3.0 or later, and this application has 2.0.1.; validator-2.0.1; Remove the version of 'com.networknt:json-schema-validator'; json-schema-validator-
					""")
	void applicationWithAVersionBeforeTheLowestIsRefusedInOneSentence(String refusal, String version, String action,
			String replaced) throws Exception {
		assertRefused(refusal, version, action, replaced);
	}

	@ParameterizedTest
	@Tag("slow")
	@Timeout(120)
	@CsvSource(delimiter = ';', quoteCharacter = '"',
			textBlock = """
					needs Spring AI 2.0.1 or later, and this application has 1.1.0.; 1.1.0; 'spring-ai-bom' to 2.0.1; spring-ai-(model|commons|client-chat)-
					needs json-schema-validator 3.0 or later, and this application has 1.5.9.; validator-1.5.9; Remove the version of 'com.networknt:json-schema-validator'; json-schema-validator-
					""")
	void applicationWithAnEvenOlderVersionIsRefusedInOneSentence(String refusal, String version, String action,
			String replaced) throws Exception {
		assertRefused(refusal, version, action, replaced);
	}

	private static void assertRefused(String refusal, String version, String action, String replaced) throws Exception {
		// Maven says where it is; the jars are there then.
		assumeTrue(System.getProperty("basedir") != null || Files.isDirectory(TOO_OLD));
		EndedProgram application = EndedProgram
			.run(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
					"-XX:+UseSerialGC", "-cp", classPath(version, replaced), Old.class.getName()));
		assertThat(application.status()).isEqualTo(1);
		assertThat(application.output()).contains("APPLICATION FAILED TO START", "Agent Hooks " + refusal, action)
			.doesNotContain("NoClassDefFoundError", "Started");
	}

	private static String classPath(String version, String replaced) throws IOException {
		List<String> elements = new ArrayList<>();
		try (Stream<Path> jars = Files.list(TOO_OLD.resolve(version))) {
			jars.map((jar) -> jar.toAbsolutePath().toString()).forEach(elements::add);
		}
		assertThat(elements).isNotEmpty();
		Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((element) -> !element.matches(".*[/\\\\]" + replaced + "[^/\\\\]*"))
			.forEach(elements::add);
		return String.join(File.pathSeparator, elements);
	}

	@Test
	void applicationWithoutSpringAiStarts() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.ai"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void applicationWithTheVersionOfTheBuildStarts() {
		this.runner.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void applicationWithoutHooksMayHaveAnyVersion() {
		this.runner
			.withClassLoader(
					new FilteredClassLoader("org.springframework.ai.model.tool.ToolCallLimitExceededException"))
			.withPropertyValues("hooks.tool-call.enabled=false", "hooks.llm-call.enabled=false",
					"hooks.run.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	/**
	 * The application.
	 */
	@EnableAutoConfiguration
	public static final class Old {

		private Old() {
		}

		public static void main(String[] args) {
			SpringApplication application = new SpringApplicationBuilder(Old.class).web(WebApplicationType.NONE)
				.build();
			application.run(args);
		}

	}

}
