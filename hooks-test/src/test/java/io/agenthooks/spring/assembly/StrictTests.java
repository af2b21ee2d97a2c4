package io.agenthooks.spring.assembly;

import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.prompt.PromptHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code hooks.strict}, and for what stops the start with and without it.
 */
class StrictTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner().withConfiguration(
			HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class));

	/** All tools are known. */
	private static final ApplicationContextRunner NAMED = APPLICATION.withBean(ToolExecutor.class,
			() -> new Named(Set.of("send_email", "refund")));

	/** All tools and their arguments are known. */
	private static final ApplicationContextRunner METHODS = APPLICATION.withBean(ToolCallbackProvider.class,
			() -> ToolCallbackProvider.from(ToolCallbacks.from(new Refunds())));

	/** Tools may come later. */
	private static final ApplicationContextRunner LATER = METHODS.withBean(ToolExecutor.class,
			() -> new Named(Set.of()));

	@ParameterizedTest
	@ValueSource(
			strings = { "config.deny_tools[0]=sendEmail", "config.ask_tools[0]=send_mail", "config.allow_tools[0]=send",
					"match[0]=send", "matcher=sendd_email", "except[0]=refnd", "config.rules[0].tools[0]=refnd" })
	void toolThatNothingIsCalledStopsAStrictStart(String option) {
		ApplicationContextRunner application = policy(NAMED, option);
		application.run((context) -> assertThat(context).hasNotFailed());
		strict(application)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains(" of the hook 'policy#0'",
					"no tool that is known at the start has this name", "hooks.context.tools"));
		String name = option.substring(option.indexOf('=') + 1);
		strict(application).withPropertyValues("hooks.context.tools=" + name)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "delete_*, delete*", "*_file, *File", "delete_file*, deleteFile", "sendE*, send_e*", "*Email, *_email",
			"sedn*, send*" })
	void globInAnotherCaseOrSpellingIsAnsweredWithTheOneThatMatches(String written, String meant) {
		ApplicationContextRunner application = APPLICATION.withBean(ToolExecutor.class,
				() -> new Named(Set.of("deleteFile", "send_email")));
		strict(policy(application, "config.deny_tools[0]=" + written))
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("It has '" + written + "'",
					"Did you mean '" + meant + "'?"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "config.deny_argument_patterns.ammount[0]=x", "config.ask_argument_patterns.ammount[0]=x",
			"config.rules[0].when=args.ammount > 500" })
	void argumentThatNoToolHasStopsTheStartInListsAndConditions(String option) {
		policy(METHODS, option).run((context) -> assertThat(failure(context.getStartupFailure())).contains("ammount",
				"Did you mean 'amount'?"));
		policy(METHODS, option.replace("ammount", "amount")).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "config.deny_argument_patterns.ammount[0]=x", "config.ask_argument_patterns.ammount[0]=x",
			"config.rules[0].when=args.ammount > 500" })
	void argumentThatALaterToolMayHaveStopsAStrictStartOnly(String option) {
		policy(LATER, option).run((context) -> assertThat(context).hasNotFailed());
		strict(policy(LATER, option))
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("Did you mean 'amount'?"));
	}

	@Test
	void toolThatMayComeLaterStopsAStrictStartOnly() {
		policy(LATER, "config.deny_tools[0]=drop_table").run((context) -> assertThat(context).hasNotFailed());
		strict(policy(LATER, "config.deny_tools[0]=drop_table"))
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("'drop_table'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "agents[0]=suport", "workspaces[0]=prod", "roles[0]=clerk", "mcp_servers[0]=github" })
	void whatALoopOfTheApplicationMaySetStopsAStrictStart(String scope) {
		ApplicationContextRunner application = policy(NAMED, "config.deny_tools[0]=refund", ENTRY + scope);
		application.run((context) -> assertThat(context).hasNotFailed());
		strict(application).run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains(scope.substring(0, scope.indexOf('[')) + " of the hook", "hooks.context."));
		strict(application).withPropertyValues("hooks.context." + scope)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "warn", "ignore", "WARN" })
	void toolsThatPassNoHooksAreDenied(String unguarded) {
		strict(policy(NAMED, "config.deny_tools[0]=refund"))
			.withPropertyValues("hooks.tool_call.unguarded=" + unguarded)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("hooks.tool_call.unguarded",
					"'hooks.strict' is true", "Write 'deny', or remove it."));
		strict(policy(NAMED, "config.deny_tools[0]=refund")).withPropertyValues("hooks.tool_call.unguarded=deny")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "webhook, config.url=http://localhost:1", "command, config.command=true" })
	void typeThatMayFailOpenSaysWhetherItDoes(String type, String option) {
		ApplicationContextRunner application = strict(NAMED.withPropertyValues(ENTRY + "type=" + type, ENTRY + option));
		application.run((context) -> assertThat(failure(context.getStartupFailure())).contains("fail_open",
				"is not written, and 'hooks.strict' is true", "Write 'fail_open: false'"));
		application.withPropertyValues(ENTRY + "enabled=false").run((context) -> assertThat(context).hasNotFailed());
		application.withPropertyValues(ENTRY + "fail_open=false").run((context) -> assertThat(context).hasNotFailed());
		application.withPropertyValues(ENTRY + "config.fail_open=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "process, config.command=no-such-program", "prompt, config.prompt=$INPUT" })
	void typeThatNeedsSomethingElseSaysWhetherItFailsOpenToo(String type, String option) {
		ApplicationContextRunner application = strict(
				NAMED.withConfiguration(HookTypes.with(PromptHooksAutoConfiguration.class)))
			.withPropertyValues(ENTRY + "type=" + type, ENTRY + option);
		application.run((context) -> assertThat(failure(context.getStartupFailure())).contains("'hooks.strict' is"));
		application.withPropertyValues(ENTRY + "fail_open=false")
			.run((context) -> assertThat(failure(context.getStartupFailure())).doesNotContain("'hooks.strict' is"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void cutBeforeSecretsAreSearchedStopsAStrictStart(boolean before) {
		String cut = "hooks.tool_call.post_call[%d].".formatted((before) ? 0 : 1);
		ApplicationContextRunner application = NAMED.withPropertyValues(cut + "type=truncate",
				cut + "config.max_size=4KB", "hooks.tool_call.post_call[%d].type=redact".formatted((before) ? 1 : 0));
		application.run((context) -> assertThat(context).hasNotFailed());
		strict(application).run((context) -> {
			String failure = failure(context.getStartupFailure());
			assertThat(failure.contains("cuts before 'redact' searches, which does not find half a secret"))
				.isEqualTo(before);
			assertThat(failure.isEmpty()).isNotEqualTo(before);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "yes", "on", "1", "", "strict" })
	void switchIsTrueOrFalse(String value) {
		NAMED.withPropertyValues("hooks.strict=" + value)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("'hooks.strict'",
					"is neither true nor false"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "mcp__github | mcp_servers: [github]", "mcp__github__ | mcp_servers: [github]",
					"mcp_github_create_issue | github__create_issue", "mcp-github-create_issue | github__create_issue",
					"mcp0_create_issue | 'create_issue'", "MCP:create_issue | 'create_issue'",
					"mcp:github/create_issue | github__create_issue", "mcp/github/create_issue | github__create_issue",
					"mcp.github.create_issue | github__create_issue", "@github/create_issue | github__create_issue",
					"@github | mcp_servers: [github]", "@github/* | mcp_servers: [github]",
					"#create_issue | 'create_issue'", "github/create_issue | github__create_issue",
					"github/* | mcp_servers: [github]", "github:create_issue | github__create_issue",
					"github.create_issue | github__create_issue", "functions.send_email | 'send_email'",
					"tools:send_email | 'send_email'", "mcp__githib__create_issue | 'github'",
					"githib__create_issue | 'github'", "Bash(rm:*) | Write 'Bash'",
					"Bash(git push *) | deny_argument_patterns", "github(create_issue) | server__tool" })
	void nameOfAnotherSystemStopsTheStart(String written, String instead) {
		ApplicationContextRunner application = NAMED
			.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1");
		for (String option : Set.of("config.deny_tools[0]=", "match[0]=", "config.rules[0].tools[0]=", "except[0]=")) {
			policy(application, option + written)
				.run((context) -> assertThat(failure(context.getStartupFailure())).as(option).contains(instead));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "mcp__github; mcp_servers: [github]",
			"refund|mcp__github; mcp_servers: [github]", "mcp__githib__create; 'github'" })
	void nameOfAnotherSystemInAMatcherStopsTheStart(String written, String instead) {
		policy(NAMED.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1"),
				"matcher=" + written)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains(instead));
	}

	@ParameterizedTest
	@ValueSource(strings = { "^mcp", "mcp__.*", "mcp__github__.*", "refund|mcp__github__create", ".*" })
	void matcherThatMayMatchIsFine(String matcher) {
		policy(NAMED.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1"),
				"matcher=" + matcher)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "files/read", "files:read", "files.read", "mcp_restart", "@mention", "mcp0_restart",
			"functions.run", "mcp__server" })
	void toolThatIsReallyCalledSoIsFine(String name) {
		policy(APPLICATION.withBean(ToolExecutor.class, () -> new Named(Set.of(name))), "config.deny_tools[0]=" + name)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "github__*", "mcp__github__*", "github__create_issue", "mcp__github__create_issue", "mcp__*" })
	void nameOfAToolOfAKnownServerIsFine(String name) {
		policy(NAMED.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1"),
				"config.deny_tools[0]=" + name)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner policy(ApplicationContextRunner application, String option,
			String... more) {
		ApplicationContextRunner runner = application.withPropertyValues(ENTRY + "type=policy", ENTRY + option)
			.withPropertyValues(more);
		if (option.startsWith("config.rules") && !option.contains("when")) {
			runner = runner.withPropertyValues(ENTRY + "config.rules[0].when=true == true");
		}
		return (option.startsWith("config.rules")) ? runner.withPropertyValues(ENTRY + "config.rules[0].then=deny")
				: (option.startsWith("config.")) ? runner
						: runner.withPropertyValues(ENTRY + "config.deny_tools[0]=refund");
	}

	private static ApplicationContextRunner strict(ApplicationContextRunner application) {
		return application.withPropertyValues("hooks.strict=true");
	}

	/**
	 * What Spring Boot says about a failed start.
	 */
	private static String failure(@Nullable Throwable failure) {
		if (failure == null) {
			return "";
		}
		return SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, (type, analyzer, ex) -> {
			// One that needs the context.
		})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.map(FailureAnalysis::getDescription)
			.findFirst()
			.orElseGet(failure::toString);
	}

	private record Named(Set<String> names) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("");
		}

		@Override
		public Set<String> toolNames() {
			return this.names;
		}

	}

	static final class Refunds {

		@Tool(name = "refund")
		String refund(double amount, String orderId) {
			return orderId + amount;
		}

	}

}
