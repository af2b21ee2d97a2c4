package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.DefaultResourceLoader;

import io.agenthooks.spring.guard.UnsupportedLibraryException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link UnconnectedFrameworks}. The frameworks are classes with the names of
 * theirs, and nothing in them.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnconnectedFrameworksTests {

	private static final String POLICY = "--hooks.tool-call.pre-call[0].type=policy";

	private static final String TOOLS = "--hooks.tool-call.pre-call[0].config.deny-tools[0]=delete";

	@TempDir
	private Path classes;

	@ParameterizedTest
	@CsvSource({ "com.google.adk.tools.BaseTool, the Google ADK", "io.agentscope.core.tool.Toolkit, AgentScope",
			"com.embabel.agent.core.AgentPlatform, Embabel" })
	void frameworkStopsTheStartAsSoonAsAHookDecides(String type, String name) throws IOException {
		SpringApplication application = application(type);
		assertThatExceptionOfType(UnsupportedLibraryException.class)
			.isThrownBy(() -> application.run(POLICY, TOOLS).close())
			.withMessageContaining(name);
		assertThatExceptionOfType(UnsupportedLibraryException.class)
			.isThrownBy(() -> application.run("--hooks.tool-call.unguarded=deny").close());
	}

	@Test
	void frameworkIsAWarningIfThatIsWrittenOrNothingDecides(CapturedOutput output) throws IOException {
		SpringApplication application = application("com.google.adk.tools.BaseTool");
		application.run(POLICY, TOOLS, "--hooks.tool-call.unguarded=warn").close();
		application.run().close();
		assertThat(output.toString().split("Tools that the Google ADK calls pass no hooks", -1)).hasSize(3);
	}

	@Test
	void frameworkIsNotToldIfThatIsToBeIgnoredNorIfThereIsNone(CapturedOutput output) throws IOException {
		application("com.google.adk.tools.Other").run(POLICY, TOOLS).close();
		application("com.google.adk.tools.BaseTool").run(POLICY, TOOLS, "--hooks.tool-call.unguarded=ignore").close();
		assertThat(output).doesNotContain("pass no hooks");
	}

	private SpringApplication application(String type) throws IOException {
		ClassWriter writer = new ClassWriter(0);
		writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, type.replace('.', '/'), null, "java/lang/Object", null);
		writer.visitEnd();
		Path file = this.classes.resolve(type.replace('.', '/') + ".class");
		Files.createDirectories(file.getParent());
		try (OutputStream output = Files.newOutputStream(file)) {
			output.write(writer.toByteArray());
		}
		ClassLoader classLoader = new URLClassLoader(new URL[] { this.classes.toUri().toURL() },
				getClass().getClassLoader());
		SpringApplication application = new SpringApplication(new DefaultResourceLoader(classLoader),
				Application.class);
		application.setDefaultProperties(Map.of("spring.main.banner-mode", "off"));
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	@EnableAutoConfiguration
	static class Application {

	}

}
