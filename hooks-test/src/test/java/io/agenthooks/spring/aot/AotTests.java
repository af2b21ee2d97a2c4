package io.agenthooks.spring.aot;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;

import io.agenthooks.spring.EndedProgram;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application of each framework is processed ahead of time, as the plugin of Spring
 * Boot does, and started from what that generated: its gate is proved and denies.
 */
class AotTests {

	static final String ANSWER = "The agent got: ";

	static final String RAN = "the tool ran";

	private static final String[] PLAIN = { "--spring.main.web-application-type=none" };

	private static final String[] POLICY = { "--spring.main.web-application-type=none",
			"--hooks.tool_call.pre_call[0].type=policy", "--hooks.tool_call.pre_call[0].name=no-deletes",
			"--hooks.tool_call.pre_call[0].config.deny_tools[0]=delete_*" };

	@Test
	void gateOfAnApplicationThatIsProcessedAheadOfTimeIsProvedAndDenies(@TempDir Path directory) throws Exception {
		isProvedAndDenies(SpringAiApplication.class, directory);
	}

	@ParameterizedTest
	@Tag("slow")
	@ValueSource(classes = { LangChain4jApplication.class, McpServerApplication.class })
	void gateOfAnotherApplicationThatIsProcessedAheadOfTimeIsProvedAndDenies(Class<?> application,
			@TempDir Path directory) throws Exception {
		isProvedAndDenies(application, directory);
	}

	private static void isProvedAndDenies(Class<?> application, Path directory) throws Exception {
		process(application, directory, POLICY);
		compile(directory);
		EndedProgram ended = start(application, directory, POLICY);
		assertThat(ended.output()).contains("Starting AOT-processed")
			.contains("proved by a denied call through")
			.contains(ANSWER)
			.contains("The policy denies the tool 'delete_file'")
			.doesNotContain(RAN)
			.doesNotContain("No hook decides");
		assertThat(ended.status()).isZero();
	}

	@Test
	void hooksAreAskedOrNamedAsWithoutProcessing(@TempDir Path directory) throws Exception {
		process(HookWaysApplication.class, directory, PLAIN);
		compile(directory);
		EndedProgram ended = start(HookWaysApplication.class, directory, PLAIN);
		assertThat(ended.output())
			.contains(ANSWER + "[Guard, declared, methods.check, model, ownClass, prototype, run, typedFactory]");
		assertThat(ended.output().lines().filter((line) -> line.contains("Nobody can see at the start")).toList())
			.singleElement(InstanceOfAssertFactories.STRING)
			.contains("'lazyObject'", "'prototypeObject'", "'untypedFactory'", "'supplier'")
			.doesNotContain("'declared'", "'methods'");
	}

	@Test
	@Tag("slow")
	void hooksThatNeedOtherBeansToolsWithRulesAndPeopleDecideAfterProcessing(@TempDir Path directory) throws Exception {
		String[] arguments = { "--spring.main.web-application-type=none", "--hooks.approval.enabled=true",
				"--hooks.approval.approvers=ROLE_APPROVER", "--hooks.approval.mode=block" };
		process(SupportApplication.class, directory, arguments);
		compile(directory);
		EndedProgram ended = start(SupportApplication.class, directory, arguments);
		assertThat(ended.output()).contains("Starting AOT-processed")
			.contains("proved by a denied call through")
			.contains("One of [o-1]")
			.contains("No such order")
			.contains("SupportApplication.Shop.refund")
			.contains("I read: ")
			.contains("o-1 gets 700 back")
			.doesNotContain(RAN);
		assertThat(ended.status()).isZero();
	}

	private static void process(Class<?> application, Path directory, String... arguments) {
		Settings settings = Settings.builder()
			.sourceOutput(directory.resolve("sources"))
			.resourceOutput(directory.resolve("classes"))
			.classOutput(directory.resolve("classes"))
			.groupId("com.example")
			.artifactId("agent")
			.build();
		new SpringApplicationAotProcessor(application, settings, arguments).process();
	}

	private static void compile(Path directory) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
				Stream<Path> sources = Files.walk(directory.resolve("sources"))) {
			List<Path> generated = sources.filter((file) -> file.toString().endsWith(".java")).toList();
			boolean compiled = compiler.getTask(null, files, null, List.of("-proc:none", "-nowarn", "-d",
					directory.resolve("classes").toString(), "-classpath", classPath(directory)), null,
					files.getJavaFileObjectsFromPaths(generated))
				.call();
			assertThat(compiled).isTrue();
		}
	}

	private static EndedProgram start(Class<?> application, Path directory, String... arguments)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-Dspring.aot.enabled=true", "-cp", classPath(directory), application.getName()));
		command.addAll(List.of(arguments));
		return EndedProgram.run(command);
	}

	private static String classPath(Path directory) {
		return directory.resolve("classes") + File.pathSeparator + System.getProperty("java.class.path");
	}

}
