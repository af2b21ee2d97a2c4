package io.agenthooks.spring.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WrittenHooks}: what becomes of hooks that several sources of the
 * configuration write.
 */
@ExtendWith(OutputCaptureExtension.class)
class WrittenHooksTests {

	private static final String BASE = """
			hooks:
			  tool_call:
			    pre_call:
			      house-rules: {type: rules, order: 10, config: {deny: [a, b], limits: {file_path: 1, "[x.y]": 2}}}
			      second: {type: rules, config: {url: base}}
			""";

	private static final String BASE_LIST = """
			hooks:
			  tool_call:
			    pre_call:
			      - {type: rules, name: house-rules}
			      - {type: rules}
			""";

	private final List<String> made = new ArrayList<>();

	@Test
	void hooksWithNamesAreReadInTheOrderInWhichTheyAreWritten() {
		assertThat(namesOf(HooksYaml.of(BASE))).containsExactly("house-rules", "second");
		assertThat(this.made).containsExactly("house-rules deny=[a, b] limits={file_path=1, x.y=2} url=null",
				"second deny=null limits=null url=base");
	}

	@Test
	void profileAddsAHook() {
		HooksYaml yaml = HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks.tool_call.pre_call.third: {type: rules}
				""");
		assertThat(namesOf(yaml)).containsExactly("house-rules", "second", "third");
	}

	@Test
	void profileChangesAnOptionAndKeepsAllOthers(CapturedOutput output) {
		HooksYaml yaml = HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks:
				  tool_call:
				    pre_call:
				      second: {config: {url: prod}}
				      house-rules: {config: {limits: {"[x.y]": 3, z: 4}}}
				""");
		ConfiguredHooks<ToolHook> hooks = read(yaml);
		assertThat(hooks.preCall()).extracting((hook) -> hook.options().order()).containsExactly(10, Integer.MAX_VALUE);
		assertThat(this.made).containsExactly("house-rules deny=[a, b] limits={file_path=1, x.y=3, z=4} url=null",
				"second deny=null limits=null url=prod");
		assertThat(output).doesNotContain("replaces");
	}

	@Test
	void nameInAnotherSpellingIsWarnedOf(CapturedOutput output) {
		HooksYaml yaml = HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks.tool_call.pre_call.house_rules: {type: rules}
				""");
		assertThat(namesOf(yaml)).containsExactly("house-rules", "second", "house_rules");
		assertThat(output).contains("hooks.tool_call.pre_call.house_rules (application-prod.yaml:1:",
				"is another hook than 'house-rules' (application.yaml:4:");
	}

	@Test
	void profileThatReplacesAListOfAnOptionIsWarnedOf(CapturedOutput output) {
		HooksYaml yaml = HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks.tool_call.pre_call.house-rules.config.deny: [c]
				""");
		namesOf(yaml);
		assertThat(this.made).contains("house-rules deny=[c] limits={file_path=1, x.y=2} url=null");
		assertThat(output).contains("hooks.tool_call.pre_call.house-rules.config.deny (application-prod.yaml:1:",
				"replaces the whole list of application.yaml:4:");
	}

	@Test
	void profileThatReplacesAListOfAnOptionAndLosesValuesIsAMistakeIfTheConfigurationIsStrict(CapturedOutput output) {
		HooksYaml strict = HooksYaml.of("hooks.strict: true\n---\n" + BASE);
		assertThat(problemsOf(
				strict.over("application-prod.yaml", "hooks.tool_call.pre_call.house-rules.config.deny: [b]")))
			.contains("application-prod.yaml:1:", "lacks 1 of the 2 values there", "replaces: [house-rules]");
		namesOf(HooksYaml.of("hooks.strict: true\n---\n" + BASE).over("application-prod.yaml", """
				hooks.tool_call:
				  replaces: [house-rules]
				  pre_call.house-rules.config.deny: [b]
				"""));
		namesOf(HooksYaml.of("hooks.strict: true\n---\n" + BASE)
			.over("application-prod.yaml", "hooks.tool_call.pre_call.house-rules.config.deny: [b, a]"));
		// Less that is allowed opens nothing.
		namesOf(HooksYaml.of("hooks.strict: true\n---\n" + BASE.replace("deny:", "allow_tools:"))
			.over("application-prod.yaml", "hooks.tool_call.pre_call.house-rules.config.allow_tools: [b]"));
		assertThat(output).contains("and lacks 1 of the 2 values there", "and has each of the 2 values there");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "[b, c] | and lacks 1 of the 2 values there", "[] | and lacks 2 of the 2 values there",
					"[c, b, a] | and has each of the 2 values there", "a | and lacks 1 of the 2 values there" })
	void warningOfAReplacedListSaysWhatGetsLost(String list, String said, CapturedOutput output) {
		namesOf(HooksYaml.of(BASE)
			.over("application-prod.yaml", "hooks.tool_call.pre_call.house-rules.config.deny: " + list));
		assertThat(output).contains(said);
	}

	@Test
	void emptyVariableInThePlaceOfAListIsToBeRemoved(CapturedOutput output) {
		assertThat(problemsOf(HooksYaml.of(BASE_LIST).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL", ""))))
			.contains("Remove the variable. To do without these hooks")
			.doesNotContain("by name in both places");
		assertThat(output).doesNotContain("no hook is asked");
	}

	@Test
	void variableWithTheUnderscoreOfANameIsToldTheName() {
		assertThat(problemsOf(
				HooksYaml.of(BASE).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_HOUSE_RULES_ENABLED", "false"))))
			.contains("Did you mean 'house-rules'?", "leaves out dashes and underscores")
			.doesNotContain("below it");
	}

	@Test
	void optionInThePlaceOfANameIsToBeIndented() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks:
				  tool_call:
				    pre_call:
				      a:
				        type: rules
				      config:
				        deny: [x]
				"""))).contains("indent it below the name of that hook");
	}

	@Test
	void hookWithoutAListIsToBeIndented() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks:
				  tool_call:
				    pre_call:
				    a:
				      type: rules
				"""))).contains("If this is a hook, indent it below 'pre_call' or 'post_call'.");
	}

	@Test
	void nameWithoutAHookIsNotToldToBecomeAList() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks.tool_call.pre_call:
				  a: {type: rules}
				  b:
				"""))).contains("Write 'type: ...' below it, or remove it.").doesNotContain("- type");
	}

	@Test
	void variableThatHoldsAListIsToldTheVariablesOfItsEntries() {
		String variable = "HOOKS_TOOLCALL_PRECALL_HOUSERULES_CONFIG_DENY";
		assertThat(problemsOf(HooksYaml.of(BASE).withEnvironment(Map.of(variable, "a,b"))))
			.contains(variable + "_0, " + variable + "_1");
		HooksYaml entries = HooksYaml.of(BASE).withEnvironment(Map.of(variable + "_0", "a", variable + "_1", "c"));
		assertThat(namesOf(entries)).contains("house-rules");
		assertThat(this.made).anySatisfy((hook) -> assertThat(hook).contains("deny=[a, c]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "on", "No", "true", "~", "010" })
	void keyThatYamlDoesNotReadAsTextIsNoName(String key) {
		assertThat(problemsOf(HooksYaml.of("""
				hooks.tool_call.pre_call.a: {type: rules, config: {limits: {x: 1, %s: 2}}}
				""".formatted(key)))).contains("Write the key in quotes");
		assertThat(namesOf(HooksYaml.of("""
				hooks.tool_call.pre_call.a: {type: rules, config: {limits: {x: 1, "%s": 2}}}
				""".formatted(key.replace("~", "null"))))).containsExactly("a");
		assertThat(this.made).last().asString().contains("limits={x=1, %s=2}".formatted(key.replace("~", "null")));
	}

	@Test
	void profileSwitchesAHookOffWithAWarning(CapturedOutput output) {
		HooksYaml yaml = HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks.tool_call.pre_call.house-rules.enabled: false
				""");
		assertThat(namesOf(yaml)).containsExactly("second");
		assertThat(output).contains("The hook 'house-rules' is switched off (application-prod.yaml:1:");
	}

	@Test
	void hookOfAListIsSwitchedOffWithAWarning(CapturedOutput output) {
		assertThat(namesOf(HooksYaml.of("""
				hooks.tool_call.pre_call: [{type: rules, enabled: off}]
				"""))).isEmpty();
		assertThat(output).contains("The hook 'rules#0' is switched off (application.yaml:1:");
	}

	@Test
	void environmentVariableChangesAnOption() {
		HooksYaml yaml = HooksYaml.of(BASE)
			.withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_SECOND_CONFIG_URL", "environment",
					"HOOKS_TOOLCALL_PRECALL_HOUSERULES_ENABLED", "false"));
		assertThat(namesOf(yaml)).containsExactly("second");
		assertThat(this.made).containsExactly("second deny=null limits=null url=environment");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "hooks.tool_call.pre_call: {}", "hooks.tool_call.pre_call: []", "hooks.tool_call.pre_call:",
					"hooks.tool_call.pre_call.house-rules:", "hooks.tool_call.pre_call.house-rules.config: {}" })
	void whatIsEmptyChangesNothing(String empty) {
		assertThat(namesOf(HooksYaml.of(BASE).over("application-prod.yaml", empty))).containsExactly("house-rules",
				"second");
		assertThat(this.made).element(0).asString().contains("deny=[a, b]");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "pre_call: {} | ", "pre_call: [] | :9:15",
			"pre_call: | :9:14", "pre_call: '' | :9:15", "`pre_call:\n      {}` | " })
	void emptyListThatDropsHooksIsToldWithItsOwnPlace(String empty, @Nullable String place) {
		String documents = """
				server.port: 80
				---
				# empty
				---
				a: {b: c}
				hooks:
				  tool_call:
				    unguarded: deny
				    %s
				    max_arguments_size: 1MB
				""".formatted(empty);
		assertThat(problemsOf(HooksYaml.of(BASE_LIST).over("application-prod.yaml", documents))).contains(
				"1. application-prod.yaml%s\n".formatted(Objects.toString(place, "")),
				"'hooks.tool_call.pre_call' replaces the whole list");
	}

	@Test
	void emptyMapInAListIsToldWithItsFile() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks:
				  tool_call:
				    pre_call:
				      - type: rules
				        config: {url: u}
				      - {}
				"""))).contains("1. application.yaml\n   'hooks.tool_call.pre_call[1]' is empty");
	}

	@Test
	void emptyEnvironmentVariableChangesNothingWithAWarning(CapturedOutput output) { // B33
		assertThat(namesOf(HooksYaml.of(BASE).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL", ""))))
			.containsExactly("house-rules", "second");
		assertThat(output).contains("HOOKS_TOOLCALL_PRECALL is empty", "enabled: false");
	}

	@Test
	void emptyValueBesideHooksOfTheSameSourceIsAMistake() {
		assertThat(problemsOf(HooksYaml.of(BASE)
			.withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL", "", "HOOKS_TOOLCALL_PRECALL_BLOCK_TYPE", "rules"))))
			.contains("HOOKS_TOOLCALL_PRECALL", "is a single value where a list of hooks is expected");
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("hooks.tool_call.pre_call", "");
		properties.put("hooks.tool_call.pre_call.x.type", "rules");
		assertThat(problemsOf(HooksYaml.of("a: b").withProperties(properties))).contains("is a single value");
		Map<String, Object> config = new LinkedHashMap<>();
		config.put("hooks.tool_call.pre_call.x.type", "rules");
		config.put("hooks.tool_call.pre_call.x.config", "");
		config.put("hooks.tool_call.pre_call.x.config.deny[0]", "a");
		assertThat(problemsOf(HooksYaml.of("a: b").withProperties(config)))
			.contains("pre_call.x.config' is a single value");
		assertThat(
				problemsOf(HooksYaml.of("hooks.tool_call.pre_call.x: {type: rules, config: {url: u}}")
					.withProperties(Map.of("hooks.tool_call.pre_call.x.config", "",
							"hooks.tool_call.pre_call.x.config.deny[0]", "a"))))
			.contains("pre_call.x.config' is a single value");
	}

	@Test
	void emptyEnvironmentVariableDoesNotEmptyAListOfAnOption() {
		assertThat(problemsOf(
				HooksYaml.of(BASE).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_HOUSERULES_CONFIG_DENY", ""))))
			.contains("HOOKS_TOOLCALL_PRECALL_HOUSERULES_CONFIG_DENY",
					"would replace the whole list of application.yaml");
	}

	@Test
	void environmentVariableMeansTheHookOfExactlyItsName() {
		String both = "hooks.tool_call.pre_call: {no-shell: {type: rules}, noshell: {type: rules}, no_mail: {type: rules}, "
				+ "no-mail: {type: rules}}";
		assertThat(
				namesOf(HooksYaml.of(both).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_NOSHELL_ENABLED", "false"))))
			.containsExactly("no-shell", "no_mail", "no-mail");
		assertThat(problemsOf(
				HooksYaml.of(both).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_NOMAIL_ENABLED", "false"))))
			.contains("HOOKS_TOOLCALL_PRECALL_NOMAIL", "has no type");
	}

	@Test
	void mistypedNameOfAHookIsAMistake() {
		assertThat(problemsOf(HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks.tool_call.pre_call.house-rulz.enabled: false
				"""))).contains("hooks.tool_call.pre_call.house-rulz", "application-prod.yaml:1:", "has no type",
				"Did you mean 'house-rules'?");
		assertThat(problemsOf(
				HooksYaml.of(BASE).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_HOUSERULZ_ENABLED", "false"))))
			.contains("HOOKS_TOOLCALL_PRECALL_HOUSERULZ", "has no type");
	}

	@Test
	void optionInTwoSpellingsIsAMistake() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks.tool_call.pre_call.a: {type: rules, fail_open: false}
				""").over("application-prod.yaml", """
				hooks.tool_call.pre_call.a.failOpen: true
				"""))).contains("failOpen", "in another spelling");
	}

	@Test
	void nameBelowANameIsAMistake() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks.tool_call.pre_call.a: {type: rules, name: b}
				"""))).contains("has a name already: 'a'");
	}

	@Test
	void sameNameInBothListsIsAMistake() {
		assertThat(problemsOf(HooksYaml.of("""
				hooks.tool_call:
				  pre_call: {a: {type: rules}}
				  post_call: {a: {type: rules}}
				"""))).contains("is the name of another hook, too");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.tool_call.pre_call[0].type=rules", "hooks.tool_call.pre_call[0].type = rules",
			"hooks.tool_call.pre_call[0].config.url=b" })
	void keyThatAFileOfPropertiesHasTwiceIsAMistake(String again) {
		assertThat(problemsOf(HooksYaml.of("a: b").over("application.properties", """
				hooks.tool_call.pre_call[0].type=rules
				hooks.tool_call.pre_call[0].config.url=a
				# The number of the one above
				%s
				""".formatted(again)))).contains("application.properties", "'hooks.tool_call.pre_call[0].", "twice",
				"[1]");
	}

	@Test
	void keyThatTwoDocumentsOfAFileOfPropertiesHaveIsNone() {
		assertThat(namesOf(HooksYaml.of("a: b").over("application.properties", """
				other=1
				other=2
				hooks.tool_call.pre_call.first.type=rules
				hooks.tool_call.pre_call.first.config.url=a
				#---
				hooks.tool_call.pre_call.first.config.url=b
				"""))).containsExactly("first");
		assertThat(this.made).singleElement().asString().contains("url=b");
	}

	@Test
	void bothFormsOfOneListAreAMistake() {
		assertThat(problemsOf(HooksYaml.of(BASE).over("application-prod.yaml", """
				hooks.tool_call.pre_call: [{type: rules}]
				"""))).contains("application-prod.yaml:1:", "is a list of hooks, and application.yaml:4:", "by name");
		assertThat(problemsOf(HooksYaml.of(BASE_LIST).over("application-prod.yaml", BASE)))
			.contains("application-prod.yaml:4:", "writes hooks by name, and application.yaml:4:");
		Map<String, Object> both = new LinkedHashMap<>();
		both.put("hooks.tool_call.pre_call[0].type", "rules");
		both.put("hooks.tool_call.pre_call.a.type", "rules");
		assertThat(problemsOf(HooksYaml.of("a: b").withProperties(both))).contains("names as well as positions");
	}

	@Test
	void listThatReplacesHooksStopsTheStart() { // B31
		assertThat(problemsOf(HooksYaml.of(BASE_LIST).over("application-dev.yaml", """
				hooks.tool_call.pre_call: [{type: rules, name: other}]
				"""))).contains("application-dev.yaml:1:", "replaces the whole list of application.yaml:4:",
				"[house-rules, rules#1] would not be asked", "pre_call: {my-rules: {type: ...}}",
				"write 'replaces: [house-rules, rules#1]'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[]" })
	void emptyListThatReplacesHooksStopsTheStart(String empty) { // B33
		assertThat(
				problemsOf(HooksYaml.of(BASE_LIST).over("application-dev.yaml", "hooks.tool_call.pre_call: " + empty)))
			.contains("[house-rules, rules#1] would not be asked");
		assertThat(problemsOf(HooksYaml.of(BASE_LIST).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL", ""))))
			.contains("HOOKS_TOOLCALL_PRECALL", "[house-rules, rules#1]");
		assertThat(
				problemsOf(HooksYaml.of(BASE_LIST).withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_0_TYPE", "rules"))))
			.contains("[house-rules, rules#1]");
	}

	@Test
	void listMayReplaceHooksThatItNamesWithAWarning(CapturedOutput output) {
		assertThat(namesOf(HooksYaml.of(BASE_LIST).over("application-dev.yaml", """
				hooks.tool_call:
				  replaces: [house-rules, "rules#1"]
				  pre_call: [{type: rules, name: other}]
				"""))).containsExactly("other");
		assertThat(output).contains("hooks.tool_call.pre_call (application-dev.yaml:3:",
				"as 'replaces' says: the hooks [house-rules, rules#1] are not asked");
		assertThat(namesOf(HooksYaml.of(BASE_LIST)
			.withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL", "", "HOOKS_TOOLCALL_REPLACES", "house-rules, rules#1"))))
			.isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mode: observe", "mode: OBSERVE", "fail_open: true", "except: ['a*']", "match: [a]",
			"matcher: a", "users: [ann]", "roles: [r]", "authorities: [ROLE_A]", "agents: [a]", "workspaces: [w]",
			"mcp_servers: [m]", "fail_open: 'yes'", "fail_open: 'on'", "fail_open: '1'", "fail_open: TRUE",
			"fail_open: \"${nope:true}\"", "mode: \"${nope:observe}\"", "mode: ' observe'", "mode: 'obs-erve'",
			"mode: obs_erve", "mode: \"${nope:obs}erve\"" })
	void hookThatAnotherSourceNarrowsStopsTheStart(String option) {
		String base = "hooks.tool_call.pre_call: {house-rules: {type: rules}}";
		String narrowing = "pre_call: {house-rules: {%s}}".formatted(option);
		assertThat(problemsOf(
				HooksYaml.of(base).over("application-dev.yaml", "hooks.tool_call: {%s}".formatted(narrowing))))
			.contains("application-dev.yaml:1:", "narrows the hook 'house-rules' of application.yaml:1:",
					"write 'replaces: [house-rules]' under 'hooks.tool_call'");
		assertThat(namesOf(HooksYaml.of(base)
			.over("application-dev.yaml", "hooks.tool_call: {replaces: [house-rules], %s}".formatted(narrowing))))
			.containsExactly("house-rules");
	}

	@Test
	void anotherTypeOfAnInheritedHookStopsTheStart() {
		HooksYaml base = HooksYaml.of("hooks.tool_call.pre_call: {house-rules: {type: rules}}");
		assertThat(problemsOf(
				base.over("application-dev.yaml", "hooks.tool_call.pre_call: {house-rules: {type: passthrough}}")))
			.contains("narrows the hook 'house-rules' of application.yaml:1:");
		assertThat(namesOf(base.over("application-dev.yaml", "hooks.tool_call.pre_call: {house-rules: {type: rules}}")))
			.containsExactly("house-rules");
	}

	@ParameterizedTest
	@ValueSource(strings = { "fail_open: \"${nope}\"", "fail_open: maybe", "mode: \"${nope}\"", "mode: shadow" })
	void optionThatCannotBeReadNarrows(String option) {
		assertThat(problemsOf(HooksYaml.of("hooks.tool_call.pre_call: {house-rules: {type: rules}}")
			.over("application-dev.yaml", "hooks.tool_call.pre_call: {house-rules: {%s}}".formatted(option))))
			.contains("narrows the hook 'house-rules'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mode: observe, fail_open: true", "mode: OBSERVE, fail_open: 'on'",
			"mode: \"${nope:obs-erve}\", fail_open: '1'" })
	void optionThatMeansWhatIsInheritedDoesNotNarrow(String options) {
		assertThat(namesOf(
				HooksYaml.of("hooks.tool_call.pre_call: {house-rules: {type: rules, mode: observe, fail_open: 'yes'}}")
					.over("application-dev.yaml", "hooks.tool_call.pre_call: {house-rules: {%s}}".formatted(options))))
			.containsExactly("house-rules");
	}

	@Test
	void narrowedHookThatReplacesNamesIsAWarning(CapturedOutput output) {
		namesOf(HooksYaml.of("hooks.tool_call.pre_call: {house-rules: {type: rules}}")
			.withEnvironment(Map.of("HOOKS_TOOLCALL_PRECALL_HOUSERULES_MODE", "observe", "HOOKS_TOOLCALL_REPLACES",
					"house-rules")));
		assertThat(output).contains("narrows the hook 'house-rules' of application.yaml:1:",
				"by 'mode', as 'replaces' says");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mode: enforce", "mode: ' EN-FORCE'", "mode: \"${nope:enforce}\"", "fail_open: false",
			"fail_open: 'off'", "fail_open: '0'", "fail_open: \"${nope:no}\"", "timeout: 2s", "match: [a]",
			"reason: Because" })
	void optionThatDoesNotNarrowAnInheritedHookIsFine(String option) {
		assertThat(namesOf(HooksYaml.of("hooks.tool_call.pre_call: {house-rules: {type: rules, match: [a]}}")
			.over("application-dev.yaml", "hooks.tool_call.pre_call: {house-rules: {%s}}".formatted(option))))
			.containsExactly("house-rules");
	}

	@Test
	void listThatReplacesHooksNamesNoneThatAreOffAnyway(CapturedOutput output) {
		String off = """
				      - {type: rules, name: shut, enabled: false}
				      - {type: rules, name: off-here, enabled: "${flow.on:false}"}
				      - {type: rules, name: on-here, enabled: "${flow.off:true}"}
				""";
		String other = "hooks.tool_call.pre_call: [{type: rules, name: other}]";
		assertThat(problemsOf(HooksYaml.of(BASE_LIST + off).over("application-dev.yaml", other))).contains(
				"[house-rules, rules#1, on-here] would not be asked", "'replaces: [house-rules, rules#1, on-here]'");
		assertThat(namesOf(HooksYaml.of("""
				hooks:
				  tool_call:
				    pre_call:
				      - {type: rules, name: shut, enabled: false}
				""").over("application-dev.yaml", other))).containsExactly("other");
		assertThat(output).doesNotContain("are not asked");
	}

	@Test
	void listMayNotReplaceWhatOnlyTheReplacedSourceOrOneBelowNames() {
		String replaces = "    replaces: [house-rules, rules#1]\n";
		assertThat(problemsOf(HooksYaml.of(BASE_LIST + replaces).over("application-dev.yaml", """
				hooks.tool_call.pre_call: [{type: rules, name: other}]
				"""))).contains("[house-rules, rules#1] would not be asked");
	}

	@Test
	void listMustNameWhatItReplacesOfEachSource() {
		HooksYaml yaml = HooksYaml.of(BASE_LIST).over("application-a.yaml", """
				hooks.tool_call:
				  replaces: [house-rules, "rules#1"]
				  pre_call: [{type: rules, name: other}]
				""").over("application-b.yaml", """
				hooks.tool_call.pre_call: [{type: rules, name: third}]
				""");
		assertThat(problemsOf(yaml)).contains("application-b.yaml:1:", "application-a.yaml:3:", "[other]")
			.doesNotContain("house-rules");
	}

	private List<String> namesOf(HooksYaml yaml) {
		return read(yaml).preCall().stream().map(ConfiguredHooks.Entry::name).toList();
	}

	private ConfiguredHooks<ToolHook> read(HooksYaml yaml) {
		return yaml.read(List.of(ToolHookFactory.of("rules", Rules.class, (name, rules) -> {
			this.made.add("%s deny=%s limits=%s url=%s".formatted(name, rules.deny(), rules.limits(), rules.url()));
			PreToolHook hook = (call) -> ToolDecision.approve();
			return hook;
		})));
	}

	private String problemsOf(HooksYaml yaml) {
		try {
			read(yaml);
		}
		catch (InvalidHooksConfigurationException ex) {
			return new InvalidHooksConfigurationFailureAnalyzer().analyze(ex, ex).getDescription();
		}
		throw new AssertionError("No mistake was found");
	}

	record Rules(@Nullable List<String> deny, @Nullable List<String> allowTools, @Nullable Map<String, Integer> limits,
			@Nullable String url) {
	}

}
