package io.agenthooks.toolcall;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallAttributes;
import io.agenthooks.CallContext;
import io.agenthooks.Glob;
import io.agenthooks.chain.HookSet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ToolIdentity}, {@link ToolGlobs} and {@link ToolScope}.
 */
class ToolIdentityTests {

	private static final ToolIdentity OWN = ToolIdentity.ofApplication("read_file");

	/** Its plain name was taken by another server. */
	private static final ToolIdentity GITHUB = ToolIdentity.onServer("github", "read-file", "alt_1_read_file");

	/** Took the plain name. */
	private static final ToolIdentity EVIL = ToolIdentity.onServer("evil", "read_file", "read_file");

	private static final ToolIdentity UNKNOWN = ToolIdentity.onUnknownServer("read_file", "read_file");

	private static ToolIdentity tool(String which) {
		return switch (which) {
			case "own" -> OWN;
			case "github" -> GITHUB;
			case "evil" -> EVIL;
			default -> UNKNOWN;
		};
	}

	/**
	 * Which tools a glob restricts, allows, and allows in a list for named servers.
	 */
	@ParameterizedTest
	@CsvSource({
			// glob, restricts, allows, allows on named servers
			"read_file, own+github+evil+unknown, own, own+github+evil",
			"read_*, own+github+evil+unknown, own, own+github+evil", "read-file, github, '', github",
			"alt_1_read_file, github, '', github", "alt_*, github, '', github",
			"*_file, own+github+evil+unknown, own, own+github+evil", "github__read_file, github, github, github",
			"github__read-file, github, github, github", "github__*, github, github, github",
			"git*__read_*, github, github, github", "mcp__github__read_file, github, github, github",
			"mcp__github__*, github, github, github", "mcp__*, github+evil+unknown, '', github+evil",
			"evil__*, evil, evil, evil", "*__read_file, github+evil+unknown, github+evil, github+evil",
			"*, own+github+evil+unknown, own+github+evil+unknown, own+github+evil+unknown",
			"?*, own+github+evil+unknown, own, own+github+evil", "github, '', '', ''", "__read_file, '', '', ''",
			"github__, '', '', ''", "git__hub__read_file, '', '', ''" })
	void globRestrictsByEveryNameAndAllowsByWhatNobodyElseCanChoose(String glob, String restricts, String allows,
			String allowsOnNamed) {
		ToolGlobs globs = ToolGlobs.of(List.of(glob));
		assertThat(which(globs::match)).isEqualTo(restricts);
		assertThat(which((tool) -> globs.allow(tool, false))).isEqualTo(allows);
		assertThat(which((tool) -> globs.allow(tool, true))).isEqualTo(allowsOnNamed);
		ToolScope scope = ToolScope.ofNames(Glob.of(glob));
		assertThat(which((tool) -> ToolScope.isFor(scope, tool))).isEqualTo(restricts);
		assertThat(which((tool) -> ToolScope.isFor(Glob.of(glob), tool))).isEqualTo(restricts);
		assertThat(which((tool) -> !ToolScope.isFor(ToolScope.ofNames(ToolHook.ALL_TOOLS).except(globs, false), tool)))
			.isEqualTo(allows);
	}

	private static String which(Predicate<ToolIdentity> test) {
		return String.join("+",
				List.of("own", "github", "evil", "unknown")
					.stream()
					.filter((which) -> test.test(tool(which)))
					.toList());
	}

	@ParameterizedTest
	@CsvSource({ "git, hub__x, git__hub, x", "a, _x, a_, x" })
	void serverCannotPassForAnotherByTheNamesOfItsTools(String server, String name, String otherServer, String other) {
		ToolIdentity meant = ToolIdentity.onServer(otherServer, other, other);
		ToolGlobs globs = ToolGlobs.of(List.of(otherServer + "__" + other));
		assertThat(globs.allow(ToolIdentity.onServer(server, name, name), false)).isFalse();
		assertThat(globs.allow(meant, false)).isFalse();
		assertThat(globs.match(meant)).isTrue();
	}

