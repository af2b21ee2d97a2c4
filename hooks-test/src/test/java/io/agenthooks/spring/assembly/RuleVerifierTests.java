package io.agenthooks.spring.assembly;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.StaticToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RuleVerifier}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RuleVerifierTests {

	private static final String PREFIX = "hooks.tool_call.pre_call[0].";

	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner().withConfiguration(
			HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class));

	private static final ApplicationContextRunner WITH_NAMES = APPLICATION.withBean(ToolExecutor.class, Named::new);

	@ParameterizedTest
	@CsvSource({ "match[0]=read_file, config.deny_tools[0]=delete_file, deny_tools",
			"except[0]=delete_*, config.deny_tools[0]=delete_file, deny_tools",
			"matcher=read_file, config.deny_tools[0]=delete_*, deny_tools",
			"match[0]=read_file, config.rules[0].tools[0]=delete_file, rules.tools",
			"config.rules[0].except[0]=delete_*, config.rules[0].tools[0]=*delete_file, rules.tools" })
	void toolThatTheHookIsNotForIsWarnedOfAndStopsAStrictStart(String scope, String rule, String list,
			CapturedOutput output) {
		List<String> properties = new ArrayList<>(List.of(PREFIX + "type=policy", PREFIX + scope, PREFIX + rule));
		if (rule.contains("rules")) {
			properties.addAll(List.of(PREFIX + "config.rules[0].when=true", PREFIX + "config.rules[0].then=deny"));
		}
		else {
			properties.add(PREFIX + "config.deny_tools[1]=read_file");
		}
		WITH_NAMES.withPropertyValues(properties.toArray(String[]::new)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("policy#0", "'" + rule.substring(rule.indexOf('=') + 1) + "' under '" + list + "'",
						"not for such tools");
		});
		WITH_NAMES.withPropertyValues(properties.toArray(String[]::new))
			.withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("not for such tools"));
	}

	@Test
	void conditionOnTheTextOfAnAddressIsWarnedOfAndStopsAStrictStart(CapturedOutput output) {
		ApplicationContextRunner application = rule(WITH_NAMES, "!args.to.endsWith('@example.com')");
		application.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("rules[0].when of the hook 'policy#0'", "endsWith()", "mails(args.to)");
		application.withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("passed by what stands around"));
	}

	@ParameterizedTest
	@CsvSource({ "config.ask_tools[0]=delete_file, ask_tools[0], nobody is asked",
			"config.allow_tools[0]=delete_file, allow_tools[0], allows nothing",
			"config.rules[0].then=ask, rules[0].tools, nobody is asked",
			"config.rules[0].then=deny, rules[0].tools, the rule says nothing" })
	void partThatAnotherOneDecidesIsWarnedOfAndStopsAStrictStart(String property, String option, String consequence,
			CapturedOutput output) {
		List<String> properties = new ArrayList<>(
				List.of(PREFIX + "type=policy", PREFIX + "config.deny_tools[0]=delete_*", PREFIX + property));
		if (property.contains("rules")) {
			properties.add(PREFIX + "config.rules[0].tools[0]=delete_file");
			properties.add(PREFIX + "config.rules[0].when=args.n > 5");
		}
		else if (property.contains("allow")) {
			properties.add(PREFIX + "config.allow_tools[1]=read_file");
		}
		ApplicationContextRunner application = WITH_NAMES.withPropertyValues(properties.toArray(String[]::new));
		application.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains(option + " of the hook 'policy#0'", "'delete_file'", "'deny_tools' or a rule", consequence);
		application.withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining(consequence));
	}

	@ParameterizedTest
	@CsvSource({ "delete_file, true", "delete_*, false" })
	void nameThatTheHookIsNotForIsWarnedOfAlsoIfToolsMayComeLater(String glob, boolean warned, CapturedOutput output) {
		WITH_NAMES.withBean(ToolCallbackProvider.class, () -> () -> new ToolCallback[0])
			.withPropertyValues(PREFIX + "type=policy", PREFIX + "match[0]=read_file",
					PREFIX + "config.deny_tools[0]=" + glob)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).hasSize((warned) ? 1 : 0)
			.allSatisfy((line) -> assertThat(line).contains("'delete_file' under 'deny_tools'", "not for such tools"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "tool.name == 'run_command'", "'run_command' == tool.name",
			"tool.name == 'run_command' && args.n > 5", "args.n > 5 || tool.name == 'run_command'",
			"tool.name in ['run_command']", "tool.name in ['read_file', 'run_command']", "tool.name.startsWith('run_')",
			"tool.name.matches('^run_command$')", "tool.name.lowerAscii() == 'run_command'",
			"'run_command' in tool.names", "tool.names.exists(n, n == 'run_command')", "!(tool.name != 'run_command')",
			"['run_command'].exists(n, tool.name == n)", "args.n > 5 ? tool.name == 'run_command' : false" })
	void conditionOnAToolThatTheHookIsNotForIsWarnedOfAndStopsAStrictStart(String condition, CapturedOutput output) {
		for (String scope : List.of("match[0]=read_file", "except[0]=run_*", "config.rules[0].tools[0]=read_*",
				"config.rules[0].except[0]=run_*")) {
			int before = output.getAll().length();
			ApplicationContextRunner application = rule(WITH_NAMES, condition).withPropertyValues(PREFIX + scope);
			application.run((context) -> assertThat(context).hasNotFailed());
			assertThat(output.getAll().substring(before).lines().filter((line) -> line.contains("RuleVerifier")))
				.singleElement()
				.asString()
				.contains("rules[0].when of the hook 'policy#0'", "'run_", "not for such tools", "their calls pass");
			application.withPropertyValues("hooks.strict=true")
				.run((context) -> assertThat(context).getFailure().hasMessageContaining("not for such tools"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "tool.name == 'read_file'", "tool.name != 'run_command'", "!(tool.name == 'run_command')",
			"!(tool.name in ['run_command', 'delete_file'])", "!tool.name.startsWith('run_')",
			"tool.name != 'run_command' && args.n > 5", "!('run_command' in tool.names)",
			"tool.names.all(n, n != 'run_command')", "!tool.names.exists(n, n == 'run_command')",
			"tool.name.endsWith('e')", "tool.name.contains('d')", "args.n == 'run_command'" })
	void conditionOnToolsThatTheHookIsForIsFine(String condition, CapturedOutput output) {
		rule(WITH_NAMES, condition).withPropertyValues(PREFIX + "match[0]=read_file", "hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
		rule(WITH_NAMES, "args.n > 5")
			.withPropertyValues(PREFIX + "match[0]=read_file",
					PREFIX + "config.rules[0].unless=tool.name == 'run_command'", "hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
		rule(WITH_NAMES, condition).withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(warnings(output)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "config.deny_tools[0], delte_file, delete_file, deny_tools",
			"config.allow_tools[0], read-flie, read_file, allow_tools", "match[0], run_comand, run_command, match",
			"except[0], Delete_file, delete_file, except", "matcher, run_comand, run_command, matcher",
			"config.deny_tools[0], DELETE_*, delete_file, deny_tools" })
	void nameThatNoToolHasIsWarnedOfAndTheAdviceIsNot(String option, String name, String meant, String list,
			CapturedOutput output) {
		policy(WITH_NAMES, option, name).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output)).singleElement()
				.asString()
				.contains("policy#0", "'" + name + "' under '" + list + "'",
						(name.contains("*")) ? "'delete_*'" : "'" + meant + "'");
		});
		int before = output.getAll().length();
		policy(WITH_NAMES, option, meant).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getAll().substring(before)).doesNotContain("RuleVerifier");
	}

	@ParameterizedTest
	@ValueSource(strings = { "read_file ", "read\u200b_file", "\uff52ead_file" })
	void toolWhoseNameHooksRefuseStopsTheStartIfThereAreHooks(String name) {
		ApplicationContextRunner application = APPLICATION.withBean(ToolExecutor.class, () -> new Odd(name));
		application.withBean(PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("could never be called: its name")
				.hasMessageContaining("Give the tool another name."));
		application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(ToolExecutor.class).execute(ToolCall.of(name, Map.of())).succeeded()).isTrue();
		});
	}

	@Test
	void adviceThatIsFollowedDenies() {
		WITH_NAMES.withPropertyValues(PREFIX + "type=policy", PREFIX + "config.deny_tools[0]=delete_file")
			.run((context) -> assertThat(
					context.getBean(ToolExecutor.class).execute(ToolCall.of("delete_file", Map.of())).succeeded())
				.isFalse());
	}

	@Test
	void eachNameIsWarnedOfOnce(CapturedOutput output) {
		WITH_NAMES
			.withPropertyValues(PREFIX + "type=policy", PREFIX + "config.deny_tools[0]=drop_table",
					PREFIX + "config.deny_tools[1]=delete_*", PREFIX + "config.deny_tools[2]=truncate_*")
			.run((context) -> assertThat(warnings(output)).hasSize(2)
				.anySatisfy((line) -> assertThat(line).contains("'drop_table'", "delete_file, read_file, run_command"))
				.anySatisfy((line) -> assertThat(line).contains("'truncate_*'")));
	}

	@Test
	void methodsAndPoliciesThatAreBeansAreWarnedOfToo(CapturedOutput output) {
		WITH_NAMES.withBean(Guards.class)
			.withBean("own", PolicyToolHook.class,
					() -> new PolicyToolHook(new PolicyConfig(null, List.of("raed_file"), null, null)))
			.run((context) -> assertThat(warnings(output)).hasSize(2)
				.anySatisfy(
						(line) -> assertThat(line).contains("method 'ruleVerifierTests.Guards.check'", "delete_file"))
				.anySatisfy((line) -> assertThat(line).contains("bean 'own'", "read_file")));
	}

	@Test
	void toolThatExistsAsHookOnlyIsKnown(CapturedOutput output) {
		WITH_NAMES.withPropertyValues(PREFIX + "type=respond", PREFIX + "match[0]=oracle", PREFIX + "config.content=42",
				"hooks.tool_call.pre_call[1].type=policy", "hooks.tool_call.pre_call[1].config.deny_tools[0]=oracle")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(warnings(output)).isEmpty();
			});
	}

	@Test
	void hookOfOtherServersIsNotWarnedOf(CapturedOutput output) {
		policy(WITH_NAMES, "config.deny_tools[0]", "delte_file").withPropertyValues(PREFIX + "mcp_servers[0]=github*")
			.run((context) -> assertThat(warnings(output)).isEmpty());
	}

	@ParameterizedTest
	@MethodSource
	void nothingIsSaidWhereOtherToolsMayCome(Class<Object> type, Supplier<Object> bean, CapturedOutput output) {
		policy(WITH_NAMES, "config.deny_tools[0]", "delte_file").withBean("other", type, bean).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output)).isEmpty();
		});
	}

	static Stream<Arguments> nothingIsSaidWhereOtherToolsMayCome() {
		return Stream.of(others(ToolExecutor.class, () -> (call) -> ToolResult.success("")),
				others(ToolCallbackProvider.class, () -> () -> {
					throw new IllegalStateException("asked");
				}),
				others(SyncMcpToolCallbackProvider.class,
						() -> SyncMcpToolCallbackProvider.builder().mcpClients(List.of()).build()),
				others(dev.langchain4j.service.tool.ToolProvider.class, () -> (request) -> {
					throw new IllegalStateException("asked");
				}));
	}

	private static <T> Arguments others(Class<T> type, Supplier<T> bean) {
		return Arguments.of(type, bean);
	}

	@Test
	void nothingIsSaidWhereNoToolIsKnown(CapturedOutput output) {
		policy(APPLICATION, "config.deny_tools[0]", "delte_file")
			.run((context) -> assertThat(warnings(output)).isEmpty());
	}

	@Test
	void lazyBeansAreNotMade(CapturedOutput output) {
		policy(WITH_NAMES, "config.deny_tools[0]", "delte_file")
			.withBean("lazy", ToolCallbackProvider.class, RuleVerifierTests::failingProvider,
					(definition) -> definition.setLazyInit(true))
			.withBean("lazyTool", ToolExecutor.class, RuleVerifierTests::failingExecutor,
					(definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(warnings(output)).isEmpty();
			});
	}

	private static ToolCallbackProvider failingProvider() {
		throw new IllegalStateException("made");
	}

	private static ToolExecutor failingExecutor() {
		throw new IllegalStateException("made");
	}

	@ParameterizedTest
	@MethodSource
	void toolsOfFrameworksAreKnown(Class<Object> type, Supplier<Object> bean, CapturedOutput output) {
		ApplicationContextRunner application = APPLICATION.withBean("shell", type, bean);
		policy(application, "config.deny_tools[0]", "run_comand")
			.run((context) -> assertThat(warnings(output)).singleElement().asString().contains("'run_command'"));
		int before = output.getAll().length();
		policy(application, "config.deny_tools[0]", "run_*").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getAll().substring(before)).doesNotContain("RuleVerifier");
	}

	static Stream<Arguments> toolsOfFrameworksAreKnown() {
		return Stream.of(others(Shell.class, Shell::new),
				others(ToolCallback.class, () -> ToolCallbacks.from(new Shell())[0]),
				others(ToolCallbackProvider.class,
						() -> MethodToolCallbackProvider.builder().toolObjects(new Shell()).build()),
				others(ToolCallbackProvider.class,
						() -> new StaticToolCallbackProvider(ToolCallbacks.from(new Shell()))),
				others(OtherShell.class, OtherShell::new));
	}

	@ParameterizedTest
	@CsvSource({ "comand, 'command'", "comand.line, 'Known are'", "env, ", "name, ", "env.name, ", "command, ",
			"directory, 'Known are'" })
	void argumentThatNoToolHasStopsTheStart(String argument, @Nullable String advice, CapturedOutput output) {
		policy(APPLICATION.withBean(Shell.class), "config.deny_argument_patterns[" + argument + "][0]", "x")
			.run((context) -> {
				assertThat(warnings(output)).isEmpty();
				if (advice == null) {
					assertThat(context).hasNotFailed();
				}
				else {
					assertThat(context).hasFailed()
						.getFailure()
						.hasStackTraceContaining("'" + argument + "' under 'deny_argument_patterns'");
				}
			});
	}

	@Test
	void argumentsWithoutNamesAreExplained(CapturedOutput output) {
		policy(APPLICATION.withBean(WithoutNames.class)
			.withBean("later", ToolExecutor.class, () -> (call) -> ToolResult.success("")),
				"config.deny_argument_patterns.command[0]", "x")
			.run((context) -> assertThat(output).contains("Known are arg0, arg1: compile with -parameters"));
	}

	@Test
	void argumentIsLookedForInToolsThatTheHookIsForOnly() {
		ApplicationContextRunner application = APPLICATION.withBean(Shell.class).withBean(Mail.class);
		policy(application, "config.deny_argument_patterns.receiver[0]", "x")
			.withPropertyValues(PREFIX + "match[0]=run_*")
			.run((context) -> assertThat(context).hasFailed().getFailure().hasStackTraceContaining("'receiver'"));
		policy(application, "config.deny_argument_patterns.receiver[0]", "x")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void nothingIsSaidOfArgumentsWhereOneMayHaveAnyName(CapturedOutput output) {
		policy(APPLICATION.withBean(Shell.class).withBean("open", ToolCallback.class, RuleVerifierTests::open),
				"config.deny_argument_patterns.comand[0]", "x")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(warnings(output)).isEmpty();
			});
		policy(WITH_NAMES, "config.deny_argument_patterns.comand[0]", "x")
			.run((context) -> assertThat(warnings(output)).isEmpty());
	}

	private static ToolCallback open() {
		return FunctionToolCallback.builder("open", (Map<String, Object> input) -> "")
			.description("Takes anything.")
			.inputType(Map.class)
			.inputSchema("{\"type\":\"object\",\"properties\":{\"a\":{}},\"additionalProperties\":true}")
			.build();
	}

	@ParameterizedTest
	@CsvSource({ "comand, 'Did you mean ''command''?', true", "comand.line, 'Did you mean ''command''?', true",
			"vaules.host, 'Did you mean ''values''?', true", "authorization, argument.authorization, false",
			"values, , false", "values.authorization, , false", "env.name, , false", "command, , false" })
	void argumentThatNoToolHasIsFoundBesideOneThatHoldsAnyNames(String argument, @Nullable String advice, boolean stops,
			CapturedOutput output) {
		for (String list : List.of("deny_argument_patterns", "ask_argument_patterns")) {
			ApplicationContextRunner application = policy(APPLICATION.withBean(Shell.class).withBean(Anything.class),
					"config." + list + "[" + argument + "][0]", "x");
			int before = output.getAll().length();
			(stops ? application : application.withPropertyValues("hooks.strict=" + (advice != null)))
				.run((context) -> {
					if (advice == null) {
						assertThat(context).hasNotFailed();
					}
					else {
						assertThat(ConditionPlacesTests.analysis(context.getStartupFailure()))
							.contains("'" + argument + "' under '" + list + "'", advice);
					}
				});
			if (!stops) {
				application.run((context) -> assertThat(context).hasNotFailed());
				assertThat(output.getAll().substring(before).lines().filter((line) -> line.contains("RuleVerifier")))
					.hasSize((advice != null) ? 1 : 0);
			}
		}
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = { "args.comand == 'x', command", "has(args.comand), command",
			"args['comand'] == 'x', command", "'comand' in args, command" })
	void conditionOnAnArgumentThatNoToolHasStopsTheStart(String condition, String meant) {
		rule(APPLICATION.withBean(Shell.class), condition).run((context) -> assertThat(context).hasFailed()
			.getFailure()
			.hasStackTraceContaining("rules[0].when of the hook 'policy#0': The condition")
			.hasStackTraceContaining("args.comand"));
		rule(APPLICATION.withBean(Shell.class), condition.replace("comand", meant))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~',
			value = { "args.name == 'x' ~ Did you mean 'nmae'", "args.count > 'x' ~ 'integer' in the tool 'start'",
					"args.nmae > 5 ~ 'string' in the tool 'start'", "args.level == 'LWO' ~ 'LOW'",
					"args.nmae == 'x' ~ ", "args.count > 5 && args.level == 'LOW' ~ ", "args.inner.a == 'x' ~ ",
					"args.inner.b == 'x' ~ Did you mean 'a'" })
	void argumentsOfToolsOfLangChain4jHaveTypes(String condition, @Nullable String mistake) {
		rule(APPLICATION.withBean(OtherTool.class), condition).run((context) -> {
			if (mistake == null) {
				assertThat(context).hasNotFailed();
			}
			else {
				assertThat(ConditionPlacesTests.analysis(context.getStartupFailure())).contains(mistake);
			}
		});
	}

	@Test
	void conditionIsComparedWithTheToolsThatItsRuleIsForOnly() {
		rule(APPLICATION.withBean(Shell.class).withBean(Mail.class), "args.receiver == 'x'")
			.run((context) -> assertThat(context).hasNotFailed());
		rule(APPLICATION.withBean(Shell.class).withBean(Mail.class), "args.receiver == 'x'")
			.withPropertyValues(PREFIX + "config.rules[0].tools[0]=run_*")
			.run((context) -> assertThat(context).hasFailed());
		rule(WITH_NAMES, "args.anything == 'x'").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void conditionIsOnlyWarnedOfWhereToolsMayComeLater(CapturedOutput output) {
		rule(APPLICATION.withBean(Shell.class)
			.withBean("later", ToolExecutor.class, () -> (call) -> ToolResult.success("")), "args.comand == 'x'")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(warnings(output)).singleElement().asString().contains("args.comand", "'command'");
			});
	}

	@Test
	void toolThatARuleOnTheFlowOfDataNamesAndNobodyHasIsWarnedOf(CapturedOutput output) {
		flow(APPLICATION.withBean(Shell.class).withBean(Mail.class), "receiver")
			.withPropertyValues(PREFIX + "config.untrusted[1]=raed_mail", PREFIX + "config.trusted[0]=run_comand",
					PREFIX + "config.private[0]=secret_*", PREFIX + "config.sinks[1].tools[0]=send_emial",
					PREFIX + "config.untrusted[2].mcp_servers[0]=other")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(warnings(output)).hasSize(5)
					.anySatisfy((line) -> assertThat(line).contains("untrusted of the hook", "MCP server 'other'"))
					.anySatisfy((line) -> assertThat(line).contains("'raed_mail' under 'untrusted'", "Known are"))
					.anySatisfy((line) -> assertThat(line).contains("'run_comand' under 'trusted'", "'run_command'"))
					.anySatisfy((line) -> assertThat(line).contains("'secret_*' under 'private'"))
					.anySatisfy((line) -> assertThat(line).contains("flow#0", "'send_emial' under 'sinks[1]'",
							"'send_email'"));
			});
	}

	@ParameterizedTest
	@CsvSource({ "reciever, 'receiver'", "receiver.address, Known are receiver", "receiver, ", "Receiver, ",
			"re_ceiver, " })
	void argumentThatARuleOnTheFlowOfDataNamesAndNoToolHasIsWarnedOf(String argument, @Nullable String advice,
			CapturedOutput output) {
		flow(APPLICATION.withBean(Shell.class).withBean(Mail.class), argument).run((context) -> {
			assertThat(context).hasNotFailed();
			if (advice == null) {
				assertThat(warnings(output)).isEmpty();
			}
			else {
				assertThat(warnings(output))
					.anySatisfy((line) -> assertThat(line).contains("'" + argument + "' under 'sinks[0]'", advice))
					.anySatisfy((line) -> assertThat(line)
						.contains("under 'sinks[0]', but the tool 'send_email' has none", "so its calls pass"));
			}
		});
	}

	@Test
	void toolOfASinkThatHasNoneOfItsArgumentsIsWarnedOf(CapturedOutput output) {
		flow(APPLICATION.withBean(Shell.class).withBean(Mail.class), "receiver")
			.withPropertyValues(PREFIX + "config.sinks[0].tools[1]=run_*")
			.run((context) -> assertThat(warnings(output)).singleElement()
				.asString()
				.contains("the tool 'run_command' has none of them", "command"));
	}

	@Test
	void nothingIsSaidOfTheFlowOfDataWhereToolsMayComeLater(CapturedOutput output) {
		flow(APPLICATION.withBean(Mail.class).withBean(ToolExecutor.class, () -> (call) -> ToolResult.success("")),
				"reciever")
			.run((context) -> assertThat(warnings(output)).isEmpty());
	}

	/** A rule about the tool send_email. */
	private static ApplicationContextRunner flow(ApplicationContextRunner application, String argument) {
		return application.withPropertyValues(PREFIX + "type=flow", PREFIX + "config.untrusted[0]=run_*",
				PREFIX + "config.sinks[0].tools[0]=send_email",
				PREFIX + "config.sinks[0].named_by[" + argument + "][0]=user");
	}

	private static ApplicationContextRunner rule(ApplicationContextRunner application, String condition) {
		return application.withPropertyValues(PREFIX + "type=policy", PREFIX + "config.rules[0].when=" + condition,
				PREFIX + "config.rules[0].then=deny");
	}

	private static ApplicationContextRunner policy(ApplicationContextRunner application, String option, String value) {
		ApplicationContextRunner policy = application.withPropertyValues(PREFIX + "type=policy",
				PREFIX + option + "=" + value);
		return (option.startsWith("config.")) ? policy
				: policy.withPropertyValues(PREFIX + "config.deny_any_argument_patterns[0]=x");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains("RuleVerifier")).toList();
	}

	private record Odd(String name) implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of(this.name);
		}

	}

	private static final class Named implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("read_file", "delete_file", "run_command");
		}

	}

	static final class Guards {

		@BeforeToolCall(tools = { "delte_file", "read_*" })
		void check() {
		}

	}

	enum Level {

		LOW, HIGH

	}

	record Inner(String a) {
	}

	static final class OtherTool {

		@dev.langchain4j.agent.tool.Tool
		String start(String nmae, int count, Level level, Inner inner) {
			return nmae;
		}

	}

	record Variable(String name, String value) {
	}

	static final class Shell {

		@Tool(name = "run_command")
		String run(String command, List<Variable> env) {
			return command;
		}

	}

	static final class WithoutNames {

		@Tool(name = "run_command")
		String run(String arg0, String arg1) {
			return arg0;
		}

	}

	static final class Mail {

		@Tool(name = "send_email")
		String send(String receiver) {
			return receiver;
		}

	}

	static final class Anything {

		@Tool
		String put(Map<String, Object> values) {
			return "";
		}

	}

	static final class OtherShell {

		@dev.langchain4j.agent.tool.Tool(name = "run_command")
		String run(String command) {
			return command;
		}

	}

}
