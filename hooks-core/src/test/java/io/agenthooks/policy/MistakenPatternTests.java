package io.agenthooks.policy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What is said of a rule that cannot mean what its author means: that it is refused, and
 * that the rule to write instead is accepted and denies what is meant.
 */
class MistakenPatternTests {

	private static final Pattern ADVICE = Pattern.compile("(?:Write|entries:|and) '([^']*)'|(?<=', )'([^']*)'");

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "*@evil.com; .*@evil\\.com; bob@evil.com",
			"*.exe; .*\\.exe; run.exe", "**/secrets/*; .*/secrets/.*; a/secrets/b", "?x*; .x.*; axb",
			"*.{exe,dll}; .*\\.(?:exe|dll); x.dll", "x{a,b}; x(?:a|b); xb", "*(curl|wget).*; .*(curl|wget).*; wget x",
			"*\\.pem$; .*\\.pem$; key.pem", "a**; a.*; abc", "*[!a]b; .*[^a]b; xb", "*a+b; .*a+b; aab",
			"*a (b).; .*a (b).; a bc", "ｒｍ -rf; rm -rf; rm -rf /", "ｒｍ －ｒｆ; rm -rf; rm -rf /",
			"rm\u200b -rf; rm -rf; rm -rf /", "\ufeffsudo; sudo; sudo ls", "rm\u00a0-rf; rm -rf; rm -rf /",
			"ﬁle+; file+; filee", "(ﬁ)+x; (fi)+x; fifix", "ﬁ+x; (?:fi)+x; fifix", "[ａ-ｚ]{3}１; [a-z]{3}1; abc1",
			"[ａb]c; [ab]c; ac", "a．b; a\\.b; a.b", "\\．b; \\.b; .b", "\\Ｑb; Qb; Qb", "\\Qａ.ｂ\\E; \\Qa.b\\E; a.b",
			"m²; m2; m2", "₁; 1; 1", "a\u00adb; ab; ab", "👩\u200d💻; 👩💻; 👩\u200d💻", "❤\ufe0f; ❤; ❤\ufe0f",
			"…; \\.\\.\\.; ...", "＊; \\*; *", "ｃｕｒｌ.*\\|.*ｓｈ; curl.*\\|.*sh; curl x | sh", "(?i)ＤＲＯＰ; (?i)DROP; drop",
			"[\u3000-〿]x; [\\x{3000}-〿]x; 〈x", "[À-ſ]x; [À-\\x{017F}]x; éx" })
	void adviceIsAcceptedAndDeniesWhatIsMeant(String pattern, String instead, String value) {
		Problem problem = problem(config(pattern));
		assertThat(problem.path()).containsExactly("deny_argument_patterns", "text", "0");
		assertThat(advice(problem)).isEqualTo(instead);
		PolicyToolHook hook = new PolicyToolHook(config(advice(problem)));
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", value))).verdict()).isEqualTo(Verdict.DENY);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "ｒm; U+FF52 (FULLWIDTH LATIN SMALL LETTER R) at offset 0",
					"rm\u200b; U+200B (ZERO WIDTH SPACE) at offset 2",
					"a\u202eb; U+202E (RIGHT-TO-LEFT OVERRIDE) at offset 1", "a\u3164; U+3164", "\\\ufeff; U+FEFF" })
	void messageNamesTheCharacter(String pattern, String what) {
		assertThat(problem(config(pattern)).message()).contains(what);
	}

	/**
	 * What is said of a single character where the whole pattern cannot be written.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "\u200b; Remove it; \\x{200B}",
			"[ﬁ]x; Write 'fi' in its place; \\x{FB01}", "x\u200b+; Remove it; \\x{200B}" })
	void adviceWithoutAWholePatternIsAboutTheCharacter(String pattern, String action, String escape) {
		assertThat(problem(config(pattern)).action()).contains(action).contains(escape);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`', value = { "rm\\u200b; rm\u200b", "\\x{FF52}m; ｒm", "\\uFF52m; ｒm",
			"[\\u200b-\\u200f]; a\u200eb", "\\p{Cf}; a\u200bb", "[\\x{3000}-〿]x; \u3000x" })
	void escapeOfACharacterFindsTheTextAsItIs(String pattern, String value) {
		PolicyToolHook hook = new PolicyToolHook(config(pattern));
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", value))).verdict()).isEqualTo(Verdict.DENY);
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", "rm"))).verdict()).isEqualTo(Verdict.APPROVE);
	}

	/**
	 * Whatever is written, the pattern that is advised is accepted, and finds the plain
	 * form of each text that the one that was written finds.
	 */
	@Test
	void advisedPatternFindsThePlainForm() {
		Random random = new Random(11);
		String signs = "abｒｍ１．＊（\u200b\ufe0fﬁ²\u00a0…[]()*+?{}\\\\|^.-QE é\ue000";
		int advised = 0;
		for (int i = 0; i < 6_000; i++) {
			StringBuilder written = new StringBuilder();
			random.ints(1 + random.nextInt(7), 0, signs.length()).forEach((at) -> written.append(signs.charAt(at)));
			String pattern = written.toString();
			try {
				assertThat(new PolicyToolHook(config(pattern))).isNotNull();
			}
			catch (InvalidHookConfigException ex) {
				String action = ex.getProblems().get(0).action();
				if (action.startsWith("Write '") && action.contains("'. Write \\x{")) {
					advised++;
					String instead = action.substring("Write '".length(), action.lastIndexOf("'. Write \\x{"));
					assertThat(new PolicyToolHook(config(instead))).as("%s for %s", instead, pattern).isNotNull();
				}
			}
		}
		assertThat(advised).isGreaterThan(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "日本", "naïve", "cafe\u0301", "[一-龥]+", "[ぁ-ん]", "[가-힣]", "[À-ÿ]", "Straße", "\u212a",
			"\u212b", "😀", "\\Q(日)\\E", "[^é]x", "пароль", "€", "а̀" })
	void patternOfOtherScriptsIsAccepted(String pattern) {
		assertThat(new PolicyToolHook(config(pattern))).isNotNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "delete.*; delete_file", "^delete_file$; delete_file", "run|delete_.*; delete_file",
					"{run,delete}_file; delete_file", "run_*,delete_*; delete_file", "delete_file|run; delete_file",
					".*_file; delete_file", "\\w+_file; delete_file", "(?i)DELETE_file; delete_file", "**; delete_file",
					"` delete_*`; delete_file", "delete_%; delete_file", "[^a]*_file; delete_file",
					"`'delete_file'`; delete_file", "(delete|remove)_file; delete_file", "delete_[z-a]*; delete_file" })
	void adviceForAGlobIsAcceptedAndDeniesTheTool(String glob, String tool) {
		Problem problem = problem(new PolicyConfig(null, List.of("other", glob), null, null));
		assertThat(problem.path()).containsExactly("deny_tools", "1");
		List<String> advice = ADVICE.matcher(problem.action().replaceFirst("If the name.*", ""))
			.results()
			.map((found) -> (found.group(1) != null) ? found.group(1) : found.group(2))
			.toList();
		assertThat(advice).isNotEmpty();
		PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(null, advice, null, null));
		assertThat(hook.preCall(ToolCall.of(tool, Map.of())).verdict()).isEqualTo(Verdict.DENY);
	}

	@ParameterizedTest
	@ValueSource(strings = { "!read_*", "!{read,list}_x" })
	void adviceForAnExclusionIsAcceptedInTheOtherList(String glob) {
		Problem problem = problem(new PolicyConfig(null, List.of(glob), null, null));
		Matcher advice = Pattern.compile("write '([^']+)'.* under 'allow_tools'").matcher(problem.action());
		assertThat(advice.find()).isTrue();
		PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(List.of(advice.group(1)), null, null, null));
		assertThat(hook.preCall(ToolCall.of("delete_x", Map.of())).verdict()).isEqualTo(Verdict.DENY);
		assertThat(hook.preCall(ToolCall.of("read_x", Map.of())).verdict()).isEqualTo(Verdict.APPROVE);
	}

	private static String advice(Problem problem) {
		Matcher advice = ADVICE.matcher(problem.action());
		assertThat(advice.find()).as(problem.action()).isTrue();
		return advice.group(1);
	}

	private static PolicyConfig config(String pattern) {
		return new PolicyConfig(null, null, Map.of("text", List.of(pattern)), null);
	}

	private static Problem problem(PolicyConfig config) {
		InvalidHookConfigException ex = catchThrowableOfType(InvalidHookConfigException.class,
				() -> new PolicyToolHook(config));
		assertThat(ex).isNotNull();
		assertThat(ex.getProblems()).hasSize(1);
		return ex.getProblems().get(0);
	}

}
