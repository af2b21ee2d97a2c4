package io.agenthooks.spring.webhook;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.agenthooks.CallContext;
import io.agenthooks.spring.external.SentUser;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallAbortedException;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link OwnWords}.
 */
class OwnWordsTests {

	@Test
	void whatIsListedOfTheUserIsSent() {
		CallContext context = CallContext.empty()
			.withUser("ann")
			.withAuthorities(List.of("ROLE_ADMIN"))
			.withClaims(Map.of("tenant", "acme", "phone", "hunter2"));
		ToolCall call = ToolCall.of("t", Map.of(), context);
		assertThat(text(new OwnWords(SentUser.NOTHING).question(call))).contains("ann")
			.doesNotContain("ROLE_ADMIN", "acme", "hunter2");
		SentUser sent = SentUser.of(List.of("authorities", "claims.tenant"), new ArrayList<>());
		assertThat(text(new OwnWords(sent).question(call)))
			.contains("\"authorities\":[\"ROLE_ADMIN\"]", "\"claims\":{\"tenant\":\"acme\"}")
			.doesNotContain("hunter2");
	}

	@Test
	void preCallStartsWithMembersOfTheSeed() {
		ToolCall call = ToolCall.of("c1", "run_command", Map.of("command", "ls -la"), CallContext.ofSession("abc123"));
		assertThat(text(new OwnWords(SentUser.NOTHING).question(call))).isEqualTo(
				"{\"tool_name\":\"run_command\",\"arguments\":{\"command\":\"ls -la\"},\"session_id\":\"abc123\","
						+ "\"call_id\":\"c1\",\"role\":\"agent\",\"workspace\":\"main\",\"attempt\":1}");
	}

	@Test
	void preCallHasTheWholeContext() {
		CallContext context = CallContext.empty()
			.withAgent("researcher")
			.withRole("reviewer")
			.withWorkspace("w2")
			.withAttempt(3)
			.withAttribute("ticket", "T-1")
			.withAttribute("tags", List.of("a", Map.of("b", 1)));
		JsonNode message = json(new OwnWords(SentUser.NOTHING).question(ToolCall.of("c1", "t", Map.of(), context)));
		assertThat(message.get("session_id").asString()).isEmpty();
		assertThat(message.get("agent").asString()).isEqualTo("researcher");
		assertThat(message.get("role").asString()).isEqualTo("reviewer");
		assertThat(message.get("workspace").asString()).isEqualTo("w2");
		assertThat(message.get("attempt").asInt()).isEqualTo(3);
		assertThat(message.get("attributes").toString()).isEqualTo("{\"ticket\":\"T-1\",\"tags\":[\"a\",{\"b\":1}]}");
	}

	@Test
	void toolOfAnMcpServerHasANameThatNoOtherServerCanTakeAway() {
		JsonNode message = json(new OwnWords(SentUser.NOTHING).question(ToolCall.of("c1",
				ToolIdentity.onServer("github", "delete-repo", "alt_1_delete_repo"), Map.of(), CallContext.empty())));
		assertThat(message.get("tool_name").asString()).isEqualTo("mcp__github__delete-repo");
		assertThat(message.get("attributes").toString())
			.isEqualTo("{\"mcp.server\":\"github\",\"mcp.tool\":\"delete-repo\"}");
	}

	// W23
	@Test
	void argumentThatIsNoJsonValueNeverReachesTheEndpoint() {
		assertThatIllegalArgumentException().isThrownBy(() -> ToolCall.of("t", Map.of("a", new Object())));
	}

	// W23
	@Test
	void attributesThatAreNoJsonValuesAreLeftOut() {
		List<Object> cycle = new ArrayList<>();
		cycle.add(cycle);
		CallContext context = CallContext.empty()
			.withAttribute("bean", new Object())
			.withAttribute("nested", List.of(new Object()))
			.withAttribute("cycle", cycle)
			.withAttribute("infinite", Double.POSITIVE_INFINITY);
		assertThat(json(new OwnWords(SentUser.NOTHING).question(ToolCall.of("c1", "t", Map.of(), context)))
			.has("attributes")).isFalse();
	}

	@Test
	void preCallSendsArgumentsExactly() {
		Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
		arguments.put("text", "\u00e4\ud83d\ude00 \u2028\u0000\ud800");
		arguments.put("nothing", null);
		arguments.put("numbers", Arrays.asList(1, 1.5, new BigDecimal("1E+1000000000"), Long.MAX_VALUE, true));
		assertThat(text(new OwnWords(SentUser.NOTHING).question(ToolCall.of("t", arguments))))
			.contains("\"arguments\":{\"text\":\"\\u00E4\\uD83D\\uDE00 \\u2028\\u0000\\uD800\",\"nothing\":null,"
					+ "\"numbers\":[1,1.5,1E+1000000000,9223372036854775807,true]}");
	}

	@Test
	void postCallOfToolThatSucceeded() {
		JsonNode message = postCall(ToolDecision.approve(), ToolResult.success("done"), null);
		assertThat(message.get("event").asString()).isEqualTo("post_call");
		assertThat(message.get("tool_name").asString()).isEqualTo("t");
		assertThat(message.get("session_id").asString()).isEqualTo("s1");
		assertThat(message.get("success").asBoolean()).isTrue();
		assertThat(message.get("status").asString()).isEqualTo("succeeded");
		assertThat(message.get("result").asString()).isEqualTo("done");
		assertThat(message.get("duration_ms").isInt()).isTrue();
		assertThat(message.has("error")).isFalse();
		assertThat(message.has("decided_by")).isFalse();
		assertThat(message.has("failed_open")).isFalse();
	}

