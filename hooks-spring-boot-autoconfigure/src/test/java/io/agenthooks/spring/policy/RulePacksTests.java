package io.agenthooks.spring.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Verdict;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.policy.RulePack;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link RulePacks}: naming packs, excepting rules, and what is said of them.
 */
@ExtendWith(OutputCaptureExtension.class)
class RulePacksTests {

	private static PolicyToolHook policy(PolicyConfig config) {
		return RulePacks.policy("mine", config, RulePackCallsTests.NO_RULES);
	}

	private static PolicyConfig config(List<String> packs, @Nullable List<String> exceptRules) {
		return new PolicyConfig(null, null, null, null, null, null, null, null, packs, exceptRules, false, false, null,
				null, null, null, null, null, null, null, null);
	}

	private static List<Problem> problems(PolicyConfig config) {
		return catchThrowableOfType(InvalidHookConfigException.class, () -> policy(config)).getProblems();
	}

	private static Verdict decide(PolicyToolHook policy, String text) {
		return policy.preCall(ToolCall.of("run", Map.of("input", text))).verdict();
	}

	@Test
	void everyRuleSaysWhatItIsFor() {
		for (String name : RulePacks.NAMES) {
			RulePack pack = RulePacks.read(name);
			Set<String> ids = new HashSet<>();
			assertThat(pack.version()).isPositive();
			assertThat(pack.rules()).isNotEmpty().allSatisfy((rule) -> {
				assertThat(ids.add(rule.id())).isTrue();
				assertThat(rule.id()).matches("[a-z]+(-[a-z]+)*");
				assertThat(rule.reason()).hasSizeGreaterThan(20).doesNotEndWith(".");
				assertThat(rule.why()).hasSizeGreaterThan(20).endsWith(".");
				assertThat(rule.owasp()).isNotEmpty().allMatch((number) -> number.matches("ASI(0[1-9]|10)"));
				assertThat(rule.patterns().size() + rule.commandPatterns().size() + rule.addresses().size())
					.isPositive();
			});
		}
	}

	@Test
	void noPatternStandsInTwoRules() {
		assertThat(RulePacks.NAMES.stream().flatMap((name) -> RulePacks.read(name).rules().stream()))
			.flatExtracting((rule) -> Stream.concat(rule.patterns().stream(), rule.commandPatterns().stream()).toList())
			.doesNotHaveDuplicates();
	}

