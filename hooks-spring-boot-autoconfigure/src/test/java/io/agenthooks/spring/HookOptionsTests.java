package io.agenthooks.spring;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.NameKind;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolScope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link HookOptions}.
 */
class HookOptionsTests {

	private static final HookOptions NOTHING = HookOptions.defaults();

	private static final String[] NONE = {};

	@Test
	void defaultsAreForEveryCallAndHaveNoProblem() {
		assertThat(NOTHING.scope().tools()).isSameAs(ToolHook.ALL_TOOLS);
		assertThat(NOTHING.scope().contexts()).isNull();
		assertThat(NOTHING.problems()).isEmpty();
		assertThat(NOTHING.order()).isEqualTo(Integer.MAX_VALUE);
		assertThat(NOTHING.mode()).isEqualTo(HookOptions.Mode.ENFORCE);
	}

	@Test
	void eachMethodChangesOneOptionOnly() {
		HookOptions options = NOTHING.match("a*")
			.matcher("a.*")
			.except("ab")
			.agents("x")
			.roles("y")
			.workspaces("z")
			.users("u")
			.authorities("p")
			.mcpServers("s")
			.order(Integer.MIN_VALUE)
			.timeout(Duration.ofSeconds(1))
			.failOpen(true)
			.observe();
		assertThat(options).isEqualTo(new HookOptions(
				new HookScope(List.of("a*"), "a.*", List.of("ab"), List.of("x"), List.of("y"), List.of("z"),
						List.of("u"), List.of("p"), List.of("s")),
				Integer.MIN_VALUE, Duration.ofSeconds(1), true, HookOptions.Mode.OBSERVE));
		assertThat(options.problems()).isEmpty();
		assertThat(NOTHING).isEqualTo(HookOptions.defaults());
	}

	@Test
	void modeMustBeSaid() {
		assertThatNullPointerException().isThrownBy(HookOptionsTests::optionsWithoutMode).withMessageContaining("mode");
	}

	@SuppressWarnings("NullAway")
	private static HookOptions optionsWithoutMode() {
		return new HookOptions(HookScope.all(), 0, null, null, null);
	}

	@Test
	void toolHasToPassMatchMatcherAndExcept() {
		Predicate<String> tools = NOTHING.match("run_*", "read_*").matcher("_(a|b|c)$").except("*_b").scope().tools();
		assertThat(Stream.of("run_a", "read_c", "run_b", "run_d", "write_a").filter(tools)).containsExactly("run_a",
				"read_c");
	}

	@Test
	void exceptAloneLeavesAllOtherTools() {
		Predicate<String> tools = NOTHING.except("read_*").scope().tools();
		assertThat(Stream.of("read_file", "run", "").filter(tools)).containsExactly("run", "");
	}

	@ParameterizedTest
	@MethodSource
	void contextHasToPassAllOptionsAboutIt(HookOptions options, CallContext context, boolean expected) {
		assertThat(Objects.requireNonNull(options.scope().contexts()).test(context)).isEqualTo(expected);
	}

	static Stream<Arguments> contextHasToPassAllOptionsAboutIt() {
		CallContext nobody = CallContext.empty();
		CallContext bot = nobody.withAgent("bot");
		return Stream.of(Arguments.of(NOTHING.agents("bot"), bot, true), Arguments.of(NOTHING.agents("b*"), bot, true),
				Arguments.of(NOTHING.agents("Bot"), bot, false), Arguments.of(NOTHING.agents("bot"), nobody, false),
				Arguments.of(NOTHING.agents("*"), nobody, true), Arguments.of(NOTHING.agents("?*"), nobody, false),
				Arguments.of(NOTHING.agents(""), nobody, true), Arguments.of(NOTHING.agents(""), bot, false),
				Arguments.of(NOTHING.agents("x", "bot"), bot, true), Arguments.of(NOTHING.roles("agent"), nobody, true),
				Arguments.of(NOTHING.roles("admin"), nobody, false),
				Arguments.of(NOTHING.workspaces("main"), nobody, true),
				Arguments.of(NOTHING.workspaces("team-*"), nobody.withWorkspace("team-a"), true),
				Arguments.of(NOTHING.workspaces("team-*"), nobody, false),
				Arguments.of(NOTHING.agents("bot").roles("admin"), bot, false),
				Arguments.of(NOTHING.agents("bot").roles("admin").workspaces("*"), bot.withRole("admin"), true));
	}

