package io.agenthooks;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link GlobMistake}.
 */
class GlobMistakeTests {

	@ParameterizedTest
	@ValueSource(strings = { "delete.*", "^delete_file$", "^x", "x$", "run_a|run_b", "{run,delete}_file", "{a,b}",
			"a,b", "a, b", "a;b", "run_.*", ".*", ".*delete.*", ".+_file", "**", "run_**", "files/**", "**/delete",
			"\\w+", "run_\\w+", "run_\\d{2}", "file_[a-z]+", "(?i)rm", "(?i)delete.*", "(run|delete)_.*",
			"(?:run|delete)_file", "^(a|b)$", "@(a|b)_x", " run_*", "run_* ", "run_*\u00a0", "run\u200b_*", "'run_*'",
			"\"run_*\"", "`run_*`", "[^a]*", "[[:alpha:]]*", "run_[z-a]", "[a-Z]*", "run_[a", "delete_%",
			"delete\uff0a", "run\\_x", "files\\.delete", "delete\\*", "/^delete_.*$/", "/delete_.*/i", "colou?r$",
			"{a, b}", "[read|write]_x", "[a|b]_x", "[a,b]_x", "run_{1..3}", "file{1,2}", "a.{3}b", "github.*.push",
			"*.*", "a|", "read_file()", "\\bdelete\\b", "run_.*|^delete_x", "{a,{b,c}}", "{a,b}.*", "\uff44elete_*",
			"run\uff3f?", "\ufb01le_*", "re\u0301sume", "x\uff0cy", "\uff44elete\uff0a" })
	void findWhenGlobIsCertainlyAMistakeSaysWhatAGlobIs(String glob) {
		GlobMistake mistake = GlobMistake.find(glob, NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.message()).contains(SafeText.name(glob), "it would match no tool");
		assertThat(mistake.action()).contains("'*' is any text, '?' one character, '[a-z]' one of several");
	}

	@ParameterizedTest
	@ValueSource(strings = { "delete.*", "^x$", "^x", "x$", "a|b", "\\w+", "run_[a-z]+", "(?i)rm", "a.{3}b",
			"run_\\d{2}", "(a|b)_.*", ".+", "*.*", "a\\.b" })
	void findWhenGlobIsARegularExpressionSaysWhereToWriteIt(String glob) {
		GlobMistake mistake = GlobMistake.find(glob, NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.message()).contains("looks like a regular expression");
		assertThat(mistake.action()).contains("under 'matcher'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "run_*", "*", "?", "?*", "files.read", "files.read*", "a.b", "*.read", "mcp__github__*",
			"mcp__x/y", "files/read", "@scope/tool", "ns:tool", "run-command", "getWeather$app_main", "access$000",
			"天気", "c++_compile", "[a-c]_b", "[!a-c]?", "run[*]", "delete[.]*", "delete.?*", "a[|]b", "a[,]b", "[[]x]",
			"[^]x", "[\\]d", "x[$]", "ru?n", "[a-z]*", "find#1", "a=b", "a&b", "a~b", "[a-z-9]", "[]-a]" })
	void findWhenGlobMayBeMeantFindsNothing(String glob) {
		assertThat(GlobMistake.find(glob, NameKind.TOOL)).isNull();
		assertThatNoException().isThrownBy(() -> Glob.anyOf(glob));
	}

