package io.agenthooks.spring.binding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookScope;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HooksReader}. The types {@code rules} and {@code remote} stand for the
 * built-in ones, so that this tells what the reader does with any type.
 */
@ExtendWith(OutputCaptureExtension.class)
class HooksReaderTests {

	private final List<Rules> rules = new ArrayList<>();

	private final List<Remote> remotes = new ArrayList<>();

	private final AtomicInteger closed = new AtomicInteger();

	@Test
	void readBindsEveryKindOfOption() {
		ConfiguredHooks<ToolHook> hooks = read("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: rules
				        name: shell
				        match: ["run_*"]
				        order: 10
				        mode: observe
				        config:
				          deny_tools: ["run_command", "a{1,3}", "x,y"]
				          deny_argument_patterns:
				            command: ["rm -rf", "sudo"]
				            file_path: ["/etc/.*"]
				            filePath2: ["secret"]
				            "[$ref]": ["token"]
				            "[a b]": ["c"]
				            "[日本]": ["x"]
				            "[FILE_path]": ["y"]
				            a.b: ["z"]
				    post_call:
				      - type: audit
				""");
		assertThat(this.rules).singleElement().satisfies((rules) -> {
			assertThat(rules.denyTools()).containsExactly("run_command", "a{1,3}", "x,y"); // B17
			assertThat(rules.denyArgumentPatterns()).containsOnly(Map.entry("command", List.of("rm -rf", "sudo")),
					Map.entry("file_path", List.of("/etc/.*")), Map.entry("filePath2", List.of("secret")),
					Map.entry("$ref", List.of("token")), Map.entry("a b", List.of("c")), Map.entry("日本", List.of("x")),
					Map.entry("FILE_path", List.of("y")), Map.entry("a.b", List.of("z"))); // B11
			assertThat(rules.allowTools()).isNull();
		});
		assertThat(hooks.preCall()).singleElement().satisfies((hook) -> {
			assertThat(hook.name()).isEqualTo("shell");
			assertThat(hook.type()).isEqualTo("rules");
			assertThat(hook.place()).isEqualTo("application.yaml:4:15");
			assertThat(hook.options().order()).isEqualTo(10);
			assertThat(hook.options().mode()).isEqualTo(HookOptions.Mode.OBSERVE);
			assertThat(hook.options().scope().tools().test("run_command")).isTrue();
			assertThat(hook.options().scope().tools().test("read_file")).isFalse();
		});
		assertThat(hooks.postCall()).singleElement().satisfies((hook) -> assertThat(hook.name()).isEqualTo("audit#0"));
	}

	@Test
	void readWhenKeysAreKebabOrCamelCaseBindsThemToo() {
		read("""
				hooks:
				  tool-call:
				    preCall:
				      - type: rules
				        config:
				          denyTools: ["a"]
				          allow-tools: ["b"]
				""");
		assertThat(this.rules).singleElement().satisfies((rules) -> {
			assertThat(rules.denyTools()).containsExactly("a");
			assertThat(rules.allowTools()).containsExactly("b");
		});
	}

	@Test
	void readWhenNothingIsConfiguredFindsNoHooks() {
		ConfiguredHooks<ToolHook> hooks = read("spring.application.name: x");
		assertThat(hooks.preCall()).isEmpty();
		assertThat(hooks.postCall()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "allow_tools: []", "allow_tools:", "allow_tools: ''" })
	void readWhenListIsExplicitlyEmptyTellsItFromAbsent(String option) { // B35
		read(preCall("type: rules", "config: {" + "deny_tools: [\"x\"]" + "}").replace("{deny_tools: [\"x\"]}",
				"\n          " + option));
		assertThat(this.rules).singleElement().satisfies((rules) -> assertThat(rules.allowTools()).isEmpty());
	}

	@ParameterizedTest
	@CsvSource({ "250, true", "'250', true", "61, true", "60, false", "250s, false", "250ms, false", "5m, false" })
	void durationThatLooksLikeMillisecondsIsSaidToBeSeconds(String timeout, boolean told, CapturedOutput output) {
		read(preCall("type: rules", "timeout: " + timeout));
		String warning = "timeout (application.yaml:";
		String seconds = "has no unit, so it is " + timeout + " seconds. Write " + timeout + "s, or " + timeout
				+ "ms for milliseconds";
		if (told) {
			assertThat(output).contains(warning, seconds);
		}
		else {
			assertThat(output).doesNotContain("has no unit");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "5", "5.0", "5s", "5000ms", "\"5\"", "\"5.0\"", "PT5S" })
	void readWhenDurationHasNoUnitTakesSeconds(String timeout) {
		read(preCall("type: remote", "config: {url: 'http://localhost/', timeout: " + timeout + "}"));
		assertThat(this.remotes).singleElement()
			.satisfies((remote) -> assertThat(remote.timeout()).isEqualTo(Duration.ofSeconds(5)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("mistakes")
	void readWhenThereIsAMistakeNamesPlaceMistakeAndMend(String name, String yaml, String... expected) {
		assertThat(analysisOf(yaml)).contains(expected).contains("application.yaml:");
	}

	static Stream<Arguments> mistakes() {
		return Stream.of(
				mistake("B01 mistyped option", preCall("type: rules", "config: {deny_tool: [\"run_command\"]}"),
						"application.yaml:5:", "'hooks.tool_call.pre_call[0].config.deny_tool'",
						"Did you mean 'deny_tools'?", "allow_tools, deny_tools"),
				mistake("B03 mistyped prefix", "hooks:\n  tool_calls:\n    pre_call:\n      - type: rules\n",
						"'hooks.tool_calls'", "Did you mean 'tool_call'?"),
				mistake("B03 mistyped root", "hook:\n  tool_call:\n    pre_call:\n      - type: rules\n",
						"'hook.tool_call'", "hooks.tool_call"),
				mistake("root forgotten", "tool_call:\n  pre_call:\n    - type: rules\n", "'tool_call'",
						"hooks.tool_call"),
				mistake("unknown sibling", "hooks:\n  llm:\n    x: 1\n", "'hooks.llm'"),
				mistake("mistyped list", "hooks:\n  tool_call:\n    pre_calls:\n      - type: rules\n",
						"Did you mean 'pre_call'?"),
				mistake("B05 unknown type", preCall("type: ruels"), "unknown type of hook, 'ruels'",
						"Did you mean 'rules'?", "The types are audit, bean, broken, cache, flow, needy, "),
				mistake("B05 unknown type, meant is one that no entry names", preCall("type: trunctae"),
						"unknown type of hook, 'trunctae'", "Did you mean 'truncate'?",
						"The types are audit, bean, broken, cache, flow, needy, "),
				mistake("type whose auto-configuration is excluded", preCall("type: truncate"),
						"names the type 'truncate', which nothing adds here",
						"Do not exclude the auto-configuration of the type, nor the libraries"),
				mistake("type in upper case", preCall("type: RULES"), "unknown type of hook, 'RULES'"),
				mistake("no type", preCall("name: x"), "has no type"),
				mistake("empty type", preCall("type: ''"), "has no value"),
				mistake("mistyped entry option", preCall("type: rules", "confg: {url: u}"), "confg",
						"Did you mean 'config'?"),
				mistake("B09 name that would vanish", patterns("日本: [\"x\"]"), "\"[日本]\"", "cannot keep"),
				mistake("name with a dollar", patterns("$ref: [\"x\"]"), "\"[$ref]\""),
				mistake("name with a slash", patterns("path/to: [\"x\"]"), "\"[path/to]\""),
				mistake("name with a space", patterns("with space: [\"x\"]"), "\"[with space]\""),
				mistake("name with a dash in front", patterns("-x: [\"x\"]"), "\"[-x]\""),
				mistake("name of a letter that looks like another", patterns("аrg: [\"x\"]"), "cannot keep"),
				mistake("star", patterns("'*': [\"x\"]"), "cannot keep"),
				mistake("underscore alone", patterns("_: [\"x\"]"), "cannot keep"),
				mistake("bracket within brackets", patterns("'[a[b]': [\"x\"]"), "cannot be configured"),
				mistake("empty brackets", patterns("'[]': [\"x\"]"), "cannot be configured"),
				mistake("text behind brackets", patterns("'[a]b': [\"x\"]"), "cannot be configured"),
				mistake("B13 names that merge", patterns("file_path: [\"/etc/.*\"]", "filePath: [\"secret\"]"),
						"filePath", "cannot tell", "\"[filePath]\""),
				mistake("names that differ in case", patterns("path: [\"p\"]", "Path: [\"q\"]"), "cannot tell"),
				mistake("B15 option in three spellings",
						preCall("type: rules",
								"config: {deny_tools: [\"a\"], denyTools: [\"b\",\"c\"], deny-tools: [\"e\"]}"),
						"denyTools", "deny-tools", "another spelling"),
				mistake("option in two spellings, one empty",
						preCall("type: rules", "config: {deny_tools: [\"a\"], denyTools: []}"), "another spelling"),
				mistake("list in two spellings", """
						hooks:
						  tool_call:
						    pre_call:
						      - type: rules
						    pre-call:
						      - type: remote
						        config: {url: 'http://localhost/'}
						""", "written twice"),
				mistake("B19 unresolved placeholder",
						preCall("type: remote", "config: {url: 'https://h/', auth_header: 'Bearer ${WEBHOOK_SECRET}'}"),
						"${WEBHOOK_SECRET}", "auth_header"),
				mistake("placeholder that resolves to nothing",
						preCall("type: remote", "config: {url: 'https://h/', auth_header: '${NOTHING:}'}"),
						"resolves to nothing"),
				mistake("placeholder in a circle",
						preCall("type: remote", "config: {url: 'https://h/', auth_header: '${CIRCLE}'}")
								+ "CIRCLE: '${CIRCLE}'\n",
						"auth_header"),
				mistake("argument with a bracket", patterns("\"a]\": [x]"),
						"names with brackets, cannot be configured"),
				mistake("escaped placeholder", patterns("command: ['\\${IFS}']"), "[$][{]"),
				mistake("B23 words that YAML reads as something else",
						preCall("type: rules", "config: {deny_tools: [no, on, 010, 1e3, ~]}"), "deny_tools[0]",
						"deny_tools[1]", "deny_tools[2]", "deny_tools[3]", "deny_tools[4]", "Write it in quotes"),
				mistake("number as a pattern", patterns("port: [22]"), "Write it in quotes"),
				mistake("number as a name", preCall("type: rules", "name: 5"), "Write it in quotes"),
				mistake("empty element", preCall("type: rules", "config: {deny_tools: [\"\"]}"), "has no value"),
				mistake("text with comma as a list", patterns("command: 'rm{1,3}'"), "Write it as a list"),
				mistake("list inside of a text", preCall("type: rules", "config: {deny_tools: '[a]'}"),
						"Write it as a list"),
				mistake("placeholder of the build",
						preCall("type: rules", "config: {deny_tools: [\"@denied.tools@\"]}"), "deny_tools[0]'",
						"application.yaml:", "has not replaced: @denied.tools@"),
				mistake("placeholder that does not end",
						preCall("type: remote", "config: {url: 'https://h/', auth_header: 'Bearer ${SECRET'}"),
						"does not end"),
				mistake("white space in match", preCall("type: rules", "match: [\"run_command \"]"), "match no tool"),
				mistake("blank element of match", preCall("type: rules", "match: [\" \"]"), "match no tool"),
				mistake("white space in matcher", preCall("type: rules", "matcher: 'a | b'"), "match no tool"),
				mistake("comma in matcher", preCall("type: rules", "matcher: 'a,b'"), "match no tool"),
				mistake("timeout in the wrong unit", preCall("type: rules", "timeout: 5000"), "at most 300 seconds"),
				mistake("another root", "agent-hooks:\n  tool_call:\n    pre_call:\n      - type: rules\n",
						"'agent-hooks.tool_call'"),
				mistake("a root too much",
						"spring:\n  hooks:\n    tool_call:\n      pre_call:\n        - type: rules\n",
						"'spring.hooks.tool_call'"),
				mistake("no root at all", "pre_call:\n  - type: rules\n", "'pre_call'"),
				mistake("a switch below a mistyped root", "hook:\n  tool_call:\n    kill_switch: true\n",
						"'hook.tool_call'", "Write it below 'hooks.tool_call'."),
				mistake("a switch below no root", "toolCall:\n  killSwitch: true\n", "'toolCall'",
						"Write it below 'hooks.tool_call'."),
				mistake("a bound below a mistyped root", "hoks:\n  run:\n    event_timeout: 1s\n", "'hoks.run'",
						"Write it below 'hooks.run'."),
				mistake("roots too much",
						"spring:\n  ai:\n    chat:\n      hooks.llm_call.pre_call:\n      - type: x\n",
						"'spring.ai.chat.hooks.llm_call'", "Write it below 'hooks.llm_call'."),
				mistake("a feature below a mistyped root", "hook:\n  audit:\n    enabled: true\n", "'hook.audit'",
						"Write it below 'hooks'."),
				mistake("a feature below a root too much", "spring:\n  hooks:\n    approval:\n      enabled: true\n",
						"'spring.hooks.approval'", "Write it below 'hooks'."),
				mistake("empty entry", "hooks:\n  tool_call:\n    pre_call:\n      - type: rules\n      - ''\n",
						"pre_call[1]' is empty"),
				mistake("placeholder with comma as a list",
						preCall("type: rules", "config: {deny_tools: '${TOOLS}'}") + "TOOLS: a,b\n",
						"Write it as a list"),
				mistake("config in two spellings",
						preCall("type: rules", "config: {deny_tools: [\"a\"]}", "Config:", "  deny_tools: [\"b\"]"),
						"another spelling"),
				mistake("list of lists", patterns("command: [['a']]"), "single value"),
				mistake("list where names are expected",
						preCall("type: rules", "config: {deny_argument_patterns: ['a']}"), "is a list"),
				mistake("names where a list is expected", preCall("type: rules", "config: {deny_tools: {a: b}}"),
						"where a list is expected"),
				mistake("text where names are expected",
						preCall("type: rules", "config: {deny_argument_patterns: 'a'}"), "names are expected"),
				mistake("text as config", preCall("type: rules", "config: 'a'"), "is a single value"),
				mistake("list as config", preCall("type: rules", "config: ['a']"),
						"pre_call[0].config' is a list where options are expected",
						"Write them without '-' before them. The options are allow_tools"),
				mistake("B27 mistyped boolean",
						preCall("type: remote", "config: {url: 'https://h/', fail_open: flase}"), "fail_open",
						"true or false"),
				mistake("empty boolean", preCall("type: remote", "config: {url: 'https://h/', fail_open: ''}"),
						"has no value"),
				mistake("B29 duration that is none",
						preCall("type: remote", "config: {url: 'https://h/', timeout: NaN}"), "timeout",
						"is not a duration.", "Write a number and its unit (ms, s, m, h or d), such as 750ms"),
				mistake("order that is no number", preCall("type: rules", "order: first"), "order", "a whole number"),
				mistake("order with a fraction", preCall("type: rules", "order: 1.5"), "a whole number"),
				mistake("mode that is none", preCall("type: rules", "mode: obsrve"), "one of enforce, observe"),
				mistake("enabled that is no boolean", preCall("type: rules", "enabled: maybe"), "true or false"),
				mistake("empty match", preCall("type: rules", "match: []"), "for no tool"),
				mistake("matcher that does not compile", preCall("type: rules", "matcher: 'a('"), "matcher",
						"not valid at offset"),
				mistake("matcher that no name holds", preCall("type: rules", "matcher: 'Edit^Write'"), "matcher",
						"can be found in no text"),
				mistake("matcher with look-ahead", preCall("type: rules", "matcher: '(?!a)b'"), "a look-ahead"),
				mistake("timeout of zero", preCall("type: rules", "timeout: 0"), "not above zero"),
				mistake("two hooks of one name", """
						hooks:
						  tool_call:
						    pre_call:
						      - {type: rules, name: x}
						      - {type: rules, name: x}
						""", "pre_call[1].name", "another hook"), mistake("two hooks of one name in two lists", """
						hooks:
						  tool_call:
						    pre_call:
						      - {type: rules, name: x}
						    post_call:
						      - {type: audit, name: "x "}
						""", "application.yaml:6:", "post_call[0].name", "another hook"),
				mistake("name that nobody sees", preCall("type: rules", "name: ' '"), "no visible character"),
				mistake("order beyond all numbers", preCall("type: rules", "order: 2147483648"), "a whole number"),
				mistake("except that excludes all", preCall("type: rules", "except: ['*']"), "pre_call[0].except",
						"excludes every tool", "Name only tools"),
				mistake("match and except contradict", preCall("type: rules", "match: ['run_*']", "except: ['run_*']"),
						"pre_call[0].except", "excludes every tool"),
				mistake("match and matcher contradict", preCall("type: rules", "match: [Bash]", "matcher: Read"),
						"pre_call[0].matcher", "none of the tools that 'match' is for"),
				mistake("empty except", preCall("type: rules", "except: []"), "for all tools"),
				mistake("empty agents", preCall("type: rules", "agents: []"), "for no agent"),
				mistake("empty roles", preCall("type: rules", "roles: []"), "for no role"),
				mistake("empty workspaces", preCall("type: rules", "workspaces:"), "for no workspace"),
				mistake("white space around an agent", preCall("type: rules", "agents: ['bot ']"),
						"white space around"),
				mistake("empty mcp_servers", preCall("type: rules", "mcp_servers: []"), "pre_call[0].mcp_servers",
						"for no MCP server"),
				mistake("mistyped mcp_servers", preCall("type: rules", "mcp_server: ['git*']"),
						"Did you mean 'mcp_servers'?"),
				mistake("option of the type beside it", preCall("type: remote", "url: 'https://h/'"), "pre_call[0].url",
						"Options of the type stand below 'config'."),
				mistake("mistyped agents", preCall("type: rules", "agent: ['bot']"), "Did you mean 'agents'?"),
				mistake("match in the plural", preCall("type: rules", "matches: ['a']"), "Did you mean 'match'?"),
				mistake("timeout written twice",
						preCall("type: remote", "timeout: 1s", "config: {url: 'https://h/', timeout: 2s}"),
						"written twice"),
				mistake("tools_enabled is mistyped", "hooks:\n  tool_call:\n    tools_enabled: flase\n",
						"tools_enabled' is neither true nor false"),
				mistake("tools_enabled under a mistyped name", "hooks:\n  tool_call:\n    tool_enabled: false\n",
						"Did you mean 'tools_enabled'?"),
				mistake("switch under both its names",
						"hooks:\n  tool_call:\n    enabled: false\n    bypass_hooks: true\n",
						"is the former name of 'bypass_hooks'", "Remove it."),
				mistake("tools off while hooks are off",
						"hooks:\n  tool_call:\n    enabled: false\n    tools_enabled: false\n", "has no effect",
						"Remove 'enabled: false'."),
				mistake("bean placed twice, in two lists", """
						hooks:
						  tool_call:
						    pre_call:
						      - {type: bean, config: {bean: mine}}
						    post_call:
						      - {type: bean, name: again, enabled: false, config: {bean: mine}}
						""", "application.yaml:6:", "post_call[0].config.bean", "has a place already"),
				mistake("list as names", "hooks:\n  tool_call:\n    pre_call:\n      type: rules\n",
						"a list of hooks is expected"),
				mistake("list of texts", "hooks:\n  tool_call:\n    pre_call: [rules]\n", "Write '- type: ...'"),
				mistake("text as list", "hooks:\n  tool_call:\n    pre_call: rules\n", "a list of hooks is expected"),
				mistake("text as tool_call", "hooks:\n  tool_call: rules\n", "is a single value"),
				mistake("enabled is mistyped", "hooks:\n  tool_call:\n    enabled: flase\n", "neither true nor false"),
				mistake("post-call type before the call", preCall("type: audit"), "Move it to post_call"),
				mistake("pre-call type after the call", postCall("type: rules"), "Move it to pre_call"),
				mistake("mode after the call", postCall("type: audit", "mode: observe"),
						"no meaning for a hook that only learns"),
				mistake("fail_open after the call", postCall("type: audit", "fail_open: true"), "no meaning"),
				mistake("timeout of zero after the call", postCall("type: audit", "timeout: 0s"),
						"not above zero and at most 300 seconds"),
				mistake("mistyped post_call_timeout", "hooks:\n  tool_call:\n    post_call_timout: 1s\n",
						"Did you mean 'post_call_timeout'?"),
				mistake("post_call_timeout of zero", "hooks:\n  tool_call:\n    post_call_timeout: 0s\n",
						"not above zero and at most 300 seconds", "Write a duration such as 5s or 2m."),
				mistake("post_call_timeout without end", "hooks:\n  tool_call:\n    post_call_timeout: 1h\n",
						"not above zero and at most 300 seconds"),
				mistake("event_timeout that is none", "hooks:\n  tool_call:\n    event_timeout: soon\n",
						"tool_call.event_timeout' is not a duration", "Write a duration such as 5s or 2m."),
				mistake("approval_timeout in words", "hooks:\n  tool_call:\n    approval_timeout: 10 minutes\n",
						"tool_call.approval_timeout' is not a duration"),
				mistake("approval_timeout longer than any",
						"hooks:\n  tool_call:\n    approval_timeout: 9999999999999d\n",
						"tool_call.approval_timeout' is not above zero"),
				mistake("list without its section", "hooks:\n  pre_call:\n  - type: rules\n",
						"hooks.pre_call' is not known", "It stands below 'hooks.tool_call' or 'hooks.llm_call'."),
				mistake("key indented too little", "hooks:\n  tool_call:\n  killSwitch: true\n",
						"hooks.killSwitch' is not known", "It stands below 'hooks.tool_call'."),
				mistake("switch of all hooks", "hooks:\n  enabled: false\n", "hooks.enabled' is not known",
						"'bypass_hooks: true' below 'hooks.tool_call'"),
				mistake("approval_timeout below zero", "hooks:\n  tool_call:\n    approval_timeout: -2m\n",
						"at most 86400 seconds"),
				mistake("approval_timeout around model calls", "hooks:\n  llm_call:\n    approval_timeout: 2m\n",
						"is not known"),
				mistake("B07 problem that the hook finds", preCall("type: needy", "config: {patterns: [ok, \"rm(\"]}"),
						"pre_call[0].config.patterns[1]", "is broken", "Fix it"),
				mistake("problem with an option that is not written", preCall("type: needy"),
						"pre_call[0].config.patterns", "is broken"),
				mistake("option written twice for a hook with its own",
						preCall("type: remote", "fail_open: false", "config: {url: 'https://h/', fail_open: true}"),
						"written twice"));
	}

	@Test
	void readReportsAllMistakesAtOnce() {
		String analysis = analysisOf("""
				hooks:
				  tool_calls: {}
				  tool_call:
				    pre_calls: []
				    pre_call:
				      - type: polciy
				      - type: rules
				        order: first
				        config: {deny_tool: ["x"], deny_tools: [no]}
				      - type: needy
				        config: {patterns: ["("], unknown: 1}
				    post_call:
				      - type: remote
				        config: {url: 'https://h/', timeout: soon, fail_open: flase}
				""");
		assertThat(analysis).contains("11 mistakes")
			.contains("pre_calls", "polciy", "order", "deny_tool'", "deny_tools[0]", "patterns[0]", "timeout",
					"fail_open");
	}

	@Test
	void readWhenASecretIsInTheWrongPlaceDoesNotPrintIt() { // O07
		String secret = "hunter2-hunter2";
		String analysis = analysisOf(preCall("type: remote",
				"config: {url: 'https://h/', timeout: '${SECRET}', fail_open: '${SECRET}', auth_headr: '${SECRET}'}")
				+ "SECRET: " + secret + "\n");
		assertThat(analysis).contains("timeout", "fail_open", "auth_headr").doesNotContain(secret);
		assertThat(analysisOf(preCall("type: remote", "config: {url: '" + secret + "'}"))).contains("is refused")
			.doesNotContain(secret);
	}

	@Test
	void readWhenMatcherCountsTakesTheCommaOfTheCounter() {
		ConfiguredHooks<ToolHook> hooks = read(preCall("type: rules", "matcher: '^tool_[0-9]{1,3}$'"));
		assertThat(hooks.preCall()).singleElement().satisfies((hook) -> {
			assertThat(hook.options().scope().tools().test("tool_12")).isTrue();
			assertThat(hook.options().scope().tools().test("tool_1234")).isFalse();
		});
	}

	@Test
	void readWhenASecretRefersToAnotherDoesNotPrintIt() {
		String yaml = preCall("type: remote", "config: {url: 'https://h/', auth_header: 'Bearer ${S}'}")
				+ "S: 'abc${hunter2}def'\n";
		assertThat(analysisOf(yaml)).contains("auth_header").doesNotContain("hunter2");
		assertThat(analysisOf(preCall("type: '${S}'") + "S: hunter2\n")).contains("unknown type")
			.doesNotContain("hunter2");
	}

	@Test
	void readWhenSourceIsJsonTakesNullAndEmptyListsLikeYaml() {
		Map<String, Object> properties = new HashMap<>();
		properties.put("hooks.tool_call.pre_call[0].type", "rules");
		properties.put("hooks.tool_call.pre_call[0].config.allow_tools", null);
		HooksYaml.of("a: b").withProperties(properties).read(factories());
		assertThat(this.rules).singleElement().satisfies((rules) -> assertThat(rules.allowTools()).isEmpty());
		properties.put("hooks.tool_call.pre_call[0].config.allow_tools", List.of());
		HooksYaml.of("a: b").withProperties(properties).read(factories());
		assertThat(this.rules).last().satisfies((rules) -> assertThat(rules.allowTools()).isEmpty());
		properties.put("hooks.tool_call.pre_call[0].match", null);
		HooksYaml withNullMatch = HooksYaml.of("a: b").withProperties(properties);
		assertThatExceptionOfType(InvalidHooksConfigurationException.class)
			.isThrownBy(() -> withNullMatch.read(factories()))
			.withMessageContaining("for no tool");
	}

	@Test
	void readWhenOptionOfTheEntryIsRefusedNamesItsPlace() {
		assertThat(analysisOf(preCall("type: rules", "config: {deny_tools: [\"a\"], unknown: 1}", "timeout: 1e9")))
			.contains("pre_call[0].timeout'", "application.yaml:6:", "unknown");
	}

	@ParameterizedTest
	@ValueSource(strings = { "HOOKS_TOOL_CALL_PRE_CALL_0_TYPE", "HOOKS_TOOLS_CALL_PRE_CALL_0_TYPE",
			"HOOKS_TOOLCALL_PRECALLL_0_TYPE", "HOOK_TOOLCALL_PRECALL_0_TYPE", "HOOKS_TOOLCALLS_PRECALL_0_TYPE",
			"HOOKS_TOOLCALL_PRECALL_1_TYPE", "HOOKS_TOOLCALL_PRECALL_0_FAIL_OPEN", "HOOKS_TOOLCALL_PRECALL_0_BOGUS" })
	void readWhenEnvironmentVariableIsMistypedFails(String variable) {
		HooksYaml yaml = HooksYaml.of("a: b").withEnvironment(Map.of(variable, "rules"));
		assertThatExceptionOfType(InvalidHooksConfigurationException.class).isThrownBy(() -> yaml.read(factories()))
			.withMessageContaining(variable);
	}

	@Test
	void readWhenEnvironmentNamesArgumentsFails() {
		HooksYaml yaml = HooksYaml.of("a: b")
			.withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_0_TYPE", "rules",
					"HOOKS_TOOLCALL_PRECALL_0_CONFIG_DENYARGUMENTPATTERNS_FILE_PATH", "x"));
		assertThatExceptionOfType(InvalidHooksConfigurationException.class).isThrownBy(() -> yaml.read(factories()))
			.withMessageContaining("environment variable");
	}

	@Test
	void readWhenVariableOfAnotherProgramLooksLikeOursIgnoresItWithAWarning(CapturedOutput output) {
		HooksYaml.of("a: b").withEnvironment(Map.of("HOOKS_DIR", "/x")).read(factories());
		assertThat(output).contains("HOOKS_DIR");
	}

	@Test
	void readTakesAListFromOneSourceOnly() {
		HooksYaml yaml = HooksYaml.of(preCall("type: rules", "config: {deny_tools: [\"a\", \"b\"]}"))
			.withProperties(Map.of("hooks.tool-call.replaces", "rules#0", "hooks.tool-call.pre-call[0].type", "rules",
					"hooks.tool-call.pre-call[0].config.deny-tools[0]", "c"));
		yaml.read(factories());
		assertThat(this.rules).singleElement().satisfies((rules) -> assertThat(rules.denyTools()).containsExactly("c"));
	}

	@Test
	void readWhenPropertiesAreOutOfOrderKeepsTheOrderOfPositions() {
		ConfiguredHooks<ToolHook> hooks = HooksYaml.of("a: b")
			.withProperties(Map.ofEntries(Map.entry("hooks.tool-call.pre-call[10].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[2].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[0].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[1].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[3].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[4].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[5].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[6].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[7].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[8].type", "rules"),
					Map.entry("hooks.tool-call.pre-call[9].type", "rules")))
			.read(factories());
		assertThat(hooks.preCall()).extracting(ConfiguredHooks.Entry::name).first().isEqualTo("rules#0");
		assertThat(hooks.preCall()).extracting(ConfiguredHooks.Entry::name).last().isEqualTo("rules#10");
	}

	@Test
	void readWhenEntryIsDisabledChecksItButMakesNoHook() {
		assertThat(read(preCall("type: remote", "enabled: false", "config: {url: 'https://h/'}")).preCall()).isEmpty();
		assertThat(this.remotes).isEmpty();
		assertThat(analysisOf(preCall("type: remote", "enabled: false", "config: {ulr: 'https://h/'}")))
			.contains("Did you mean 'url'?");
	}

	@Test
	void readTakesEveryOptionForAHookThatReplacesResults() {
		ConfiguredHooks<ToolHook> hooks = read(postCall("type: redacting", "match: [a*]", "except: [ab]",
				"agents: [bot]", "roles: ['*']", "workspaces: [main]", "mcp_servers: [github*]", "order: -2147483648",
				"timeout: 1s", "fail_open: false", "mode: observe"));
		assertThat(hooks.postCall()).singleElement()
			.extracting(ConfiguredHooks.Entry::options)
			.isEqualTo(new HookOptions(
					new HookScope(List.of("a*"), null, List.of("ab"), List.of("bot"), List.of("*"), List.of("main"),
							null, null, List.of("github*")),
					Integer.MIN_VALUE, Duration.ofSeconds(1), false, HookOptions.Mode.OBSERVE));
		assertThat(analysisOf(preCall("type: redacting"))).contains("Move it to post_call");
	}

	@Test
	void readAllowsDefaultNamesOfBothListsToBeTheSame() {
		ConfiguredHooks<ToolHook> hooks = read(preCall("type: rules")
				+ "    post_call:\n      - type: audit\n      - {type: redacting, name: 'rules#1'}\n");
		assertThat(hooks.preCall()).extracting(ConfiguredHooks.Entry::name).containsExactly("rules#0");
		assertThat(hooks.postCall()).extracting(ConfiguredHooks.Entry::name).containsExactly("audit#0", "rules#1");
	}

	@Test
	void readKnowsThePlacedBeansAlsoOfEntriesThatAreNotEnabled() {
		ConfiguredHooks<ToolHook> hooks = read("""
				hooks:
				  tool_call:
				    pre_call:
				      - {type: bean, config: {bean: used}}
				      - {type: bean, enabled: false, config: {bean: unused}}
				""");
		assertThat(hooks.placedBeans()).containsExactlyInAnyOrder("used", "unused");
		assertThat(hooks.preCall()).singleElement()
			.satisfies((hook) -> assertThat(hook.name()).as("its bean's name").isEqualTo("used"));
	}

	@Test
	void readTellsWhetherToolsAreEnabled() {
		assertThat(areToolsDisabled(HooksYaml.of("a: b"))).isFalse();
		assertThat(areToolsDisabled(HooksYaml.of("hooks: {tool_call: {tools_enabled: true}}"))).isFalse();
		assertThat(areToolsDisabled(HooksYaml.of("hooks: {tool-call: {toolsEnabled: false}}"))).isTrue();
		assertThat(areToolsDisabled(HooksYaml.of("hooks: {tool_call: {kill_switch: true}}"))).isTrue();
		assertThat(areToolsDisabled(HooksYaml.of("hooks: {tool_call: {killSwitch: false}}"))).isFalse();
		assertThat(areToolsDisabled(HooksYaml.of("a: b").withEnvironment(Map.of("HOOKS_TOOLCALL_KILLSWITCH", "true"))))
			.isTrue();
		assertThat(
				areToolsDisabled(HooksYaml.of("a: b").withEnvironment(Map.of("HOOKS_TOOLCALL_TOOLSENABLED", "false"))))
			.isTrue();
	}

	private boolean areToolsDisabled(HooksYaml yaml) {
		yaml.read(factories());
		return yaml.properties().areToolsDisabled();
	}

	@Test
	void readWhenTypeHasItsOwnFailOpenHandsItThatOfTheEntry() {
		ConfiguredHooks<ToolHook> hooks = read(
				preCall("type: remote", "fail_open: false", "timeout: 2s", "config: {url: 'https://h/'}"));
		assertThat(this.remotes).singleElement()
			.isEqualTo(new Remote("https://h/", null, Duration.ofSeconds(2), false));
		assertThat(hooks.preCall().get(0).ownFailOpen()).isTrue();
		assertThat(hooks.preCall().get(0).ownTimeout()).isTrue();
	}

	@Test
	void readWhenThereIsAMistakeClosesTheHooksThatWereMade() {
		analysisOf("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: remote
				        config: {url: 'https://h/'}
				      - type: polciy
				""");
		assertThat(this.closed).hasValue(1);
	}

