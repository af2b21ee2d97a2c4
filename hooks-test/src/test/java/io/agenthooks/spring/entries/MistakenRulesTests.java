package io.agenthooks.spring.entries;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.test.ToolHooksTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Rules that can never match, from YAML to the call: the start stops, and the rule that
 * the message says to write is accepted and denies the call that is meant.
 */
class MistakenRulesTests {

	private static final Pattern ADVICE = Pattern
		.compile("[Ww]rite (?:\\d entries: )?('[^']*'(?:(?:, | and )'[^']*')*)");

	private static final CallContext CONTEXT = CallContext.empty()
		.withAgent("coder")
		.withRole("admin")
		.withWorkspace("prod")
		.withAttribute(CallAttributes.MCP_SERVER, "github");

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "match; delete.*", "match; ^delete_file$", "match; run_x|delete_file",
			"match; {run,delete}_file", "match; run_x,delete_file", "match; (?i)DELETE_.*", "match; **", "match; \\w+",
			"match; delete_file|", "match; \\bdelete_\\w+", "match; delete_%", "agents; cod.*", "agents; coder|tester",
			"agents; coder,tester", "agents; ^coder$", "roles; {admin,root}", "roles; ^a.*", "workspaces; prod.*",
			"workspaces; prod,stage", "mcp_servers; git.*", "mcp_servers; github|jira" })
	void globThatIsAMistakeStopsTheStart(String option, String glob) {
		assertThat(message(entry(option, List.of(glob)))).contains("'hooks.tool_call.pre_call[0]." + option + "'",
				"The glob '" + glob + "' ", "'*' is any text");
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete.*", "{run,delete}_*", "**_file", "ｄelete_*" })
	void globThatIsAMistakeInAPolicyStopsTheStart(String glob) {
		assertThat(message(policy("deny_tools", List.of(glob)))).contains("The glob '" + glob + "' ",
				"'*' is any text");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "matcher; *_file", "matcher; delete_{file,dir}" })
	void adviceForAnOptionOfTheEntryDeniesWhatIsMeant(String option, String glob) {
		List<String> advice = advice(message(entry(option, List.of(glob))));
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(entry(option, advice)).inContext(CONTEXT)) {
			assertThat(hooks.call("delete_file", Map.of())).isDenied();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "deny_argument_patterns.path; *@evil.com", "deny_any_argument_patterns; ${IFS}",
					"deny_argument_patterns.path; ${HOME}", "deny_any_argument_patterns; ${no_such_thing}",
					"deny_any_argument_patterns; ${PATH:-x}", "deny_any_argument_patterns; *.com",
					"deny_any_argument_patterns; ${IFS:0:1}", "deny_any_argument_patterns; ${IFS: -1:1}",
					"deny_any_argument_patterns; ${HOME:+x}", "deny_any_argument_patterns; ${PATH//:/x}",
					"deny_any_argument_patterns; ${HOME^^}", "deny_any_argument_patterns; ${A[0]}" })
	void adviceForARuleOfThePolicyDeniesWhatIsMeant(String option, String rule) {
		List<String> advice = advice(message(policy(option, List.of(rule))));
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(policy(option, advice))) {
			assertThat(hooks.call("delete_file",
					Map.of("path", "bob@evil.com ${IFS} ${HOME} ${no_such_thing} ${PATH:-x} ${IFS:0:1} ${IFS: -1:1} "
							+ "${HOME:+x} ${PATH//:/x} ${HOME^^} ${A[0]}")))
				.isDenied();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ｅｖｉｌ", "ev\u200bil" })
	void patternFindsWhatItsAuthorSees(String pattern) {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(policy("deny_any_argument_patterns", List.of(pattern)))) {
			assertThat(hooks.call("delete_file", Map.of("path", "bob@evil.com"))).isDenied();
		}
	}

	@Test
	void messageNamesTheFileTheOptionAndTheRule() {
		assertThat(message(entry("match", List.of("delete.*")))).contains("'hooks.tool_call.pre_call[0].match'",
				"The glob 'delete.*' looks like a regular expression",
				"Write a regular expression under 'matcher' of an entry.");
		assertThat(message(policy("deny_tools", List.of("run_x", "a|b")))).contains(
				"'hooks.tool_call.pre_call[0].config.deny_tools[1]'", "The glob 'a|b' looks like a regular expression");
	}

	@Test
	void dotThatIsMeantCanBeWritten() {
		try (ToolHooksTester hooks = ToolHooksTester.ofYaml(policy("deny_tools", List.of("files[.]*")))) {
			assertThat(hooks.call("files.delete", Map.of())).isDenied();
			assertThat(hooks.call("files", Map.of())).isApproved();
		}
	}

	private static List<String> advice(String message) {
		Matcher advice = ADVICE.matcher(message);
		assertThat(advice.find()).as(message).isTrue();
		return Pattern.compile("'([^']*)'").matcher(advice.group(1)).results().map((each) -> each.group(1)).toList();
	}

	private static String message(String yaml) {
		Throwable failure = catchThrowable(() -> ToolHooksTester.ofYaml(yaml).call("delete_file", Map.of()));
		assertThat(failure).isNotNull();
		return String.valueOf(failure.getMessage());
	}

	private static String entry(String option, List<String> values) {
		return """
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        %s: %s
				        config: {deny_tools: ["*"]}
				""".formatted(option, (option.equals("matcher")) ? quoted(values.get(0)) : list(values));
	}

	private static String policy(String option, List<String> values) {
		String[] names = option.split("\\.", 2);
		return """
				hooks:
				  tool_call:
				    pre_call:
				      - type: policy
				        config:
				          %s: %s
				""".formatted(names[0],
				(names.length == 1) ? list(values) : "{" + names[1] + ": " + list(values) + "}");
	}

	private static String list(List<String> values) {
		return values.stream().map(MistakenRulesTests::quoted).collect(Collectors.joining(", ", "[", "]"));
	}

	private static String quoted(String value) {
		return "'" + value + "'";
	}

}
