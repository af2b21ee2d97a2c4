package io.agenthooks.policy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookRule;
import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PolicyToolHook}.
 */
class PolicyToolHookTests {

	@Test
	void patternsForAllArgumentsAreSearchedInNamesAtEveryDepth() {
		PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(null, null, null, List.of("rm +-rf")));
		List<Map<String, Object>> hidden = List.of(Map.of("rm -rf", 1), Map.of("a", Map.of("rm -rf", 1)),
				Map.of("a", List.of(Map.of("x", Map.of("rm -rf", true)))), Map.of("rm  -rf", Map.of()),
				Map.of("r\u200bm -rf", List.of()));
		for (int i = 0; i < 3; i++) {
			assertThat(hook.preCall(ToolCall.of("t", Map.of("path", "x"))).verdict()).isEqualTo(Verdict.APPROVE);
			assertThat(hidden).allSatisfy((arguments) -> assertThat(hook.preCall(ToolCall.of("t", arguments)).verdict())
				.isEqualTo(Verdict.DENY));
		}
	}

	@Test
	void isRepeatable() {
		assertThat(denyTools("x").isRepeatable()).isTrue();
	}

	private static PolicyToolHook denyTools(String... globs) {
		return new PolicyToolHook(new PolicyConfig(null, List.of(globs), null, null));
	}

	private static PolicyToolHook allowTools(String... globs) {
		return new PolicyToolHook(new PolicyConfig(List.of(globs), null, null, null));
	}

	private static PolicyToolHook deny(String argument, String... patterns) {
		return new PolicyToolHook(new PolicyConfig(null, null, Map.of(argument, List.of(patterns)), null));
	}

	private static PolicyToolHook denyAny(String... patterns) {
		return new PolicyToolHook(new PolicyConfig(null, null, null, List.of(patterns)));
	}

	private static ToolCall call(String tool, Map<String, ? extends @Nullable Object> arguments) {
		return ToolCall.of(tool, arguments);
	}

	private static void assertApproved(PolicyToolHook hook, ToolCall call) {
		assertThat(hook.preCall(call)).isEqualTo(ToolDecision.approve());
	}

	private static void assertDenied(PolicyToolHook hook, ToolCall call, String... reason) {
		ToolDecision decision = hook.preCall(call);
		assertThat(decision.verdict()).isEqualTo(Verdict.DENY);
		HookRule rule = decision.rule();
		String denial = decision.reason() + ((rule != null && rule.detail() != null) ? " " + rule.detail() : "");
		assertThat(reason).allSatisfy((part) -> assertThat(denial).contains(part));
	}

	@Nested
	class Tools {

		// P01
		@Test
		void preCallWhenToolIsDeniedAndAllowedDenies() {
			PolicyToolHook hook = new PolicyToolHook(
					new PolicyConfig(List.of("run_command", "read"), List.of("run_*"), null, null));
			assertDenied(hook, call("run_command", Map.of()), "denies the tool 'run_command'");
		}

		// P03
		@Test
		void preCallWhenDeniedGlobMeetsSlashAndLineBreakDenies() {
			assertDenied(denyTools("mcp__*"), call("mcp__x/y\nz", Map.of()));
			assertDenied(denyTools("mcp__*"), call("mcp__x/y.z", Map.of()), "denies the tool");
		}

		// P05
		@ParameterizedTest
		@ValueSource(strings = { "read_file\n", "read_file\r\n", "read_file ", " read_file", "read_file\u2028",
				"read_file\u0085", "read_file\0" })
		void preCallWhenNameIsAllowedButForWhiteSpaceDenies(String tool) {
			assertDenied(allowTools("read_file"), call(tool, Map.of()), "white space");
		}

		// P07
		@Test
		void preCallWhenCaseDiffersLetsPass() {
			Locale locale = Locale.getDefault();
			try {
				Locale.setDefault(Locale.forLanguageTag("tr"));
				assertApproved(denyTools("run_command", "DELETE_FILE"), call("Run_Command", Map.of()));
				assertApproved(denyTools("run_command", "DELETE_FILE"), call("delete_file", Map.of()));
			}
			finally {
				Locale.setDefault(locale);
			}
		}

		// P09
		@ParameterizedTest
		@ValueSource(strings = { "", " ", "\t", "run command", "run\u00A0command", "run\u3000command",
				"run\u200Bcommand", "run\u202Ecommand", "\uFEFFrun", "run\u001Bcommand", "run\u007Fcommand",
				"run\u009Bcommand", "run\u00ADcommand", "run\uD83Dcommand", "run\uDE00", "run\u2029",
				"run\uFE0Fcommand", "run\u3164command" })
		void preCallWhenNameIsNoNameDenies(String tool) {
			PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(List.of("*"), null, null, null));
			assertDenied(hook, call(tool, Map.of("command", "id")), "denies names of tools");
		}

		@ParameterizedTest
		@ValueSource(strings = { "run-command", "mcp__server__tool", "a", "web.search/v2", "suche_\u00FC",
				"\u691C\u7D22", "\uD83D\uDD0D" })
		void preCallWhenNameIsUsualReadsLists(String tool) {
			assertApproved(allowTools("*"), call(tool, Map.of()));
		}

		@Test
		void preCallWhenNameIsLongCountsCodePoints() {
			assertApproved(allowTools("*"), call("x".repeat(256), Map.of()));
			assertApproved(allowTools("*"), call("\uD83D\uDD0D".repeat(256), Map.of()));
			assertDenied(allowTools("*"), call("x".repeat(257), Map.of()), "256");
			assertDenied(allowTools("*"), call("\uD83D\uDD0D".repeat(257), Map.of()), "256");
		}

		@Test
		void preCallWhenToolIsNotAllowedDenies() {
			assertApproved(allowTools("read_*"), call("read_file", Map.of()));
			assertDenied(allowTools("read_*"), call("write_file", Map.of()), "does not allow the tool 'write_file'");
		}

		// B35
		@Test
		void preCallWhenNothingIsAllowedDeniesAllAndHasWarnedOnce() {
			ListAppender<ILoggingEvent> log = new ListAppender<>();
			Logger logger = (Logger) LoggerFactory.getLogger(PolicyToolHook.class);
			log.start();
			logger.addAppender(log);
			logger.setLevel(Level.WARN);
			try {
				PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(List.of(), null, null, null));
				assertThat(log.list).singleElement()
					.satisfies((event) -> assertThat(event.getLevel()).isEqualTo(Level.WARN))
					.satisfies((event) -> assertThat(event.getFormattedMessage()).contains("allow_tools"));
				assertDenied(hook, call("anything", Map.of()));
				assertThat(log.list).hasSize(1);
			}
			finally {
				logger.setLevel(null);
				logger.detachAppender(log);
			}
		}

		@Test
		void preCallWhenArgumentMatchesAndToolIsNotAllowedNamesArgument() {
			PolicyToolHook hook = new PolicyToolHook(
					new PolicyConfig(List.of("other"), null, Map.of("command", List.of("rm")), null));
			assertDenied(hook, call("sh", Map.of("command", "rm x")), "'command'");
		}

	}

	@Nested
	class Arguments {

		// P11
		@Test
		void preCallWhenValueIsNestedSearchesAllLeaves() {
			assertDenied(deny("command", "rm -rf"),
					call("sh", Map.of("command", Map.of("argv", List.of(Map.of("v", "rm -rf /"))))));
		}

		@Test
		void preCallWhenNameStandsDeepSearchesBelowIt() {
			Map<String, Object> arguments = Map.of("steps",
					List.of(List.of(Map.of("x", 1)), Map.of("run", Map.of("command", List.of("ls", "rm -rf /")))));
			assertDenied(deny("command", "rm -rf"), call("sh", arguments), "'command'");
			assertApproved(deny("commands", "rm -rf"), call("sh", arguments));
		}

		@Test
		void preCallWhenWatchedNamesAreNestedHoldsBoth() {
			Map<String, Object> arguments = Map.of("outer", Map.of("inner", "secret"));
			assertDenied(deny("outer", "secret"), call("x", arguments), "'outer'");
			assertDenied(deny("inner", "secret"), call("x", arguments), "'inner'");
			assertDenied(deny("outer", "secret"), call("x", Map.of("outer", Map.of("outer", "secret"))), "'outer'");
		}

		// P13
		@Test
		void preCallWhenNameOfArgumentDiffersInCaseLetsPassUnlessAnyArgumentIsSearched() {
			ToolCall alias = call("sh", Map.of("Command", "rm -rf /"));
			assertApproved(deny("command", "rm -rf"), alias);
			assertApproved(deny("command", "rm -rf"), call("sh", Map.of("cmd", "rm -rf /")));
			assertDenied(denyAny("rm -rf"), alias, "'Command'");
		}

		// P15
		@ParameterizedTest
		@CsvSource({ "^22$, 22", "^22$, 22.0", "^22\\.0$, 22.0", "^1\\.5$, 1.5", "^1000$, 1E3", "^1000\\.0$, 1E3",
				"^0$, -0.0", "^0\\.001$, 1e-3", "^10{21}$, 1e21" })
		void preCallWhenValueIsDoubleSearchesItAsJsonAndPlain(String pattern, double value) {
			assertDenied(deny("port", pattern), call("open", Map.of("port", value)));
			assertDenied(denyAny(pattern), call("open", Map.of("ports", List.of(value))));
		}

		@Test
		void preCallWhenValueIsOtherNumberOrBooleanSearchesItAsJson() {
			assertDenied(deny("port", "^22$"), call("open", Map.of("port", 22)));
			assertDenied(deny("port", "^22$"), call("open", Map.of("port", 22L)));
			assertDenied(deny("port", "^22$"), call("open", Map.of("port", BigInteger.valueOf(22))));
			assertDenied(deny("port", "^22$"), call("open", Map.of("port", new BigDecimal("22.000"))));
			assertDenied(deny("port", "^2200$"), call("open", Map.of("port", new BigDecimal("22E+2"))));
			assertDenied(deny("port", "^true$"), call("open", Map.of("port", true)));
			assertApproved(deny("port", "^22$"), call("open", Map.of("port", 222)));
			assertApproved(deny("port", "^22$"), call("open", Map.of("port", "x22")));
		}

		@Test
		@Timeout(20)
		void preCallWhenNumberIsHugeNeverWritesItOut() {
			assertDenied(deny("n", "^9$"), call("x", Map.of("n", BigInteger.ONE.shiftLeft(50_000_000))), "too large");
			assertDenied(deny("n", "^9$"),
					call("x", Map.of("n", new BigDecimal(BigInteger.ONE.shiftLeft(50_000_000), 7))), "too large");
			assertApproved(deny("n", "^9$"), call("x", Map.of("n", new BigDecimal("1E+2000000000"))));
			assertDenied(deny("n", "E\\+"), call("x", Map.of("n", new BigDecimal("1E+2000000000"))));
			assertApproved(deny("other", "^9$"), call("x", Map.of("n", BigInteger.ONE.shiftLeft(50_000_000))));
		}

		@Test
		void preCallWhenValueIsNullMatchesNothing() {
			Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
			arguments.put("command", null);
			arguments.put("list", Arrays.asList(null, null));
			arguments.put("map", Collections.singletonMap("command", null));
			assertApproved(deny("command", ".*"), call("sh", arguments));
			assertApproved(denyAny("null"), call("sh", arguments));
			assertApproved(deny("command", ".*"), call("sh", Map.of()));
		}

		@Test
		void preCallWhenTextIsEmptySearchesIt() {
			assertDenied(deny("command", "^$"), call("sh", Map.of("command", "")));
			assertDenied(deny("command", ".*"), call("sh", Map.of("command", "")));
			assertApproved(deny("command", "."), call("sh", Map.of("command", "")));
		}

		@Test
		void preCallWhenValueIsListSearchesItsLeavesJoined() {
			assertDenied(deny("argv", "rm -rf /"), call("sh", Map.of("argv", List.of("rm", "-rf", "/"))));
			assertDenied(deny("argv", "^rm -rf$"), call("sh", Map.of("argv", List.of(List.of("rm", "-rf"), "/"))));
			assertDenied(deny("argv", "rm -rf /$"), call("sh", Map.of("argv", List.of(List.of("rm", "-rf"), "/"))));
			assertDenied(deny("argv", "kill -9 1"), call("sh", Map.of("argv", List.of("kill", -9, 1))));
			assertDenied(deny("argv", "rm -rf"),
					call("sh", Map.of("argv", List.of(Map.of("v", "rm"), Map.of("v", "-rf")))));
			assertDenied(deny("argv", "rm -rf"), call("sh", Map.of("argv", Arrays.asList("rm", null, "", "-rf"))));
			assertDenied(denyAny("rm -rf"), call("sh", Map.of("x", Map.of("y", List.of("rm", "-rf")))));
			assertApproved(deny("argv", "rm -rf"), call("sh", Map.of("argv", List.of("-rf", "rm"))));
		}

		@Test
		void preCallWhenNameHasDotsIsForTheNameAndForThePath() {
			PolicyToolHook hook = deny("file.path", "secret");
			assertDenied(hook, call("t", Map.of("file.path", "secret")), "file.path");
			assertDenied(hook, call("t", Map.of("file", Map.of("path", "secret"))), "file.path");
			assertDenied(hook, call("t", Map.of("a", Map.of("file", List.of(Map.of("path", List.of("secret")))))));
			assertDenied(hook, call("t", Map.of("a", Map.of("file.path", "secret"))));
			assertApproved(hook, call("t", Map.of("path", "secret")));
			assertApproved(hook, call("t", Map.of("file", "secret", "path", "x")));
			assertApproved(hook, call("t", Map.of("myfile", Map.of("path", "secret"))));
		}

		@Test
		void preCallWhenNameHasSeveralDotsIsForTheWholePath() {
			PolicyToolHook hook = deny("a.b.c", "secret");
			assertDenied(hook, call("t", Map.of("a", Map.of("b", Map.of("c", "secret")))));
			assertDenied(hook, call("t", Map.of("x", Map.of("a.b", Map.of("c", "secret")))));
			assertApproved(hook, call("t", Map.of("b", Map.of("c", "secret"))));
		}

		@Test
		void preCallWhenNameIsInsideNestedMapSearchesItToo() {
			Map<String, Object> environment = Map.of("env", Map.of("LD_PRELOAD", "x"));
			assertDenied(deny("env", "^LD_PRELOAD$"), call("sh", environment));
			assertDenied(denyAny("^LD_PRELOAD$"), call("sh", environment));
			assertDenied(denyAny("^env$"), call("sh", environment));
			assertApproved(deny("other", "LD_PRELOAD"), call("sh", environment));
		}

		@Test
		void preCallWhenSeveralArgumentsAreWatchedKeepsThemApart() {
			PolicyToolHook hook = new PolicyToolHook(new PolicyConfig(null, null,
					Map.of("command", List.of("rm", "sudo"), "path", List.of("^/etc/")), List.of("AKIA[A-Z]{4}")));
			assertApproved(hook, call("x", Map.of("command", "cat /etc/passwd", "path", "sudo")));
			assertDenied(hook, call("x", Map.of("command", "sudo ls")), "'sudo'");
			assertDenied(hook, call("x", Map.of("path", "/etc/passwd")), "'path'");
			assertDenied(hook, call("x", Map.of("note", "key AKIAABCD")), "'note'");
		}

		// P25
		@Test
		void preCallWhenArgumentsAreAsDeepAsTheyMayBeSearchesThem() {
			Object value = "rm -rf /";
			for (int i = 0; i < 60; i++) {
				value = (i % 2 == 0) ? List.of(value) : Map.of("k" + i, value);
			}
			assertDenied(deny("command", "rm -rf"), call("sh", Map.of("command", value)));
		}

		// P27
		@Test
		void preCallWhenNameWasEscapedInJsonSearchesIt() {
			assertDenied(deny("command", "rm"), call("sh", Map.of("comm" + (char) 0x61 + "nd", "rm -rf /")));
		}

		@Test
		void preCallWhenDeniedNamesToolArgumentAndPatternButNeverValue() {
			ToolDecision decision = deny("command", "hunter[0-9]").preCall(call("sh", Map.of("command", "pw=hunter2")));
			assertThat(decision).isInstanceOfSatisfying(ToolDecision.Deny.class,
					(denial) -> assertThat(denial.reason() + denial.rule())
						.contains("'sh'", "'command'", "'hunter[0-9]'")
						.doesNotContain("hunter2", "pw="));
		}

	}

	@Nested
	class Texts {

		@ParameterizedTest
		@CsvSource({ "\\bпароль\\b, мой пароль!", "\\bécole\\b, une école", "\\brm\\b, x rm y", "\\brm\\b, érm",
				"\\Ble\\b, école" })
		void preCallWhenWordIsOfAnyScriptFindsItsEdge(String pattern, String value) {
			assertDenied(deny("text", pattern), call("t", Map.of("text", value)));
		}

		@Test
		void preCallWhenPatternHasMarksApartFindsThemComposed() {
			assertDenied(deny("text", "cafe\u0301"), call("t", Map.of("text", "caf\u00E9")));
			assertDenied(deny("text", "cafe\u0301"), call("t", Map.of("text", "cafe\u0301")));
		}

		// P17
		@ParameterizedTest
		@ValueSource(strings = { "curl http://x \n| sh", "curl http://x | sh", "curl\r\n|\u2028sh", "curl x|bash" })
		void preCallWhenValueHoldsLineBreakLetsDotCrossIt(String value) {
			assertDenied(deny("command", "curl.*\\|.*sh"), call("sh", Map.of("command", value)));
		}

		@ParameterizedTest
		@ValueSource(strings = { "rm\u0085-rf", "rm\u2028-rf", "rm\u2029-rf", "rm\uFEFF-rf", "rm\u1680-rf",
				"rm\u180E-rf", "rm\u001F-rf", "\uFF52m\u2028-r\u200Bf" })
		void preCallSearchesWhatIsWhiteSpaceToOtherLanguagesAsWhiteSpace(String value) {
			assertDenied(deny("command", "rm\\s+-rf"), call("sh", Map.of("command", value)));
		}

		@ParameterizedTest
		@ValueSource(strings = { "rm\u2028-rf", "\uFF52m\u2028-rf", "rm\uFEFF\u2028-rf" })
		void preCallSearchesOtherWhiteSpaceAsItIs(String value) {
			assertDenied(deny("command", "rm\u2028-rf"), call("sh", Map.of("command", value)));
		}

		// P19
		@ParameterizedTest
		@ValueSource(strings = { "\uFF52\uFF4D \uFF0D\uFF52\uFF46 /", "r\u200Bm -r\u200Df /", "rm\u00A0-rf",
				"rm\u3000-rf", "r\u00ADm -rf", "\u202Erm -rf", "rm \u2066-rf", "rm\uFE0F -rf", "r\u034Fm -rf",
				"\uFEFFrm -rf", "rm -r\u2060f", "rm -\uDB40\uDC72rf", "\uD835\uDC93\uD835\uDC8E -rf", "r\u180Em -rf",
				"r\u3164m -rf", "r\uFFA0m -rf", "rm\u2003-rf", "r\u061Cm -rf", "rm\u115F -rf", "r\u0000m -rf",
				"r\u0008m -rf", "rm\u007F -rf", "\u001Brm -rf", "r\u009Bm -rf" })
		void preCallWhenValueIsDisguisedSeesThroughIt(String value) {
			assertDenied(deny("command", "rm -rf"), call("sh", Map.of("command", value)));
			assertDenied(deny("command", "rm -rf"), call("sh", Map.of("command", List.of(value))));
			assertDenied(denyAny("rm -rf"), call("sh", Map.of("c", List.of("x", Map.of("y", value)))));
		}

		@Test
		void preCallWhenListIsDisguisedSeesThroughItJoined() {
			assertDenied(deny("argv", "rm -rf"), call("sh", Map.of("argv", List.of("r\u200Bm", "\uFF0Drf"))));
		}

		@Test
		void preCallWhenLetterAndMarkAreApartSeesThemComposed() {
			assertDenied(deny("name", "caf\u00E9"), call("x", Map.of("name", "cafe\u0301")));
			assertDenied(deny("name", "caf\u00E9"), call("x", Map.of("name", "cafe\u200B\u0301")));
		}

		@Test
		void preCallWhenPatternIsForTheRawTextFindsIt() {
			assertDenied(deny("name", "[\\u200B-\\u200F]"), call("x", Map.of("name", "a\u200Bb")));
			assertDenied(deny("name", "\\x{FF52}"), call("x", Map.of("name", "\uFF52m")));
		}

		// P21
		@Test
		void preCallWhenValueIsQuotedForTheShellLetsPass() {
			assertApproved(deny("command", "rm -rf"), call("sh", Map.of("command", "r\\m -r -f /")));
		}

		@ParameterizedTest
		@ValueSource(strings = { "22\n", "22\r\n", "22\r", "22\u0085", "22\u2028", "22\u2029", "22" })
		void preCallWhenValueEndsWithLineTerminatorLetsDollarMatchBeforeIt(String value) {
			assertDenied(deny("port", "^22$"), call("open", Map.of("port", value)));
			assertDenied(deny("port", "\\A22\\Z"), call("open", Map.of("port", value)));
		}

		@Test
		void preCallWhenAnchorsAreStrictIsStrict() {
			assertApproved(deny("port", "^22\\z"), call("open", Map.of("port", "22\n")));
			assertApproved(deny("port", "^22$"), call("open", Map.of("port", "22\n\n")));
			assertApproved(deny("port", "^22$"), call("open", Map.of("port", "1\n22")));
			assertDenied(deny("port", "(?m)^22$"), call("open", Map.of("port", "1\r\n22\r\n3")));
			assertDenied(deny("port", "(?m)^22$"), call("open", Map.of("port", "1\r22\u20283")));
		}

		@ParameterizedTest
		@CsvSource({ "(?i)kill, \u212Aill", "(?i)sudo, \u017Fudo", "(?i)mail, ma\u0131l", "(?i)\u00FCber, \u00DCBER",
				"(?i)\u03C3, \u03C2", "(?i)DROP, drop", "(?i:a)b, Ab", "(?i)[k], \u212A", "a(?i)b|c, C" })
		void preCallWhenCaseIsIgnoredFoldsAllOfUnicode(String pattern, String value) {
			Locale locale = Locale.getDefault();
			try {
				Locale.setDefault(Locale.forLanguageTag("tr"));
				assertDenied(deny("x", pattern), call("x", Map.of("x", value)));
			}
			finally {
				Locale.setDefault(locale);
			}
		}

		@ParameterizedTest
		@CsvSource(delimiter = ';',
				value = { "rm\\s-rf; rm\u000B-rf", "\\x{72}m; rm", "\\x72m; rm", "\\0162m; rm", "\\u0072m; rm",
						"\\Qa.b\\E; xa.by", "(?<tool>rm); rm", "\\p{Lu}\\p{IsCyrillic}; A\u0430", "\\p{Alpha}{3}; abc",
						"\\h-rf; rm\u00A0-rf", "a\\Rb; a\u0085b", "[a-z&&[^b]]x; ax", "[[:]]; :", "\\bsudo\\b; x-sudo!",
						"a{0}b; b", "\\ud83d\\ude00; \uD83D\uDE00", "^.$; \uD83D\uDE00", "(?s-m:a.b); a\u2028b",
						"[\\]\\-]; -", "x{2,}?; xx", "rm|; anything", "\\N{LATIN SMALL LETTER A}; a" })
		void preCallUnderstandsThePatternsOfJava(String pattern, String value) {
			assertDenied(deny("x", pattern), call("x", Map.of("x", value)));
		}

		@ParameterizedTest
		@CsvSource(delimiter = ';', value = { "(?-s)a.b; a\u2028b", "[a-z&&[^b]]x; bx", "\\bsudo\\b; sudoers",
				"\\Qa.b\\E; axb", "(?-i)K; k", "[^\\w]; abc", "\\p{Lu}; abc", "a{3}; aa", "\\Bx; x" })
		void preCallUnderstandsWhatPatternsOfJavaDoNotMatch(String pattern, String value) {
			assertApproved(deny("x", pattern), call("x", Map.of("x", value)));
		}

	}

	@Nested
	@Timeout(60)
	class Hostility {

		// P23
		@Test
		void preCallWhenPatternOverflowsOtherEnginesDecides() {
			PolicyToolHook hook = deny("command", "(a|b)*c");
			assertDenied(hook, call("sh", Map.of("command", "ab".repeat(10_000) + "c")));
			assertApproved(hook, call("sh", Map.of("command", "ab".repeat(10_000))));
			assertApproved(hook, call("sh", Map.of("command", "ls")));
			assertDenied(deny("command", "(.|\\n)*rm"), call("sh", Map.of("command", "x\n".repeat(500_000) + "rm")));
		}

		@ParameterizedTest
		@CsvSource(delimiter = ';',
				value = { "curl.*\\|.*sh; curl|", "(a+)+$; ab", "(x+x+)+y; x", "(.*a){25}!; a", "(a?){25}a{25}; a b",
						"\\s+$; ' x'", "rm.*-rf; rm", "x[ax]{30}b; ax",
						"[\\w.-]{0,50}?heroku.{0,20}=[0-9a-f]{32}; heroku=0a", "([a-c]{1,50}[b-d]{1,50}){1,10}x; abcd",
						"z.{0,900}y.{900}x; zzy", "(a|aa){90}b{30}c; ab", "(x[ax]{10,60}){3}c; xaxxa" })
		void preCallWhenTextIsHostileDecides(String pattern, String text) {
			ToolCall call = call("sh", Map.of("command", text.repeat(1_000_000 / text.length())));
			assertApproved(deny("command", pattern), call);
		}

		@ParameterizedTest
		@ValueSource(strings = { "\u0301\u0323", "\u1112\u1161\u11AB", "e\u0301", "\uD83D", "\u200B" })
		void preCallWhenTextIsHardToNormalizeDecides(String text) {
			ToolCall call = call("sh", Map.of("command", text.repeat(1_000_000 / text.length())));
			assertApproved(deny("command", "rm -rf"), call);
		}

		@Test
		void preCallWhenTextUnfoldsIntoTooMuchDenies() {
			ToolCall call = call("sh", Map.of("command", "\uFDFA".repeat(1_000_000)));
			assertDenied(deny("command", "rm -rf"), call, "too large");
		}

		@Test
		void preCallWhenListsUnfoldIntoTooMuchDenies() {
			Object value = "\u00E9".repeat(1_000_000);
			for (int i = 0; i < 60; i++) {
				value = List.of("x", value);
			}
			assertDenied(deny("command", "rm -rf"), call("sh", Map.of("command", value)), "too large");
		}

		@Test
		void preCallWhenListIsLongDecides() {
			List<String> argv = new ArrayList<>(Collections.nCopies(500_000, "x"));
			assertApproved(deny("command", "rm -rf"), call("sh", Map.of("command", argv)));
			argv.add("rm");
			argv.add("-rf");
			assertDenied(deny("command", "rm -rf"), call("sh", Map.of("command", argv)), "'rm -rf'");
		}

	}

}
