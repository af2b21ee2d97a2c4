package io.agenthooks.sample;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;
import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The sample is processed ahead of time, as the plugin of Spring Boot does, and started
 * from what that generated: its gate is proved, and its session is decided.
 */
@Tag("slow")
class SampleAotTests {

	@TempDir
	private Path directory;

	@Test
	void gateOfTheSampleIsProvedAndDeniesAfterProcessingAheadOfTime() throws Exception {
		String[] arguments = { "--server.port=" + TestSocketUtils.findAvailableTcpPort(),
				"--sample.workspace=" + this.directory.resolve("workspace") };
		Path classes = this.directory.resolve("classes");
		Settings settings = Settings.builder()
			.sourceOutput(this.directory.resolve("sources"))
			.resourceOutput(classes)
			.classOutput(classes)
			.groupId("io.agenthooks")
			.artifactId("hooks-sample-app")
			.build();
		new SpringApplicationAotProcessor(SampleApplication.class, settings, arguments).process();
		String classPath = classes + File.pathSeparator + System.getProperty("java.class.path");
		compile(classes, classPath);
		assertThat(start(classPath, arguments)).contains("Starting AOT-processed SampleApplication")
			.contains("proved by a denied call through")
			.contains("A turn of the agent")
			.containsPattern("delete_file .* denied +house-rules")
			.doesNotContain("Nobody can see at the start");
	}

	private void compile(Path classes, String classPath) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> sources = Files.walk(this.directory.resolve("sources"))) {
			List<Path> generated = sources.filter((file) -> file.toString().endsWith(".java")).toList();
			assertThat(compiler
				.getTask(null, files, null,
						List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-classpath", classPath), null,
						files.getJavaFileObjectsFromPaths(generated))
				.call()).isTrue();
		}
	}

	private String start(String classPath, String... arguments) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-Dspring.aot.enabled=true", "-cp", classPath, AotStart.class.getName()));
		command.addAll(List.of(arguments));
		Path output = this.directory.resolve("output.txt");
		Process sample = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(sample.waitFor(2, TimeUnit.MINUTES)).as("ended").isTrue();
			return Files.readString(output);
		}
		finally {
			sample.destroyForcibly();
		}
	}

}