	@ParameterizedTest
	@ValueSource(strings = { "gpt-4.1:latest", "openai/gpt-4o", "claude-*", "gpt-4.?",
			"hf.co/bartowski/Llama-3.2-1B:IQ3_M", "anthropic.claude-3-5-sonnet-20240620-v1:0", "anthropic[.]*",
			"@cf/meta/llama*", "*:free", "llama3.2*", "arn:aws:bedrock:us-east-1::foundation-model/*", "gpt-4.*",
			"llama3.*", "claude-3.*-sonnet", "openai/gpt-4.*", "openai/**", "us.anthropic.*" })
	void findWhenModelMayBeMeantFindsNothing(String glob) {
		assertThat(GlobMistake.find(glob, NameKind.MODEL)).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '~',
			value = { "AGENT; my agent", "AGENT; Claude (Desktop) 1.0", "AGENT; Acme, Inc. bot*", "AGENT; ~~",
					"AGENT; it's me", "AGENT; 100%", "WORKSPACE; C:\\\\d*", "ROLE; ROLE_ADMIN", "ROLE; read:users",
					"ROLE; DOMAIN\\staff", "WORKSPACE; C:\\work\\*", "WORKSPACE; /home/me/x (old)/*",
					"WORKSPACE; \\\\host\\data", "WORKSPACE; {123e4567}", "WORKSPACE; /srv/**",
					"WORKSPACE; C:\\work\\**", "WORKSPACE; /srv/app.*", "WORKSPACE; s3://a/**", "AGENT; planner-2.*",
					"AGENT; com.acme.*", "AGENT; ACME\\*", "ROLE; DOMAIN\\*", "ROLE; DOMAIN\\?taff",
					"ROLE; DOMAIN\\adm*", "ROLE; com.acme.*", "MCP_SERVER; io.github.*", "MCP_SERVER; github*",
					"MCP_SERVER; io.github.me/server", "MCP_SERVER; ~~", "MCP_SERVER; my server" })
	void findWhenAnyOtherNameMayBeMeantFindsNothing(NameKind kind, String glob) {
		assertThat(GlobMistake.find(glob, kind)).isNull();
	}

	@ParameterizedTest
	@EnumSource(NameKind.class)
	void findKnowsTheSignsThatNoNameHas(NameKind kind) {
		for (String glob : List.of("bot.*", "^bot$", "bot|cat", "{bot,cat}", "bot,cat", "**", "(?i)bot", "!bot", " bot",
				"bot ", "[^b]*", "[z-a]", "(bot|cat)", "bot\u200b", "[a-z]+", "bot\uff0a")) {
			assertThat(GlobMistake.find(glob, kind)).as(glob).isNotNull();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "run command", "!x", "(?=a)b", "a(b", "a^b", "a<b>", "!(a|b)", "((a|b)(c|d)){9}",
			"a\\Qb", "{2}", "a|{2}", "\\", "[a-z", "[", "{", "}", "|", ",", "(((((((((", "${tools}", "{a,b", "a{2",
			"(a{3}|b){50}", "[!]", "[]", "[[:foo:]]", "Bash(rm:*)", "Bash(git push:*)", "\\p{L}+" })
	void findWhenGlobIsStrangeStillSaysSomethingUseful(String glob) {
		GlobMistake mistake = GlobMistake.find(glob, NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.message()).isNotBlank();
		assertThat(mistake.action()).isNotBlank();
	}

	@ParameterizedTest
	@CsvSource({ "TOOL, a|b, a[|]b", "AGENT, a|b, a[|]b", "ROLE, 'a,b', 'a[,]b'", "WORKSPACE, team.*, team[.]*",
			"ROLE, ACME\\d*, ACME[\\]d*", "TOOL, x$, x[$]" })
	void signInBracketsIsTheSignItself(NameKind kind, String glob, String literal) {
		assertThat(GlobMistake.find(glob, kind)).isNotNull();
		assertThat(GlobMistake.find(literal, kind)).isNull();
		assertThat(Glob.of(literal).test(glob)).isTrue();
	}

	/**
	 * Whatever is written, it is a mistake or a glob.
	 */
	@Test
	void eachTextIsAMistakeOrAGlob() {
		Random random = new Random(11);
		String signs = "ab_.*+?|^$\\\\(){}[]!,;-09wd'/% :&\u200b\uff0a";
		for (int i = 0; i < 6_000; i++) {
			StringBuilder glob = new StringBuilder();
			random.ints(1 + random.nextInt(10), 0, signs.length()).forEach((at) -> glob.append(signs.charAt(at)));
			if (GlobMistake.find(glob.toString(), NameKind.ANY) == null) {
				assertThatNoException().isThrownBy(() -> Glob.of(glob.toString()));
			}
		}
	}

	@Test
	void globsThatAreCertainlyMistakesCannotBeMade() {
		for (String glob : List.of("delete.*", "^x$", "a|b", "{a,b}", "a,b", "\\w+", "(?i)x", "!x")) {
			assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> Glob.of(glob));
			assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(() -> Glob.anyOf("x", glob))
				.withMessageContaining("Write")
				.satisfies((ex) -> assertThat(ex.getProblems()).hasSize(1));
		}
	}

}
