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
import io.agenthooks.pattern.PatternReader;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What is said of a rule that cannot mean what its author means: that it is refused, and
 * that the rule to write instead is accepted and denies what is meant.
 */
class MistakenPatternTests {

	private static final Pattern ADVICE = Pattern.compile("Write '([^']*)'");

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "*@evil.com; .*@evil[.]com; bob@evil.com", "*.exe; .*[.]exe; run.exe",
					"**/secrets/*; .*/secrets/.*; a/secrets/b", "?x*; .x.*; axb",
					"*.{exe,dll}; .*[.](?:exe|dll); x.dll", "x{a,b}; x(?:a|b); xb",
					"*(curl|wget).*; .*(curl|wget).*; wget x", "*\\.pem$; .*\\.pem$; key.pem", "a**; a.*; abc",
					"*[!a]b; .*[^a]b; xb", "*a+b; .*a+b; aab", "*a (b).; .*a (b).; a bc" })
	void adviceIsAcceptedAndDeniesWhatIsMeant(String pattern, String instead, String value) {
		Problem problem = problem(config(pattern));
		assertThat(problem.path()).containsExactly("deny_argument_patterns", "text", "0");
		assertThat(advice(problem)).isEqualTo(instead);
		PolicyToolHook hook = new PolicyToolHook(config(advice(problem)));
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", value))).verdict()).isEqualTo(Verdict.DENY);
	}

	/**
	 * A pattern means what its author sees: it finds that as it is written, and in its
	 * plain form.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "ｒｍ -rf; rm -rf /", "ｒｍ －ｒｆ; rm -rf /", "rm\u200b -rf; rm -rf /", "\ufeffsudo; sudo ls",
					"rm\u00a0-rf; rm -rf /", "ﬁle+; filee", "(ﬁ)+x; fifix", "ﬁ+x; fifix", "[ａ-ｚ]{3}１; abc1",
					"[ａb]c; ac", "a．b; a.b", "\\．b; .b", "\\Ｑb; Qb", "\\Qａ.ｂ\\E; a.b", "a\u00adb; ab",
					"👩\u200d💻; 👩\u200d💻", "👩\u200d💻; 👩💻", "❤\ufe0f; ❤\ufe0f", "❤\ufe0f; ❤", "…; ...", "＊; *",
					"ｃｕｒｌ.*\\|.*ｓｈ; curl x | sh", "(?i)ＤＲＯＰ; drop", "[\u3000-〿]x; 〈x", "[À-ſ]x; éx", "（機密）; （機密）",
					"（機密）; (機密)", "機密：; 機密:", "น้ำ; น้ำ", "น้ำ; น\u0e49\u0e4d\u0e32", "№ ?5; № 5", "№ ?5; №\u200b５",
					"m²; m²", "m²; ｍ²", "½; 1½", "™; Foo™", "①; ｘ①", "[①②]x; ②ｘ", "№|\u00b2; x²" })
	void patternFindsWhatItsAuthorSees(String pattern, String value) {
		PolicyToolHook hook = new PolicyToolHook(config(pattern));
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", value))).verdict()).isEqualTo(Verdict.DENY);
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", "other"))).verdict()).isEqualTo(Verdict.APPROVE);
	}

	/**
	 * What does not look like the plain form is not what its author means.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "№; No", "№; ｎo No", "m²; m2", "m²; ｍ2", "™; TM", "①; 1", "½; 1/2", "㎏; kg", "ª; a" })
	void symbolIsNotItsPlainForm(String pattern, String value) {
		PolicyToolHook hook = new PolicyToolHook(config(pattern));
		assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", value))).verdict()).isEqualTo(Verdict.APPROVE);
	}

	/**
	 * Without its invisible characters such a pattern would be found in every text.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "\u200b", "\u200b|rm", "\u200b.*", "(?:\u200b|x)", "(\ufe0f)", "[\u200b]" })
	void patternThatIsNothingWithoutInvisibleCharactersIsRefused(String pattern) {
		assertThat(problem(config(pattern)).action()).contains("Remove it");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '`',
			value = { "[ﬁ]x; U+FB01 (LATIN SMALL LIGATURE FI) at offset 1",
					"rm\u200b*; U+200B (ZERO WIDTH SPACE) at offset 2",
					"\u202e|b; U+202E (RIGHT-TO-LEFT OVERRIDE) at offset 0", "\u3164; U+3164", "\\\ufeff; U+FEFF" })
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
	 * Whatever is written, it is accepted with its plain form, or refused with an advice
	 * and no other exception; nothing becomes a pattern that is found in every text.
	 */
	@Test
	void noPatternIsFoundInEveryTextByItsPlainForm() {
		Random random = new Random(11);
		String signs = "abｒｍ１．＊（\u200b\ufe0fﬁ²\u00a0…[]()*+?{}\\\\|^.-QE é\ue000№";
		int accepted = 0;
		for (int i = 0; i < 6_000; i++) {
			StringBuilder written = new StringBuilder();
			random.ints(1 + random.nextInt(7), 0, signs.length()).forEach((at) -> written.append(signs.charAt(at)));
			String pattern = written.toString();
			try {
				PolicyToolHook hook = new PolicyToolHook(config(pattern));
				boolean everywhere = new PatternReader().read(pattern).isFoundWithoutCharacters();
				if (!everywhere) {
					accepted++;
					assertThat(hook.preCall(ToolCall.of("tool", Map.of("text", ""))).verdict()).as(pattern)
						.isEqualTo(Verdict.APPROVE);
				}
			}
			catch (InvalidHookConfigException ex) {
				assertThat(ex.getProblems().get(0).action()).isNotBlank();
			}
		}
		assertThat(accepted).isGreaterThan(1_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "日本", "naïve", "cafe\u0301", "[一-龥]+", "[ぁ-ん]", "[가-힣]", "[À-ÿ]", "Straße", "\u212a",
			"\u212b", "😀", "\\Q(日)\\E", "[^é]x", "пароль", "€", "а̀" })
	void patternOfOtherScriptsIsAccepted(String pattern) {
		assertThat(new PolicyToolHook(config(pattern))).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete.*", "^delete_file$", "run|delete_.*", "{run,delete}_file", "run_*,delete_*",
			"delete_file|run", ".*_file", "\\w+_file", "(?i)DELETE_file", "**", " delete_*", "delete_%", "[^a]*_file",
			"'delete_file'", "(delete|remove)_file", "delete_[z-a]*" })
	void globThatWouldDenyNothingIsRefusedWithAnAdvice(String glob) {
		Problem problem = problem(new PolicyConfig(null, List.of("other", glob), null, null));
		assertThat(problem.path()).containsExactly("deny_tools", "1");
		assertThat(problem.action()).startsWith("Write a name in each entry, or a glob such as 'run_*'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "!read_*", "!{read,list}_x" })
	void exclusionIsRefused(String glob) {
		Problem problem = problem(new PolicyConfig(null, List.of(glob), null, null));
		assertThat(problem.message()).contains("begins with '!', which excludes nothing here");
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
