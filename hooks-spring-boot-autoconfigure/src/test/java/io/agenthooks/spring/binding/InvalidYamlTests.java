package io.agenthooks.spring.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests for what a user reads whose configuration is no valid YAML: the file, the place
 * and the fix, and no stack trace.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidYamlTests {

	private static final String LOCATION = "spring.config.location";

	@TempDir
	private Path folder;

	@AfterEach
	void forgetLocation() {
		System.clearProperty(LOCATION);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			a:\\n  b: 1\\n  b: 2               | 3:3  | found duplicate key b                | Write each key once
			a:\\n  - x: 1\\n   y: 2            | 3:4  | expected <block end>                 | look at the indentation
			a:\\n\\tb: 1                       | 2:1  | that cannot start any token          | Indent with spaces
			a: [*x]                            | 1:5  | found undefined alias x              | such as '*', in quotes
			a:\\n  - *\\n                      | 2:6  | unexpected character found           | such as '*', in quotes
			a: ["x\\.y"]                       | 1:8  | unknown escape character             | in single quotes
			a:\\n  - x: 1\\n  y:\\n    z: 1     | 3:3  | expected <block end>                 | no names beside
			a: "x                              | 1:6  | unexpected end of stream             | the quotes
			""")
	void fileThatIsNoYamlStopsTheStartWithItsPlace(String yaml, String place, String problem, String action,
			CapturedOutput output) throws IOException {
		Path file = write(yaml);
		System.setProperty(LOCATION, "optional:file:/nowhere/;" + this.folder.toUri());
		assertThatException().isThrownBy(() -> start());
		assertThat(output).contains("APPLICATION FAILED TO START", file + ":" + place + ": ", problem, action)
			.doesNotContain("\tat ");
	}

	@Test
	void placeIsNamedWithoutTheFileIfACommandLineNamesThat(CapturedOutput output) throws IOException {
		Path file = write("a:\\n  b: 1\\n  b: 2");
		assertThatException().isThrownBy(() -> start("--" + LOCATION + "=" + file.toUri()));
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "line 3:3 of a file: found duplicate key b", "Write each key once")
			.doesNotContain("\tat ");
	}

	@Test
	void noFileIsNamedIfSeveralHaveTheMistake(CapturedOutput output) throws IOException {
		Path file = write("a:\\n  b: 1\\n  b: 2");
		Files.copy(file, this.folder.resolve("application-other.yaml"));
		System.setProperty(LOCATION, this.folder.toUri().toString());
		assertThatException().isThrownBy(() -> start());
		assertThat(output).contains("APPLICATION FAILED TO START", "line 3:3 of a file: found duplicate key b");
	}

	@Test
	void fileThatIsFoundTwiceIsNamed(CapturedOutput output) throws IOException {
		Path file = write("a:\\n  b: 1\\n  b: 2");
		System.setProperty(LOCATION, this.folder.toUri() + ";" + file.toUri());
		assertThatException().isThrownBy(() -> start());
		assertThat(output).contains("APPLICATION FAILED TO START", file + ":3:3: found duplicate key b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a:\\n  - on: 1", "a: 1\\n---\\nb: [{c: {Yes: 1}}]", "a: &x [b]\\nc:\\n  - *x\\n  - 7: 1",
			"1: x\\na:\\n  - {~: [x]}", "a: [{b: {null: x}}]", "a: [{? [b] : x}]", "a: [{? {b: c} : x}]",
			"a:\\n  - b: 1\\n    <<: {c: 1}", "a: &x {b: 1}\\nc: [{<<: [*x, {d: 1}]}]" })
	void fileThatSpringBootCannotReadIsExplained(String yaml, CapturedOutput output) throws IOException {
		Path file = write(yaml);
		assertThatException().isThrownBy(() -> start("--" + LOCATION + "=" + file.toUri()));
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "A YAML file of the configuration cannot be read", "in quotes",
					"'<<'")
			.doesNotContain("\tat ");
	}

	@Test
	void otherYamlOfAnApplicationIsNotTakenForTheConfiguration() {
		Throwable failure = catchThrowable(() -> new Yaml().load("a: [*x]"));
		assertThat(failure).isInstanceOf(YAMLException.class);
		assertThat(new InvalidYamlFailureAnalyzer().analyze(new IllegalStateException(failure))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1: x", "on: x", "1.5: x", "2001-01-01: x", "a: &x [{b: 1}]\\nc: *x",
			"a: &x {b: 1}\\nc: [{<<: *x, d: {<<: [*x]}}]", "a: {<<: {b: 1}}" })
	void keyThatSpringBootReadsIsNoMistake(String yaml) throws IOException {
		start("--" + LOCATION + "=" + write(yaml).toUri()).close();
	}

	@Test
	void valuesOfTheFileAreNotShown(CapturedOutput output) throws IOException {
		Path file = write("secret: s3cret\\nother: [s3cret, \"s3cret\\nsecret: s3cret");
		assertThatException().isThrownBy(() -> start("--" + LOCATION + "=" + file.toUri()));
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("s3cret");
	}

	private Path write(String yaml) throws IOException {
		return Files.writeString(this.folder.resolve("application.yaml"),
				yaml.replace("\\n", "\n").replace("\\t", "\t"));
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