	@Test
	void postCallHasTheEffectiveArguments() {
		JsonNode message = postCall(ToolDecision.modify(Map.of("a", 2)), ToolResult.success("done"), null);
		assertThat(message.get("arguments").toString()).isEqualTo("{\"a\":2}");
		assertThat(message.get("decided_by").asString()).isEqualTo("guard");
	}

	@Test
	void postCallOfToolThatFailed() {
		JsonNode message = postCall(ToolDecision.approve(), ToolResult.failure("no such file"), null);
		assertThat(message.get("success").asBoolean()).isFalse();
		assertThat(message.get("status").asString()).isEqualTo("failed");
		assertThat(message.get("error").asString()).isEqualTo("no such file");
		assertThat(message.has("result")).isFalse();
	}

	@Test
	void postCallOfToolThatThrew() {
		JsonNode message = postCall(ToolDecision.approve(), null, new IllegalStateException("disk\nfull"));
		assertThat(message.get("success").asBoolean()).isFalse();
		assertThat(message.get("status").asString()).isEqualTo("failed");
		assertThat(message.get("error").asString()).isEqualTo("java.lang.IllegalStateException: disk full");
	}

	@Test
	void postCallOfCallThatWasSettled() {
		JsonNode denied = postCall(ToolDecision.deny("not on Fridays"), null, null);
		assertThat(denied.get("status").asString()).isEqualTo("denied");
		assertThat(denied.get("success").asBoolean()).isFalse();
		assertThat(denied.get("error").asString()).contains("not on Fridays");
		assertThat(denied.get("decided_by").asString()).isEqualTo("guard");
		JsonNode answered = postCall(ToolDecision.respond(ToolResult.success("cached")), null, null);
		assertThat(answered.get("status").asString()).isEqualTo("answered");
		assertThat(answered.get("success").asBoolean()).isTrue();
		assertThat(answered.get("result").asString()).isEqualTo("cached");
		JsonNode aborted = postCall(ToolDecision.abortRun("enough"), null, null);
		assertThat(aborted.get("status").asString()).isEqualTo("aborted");
		assertThat(aborted.get("error").asString()).isEqualTo("enough");
	}

	@Test
	void postCallOfCallThatFailedOpen() {
		assertThat(postCall(ToolDecision.failedOpen("down"), ToolResult.success("done"), null).get("failed_open")
			.toString()).isEqualTo("[\"guard\"]");
	}

	@Test
	void postCallSendsValueThatIsJsonAndOtherwiseTheText() {
		assertThat(result(ToolResult.success("{..}", Map.of("files", List.of("a")))).toString())
			.isEqualTo("{\"files\":[\"a\"]}");
		assertThat(result(ToolResult.success("text", new Object())).asString()).isEqualTo("text");
		assertThat(result(ToolResult.success("text", List.of(new StringBuilder("x")))).asString()).isEqualTo("text");
	}

	@Test
	void postCallCutsLongResult() {
		String longText = "a".repeat(OwnWords.MAX_RESULT - 1) + "\ud83d\ude00" + "b";
		JsonNode message = postCall(ToolDecision.approve(), ToolResult.success(longText), null);
		assertThat(message.get("result").asString()).isEqualTo("a".repeat(OwnWords.MAX_RESULT - 1));
		assertThat(message.get("truncated").asBoolean()).isTrue();
	}

	@Test
	void postCallWithHalfASurrogatePairIsWritten() {
		assertThat(text(new OwnWords(SentUser.NOTHING).news(outcome(ToolResult.success("a\udc00b")))))
			.contains("a\\uDC00b");
	}

	private static JsonNode result(ToolResult result) {
		return json(new OwnWords(SentUser.NOTHING).news(outcome(result))).get("result");
	}

	private static ToolOutcome outcome(ToolResult result) {
		ToolCall call = ToolCall.of("t", Map.of());
		return ToolOutcome.of(call, ToolCallStatus.SUCCEEDED, result, null, Duration.ofMillis(5));
	}

	/**
	 * What a real chain reports about a call.
	 */
	private static JsonNode postCall(ToolDecision decision, @Nullable ToolResult result,
			@Nullable RuntimeException failure) {
		List<byte[]> messages = new ArrayList<>();
		PostToolHook recorder = (outcome) -> messages.add(new OwnWords(SentUser.NOTHING).news(outcome));
		ToolHookChain chain = new ToolHookChain(List.of(PreToolHook.named("guard", (call) -> decision)),
				List.of(recorder));
		ToolCall call = ToolCall.of("t", Map.of("a", 1), CallContext.ofSession("s1"));
		try {
			chain.execute(call, (effective) -> {
				if (failure != null) {
					throw failure;
				}
				return (result != null) ? result : ToolResult.failure("never");
			});
		}
		catch (ToolCallAbortedException | IllegalStateException ex) {
			assertThat(ex).isNotNull();
		}
		assertThat(messages).hasSize(1);
		return json(messages.get(0));
	}

	private static JsonNode json(byte[] message) {
		return JsonMapper.shared().readTree(message);
	}

	private static String text(byte[] message) {
		return new String(message, StandardCharsets.UTF_8);
	}

}