	@Test
	void readReportsWhatValidationFinds() {
		HooksYaml yaml = HooksYaml.of(preCall("type: rules", "config: {deny_tools: [\"a\"]}"))
			.withValidation((config) -> List.of(new Problem(List.of("deny_tools", "0"), "is refused", "Change it.")));
		assertThatExceptionOfType(InvalidHooksConfigurationException.class).isThrownBy(() -> yaml.read(factories()))
			.withMessageContaining("application.yaml:5:")
			.withMessageContaining("deny_tools[0]' is refused");
	}

	@ParameterizedTest
	@ValueSource(strings = { "false", "False", "\"false\"" })
	void isDisabledOnlyWhenFalse(String value) {
		assertThat(HooksYaml.of("hooks: {tool_call: {enabled: " + value + "}}")
			.properties()
			.isDisabled(HookSection.TOOL_CALL)).isTrue();
		assertThat(HooksYaml.of("hooks: {tool_call: {enabled: flase}}").properties().isDisabled(HookSection.TOOL_CALL))
			.isFalse();
		assertThat(HooksYaml.of("a: b").properties().isDisabled(HookSection.TOOL_CALL)).isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "'hooks:' | hooks is empty", "'hooks: {}' | hooks is empty",
			"'hooks: {tool_call: }' | hooks.tool_call is empty", "'hooks: {toolCall: {}}' | hooks.toolCall is empty",
			"'hooks: {tool_call: {pre_call: []}, llm_call: }' | hooks.llm_call is empty" })
	void partWithNothingBelowItIsSaid(String yaml, String said) {
		assertThat(HooksYaml.of(yaml).properties().emptyParts()).singleElement()
			.asString()
			.startsWith(said + " (application.yaml");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a: b", "hooks: {tool_call: {pre_call: [], }}", "hooks: {audit: {store: memory}}" })
	void partWithSomethingBelowItIsNotSaidToBeEmpty(String yaml) {
		assertThat(HooksYaml.of(yaml).properties().emptyParts()).isEmpty();
	}

	@Test
	void partThatAnotherSourceFillsIsNotSaidToBeEmpty() {
		assertThat(HooksYaml.of("hooks: {tool_call: {pre_call: [{type: policy}]}}")
			.over("application-dev.yaml", "hooks: {tool_call: }")
			.properties()
			.emptyParts()).isEmpty();
	}

	@Test
	void isDisabledResolvesPlaceholders() {
		String yaml = "hooks: {tool_call: {enabled: \"${HOOKS_ON:true}\"}}";
		assertThat(HooksYaml.of(yaml).properties().isDisabled(HookSection.TOOL_CALL)).isFalse();
		assertThat(HooksYaml.of(yaml).read(factories()).preCall()).isEmpty();
		assertThat(HooksYaml.of(yaml)
			.withProperties(Map.of("HOOKS_ON", "false"))
			.properties()
			.isDisabled(HookSection.TOOL_CALL)).isTrue();
	}

	@Test
	void isDisabledWhenTwoSpellingsDifferIsFalseAndAMistake() {
		String yaml = "hooks: {tool_call: {enabled: false}, tool-call: {enabled: true}}";
		assertThat(HooksYaml.of(yaml).properties().isDisabled(HookSection.TOOL_CALL)).isFalse();
		assertThat(analysisOf(yaml)).contains("written twice");
	}

	@Test
	void valuesOfJavaThatAreNoSingleValuesAreMistakes() {
		for (Object value : List.of(List.of("tops3cret"), new String[] { "tops3cret" }, Map.of("a", "tops3cret"))) {
			HooksYaml hooks = HooksYaml.of("a: b")
				.withProperties(Map.of("hooks.tool_call.pre_call[0].type", "rules",
						"hooks.tool_call.pre_call[0].config.deny_tools", value));
			assertThatExceptionOfType(InvalidHooksConfigurationException.class)
				.isThrownBy(() -> hooks.read(factories()))
				.withMessageContaining("config.deny_tools' is a list or a map of Java")
				.withMessageNotContaining("tops3cret");
		}
	}

	@Test
	void keysOfOthersThatLookLikeOursAreNoMistake() {
		assertThat(HooksYaml.of("""
				acme:
				  tool-call: {enabled: true, retries: 3}
				  run: {enabled: true, replaces: [a]}
				  audit: {enabled: true}
				  hooks: {url: 'https://h/', limit: {enabled: true}, audit: {level: 1}}
				hook: {url: 'https://h/', audit: true}
				""").withEnvironment(Map.of("HOOK_AUDIT_ENABLED", "true")).read(List.of()).preCall()).isEmpty();
	}

	@Test
	void propertiesOfOthersAreNotRead() {
		MapPropertySource others = new MapPropertySource("others", Map.of("spring.datasource.url", "jdbc:x")) {

			@Override
			public Object getProperty(String name) {
				throw new IllegalStateException("Not there yet");
			}

		};
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(others);
		assertThat(HookPropertySources.of(environment).lists(HookSection.TOOL_CALL, "pre_call")).isEmpty();
		assertThat(MisspelledNames.find(HookPropertySources.of(environment), environment)).isEmpty();
	}

	@Test
	void readWhenAMistakeIsASentenceTellsItAsOne() {
		HooksYaml yaml = HooksYaml.of(preCall("type: rules"))
			.withValidation((config) -> List.of(new Problem(List.of("url"), "The url is missing.", "Write one.")));
		assertThat(analysisOf(yaml)).contains("config.url': The url is missing.\n").doesNotContain("..");
	}

	@ParameterizedTest
	@MethodSource("matchers")
	void matcherOfNamesIsExactAndOfAnythingElseIsSearched(String matcher, String tool, boolean expected) {
		assertThat(HookOptions.defaults().matcher(matcher).scope().tools().test(tool)).isEqualTo(expected);
	}

	static Stream<Arguments> matchers() {
		return Stream.of(Arguments.of("Bash", "Bash", true), Arguments.of("Bash", "BashOutput", false),
				Arguments.of("Write|Edit", "Edit", true), Arguments.of("Write|Edit", "NotebookEdit", false),
				Arguments.of("a|a", "a", true), Arguments.of("mcp__.*", "mcp__x/y\nz", true),
				Arguments.of("^Bash$", "Bash", true), Arguments.of("B.sh", "xBash", true),
				Arguments.of("*", "anything", true));
	}

	private static Arguments mistake(String name, String yaml, String... expected) {
		return Arguments.of(name, yaml, expected);
	}

	private static String preCall(String... lines) {
		return list("pre_call", lines);
	}

	private static String postCall(String... lines) {
		return list("post_call", lines);
	}

	private static String list(String name, String... lines) {
		return "hooks:\n  tool_call:\n    " + name + ":\n      - "
				+ Stream.of(lines).collect(Collectors.joining("\n        ")) + "\n";
	}

	private static String patterns(String... lines) {
		return preCall("type: rules", "config:", "  deny_argument_patterns:",
				"    " + String.join("\n            ", lines));
	}

	private ConfiguredHooks<ToolHook> read(String yaml) {
		return HooksYaml.of(yaml).read(factories());
	}

	private String analysisOf(String yaml) {
		return analysisOf(HooksYaml.of(yaml));
	}

	private String analysisOf(HooksYaml yaml) {
		try {
			yaml.read(factories());
		}
		catch (InvalidHooksConfigurationException ex) {
			FailureAnalysis analysis = new InvalidHooksConfigurationFailureAnalyzer().analyze(ex, ex);
			return analysis.getDescription() + "\n" + analysis.getAction();
		}
		throw new AssertionError("No mistake was found");
	}

	private List<ToolHookFactory<?>> factories() {
		return List.of(ToolHookFactory.of("rules", Rules.class, (rules) -> {
			this.rules.add(rules);
			return approving();
		}), ToolHookFactory.of("remote", Remote.class, (remote) -> {
			this.remotes.add(remote);
			return new RemoteHook();
		}), ToolHookFactory.of("bean", BeanConfig.class, (bean) -> approving()),
				ToolHookFactory.of("redacting", Nothing.class,
						(nothing) -> ToolResultHook.replacing((call, result) -> result)),
				ToolHookFactory.of("audit", Nothing.class, (nothing) -> (PostToolHook) (outcome) -> {
				}), ToolHookFactory.of("needy", Needy.class, HooksReaderTests::needy),
				ToolHookFactory.of("broken", Nothing.class, (nothing) -> {
					throw new IllegalStateException("broken");
				}));
	}

	private static ToolHook approving() {
		return (PreToolHook) (call) -> ToolDecision.approve();
	}

	private static ToolHook needy(Needy needy) {
		List<String> patterns = (needy.patterns() != null) ? needy.patterns() : List.of();
		int last = patterns.size() - 1;
		List<String> path = (last >= 0) ? List.of("patterns", String.valueOf(last)) : List.of("patterns");
		throw new InvalidHookConfigException(List.of(new Problem(path, "is broken", "Fix it.")));
	}

	record Rules(@Nullable List<String> allowTools, @Nullable List<String> denyTools,
			@Nullable Map<String, List<String>> denyArgumentPatterns) {
	}

	record Remote(String url, @Nullable String authHeader, @Nullable Duration timeout, @Nullable Boolean failOpen) {

		Remote {
			if (!url.startsWith("http")) {
				throw new IllegalArgumentException("Not a URL: " + url);
			}
		}

	}

	record Needy(@Nullable List<String> patterns) {
	}

	record Nothing() {
	}

	private final class RemoteHook implements PreToolHook, PostToolHook, AutoCloseable {

		@Override
		public ToolDecision preCall(ToolCall call) {
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
		}

		@Override
		public void close() {
			HooksReaderTests.this.closed.incrementAndGet();
		}

	}

}
