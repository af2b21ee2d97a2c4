package io.agenthooks.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.util.ClassUtils;

import io.agenthooks.AgentAbortedException;
import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts an application with a configuration that a page shows, and makes calls in it.
 */
final class StartedConfiguration {

	/** Guards AI services of the whole JVM, so it would meddle with other tests. */
	private static final String AI_SERVICES = "LangChain4jHooksAutoConfiguration";

	/** What placeholders on the pages mean. */
	private static final Map<String, Object> VALUES = Map.of("WEBHOOK_SECRET", "test-secret", "SIGNING_SECRET",
			"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "LINK_SECRET", "0123456789abcdef0123456789abcdef", "SLACK_URL",
			"https://hooks.slack.com/services/T000/B000/test");

	/** Sorting them takes a good part of a start, and gives the same each time. */
	private static final Map<ClassLoader, AutoConfigurations> sorted = new ConcurrentHashMap<>();

	private final String yaml;

	private final ClassLoader classLoader;

	private final List<Class<?>> beans;

	private final List<String> calls;

	private final @Nullable String failure;

	/**
	 * Take a configuration from a page.
	 * @param yaml the configuration
	 * @param classLoader where the classes of the page are
	 * @param beans classes that the page shows, as beans or configurations
	 * @param calls what to call, and what becomes of it, as {@code delete_file {"path":
	 * "a"} -> denied: The policy}
	 * @param failure the text with which the start fails, or {@code null} if it does not
	 */
	StartedConfiguration(String yaml, ClassLoader classLoader, List<Class<?>> beans, List<String> calls,
			@Nullable String failure) {
		this.yaml = yaml;
		this.classLoader = classLoader;
		this.beans = beans;
		this.calls = calls;
		this.failure = failure;
	}

	/**
	 * The text with which the start fails.
	 */
	String failure() {
		List<String> told = new ArrayList<>();
		runner().run((context) -> told
			.add(explained(Objects.requireNonNull(context.getStartupFailure(), "The start should fail"))));
		return told.get(0);
	}

	void check() {
		String shown = this.failure;
		if (shown != null) {
			checkFailure(failure(), shown);
			return;
		}
		runner().run((context) -> {
			Throwable startFailure = context.getStartupFailure();
			assertThat(startFailure).withFailMessage(() -> explained(Objects.requireNonNull(startFailure))).isNull();
			this.calls.forEach((call) -> checkCall(call, context.getBean("pageTools", ToolExecutor.class)));
		});
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withClassLoader(this.classLoader)
			.withInitializer((context) -> configure(context.getEnvironment()))
			.withConfiguration(sorted.computeIfAbsent(this.classLoader, StartedConfiguration::autoConfigurations))
			.withUserConfiguration(this.beans.toArray(Class<?>[]::new))
			.withBean("pageTools", ToolExecutor.class, () -> StartedConfiguration::run)
			.withBean("people", People.class)
			.withBean("chatModel", ChatModel.class, () -> (prompt) -> {
				throw new IllegalStateException("No page asks a model");
			});
	}

	private void configure(ConfigurableEnvironment environment) {
		// As SpringApplication does: 'unrestricted' is a value of an enum.
		environment.setConversionService(new ApplicationConversionService());
		Resource file = new ByteArrayResource(this.yaml.getBytes(StandardCharsets.UTF_8)) {

			@Override
			public String getDescription() {
				return "application.yaml";
			}

		};
		try {
			new YamlPropertySourceLoader().load("application.yaml", file)
				.forEach((source) -> environment.getPropertySources().addFirst(source));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		environment.getPropertySources().addLast(new MapPropertySource("values", VALUES));
	}

	private static AutoConfigurations autoConfigurations(ClassLoader classLoader) {
		Stream<Class<?>> ours = ImportCandidates.load(AutoConfiguration.class, classLoader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.agenthooks.") && !name.endsWith(AI_SERVICES))
			.map((name) -> ClassUtils.resolveClassName(name, classLoader));
		Stream<Class<?>> others = Stream.of(ToolCallingAutoConfiguration.class, ChatClientAutoConfiguration.class,
				MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class);
		return AutoConfigurations.of(Stream.concat(ours, others).toArray(Class<?>[]::new));
	}

	/**
	 * A tool that returns what its argument {@code returns} says.
	 */
	private static ToolResult run(ToolCall call) {
		return ToolResult.success(String.valueOf(call.arguments().getOrDefault("returns", "ran")));
	}

	/**
	 * Make a call such as {@code github/delete_repo {} -> denied: reason}.
	 */
	private static void checkCall(String text, ToolExecutor tools) {
		String[] parts = text.split(" -> ", 2);
		String[] called = parts[0].split(" ", 2);
		String[] tool = called[0].split("/", 2);
		String[] expected = parts[1].split(": ", 2);
		CallContext context = CallContext.ofSession("s1").withUser("ann");
		if (tool.length == 2) {
			context = context.withAttribute(CallAttributes.MCP_SERVER, tool[0]);
		}
		ToolCall call = ToolCall.of(tool[tool.length - 1],
				ToolArguments.parse(called[1], ToolHookChain.DEFAULT_MAX_ARGUMENTS_SIZE), context);
		String status;
		String content;
		try {
			ToolResult result = tools.execute(call);
			content = result.content();
			boolean denied = content.startsWith("Tool call denied");
			status = (denied) ? "denied" : (content.equals(run(call).content())) ? "runs" : "answered";
		}
		catch (AgentAbortedException ex) {
			status = "aborted";
			content = String.valueOf(ex.getMessage());
		}
		assertThat(status + ": " + content).as(text).startsWith(expected[0]);
		if (expected.length == 2) {
			assertThat(content).as(text).contains(expected[1]);
		}
	}

	private static void checkFailure(String told, String shown) {
		List<String> parts = Stream.of(squeeze(shown).split("\\.\\.\\.", -1))
			.map(String::strip)
			.filter((part) -> !part.isEmpty())
			.toList();
		assertThat(parts).isNotEmpty();
		assertThat(squeeze(told)).contains(parts);
	}

	private static String squeeze(String text) {
		return text.replaceAll("\\s+", " ").strip();
	}

	/**
	 * What Spring Boot prints of a failure.
	 */
	private static String explained(Throwable failure) {
		for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, FailureHandler.handleMessage((message, ex) -> {
				// An analyzer that needs the context knows nothing of ours
			}))) {
			FailureAnalysis analysis = analyzer.analyze(failure);
			if (analysis != null) {
				return analysis.getDescription() + "\n" + analysis.getAction();
			}
		}
		return failure.toString();
	}

	/**
	 * People who answer questions.
	 */
	record People(ObjectProvider<ToolApprovals> approvals) {
	}

}