	@Test
	void everyFileInTheJarIsAPackThatCanBeNamed() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/META-INF/agent-hooks/packs"))) {
			assertThat(files.map((file) -> String.valueOf(file.getFileName()).replace(".yaml", "")))
				.containsExactlyInAnyOrderElementsOf(RulePacks.NAMES);
		}
	}

	@Test
	void everyRuleIsInTheDocumentation() throws IOException {
		String page = Files.readString(Path.of("../docs/decide/rule-packs.md"));
		for (String name : RulePacks.NAMES) {
			RulePack pack = RulePacks.read(name);
			assertThat(page).contains("`" + name + "`, version " + pack.version());
			assertThat(pack.rules()).allSatisfy((rule) -> assertThat(page)
				.containsPattern("\\| `%s` \\|.*\\| %s \\|".formatted(rule.id(), String.join(", ", rule.owasp()))));
		}
	}

	@Test
	void packThatIsNotNamedDeniesNothing() {
		PolicyToolHook policy = policy(config(List.of("sql-ddl"), null));
		assertThat(decide(policy, "DROP TABLE users")).isEqualTo(Verdict.DENY);
		assertThat(decide(policy, "rm -rf /")).isEqualTo(Verdict.APPROVE);
	}

	@ParameterizedTest
	@CsvSource({ "git-force-push", "shell-destructive/git-force-push" })
	void exceptedRuleDoesNotCountAndTheOthersDo(String excepted) {
		PolicyToolHook policy = policy(config(List.of("shell-destructive"), List.of(excepted)));
		assertThat(decide(policy, "git push --force")).isEqualTo(Verdict.APPROVE);
		assertThat(decide(policy, "git reset --hard")).isEqualTo(Verdict.DENY);
	}

	@Test
	void metadataAddressIsStillLinkLocalWhereItsOwnRuleIsExcepted() {
		PolicyToolHook policy = policy(config(List.of("internal-addresses"), List.of("metadata")));
		assertThat(decide(policy, "http://169.254.169.254/")).isEqualTo(Verdict.DENY);
		assertThat(decide(policy, "http://168.63.129.16/")).isEqualTo(Verdict.APPROVE);
	}

	@Test
	void unknownPackAndRuleAreReportedWithWhatIsMeant() {
		assertThat(problems(config(List.of("secret-files", "sql-ddls"), null))).singleElement().satisfies((problem) -> {
			assertThat(problem.path()).containsExactly("packs", "1");
			assertThat(problem.action()).startsWith("Did you mean 'sql-ddl'? The packs are internal-addresses, ");
		});
		assertThat(problems(config(List.of("secret-files"), List.of("dotenvs")))).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.path()).containsExactly("except_rules", "0");
				assertThat(problem.action()).startsWith("Did you mean 'dotenv'? The rules are secret-files/dotenv, ");
			});
		assertThat(problems(config(List.of("secret-files"), List.of("secret-files/dotenvs")))).singleElement()
			.extracting(Problem::action)
			.asString()
			.startsWith("Did you mean 'secret-files/dotenv'?");
	}

	@Test
	void ruleOfAPackThatIsNotNamedIsUnknown() {
		assertThat(problems(config(List.of("secret-files"), List.of("git-discard")))).hasSize(1);
	}

	@Test
	void allMistakesAreReportedAtOnce() {
		PolicyConfig config = new PolicyConfig(null, List.of("^x$"), null, null, null, null, null, null,
				List.of("sql", "sql-ddl", "sql-ddl"), List.of(), false, false, null, null, null, null, null, null, null,
				null, null);
		assertThat(problems(config)).extracting((problem) -> String.join(".", problem.path()))
			.containsExactly("packs.0", "packs.2", "except_rules", "deny_tools.0");
	}

	@Test
	void emptyListsAndExceptionsWithoutPacksAreMistakes() {
		assertThat(problems(config(List.of(), null))).isNotEmpty();
		assertThat(problems(new PolicyConfig(null, List.of("x"), null, null, null, null, null, null, null,
				List.of("dotenv"), false, false, null, null, null, null, null, null, null, null, null)))
			.singleElement()
			.extracting(Problem::path)
			.isEqualTo(List.of("except_rules"));
	}

	@Test
	void policyWithoutTheStarterRefusesPacks() {
		assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> new PolicyToolHook(config(List.of("sql-ddl"), null)));
	}

	@Test
	void startSaysWhichPackIsActiveInWhichVersion(CapturedOutput output) {
		RulePacks.policy("house-rules", config(List.of("sql-ddl"), List.of("create", "alter")),
				RulePackCallsTests.NO_RULES);
		assertThat(output).contains(
				"The hook 'house-rules' uses version 1 of the rule pack 'sql-ddl': [drop, truncate, grant, delete-all, runs-programs]");
	}

	@Test
	void packWithoutARuleLeftIsAWarning(CapturedOutput output) {
		List<String> all = RulePacks.read("internal-addresses").rules().stream().map(RulePack.Rule::id).toList();
		PolicyToolHook policy = policy(config(List.of("internal-addresses"), all));
		assertThat(output).contains("WARN")
			.contains("The pack 'internal-addresses' of the hook 'mine' has no effect: each of its rules is excepted");
		assertThat(decide(policy, "http://127.0.0.1")).isEqualTo(Verdict.APPROVE);
	}

	@Test
	void packsAndListsOfOneEntryBothCount() {
		PolicyToolHook policy = policy(new PolicyConfig(List.of("run"), null, null, List.of("secret"), null, null, null,
				null, List.of("sql-ddl", "shell-destructive"), null, false, false, null, null, null, null, null, null,
				null, null, null));
		assertThat(decide(policy, "a secret")).isEqualTo(Verdict.DENY);
		assertThat(decide(policy, "DROP TABLE users")).isEqualTo(Verdict.DENY);
		assertThat(decide(policy, "rm -rf /")).isEqualTo(Verdict.DENY);
		assertThat(decide(policy, "ls")).isEqualTo(Verdict.APPROVE);
		assertThat(policy.preCall(ToolCall.of("other", Map.of())).verdict()).isEqualTo(Verdict.DENY);
		assertThat(policy.forNamedServers().preCall(ToolCall.of("run", Map.of("a", "rm -rf /"))).verdict())
			.isEqualTo(Verdict.DENY);
		assertThat(policy.isRepeatable()).isTrue();
	}

	@Test
	void denialNamesRuleAndReasonAndNotTheValue() {
		PolicyToolHook policy = policy(config(List.of("secret-files"), null));
		assertThat(policy.preCall(ToolCall.of("read_file", Map.of("path", "/srv/s3cret/.env"))).toString())
			.contains("The policy denies the tool 'read_file' with this argument 'path': a .env file holds secrets "
					+ "(rule secret-files/dotenv)")
			.doesNotContain("s3cret");
	}

	private static ApplicationContextRunner application(String... properties) {
		return new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class))
			.withPropertyValues(properties);
	}

	@Test
	void entryOnTrialLetsItsPackPass() {
		String entry = "hooks.tool_call.pre_call[0].";
		application(entry + "type=policy", entry + "config.packs=sql-ddl", entry + "mode=observe")
			.run((context) -> assertThat(context.getBean(ToolHookChain.class)
				.execute(ToolCall.of("query", Map.of("sql", "DROP TABLE users")), (call) -> ToolResult.success("done"))
				.succeeded()).isTrue());
		application(entry + "type=policy", entry + "config.packs=sql-ddl")
			.run((context) -> assertThat(context.getBean(ToolHookChain.class)
				.execute(ToolCall.of("query", Map.of("sql", "DROP TABLE users")), (call) -> ToolResult.success("done"))
				.succeeded()).isFalse());
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.llm_call.pre_call[0].", "hooks.llm_call.post_call[0].",
			"hooks.tool_call.post_call[0]." })
	void packElsewhereThanBeforeToolCallsStopsTheStart(String entry) {
		application(entry + "type=policy", entry + "config.packs=sql-ddl")
			.run((context) -> assertThat(context).hasFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "rm -r ", "drop/**/", "curl '", "delete from a" })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void hostileTextIsSearchedInTimeOrDenied(String part) {
		searchInTimeOrDeny(part);
	}

	@ParameterizedTest
	@Tag("slow")
	@ValueSource(strings = { "rm -r ", "rm ", "/", "drop table ", "create table a ", ".env", "git push ", "curl ", "a",
			"copy to ", "http://", "drop/**/", "/*", "grant a on ", "drop table \"", "drop table a.", "truncate a, ",
			"GRANT a, ", "delete from a b", "curl '", "/etc/x/../", "rm \\\n", "rm -r ${A:-", "\\", "find / ", " ",
			"delete from a" })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void hostileTextOfEveryKindIsSearchedInTimeOrDenied(String part) {
		searchInTimeOrDeny(part);
	}

	private static void searchInTimeOrDeny(String part) {
		PolicyToolHook policy = policy(config(RulePacks.NAMES, null));
		String text = part.repeat(1_000_000 / part.length());
		assertThat(decide(policy, text)).isIn(Verdict.APPROVE, Verdict.DENY);
	}

}
