package io.agenthooks.spring.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what a user reads whose configuration is no valid YAML: the file, the place
 * and the fix, and no stack trace.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidYamlTests {

	@TempDir
	private Path folder;

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
			a:\\n  - on: 1                    | 2:5  | does not read the key on as text  | in quotes: "on"
			a: 1\\n---\\nb: [{c: {Yes: 1}}]    | 3:10 | does not read the key Yes as text | in quotes: "Yes"
			a: &x [b]\\nc:\\n  - *x\\n  - 7: 1    | 4:5  | does not read the key 7 as text   | in quotes: "7"
			1: x\\na:\\n  - {~: [x]}          | 3:6  | does not read the key ~ as text   | in quotes: "~"
			a: [{b: {null: x}}]             | 1:10 | does not read the key null as text | in quotes: "null"
			a: [{? [b] : x}]                | 1:8  | no name before the colon          | Write a name there
			a: [{? {b: c} : x}]             | 1:8  | no name before the colon          | Write a name there
			a:\\n  b: &x [c, *x]             | 2:6  | an alias stands within            | Write out
			a: &x {b: [*x]}                 | 1:4  | an alias stands within            | Write out
			a:\\n  - b: 1\\n    <<: {c: 1}   | 3:5  | merges here is written             | <<: *name
			a: &x {b: 1}\\nc: [{<<: [*x, {d: 1}]}] | 2:6 | merges here is written | <<: *name
			""")
	void fileThatIsNoYamlStopsTheStartWithItsPlace(String yaml, String place, String problem, String action,
			CapturedOutput output) throws IOException {
		Path file = write(yaml);
		assertThatException().isThrownBy(() -> start(file));
		assertThat(output).contains("APPLICATION FAILED TO START", file + ":" + place + ": ", problem, action)
			.doesNotContain("\tat ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1: x", "on: x", "1.5: x", "2001-01-01: x", "a: &x [{b: 1}]\\nc: *x",
			"a: &x {b: 1}\\nc: [{<<: *x, d: {<<: [*x]}}]", "a: {<<: {b: 1}}" })
	void keyThatSpringBootReadsIsNoMistake(String yaml) throws IOException {
		start(write(yaml)).close();
	}

	@Test
	void valuesOfTheFileAreNotShown(CapturedOutput output) throws IOException {
		Path file = write("secret: s3cret\\nother: [s3cret, \"s3cret\\nsecret: s3cret");
		assertThatException().isThrownBy(() -> start(file));
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("s3cret");
	}

	private Path write(String yaml) throws IOException {
		return Files.writeString(this.folder.resolve("application.yaml"),
				yaml.replace("\\n", "\n").replace("\\t", "\t"));
	}

	private static ConfigurableApplicationContext start(Path file) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.config.location=" + file.toUri());
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
