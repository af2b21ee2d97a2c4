package io.agenthooks.spring.assembly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.annotation.Arg;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for where a mistake inside of a condition is reported, and in which words.
 */
@ExtendWith(OutputCaptureExtension.class)
class ConditionPlacesTests {

	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
		.withInitializer(new ConfigDataApplicationContextInitializer())
		.withConfiguration(
				HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class))
		.withBean(ToolCallbackProvider.class, () -> ToolCallbackProvider.from(ToolCallbacks.from(new Payments())));

	@TempDir
	private Path directory;

	@ParameterizedTest
	@MethodSource
	void mistakeIsReportedWhereItsWordStands(String yaml, int line, String word) throws IOException {
		String written = yaml.lines().toList().get(line - 1);
		int column = written.indexOf(word) + 1;
		assertThat(column).isPositive();
		assertThat(failure(yaml)).contains("application.yaml:%d:%d".formatted(line, column)).doesNotContain("''");
	}

	static Stream<Arguments> mistakeIsReportedWhereItsWordStands() {
		String list = """
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config:
				          rules:
				            - name: first
				              tools: [pay]
				              when: args.amount > 5000
				              then: deny
				            - %s
				              then: deny
				""";
		String map = """
				hooks:
				  tool_call:
				    pre_call:
				      house-rules:
				        type: policy
				        config:
				          deny_tools: [refund]
				          rules:
				            - then: ask
				              when: args.amount > 100
				              %s
				""";
		return Stream.of(Arguments.of(list.formatted("when: \"args.ammount > 500\""), 11, "ammount"),
				Arguments.of(list.formatted("when: 'args.payee == ''x'' && args.ammount > 500'"), 11, "ammount"),
				Arguments.of(list.formatted("when: args.amount > 5 || args.payee > 500"), 11, "args.payee"),
				Arguments.of(list.formatted("unless: has(args.paye)"), 11, "paye"),
				Arguments.of(list.formatted("{when: \"args.amount > '5'\", then: deny}")
					.substring(0, list.indexOf("%s") + 41), 11, "args.amount > '"),
				Arguments.of(
						list.formatted("when: >\n                args.amount > 5 &&\n                args.paye == 'x'"),
						11, ">"),
				Arguments.of(
						list.formatted(
								"unless: |\n                args.amount > 5 &&\n                args.paye == 'x'"),
						11, "|"),
				Arguments.of(list.formatted("when: \"args.amount > 5 &&\n                args.paye == 'x'\""), 11,
						"\""),
				Arguments.of(
						list.formatted("tools: [pay, refund]\n              when: args.lines.exists(l, l.prize > 5)"),
						12, "prize"),
				Arguments.of(map.formatted("unless: args.payee.size() > 3 && args.amount.size() > 3"), 11,
						"args.amount"),
				Arguments.of(map.formatted("unless: \"'x' in args.payee\""), 11, "args.payee"),
				Arguments.of(map.formatted("unless: \"args.urgent == 'true'\""), 11, "args.urgent"), Arguments
					.of(map.formatted("# a comment\n              unless: \"args['amonut'] > 5\""), 12, "'amonut'"));
	}

	@Test
	void mistakeInAProfileIsReportedThere() throws IOException {
		Files.writeString(this.directory.resolve("application-prod.yaml"), """
				hooks:
				  tool_call:
				    pre_call:
				      more:
				        type: policy
				        config:
				          rules:
				            - when: args.ammount > 5
				              then: deny
				""");
		assertThat(failure("""
				hooks.tool_call.pre_call:
				  house-rules:
				    type: policy
				    config: {deny_tools: [refund]}
				""", "spring.profiles.active=prod")).contains("application-prod.yaml:8:26")
			.contains("rules[0].when of the hook 'more': The condition reads args.ammount")
			.contains("Did you mean 'amount'?");
	}

	@Test
	void mistakeBeforeAPlaceholderIsReportedWhereItsWordStands() throws IOException {
		assertThat(failure("""
				limit: 500
				hooks.tool_call.pre_call:
				  - type: policy
				    config:
				      rules:
				        - when: args.ammount > ${limit}
				          then: deny
				""")).contains("application.yaml:6:22");
	}

	@Test
	void messageNamesToolAndTypeAndWhatToWrite() throws IOException {
		assertThat(failure("""
				hooks.tool_call.pre_call:
				  - type: policy
				    config:
				      rules:
				        - when: args.amount > '500'
				          then: deny
				"""))
			.contains("rules[0].when of the hook 'policy#0': Here, args.amount is compared with a text, "
					+ "but it is 'number' in the tool 'pay'")
			.contains("Write 500 without quotes.");
	}

	@Test
	void typeIsTheOneOfTheToolsThatTheRuleIsFor() throws IOException {
		String yaml = """
				hooks.tool_call.pre_call:
				  - type: policy
				    %s
				    config:
				      rules:
				        - when: args.id == 'x'
				          %s
				          then: deny
				""";
		assertThat(failure(yaml.formatted("", ""))).isNull();
		assertThat(failure(yaml.formatted("", "tools: [refund]"))).isNull();
		assertThat(failure(yaml.formatted("", "tools: [pay]"))).contains("'integer' in the tool 'pay'");
		assertThat(failure(yaml.formatted("", "except: [refund]"))).contains("'integer' in the tool 'pay'");
		assertThat(failure(yaml.formatted("match: [pay]", ""))).contains("'integer' in the tool 'pay'");
		assertThat(failure(yaml.formatted("except: [refund]", ""))).contains("'integer' in the tool 'pay'");
		assertThat(failure(yaml.formatted("mcp_servers: [github]", "tools: [pay]")
			.replace("hooks.tool", "hooks.context.mcp_servers: github\nhooks.tool"))).isNull();
	}

	@Test
	void typeIsOnlyWarnedOfWhereToolsMayComeLaterUnlessTheStartIsStrict(CapturedOutput output) throws IOException {
		String yaml = """
				hooks.tool_call.pre_call:
				  - type: policy
				    config: {rules: [{when: "args.payee > 5", then: deny}]}
				""";
		ApplicationContextRunner later = APPLICATION.withBean(ToolExecutor.class,
				() -> (call) -> ToolResult.success(""));
		assertThat(failure(later, yaml)).isNull();
		assertThat(output).contains("rules[0].when of the hook 'policy#0' (", "args.payee is compared with a number")
			.doesNotContain("'rules[0]");
		assertThat(failure(later, yaml, "hooks.strict=true")).contains("application.yaml:3:30");
	}

	@Test
	void messageOfAMethodHasNoQuotesWithinQuotes() throws IOException {
		assertThat(failure(APPLICATION.withBean(Guard.class), ""))
			.contains("@Arg of the hook 'conditionPlacesTests.Guard.check': The ")
			.doesNotContain("'@Arg");
	}

	private @Nullable String failure(String yaml, String... properties) throws IOException {
		return failure(APPLICATION, yaml, properties);
	}

	/**
	 * Why an application does not start, or {@code null} if it does.
	 */
	private @Nullable String failure(ApplicationContextRunner application, String yaml, String... properties)
			throws IOException {
		Files.writeString(this.directory.resolve("application.yaml"), yaml);
		@Nullable String[] message = new String[1];
		application.withPropertyValues("spring.config.location=" + this.directory.toUri())
			.withPropertyValues(properties)
			.run((context) -> message[0] = (context.getStartupFailure() != null) ? analysis(context.getStartupFailure())
					: null);
		return message[0];
	}

	/**
	 * What Spring Boot prints of a failure.
	 */
	static String analysis(@Nullable Throwable failure) {
		FailureAnalysis analysis = SpringFactoriesLoader
			.forDefaultResourceLocation(ConditionPlacesTests.class.getClassLoader())
			.load(FailureAnalyzer.class, SpringFactoriesLoader.ArgumentResolver.none(), (type, name, error) -> {
			})
			.stream()
			.map((analyzer) -> analyzer.analyze(Objects.requireNonNull(failure)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
		return analysis.getDescription() + "\n" + analysis.getAction();
	}

	enum Currency {

		EUR, USD

	}

	record Line(String sku, double price) {
	}

	static final class Payments {

		@Tool
		String pay(int id, double amount, String payee, Currency currency, boolean urgent, List<Line> lines) {
			return payee;
		}

		@Tool
		String refund(String id, double amount, String payee, List<Line> lines) {
			return payee;
		}

	}

	static final class Guard {

		@BeforeToolCall(tools = "pay")
		void check(@Arg("ammount") double amount) {
		}

	}

}
