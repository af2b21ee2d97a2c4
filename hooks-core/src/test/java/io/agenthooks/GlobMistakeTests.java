package io.agenthooks;

import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

	/**
	 * What is written, what to write instead, and a tool that is meant.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '~', value = { "delete.*; delete*; delete_file",
			"^delete_file$; delete_file; delete_file", "^x; x; x", "x$; x; x", "run_a|run_b; run_a + run_b; run_b",
			"{run,delete}_file; run_file + delete_file; delete_file", "{a,b}; a + b; b", "a,b; a + b; b",
			"a, b; a + b; b", "~a;b~; a + b; b", "run_.*; run_*; run_command", ".*; *; anything",
			".*delete.*; *delete*; mass_delete_files", ".+_file; ?*_file; read_file", "**; *; x",
			"run_**; run_*; run_x", "files/**; files/*; files/a/b", "**/delete; delete + */delete; delete",
			"\\w+; ?*; run", "run_\\w+; run_?*; run_x", "run_\\d{2}; run_[0-9][0-9]; run_12",
			"file_[a-z]+; file_[a-z]*; file_ab", "(?i)rm; [rR][mM]; Rm",
			"(?i)delete.*; [dD][eE][lL][eE][tT][eE]*; Delete_x", "(run|delete)_.*; run_* + delete_*; delete_x",
			"(?:run|delete)_file; run_file + delete_file; delete_file", "^(a|b)$; a + b; b", "@(a|b)_x; a_x + b_x; b_x",
			"~ run_*~; run_*; run_x", "~run_* ~; run_*; run_x", "run_*\u00a0; run_*; run_x",
			"run\u200b_*; run_*; run_x", "~'run_*'~; run_*; run_x", "~\"run_*\"~; run_*; run_x",
			"`run_*`; run_*; run_x", "[^a]*; [!a]*; b", "[[:alpha:]]*; [A-Za-z]*; run", "run_[z-a]; run_[a-z]; run_b",
			"[a-Z]*; [a-zA-Z]*; Run", "run_[a; run_[[]a; run_[a", "delete_%; delete_*; delete_x",
			"delete\uff0a; delete*; delete_x", "run\\_x; run_x; run_x", "files\\.delete; files.delete; files.delete",
			"delete\\*; delete[*]; delete*", "/^delete_.*$/; delete_*; delete_x",
			"/delete_.*/i; [dD][eE][lL][eE][tT][eE]_*; Delete_x", "colou?r$; colour + color; color",
			"~{a, b}~; a + b; b", "[read|write]_x; read_x + write_x; write_x", "[a|b]_x; [ab]_x; b_x",
			"[a,b]_x; [ab]_x; b_x", "run_{1..3}; run_[1-3]; run_2", "file{1,2}; file1 + file2; file2",
			"a.{3}b; a???b; axyzb", "github.*.push; github*?push; github_x_push", "*.*; *; x", "a|; a; a",
			"read_file(); read_file; read_file", "\\bdelete\\b; delete; delete",
			"run_.*|^delete_x; run_* + delete_x; delete_x", "{a,{b,c}}; a + b + c; c", "{a,b}.*; a* + b*; b_x",
			"\uff44elete_*; delete_*; delete_x", "run\uff3f?; run_?; run_x", "\ufb01le_*; file_*; file_x",
			"re\u0301sume; r\u00e9sume; r\u00e9sume", "x\uff0cy; x + y; y", "\uff44elete\uff0a; delete*; delete_x" })
	void findSaysWhatToWriteInstead(String glob, String instead, String name) {
		GlobMistake mistake = GlobMistake.find("", glob, NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.instead()).containsExactly(instead.split(" \\+ "));
		assertThat(mistake.instead()).allSatisfy((each) -> assertThat(mistake.action()).contains("'" + each + "'"))
			.allSatisfy((each) -> assertThat(GlobMistake.find("", each, NameKind.TOOL)).isNull())
			.anySatisfy((each) -> assertThat(Glob.of(each).test(name)).isTrue());
	}

	@ParameterizedTest
	@ValueSource(strings = { "run_*", "*", "?", "?*", "files.read", "files.read*", "a.b", "*.read", "mcp__github__*",
			"mcp__x/y", "files/read", "@scope/tool", "ns:tool", "run-command", "getWeather$app_main", "access$000",
			"天気", "c++_compile", "[a-c]_b", "[!a-c]?", "run[*]", "delete[.]*", "delete.?*", "a[|]b", "a[,]b", "[[]x]",
			"[^]x", "[\\]d", "x[$]", "ru?n", "[a-z]*", "find#1", "a=b", "a&b", "a~b", "[a-z-9]", "[]-a]" })
	void findWhenGlobMayBeMeantFindsNothing(String glob) {
		assertThat(GlobMistake.find("match", glob, NameKind.TOOL)).isNull();
		assertThatNoException().isThrownBy(() -> Glob.anyOf(glob));
	}

	@ParameterizedTest
	@ValueSource(strings = { "gpt-4.1:latest", "openai/gpt-4o", "claude-*", "gpt-4.?",
			"hf.co/bartowski/Llama-3.2-1B:IQ3_M", "anthropic.claude-3-5-sonnet-20240620-v1:0", "anthropic[.]*",
			"@cf/meta/llama*", "*:free", "llama3.2*", "arn:aws:bedrock:us-east-1::foundation-model/*", "gpt-4.*",
			"llama3.*", "claude-3.*-sonnet", "openai/gpt-4.*", "openai/**", "us.anthropic.*" })
	void findWhenModelMayBeMeantFindsNothing(String glob) {
		assertThat(GlobMistake.find("match", glob, NameKind.MODEL)).isNull();
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
		assertThat(GlobMistake.find("", glob, kind)).isNull();
	}

	@ParameterizedTest
	@EnumSource(NameKind.class)
	void findKnowsTheSignsThatNoNameHas(NameKind kind) {
		for (String glob : List.of("bot.*", "^bot$", "bot|cat", "{bot,cat}", "bot,cat", "**", "(?i)bot", "!bot", " bot",
				"bot ", "[^b]*", "[z-a]", "(bot|cat)", "bot\u200b", "[a-z]+", "bot\uff0a")) {
			assertThat(GlobMistake.find("", glob, kind)).as(glob).isNotNull();
		}
	}

	/**
	 * The glob that is accepted, or advised, matches what is meant.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "MODEL; gpt-4.*; gpt-4.1", "MODEL; llama3.*; llama3.2:latest",
			"MODEL; gpt.*; gpt-4o", "MODEL; gpt-4.*|llama.*; llama3", "MODEL; anthropic.*; anthropic.claude",
			"WORKSPACE; /srv/**; /srv/a/b", "WORKSPACE; /srv/**/x; /srv/x", "WORKSPACE; /srv/**/x; /srv/a/b/x",
			"WORKSPACE; **/secrets; secrets", "WORKSPACE; **/secrets; /a/secrets", "WORKSPACE; team.*; team_a",
			"ROLE; DOMAIN\\*; DOMAIN\\staff", "ROLE; DOMAIN\\\\*; DOMAIN\\staff", "ROLE; ^DOMAIN\\\\.*$; DOMAIN\\staff",
			"AGENT; bot.*; bot-1", "AGENT; bot-2.*; bot-2.7", "MCP_SERVER; io.github.*; io.github.me" })
	void globOrAdviceMatchesWhatIsMeant(NameKind kind, String glob, String name) {
		GlobMistake mistake = GlobMistake.find("match", glob, kind);
		List<String> globs = (mistake != null) ? mistake.instead() : List.of(glob);

		assertThat(globs).anySatisfy((each) -> assertThat(Glob.of(each).test(name)).isTrue())
			.allSatisfy((each) -> assertThat(GlobMistake.find("match", each, kind)).isNull());
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			value = { "delete.*; delete[.]*; delete.x", "git.*.push; git[.]*.push; git.a.push", "x$; x[$]; x$" })
	void findSaysHowToWriteTheSignItself(String glob, String literal, String name) {
		GlobMistake mistake = GlobMistake.find("", glob, NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.action()).contains("'" + literal + "'");
		assertThat(Glob.of(literal).test(name)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "AGENT, a|b, a[|]b", "ROLE, 'a,b', 'a[,]b'", "WORKSPACE, team.*, team[.]*",
			"ROLE, ACME\\d*, ACME[\\]d*" })
	void findSaysHowToWriteTheSignItselfInFreeNames(NameKind kind, String glob, String literal) {
		GlobMistake mistake = GlobMistake.find("", glob, kind);
		assertThat(mistake).isNotNull();
		assertThat(mistake.action()).contains("'" + literal + "'");
		assertThat(GlobMistake.find("", literal, kind)).isNull();
		assertThat(Glob.of(literal).test(glob)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "match, except", "except, match", "deny_tools, allow_tools", "allow_tools, deny_tools" })
	void findWhenGlobExcludesSaysWhereThatIsWritten(String option, String opposite) {
		GlobMistake mistake = GlobMistake.find(option, "!read_.*", NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.action()).contains("'read_*' under '" + opposite + "'");
		assertThat(mistake.instead()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "run command", "!x", "(?=a)b", "a(b", "a^b", "a<b>", "!(a|b)", "((a|b)(c|d)){9}",
			"a\\Qb", "{2}", "a|{2}", "\\", "[a-z", "[", "{", "}", "|", ",", "(((((((((", "${tools}", "{a,b", "a{2",
			"(a{3}|b){50}", "[!]", "[]", "[[:foo:]]", "Bash(rm:*)", "Bash(git push:*)", "\\p{L}+" })
	void findWhenTheRightGlobCannotBeToldStillSaysSomethingUseful(String glob) {
		GlobMistake mistake = GlobMistake.find("", glob, NameKind.TOOL);
		assertThat(mistake).isNotNull();
		assertThat(mistake.message()).isNotBlank();
		assertThat(mistake.action()).isNotBlank();
		assertThat(mistake.instead())
			.allSatisfy((each) -> assertThat(GlobMistake.find("", each, NameKind.TOOL)).isNull());
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "run_\\w+; false", "run_[a-z]+; false", "run_\\d{2,}; false", "run_.*; true",
			"^run_(a|b)$; true", "run_\\d{2}; true", "!run_\\w+; false" })
	void findNeverAdvisesToAllowMoreThanIsWritten(String glob, boolean told) {
		for (String option : List.of("allow_tools", "except")) {
			GlobMistake mistake = GlobMistake.find(option, glob, NameKind.TOOL);
			assertThat(mistake).isNotNull();
			assertThat(mistake.instead()).matches((globs) -> globs.isEmpty() != told);
			assertThat(mistake.action()).doesNotContain("run_?");
		}
	}

	@ParameterizedTest
	@CsvSource({ "^send, send, begins so, send*", "_file$, _file, ends so, *_file" })
	void findSaysHowToMeanOneEndOfANameWhereThatDeniesMore(String regex, String exact, String end, String glob) {
		for (String option : List.of("deny_tools", "ask_tools", "match")) {
			assertThat(GlobMistake.find(option, regex, NameKind.TOOL)).isNotNull()
				.extracting(GlobMistake::action)
				.asString()
				.contains("Write '%s'.".formatted(exact), end, "'%s'".formatted(glob));
		}
		assertThat(GlobMistake.find("allow_tools", regex, NameKind.TOOL)).isNotNull()
			.extracting(GlobMistake::action)
			.asString()
			.doesNotContain("'%s'".formatted(glob));
	}

	@ParameterizedTest
	@ValueSource(strings = { "^send$", "send.*", "^(a|b)" })
	void findSaysNothingOfOneEndWhereNoneIsMeant(String regex) {
		assertThat(GlobMistake.find("deny_tools", regex, NameKind.TOOL)).isNotNull()
			.extracting(GlobMistake::action)
			.asString()
			.doesNotContain("begins so", "ends so");
	}

	/**
	 * Whatever is written, there is an answer, and what it says to write is accepted.
	 */
	@Test
	void findAdvisesNothingThatIsAMistakeItself() {
		Random random = new Random(11);
		String signs = "ab_.*+?|^$\\\\(){}[]!,;-09wd'/% :&\u200b\uff0a";
		int advised = 0;
		for (int i = 0; i < 6_000; i++) {
			StringBuilder glob = new StringBuilder();
			random.ints(1 + random.nextInt(10), 0, signs.length()).forEach((at) -> glob.append(signs.charAt(at)));
			for (NameKind kind : NameKind.values()) {
				GlobMistake mistake = GlobMistake.find("deny_tools", glob.toString(), kind);
				if (mistake == null) {
					assertThat(Glob.of(glob.toString())).isNotNull();
					continue;
				}
				advised += mistake.instead().size();
				for (String each : mistake.instead()) {
					assertThat(GlobMistake.find("", each, kind)).as("%s for %s", each, glob).isNull();
				}
			}
		}
		assertThat(advised).isGreaterThan(1_000);
	}

	/**
	 * Globs for a regular expression match each name that it matches.
	 */
	@Test
	void findAdvisesGlobsThatMissNothingThatTheRegularExpressionMatches() {
		Random random = new Random(11);
		String[] parts = { "a", "b", "_", "run", ".*", ".+", "[ab]", "[^a]", "\\w", "\\d", "[ab]+", "\\w+", "(a|b_)",
				"(?:run|a)", "\\.", "(a|b)?", "\\d{2}", ".{1,2}" };
		List<String> names = random.ints(400, 0, 1 << 20)
			.mapToObj((seed) -> new Random(seed).ints(1 + seed % 6, 0, 7)
				.mapToObj((at) -> List.of("a", "b", "_", "run", "1", "2", ".").get(at))
				.collect(Collectors.joining()))
			.toList();
		int matched = 0;
		for (int i = 0; i < 1_500; i++) {
			String regex = random.ints(1 + random.nextInt(4), 0, parts.length)
				.mapToObj((at) -> parts[at])
				.collect(Collectors.joining("", "^",
						(random.nextBoolean()) ? "$" : "|a_" + parts[random.nextInt(parts.length)]));
			GlobMistake mistake = GlobMistake.find("deny_tools", regex, NameKind.TOOL);
			assertThat(mistake).as(regex).isNotNull();
			GlobMistake exact = GlobMistake.find("allow_tools", regex, NameKind.TOOL);
			assertThat(exact).as(regex).isNotNull();
			Predicate<String> pattern = Pattern.compile(regex).asMatchPredicate();
			List<String> meant = names.stream().filter(pattern).toList();
			if (!mistake.instead().isEmpty()) {
				matched += meant.size();
				assertThat(meant).as("%s for %s", mistake.instead(), regex).allMatch(Glob.anyOf(mistake.instead()));
			}
			assertThat(names.stream().filter(Glob.anyOf(exact.instead())).toList())
				.as("%s for %s", exact.instead(), regex)
				.allMatch(pattern);
		}
		assertThat(matched).isGreaterThan(1_000);
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