	@Test
	void serverThatIsCalledMcpCannotPassForAnother() {
		ToolIdentity evil = ToolIdentity.onServer("mcp", "github__read_file", "github__read_file");
		assertThat(ToolGlobs.of(List.of("mcp__github__read_file", "github__*")).allow(evil, false)).isFalse();
		assertThat(ToolGlobs.of(List.of("mcp__read")).allow(ToolIdentity.onServer("mcp", "read", "read"), false))
			.isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "git*, github+unknown", "'', own+unknown", "?*, github+evil+unknown", "*, own+github+evil+unknown" })
	void toolOfAnUnknownServerIsInEveryScopeOfServers(String servers, String expected) {
		assertThat(which((tool) -> ToolScope.isFor(ToolScope.ofServers(Glob.of(servers)), tool))).isEqualTo(expected);
	}

	@Test
	void namesAreAllThatARuleMayCallTheTool() {
		assertThat(OWN.names()).containsExactly("read_file");
		assertThat(GITHUB.names()).containsExactlyInAnyOrder("alt_1_read_file", "read-file", "read_file",
				"github__read-file", "github__read_file", "mcp__github__read-file", "mcp__github__read_file");
		assertThat(ToolIdentity.onServer("my files", "get.x", "getx").names()).contains("mcp__my_files__getx",
				"my files__get.x");
		assertThat(UNKNOWN.names()).containsExactlyInAnyOrder("read_file", "mcp__?__read_file");
	}

	@Test
	void stableNameDependsOnNoOtherServer() {
		assertThat(OWN.stableName()).isEqualTo("read_file");
		assertThat(GITHUB.stableName()).isEqualTo("mcp__github__read-file");
		assertThat(UNKNOWN.stableName()).isEqualTo("mcp__?__read_file");
	}

	@Test
	void describedInWordsOnOneSafeLine() {
		assertThat(OWN.describe()).isEqualTo("'read_file'");
		assertThat(GITHUB.describe()).isEqualTo("'alt_1_read_file' ('read-file' of the MCP server 'github')");
		assertThat(EVIL.describe()).isEqualTo("'read_file' of the MCP server 'evil'");
		assertThat(ToolIdentity.onServer("a\nWARN", "b\nWARN", "c\nWARN").toString()).doesNotContain("\n");
	}

	@Test
	void callKnowsItsToolByTheAttributesOfItsContext() {
		CallContext evil = CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, "evil");
		assertThat(ToolCall.of("read_file", Map.of(), evil).identity()).isEqualTo(EVIL);
		assertThat(
				ToolCall.of("read_file", Map.of(), evil.withAttribute(CallAttributes.MCP_TOOL, "read_file")).identity())
			.isEqualTo(EVIL);
		assertThat(ToolCall.of("read_file", Map.of()).identity()).isEqualTo(OWN);
		assertThat(ToolCall
			.of("read_file", Map.of(), CallContext.empty().withAttribute(CallAttributes.MCP_TOOL, "read_file"))
			.identity()).isEqualTo(UNKNOWN);
		assertThat(ToolCall.of("read_file", Map.of(), CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, ""))
			.identity()).isEqualTo(OWN);
	}

	/** A hook or a tool may call others in the context of the call that it is in. */
	@Test
	void contextOfACallMakesNoOtherToolOneOfItsServer() {
		CallContext handedOn = ToolCall.of("1", GITHUB, Map.of(), CallContext.empty()).context();
		ToolIdentity other = ToolCall.of("delete_file", Map.of(), handedOn).identity();
		assertThat(other).isEqualTo(ToolIdentity.onUnknownServer("read-file", "delete_file"));
		assertThat(ToolGlobs.of(List.of("github__*", "delete_file")).allow(other, true)).isFalse();
		assertThat(ToolGlobs.of(List.of("delete_*")).match(other)).isTrue();
	}

	@Test
	void attributesAlwaysAgreeWithTheIdentity() {
		CallContext lie = CallContext.ofSession("s")
			.withAttribute(CallAttributes.MCP_SERVER, "evil")
			.withAttribute(CallAttributes.MCP_TOOL, "other")
			.withAttribute("tenant", "acme");
		ToolCall call = ToolCall.of("1", GITHUB, Map.of(), lie);
		assertThat(call.context().attributes()).isEqualTo(
				Map.of(CallAttributes.MCP_SERVER, "github", CallAttributes.MCP_TOOL, "read-file", "tenant", "acme"));
		assertThat(call.context().sessionId()).isEqualTo("s");
		assertThat(ToolCall.of("1", OWN, Map.of(), lie).context().attributes()).isEqualTo(Map.of("tenant", "acme"));
		assertThat(call.withArguments(Map.of("a", 1)).identity()).isEqualTo(GITHUB);
	}

	@Test
	void whatIsKnownOfTheServerStays() {
		CallContext context = CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, "mine");
		assertThat(GITHUB.completedBy(context)).isEqualTo(GITHUB);
		assertThat(OWN.completedBy(context)).isEqualTo(ToolIdentity.onServer("mine", "read_file", "read_file"));
		assertThat(UNKNOWN.completedBy(context.withAttribute(CallAttributes.MCP_TOOL, "other")))
			.isEqualTo(ToolIdentity.onServer("mine", "read_file", "read_file"));
		assertThat(UNKNOWN.completedBy(CallContext.empty())).isEqualTo(UNKNOWN);
	}

	@Test
	void onlyAToolOfAnUnknownServerIsNamedByACall() {
		CallContext context = CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, "mine");
		ToolCall call = ToolCall.of("1", UNKNOWN.completedBy(context), Map.of(), context);
		assertThat(UNKNOWN.isNamedBy(call)).isTrue();
		assertThat(OWN.isNamedBy(call)).isFalse();
		assertThat(GITHUB.isNamedBy(call)).isFalse();
		assertThat(ToolIdentity.onUnknownServer("other", "other").isNamedBy(call)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "read_*", "github__*", "read-file" })
	void hookIsAskedByAnyNameOfTheTool(String glob) {
		PreToolHook hook = PreToolHook.forTools(Glob.anyOf(glob), (call) -> ToolDecision.deny("No"));
		assertThat(hook.preCall(ToolCall.of("1", GITHUB, Map.of(), CallContext.empty())).verdict().value())
			.isEqualTo("deny");
		ToolHookChain chain = new ToolHookChain(List.of(hook), List.of());
		assertThat(chain
			.execute(ToolCall.of("1", GITHUB, Map.of(), CallContext.empty()), (call) -> ToolResult.success("ran"))
			.succeeded()).isFalse();
	}

	/**
	 * Which hooks are for a tool is remembered, but not by a name that two tools have.
	 */
	@Test
	void chainTellsToolsOfTheSameNameApart() {
		ToolScope github = ToolScope.ofServers(Glob.of("github"));
		ToolHookChain chain = new ToolHookChain(
				List.of(PreToolHook.forTools(github, (call) -> ToolDecision.deny("No"))), List.of());
		ToolIdentity swapped = ToolIdentity.onServer("github", "read_file", "read_file");
		for (int i = 0; i < 2; i++) {
			assertThat(runs(chain, EVIL)).isTrue();
			assertThat(runs(chain, swapped)).isFalse();
			assertThat(runs(chain, OWN)).isTrue();
			assertThat(runs(chain, UNKNOWN)).isFalse();
		}
	}

	/** Of a flood of names only some are remembered; those that are not hold as well. */
	@Test
	void hooksAreFoundForMoreToolsThanAreRemembered() {
		HookSet<ToolCall, ToolResult, ToolDecision> hooks = ToolKind.hooks(
				List.of(PreToolHook.forTools(Glob.of("delete"), (call) -> ToolDecision.deny("No"))), List.of(),
				List.of());
		for (int i = 0; i < HookSet.MAX_TARGETS + 10; i++) {
			assertThat(hooks.forCall(call(ToolIdentity.onServer("s" + i, "a", "b" + i))).isEmpty()).isTrue();
		}
		assertThat(hooks.remembered()).isEqualTo(HookSet.MAX_TARGETS);
		assertThat(hooks.forCall(call(ToolIdentity.onServer("github", "delete", "alt_1_delete"))).isEmpty()).isFalse();
		HookSet<ToolCall, ToolResult, ToolDecision> fresh = ToolKind
			.hooks(List.of(PreToolHook.forTools(Glob.of("x"), (call) -> ToolDecision.approve())), List.of(), List.of());
		String huge = "x".repeat(HookSet.MAX_NAME_LENGTH + 1);
		fresh.forCall(call(ToolIdentity.onServer(huge, "a", "b")));
		fresh.forCall(call(ToolIdentity.onServer("a", huge, "b")));
		fresh.forCall(call(ToolIdentity.onServer("a", "b", huge)));
		assertThat(fresh.remembered()).isZero();
	}

	private static ToolCall call(ToolIdentity tool) {
		return ToolCall.of("1", tool, Map.of(), CallContext.empty());
	}

	private static boolean runs(ToolHookChain chain, ToolIdentity tool) {
		return chain.execute(ToolCall.of("1", tool, Map.of(), CallContext.empty()), (call) -> ToolResult.success("ran"))
			.succeeded();
	}

	@Test
	void toolThatMayBeOneOfSeveralHasAllTheirNames() {
		ToolIdentity tool = ToolIdentity.onUnknownServer(Set.of("delete-repo", "read"), "wrapped");
		assertThat(tool.names()).containsExactlyInAnyOrder("wrapped", "delete-repo", "delete_repo", "read",
				"mcp__?__wrapped");
		assertThat(tool.isNamed("delete_repo")).isTrue();
		assertThat(tool.describe()).isEqualTo("'wrapped' of an MCP server that is not known for certain");
		assertThat(tool).isNotEqualTo(ToolIdentity.onUnknownServer("wrapped", "wrapped"));
		assertThat(ToolIdentity.onUnknownServer(Set.of("read"), "wrapped"))
			.isEqualTo(ToolIdentity.onUnknownServer("read", "wrapped"));
		assertThat(ToolIdentity.onUnknownServer(Set.of(), "wrapped"))
			.isEqualTo(ToolIdentity.onUnknownServer("wrapped", "wrapped"));
		assertThat(tool.completedBy(CallContext.empty().withAttribute(CallAttributes.MCP_SERVER, "github")).names())
			.contains("github__delete-repo", "mcp__github__read");
	}

	@Test
	void identityOfAnotherToolIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ToolCall("1", "write_file", Map.of(), CallContext.empty(), OWN));
		assertThatIllegalArgumentException().isThrownBy(() -> ToolIdentity.onServer("", "a", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> new ToolIdentity(ToolIdentity.APPLICATION, "a", "b"));
	}

}
