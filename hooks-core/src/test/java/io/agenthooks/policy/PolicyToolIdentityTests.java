package io.agenthooks.policy;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.LocatableHook;
import io.agenthooks.Verdict;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A policy and the several names of a tool.
 */
class PolicyToolIdentityTests {

	private static PolicyToolHook policy(@Nullable String allow, @Nullable String deny) {
		return new PolicyToolHook(new PolicyConfig((allow != null) ? List.of(allow) : null,
				(deny != null) ? List.of(deny) : null, null, null));
	}

	private static ToolDecision decide(PreToolHook hook, ToolIdentity tool) {
		return hook.preCall(ToolCall.of("1", tool, Map.of(), CallContext.empty()));
	}

	@ParameterizedTest
	@CsvSource({ "delete_*", "delete_repo", "delete-repo", "alt_1_*", "github__delete_*", "mcp__github__*" })
	void deniesByAnyName(String glob) {
		ToolDecision decision = decide(policy(null, glob),
				ToolIdentity.onServer("github", "delete-repo", "alt_1_delete_repo"));
		assertThat(decision).isInstanceOfSatisfying(ToolDecision.Deny.class,
				(denial) -> assertThat(denial.reason()).contains("'alt_1_delete_repo'", "'delete-repo'", "'github'"));
	}

	@ParameterizedTest
	@CsvSource({ "read_file, '', true", "read_file, evil, false", "read_*, evil, false", "evil__read_*, evil, true",
			"github__read_file, evil, false", "*, evil, true" })
	void allowsByWhatNoOtherServerCanChoose(String glob, String server, boolean allowed) {
		assertThat(decide(policy(glob, null), new ToolIdentity(server, "read_file", "read_file")).verdict().value())
			.isEqualTo((allowed) ? "approve" : "deny");
	}

	@Test
	void allowsByAnyNameOnceSomebodyNamedTheServers() {
		ToolIdentity tool = ToolIdentity.onServer("github", "read_file", "alt_1_read_file");
		assertThat(decide(policy("read_*", null), tool)).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decide(policy("read_*", null).forNamedServers(), tool)).isInstanceOf(ToolDecision.Approve.class);
		assertThat(decide(policy("read_*", "read_file").forNamedServers(), tool)).isInstanceOf(ToolDecision.Deny.class);
		assertThat(decide(policy("read_*", null).forNamedServers(),
				ToolIdentity.onUnknownServer("read_file", "read_file")))
			.isInstanceOf(ToolDecision.Deny.class);
		assertThat(policy("read_*", null).forNamedServers().isRepeatable()).isTrue();
	}

	@Test
	void explanationWarnsOfNothingThatACallHasToWarnOf() {
		Logger logger = (Logger) LoggerFactory.getLogger(PolicyToolHook.class);
		ListAppender<ILoggingEvent> events = new ListAppender<>();
		logger.setLevel(Level.INFO);
		events.start();
		logger.addAppender(events);
		try {
			ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("rules", policy("read_*", null))),
					List.of());
			ToolCall call = ToolCall.of("1", ToolIdentity.onServer("github", "read_file", "read_file"), Map.of(),
					CallContext.empty());
			ToolExecutor tool = (same) -> ToolResult.success("ran");
			assertThat(chain.explain(call, tool, false).decision().verdict()).isEqualTo(Verdict.DENY);
			assertThat(chain.explain(call, tool, true).decision().verdict()).isEqualTo(Verdict.DENY);
			assertThat(events.list).isEmpty();
			assertThat(chain.execute(call, tool).succeeded()).isFalse();
			assertThat(events.list).singleElement()
				.satisfies((event) -> assertThat(event.getFormattedMessage()).contains("Write 'github__read_file'"));
		}
		finally {
			logger.detachAppender(events);
		}
	}

	@ParameterizedTest
	@CsvSource({ "a, 0", "bb, 1", "b_x, 1", "c, 2" })
	void ruleIsTheEntryThatNamesTheTool(String tool, String position) {
		List<String> globs = List.of("a", "b*", "c");
		PolicyConfig denying = new PolicyConfig(null, globs, null, null);
		LocatableHook hook = new PolicyToolHook(denying).writtenAt((path) -> String.join("/", path));
		ToolDecision decision = ((PolicyToolHook) hook).forNamedServers().preCall(ToolCall.of(tool, Map.of()));
		assertThat(decision.rule()).isEqualTo(new HookRule("deny_tools", "deny_tools/" + position));
	}

	@Test
	void deniesAnOwnNameThatOnlyLooksLikeOne() {
		assertThat(decide(policy("*", null), ToolIdentity.onServer("evil", "read\u200b_file", "read_file")))
			.isInstanceOf(ToolDecision.Deny.class);
	}

}