	@ParameterizedTest
	@CsvSource({ "git*, github, true", "git*, jira, false", "git*, '', false", "?*, '', false", "'', '', true",
			"git*, , true" })
	void serverOfAToolHasToMatch(String servers, @Nullable String server, boolean expected) {
		ToolIdentity tool = new ToolIdentity(server, "push", "push");
		assertThat(ToolScope.isFor(NOTHING.mcpServers(servers).scope().tools(), tool)).isEqualTo(expected);
		assertThat(ToolScope.isFor(NOTHING.mcpServers(servers).match("pull").scope().tools(), tool)).isFalse();
		assertThat(NOTHING.mcpServers(servers).scope().contexts()).isNull();
	}

	@ParameterizedTest
	@MethodSource
	void mistakeIsToldAtItsOption(HookOptions options, String option, String mistake) {
		assertThat(options.problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.path()).containsExactly(option);
			assertThat(problem.message()).contains(mistake);
			assertThat(problem.action()).isNotBlank();
		});
	}

	static Stream<Arguments> mistakeIsToldAtItsOption() {
		return Stream.of(Arguments.of(NOTHING.match(NONE), "match", "for no tool"),
				Arguments.of(NOTHING.match(""), "match", "is empty"),
				Arguments.of(NOTHING.match("a b"), "match", "white space"),
				Arguments.of(NOTHING.match("run_.*"), "match", "regular expression"),
				Arguments.of(NOTHING.match("my_tool.*"), "match", "'my_tool.*'"),
				Arguments.of(NOTHING.except("^run$"), "except", "regular expression"),
				Arguments.of(NOTHING.except(".*"), "except", "regular expression"),
				Arguments.of(NOTHING.agents("{a,b}"), "agents", "'{'"),
				Arguments.of(NOTHING.roles("!admin"), "roles", "begins with '!'"),
				Arguments.of(NOTHING.workspaces("team.*"), "workspaces", "regular expression"),
				Arguments.of(NOTHING.mcpServers("a|b"), "mcp_servers", "regular expression"),
				Arguments.of(NOTHING.match("run_*,delete_*"), "match", "','"),
				Arguments.of(NOTHING.match("run_*|delete_*"), "match", "regular expression"),
				Arguments.of(NOTHING.except("Bash|Read"), "except", "regular expression"),
				Arguments.of(NOTHING.matcher(""), "matcher", "is empty"),
				Arguments.of(NOTHING.matcher("a("), "matcher", "not valid"),
				Arguments.of(NOTHING.matcher("*_file"), "matcher", "not valid"),
				Arguments.of(NOTHING.matcher("run\u200b.*"), "matcher", "U+200B"),
				Arguments.of(NOTHING.matcher("a|"), "matcher", "every tool"),
				Arguments.of(NOTHING.matcher("|a"), "matcher", "every tool"),
				Arguments.of(NOTHING.matcher("a||b"), "matcher", "every tool"),
				Arguments.of(NOTHING.matcher("a,b"), "matcher", "comma"),
				Arguments.of(NOTHING.except(NONE), "except", "for all tools"),
				Arguments.of(NOTHING.except("*"), "except", "excludes every tool"),
				Arguments.of(NOTHING.except("a", "**"), "except", "'**'"),
				Arguments.of(NOTHING.except("?*"), "except", "excludes every tool"),
				Arguments.of(NOTHING.match("run_*").except("run_*"), "except", "excludes every tool"),
				Arguments.of(NOTHING.match("run_*", "[a-c]_b", "ru?n").except("r*", "[a-c]_b"), "except",
						"excludes every tool"),
				Arguments.of(NOTHING.match("run_a", "run_b").except("run_*"), "except", "excludes every tool"),
				Arguments.of(NOTHING.matcher("Bash|Read").except("Read", "B*"), "except", "excludes every tool"),
				Arguments.of(NOTHING.match("read_*").matcher("Bash"), "matcher", "none of the tools that 'match'"),
				Arguments.of(NOTHING.match("Bash", "Read").matcher("^Wr"), "matcher", "none of the tools"),
				Arguments.of(NOTHING.agents(NONE), "agents", "for no agent"),
				Arguments.of(NOTHING.agents("bot "), "agents", "white space around"),
				Arguments.of(NOTHING.agents("bot\u00a0"), "agents", "white space around"),
				Arguments.of(NOTHING.agents(" "), "agents", "white space around"),
				Arguments.of(NOTHING.roles(NONE), "roles", "for no role"),
				Arguments.of(NOTHING.roles("\tadmin"), "roles", "white space around"),
				Arguments.of(NOTHING.workspaces(NONE), "workspaces", "for no workspace"),
				Arguments.of(NOTHING.mcpServers(NONE), "mcp_servers", "for no MCP server"),
				Arguments.of(NOTHING.mcpServers("github "), "mcp_servers", "white space around"),
				Arguments.of(NOTHING.timeout(Duration.ZERO), "timeout", "not above zero"),
				Arguments.of(NOTHING.timeout(Duration.ofMillis(-1)), "timeout", "not above zero"),
				Arguments.of(NOTHING.timeout(Duration.ofSeconds(301)), "timeout", "at most 300 seconds"),
				Arguments.of(NOTHING.timeout(Duration.ofDays(200_000)), "timeout", "at most 300 seconds"));
	}

	@ParameterizedTest
	@MethodSource
	void optionsThatLeaveAToolAreNoContradiction(HookOptions options) {
		assertThat(options.problems()).isEmpty();
	}

	static Stream<HookOptions> optionsThatLeaveAToolAreNoContradiction() {
		return Stream.of(NOTHING.match("run_*").except("run_a"), NOTHING.match("run_*", "read_*").except("run_*"),
				NOTHING.match("run_a", "run_b").except("run_b"), NOTHING.matcher("Bash|Read").except("Bash"),
				NOTHING.match("Ba*").matcher("Bash|Read"), NOTHING.matcher("*").except("Bash"),
				NOTHING.match("run*").except("run_*"), NOTHING.match("run*").except("run?"),
				NOTHING.match("run*").except("run[*]"), NOTHING.except("??*"), NOTHING.matcher("^(a|b){1,2}$"),
				NOTHING.agents("my agent"), NOTHING.matcher("a\\|"), NOTHING.matcher("a|b"),
				NOTHING.matcher("^a{1,3}$"));
	}

	@Test
	void matcherThatIsAGlobIsToldWhatToWrite() {
		assertThat(NOTHING.matcher("*_file").problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.action()).contains("'.*_file'", "'match'"));
		assertThat(NOTHING.matcher(".*_file").scope().tools()).accepts("read_file").rejects("run");
	}

	@Test
	void mistakeOfAModelIsToldAsSuch() {
		assertThat(NOTHING.match("my_tool.*").problems(NameKind.MODEL)).singleElement()
			.satisfies((problem) -> assertThat(problem.message()).contains("'my_tool.*'", "no model"))
			.satisfies((problem) -> assertThat(problem.action()).contains("'*' is any text").doesNotContain("matcher"));
	}

	@Test
	void allMistakesAreToldAtOnce() {
		assertThat(NOTHING.match(NONE).matcher("(").agents(NONE).timeout(Duration.ZERO).problems())
			.extracting(Problem::path)
			.containsExactly(List.of("match"), List.of("agents"), List.of("matcher"), List.of("timeout"));
	}

}
