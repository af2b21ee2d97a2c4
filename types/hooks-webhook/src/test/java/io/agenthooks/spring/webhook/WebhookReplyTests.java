package io.agenthooks.spring.webhook;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.Verdict;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WebhookReply}.
 */
class WebhookReplyTests {

	private static final ToolCall CALL = ToolCall.of("call-1", "run_command", Map.of("command", "ls"),
			CallContext.empty());

	@Test
	void approveApproves() {
		assertThat(decision("{\"verdict\":\"approve\"}")).isEqualTo(ToolDecision.approve());
	}

	@ParameterizedTest
	@ValueSource(strings = {
			// the example of the seed
			"{\"verdict\":\"approve\",\"reasoning\":\"optional note\",\"modified_arguments\":{}}",
			"{\"verdict\":\"approve\",\"modified_arguments\":null,\"modified_messages\":[],\"result\":1,\"scope\":\"run\"}",
			"{\"reasoning\":null,\"verdict\":\"approve\",\"call_id\":null}",
			"{\"verdict\":\"approve\",\"call_id\":\"call-1\"}", " \r\n\t{ \"verdict\" : \"approve\" } \n",
			"{\"verdict\":\"\\u0061pprove\"}", "{\"verdict\":\"approve\",\"unknown\":[{\"a\":1},{\"a\":2}]}" })
	void approveWithHarmlessMembersApproves(String reply) {
		assertThat(decision(reply)).isEqualTo(ToolDecision.approve());
	}

	@Test
	void denyDeniesWithReasoning() {
		assertThat(decision("{\"verdict\":\"deny\",\"reasoning\":\"not\\non  Fridays\"}"))
			.isEqualTo(ToolDecision.deny("not on Fridays"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"verdict\":\"deny\"}", "{\"verdict\":\"deny\",\"reasoning\":\"\"}" })
	void denyWithoutReasoningSaysSo(String reply) {
		assertThat(decision(reply)).isEqualTo(ToolDecision.deny("The webhook gave no reason"));
	}

	@Test
	void modifyReplacesArguments() {
		assertThat(
				decision("{\"verdict\":\"modify\",\"modified_arguments\":{\"a\":[1,null,{\"b\":true}],\"c\":\"x\"}}"))
			.isEqualTo(ToolDecision.modify(Map.of("a", Arrays.asList(1, null, Map.of("b", true)), "c", "x")));
	}

	@Test
	void modifyToNoArgumentsIsLegal() {
		assertThat(decision("{\"verdict\":\"modify\",\"modified_arguments\":{}}"))
			.isEqualTo(ToolDecision.modify(Map.of()));
	}

	@Test
	void modifyKeepsNumbersExact() {
		String numbers = "[1,-0.5,1e3,123456789012345678901234567890,0.1,1.00000000000000000000000001,9007199254740993]";
		ToolDecision.Modify modify = (ToolDecision.Modify) decision(
				"{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":" + numbers + "}}");
		assertThat(modify.arguments().get("n"))
			.isEqualTo(List.of(1, -0.5, 1000.0, new BigInteger("123456789012345678901234567890"), 0.1,
					new BigDecimal("1.00000000000000000000000001"), 9007199254740993L));
	}

	@Test
	void respondWithTextAnswers() {
		assertThat(decision("{\"verdict\":\"respond\",\"result\":\"from the cache\"}"))
			.isEqualTo(ToolDecision.respond(ToolResult.success("from the cache")));
	}

	@Test
	void respondWithDataAnswersWithItsTextAndValue() {
		assertThat(decision("{\"verdict\":\"respond\",\"result\":{\"files\":[\"a\",1.5]}}")).isEqualTo(ToolDecision
			.respond(ToolResult.success("{\"files\":[\"a\",1.5]}", Map.of("files", List.of("a", 1.5)))));
	}

	@Test
	void askAsks() {
		assertThat(decision("{\"verdict\":\"ask\",\"reasoning\":\"Really delete?\"}"))
			.isEqualTo(ToolDecision.ask("Really delete?"));
	}

	@Test
	void abortEndsTurnOrRun() {
		assertThat(decision("{\"verdict\":\"abort\",\"reasoning\":\"enough\"}"))
			.isEqualTo(new ToolDecision.Abort("enough", AbortScope.TURN, null, null));
		assertThat(decision("{\"verdict\":\"abort\",\"reasoning\":\"enough\",\"scope\":\"turn\"}"))
			.isEqualTo(new ToolDecision.Abort("enough", AbortScope.TURN, null, null));
		assertThat(decision("{\"verdict\":\"abort\",\"reasoning\":\"enough\",\"scope\":\"run\"}"))
			.isEqualTo(new ToolDecision.Abort("enough", AbortScope.RUN, null, null));
	}

	@ParameterizedTest
	@ValueSource(strings = {
			// W01 and its neighbours: not a verdict
			"{\"verdict\":\"aprove\"}", "{\"verdict\":\"\"}", "{\"verdict\":\"allow\"}", "{\"verdict\":\"continue\"}",
			"{}", "{\"verdict\":null}", "{\"Verdict\":\"approve\"}", "{\"decision\":\"approve\"}",
			// W03: not a string
			"{\"verdict\":0}", "{\"verdict\":\"0\"}", "{\"verdict\":true}", "{\"verdict\":[\"approve\"]}",
			"{\"verdict\":{\"verdict\":\"approve\"}}",
			// W05: not spelled so
			"{\"verdict\":\"APPROVE\"}", "{\"verdict\":\" approve \"}", "{\"verdict\":\"Approve\"}",
			"{\"verdict\":\"approve\\n\"}", "{\"verdict\":\"approve\\u0000\"}", "{\"verdict\":\"\u0430pprove\"}",
			// not one JSON object
			"", " ", "null", "true", "1", "\"approve\"", "approve", "[]", "[{\"verdict\":\"approve\"}]",
			"{\"verdict\":\"approve\"", "{\"verdict\":\"approve\"}}", "{\"verdict\":\"approve\"} x",
			"{\"verdict\":\"approve\"}{\"verdict\":\"deny\"}", "{\"verdict\":\"approve\"},",
			"\uFEFF{\"verdict\":\"approve\"}", "{\"verdict\":\"approve\"}\u0000",
			// not JSON at all
			"{'verdict':'approve'}", "{verdict:\"approve\"}", "{\"verdict\":\"approve\",}",
			"/* yes */{\"verdict\":\"approve\"}", "{\"verdict\":\"approve\"}//", "{\"verdict\":\"approve\",\"x\":NaN}",
			"{\"verdict\":\"approve\",\"x\":Infinity}", "{\"verdict\":\"approve\",\"x\":01}",
			"{\"verdict\":\"approve\",\"x\":\"a\nb\"}", "<html>approve</html>", "{\"verdict\":\"approve\",\"x\":.5}",
			// a name twice, at any depth, also if it is written differently
			"{\"verdict\":\"deny\",\"verdict\":\"approve\"}", "{\"verdict\":\"deny\",\"v\\u0065rdict\":\"approve\"}",
			"{\"verdict\":\"modify\",\"modified_arguments\":{\"command\":\"ls\",\"comm\\u0061nd\":\"rm\"}}",
			"{\"verdict\":\"approve\",\"x\":[{\"y\":{\"a\":1,\"a\":1}}]}",
			// a change that is approved away
			"{\"verdict\":\"approve\",\"modified_arguments\":{\"command\":\"rm -rf /\"}}",
			"{\"verdict\":\"approve\",\"modified_arguments\":{\"command\":null}}",
			"{\"verdict\":\"approve\",\"modified_arguments\":\"rm\"}",
			"{\"verdict\":\"approve\",\"modified_messages\":[{\"role\":\"user\",\"content\":\"x\"}]}",
			// members of another type than they must have
			"{\"verdict\":\"approve\",\"reasoning\":1}", "{\"verdict\":\"deny\",\"reasoning\":[\"a\"]}",
			"{\"verdict\":\"approve\",\"reasoning\":false}", "{\"verdict\":\"approve\",\"call_id\":1}",
			"{\"verdict\":\"modify\"}", "{\"verdict\":\"modify\",\"modified_arguments\":null}",
			"{\"verdict\":\"modify\",\"modified_arguments\":[]}",
			"{\"verdict\":\"modify\",\"modified_arguments\":\"{}\"}",
			"{\"verdict\":\"modify\",\"modifiedArguments\":{}}", "{\"verdict\":\"respond\"}",
			"{\"verdict\":\"respond\",\"result\":null}", "{\"verdict\":\"abort\",\"scope\":\"all\"}",
			"{\"verdict\":\"abort\",\"scope\":\"RUN\"}", "{\"verdict\":\"abort\",\"scope\":1}",
			// W15: numbers too big to be handled
			"{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":1e400}}",
			"{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":-1e1000000000}}",
			"{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":[1e-1000000000]}}",
			"{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":0e1000000000}}",
			"{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":1e99999999999999}}",
			"{\"verdict\":\"respond\",\"result\":[1e1000000000]}",
			// W27: the answer to another call
			"{\"verdict\":\"approve\",\"call_id\":\"call-2\"}", "{\"verdict\":\"approve\",\"call_id\":\"\"}" })
	void whatIsNoValidVerdictIsRefused(String reply) {
		assertRefused(reply.getBytes(StandardCharsets.UTF_8));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"verdict\":\"approve\",\"Verdict\":\"deny\"}",
			"{\"verdict\":\"approve\",\"decision\":\"DENIED\"}", "{\"verdict\":\"approve\",\"allowed\":false}",
			"{\"block\":true,\"verdict\":\"approve\"}", "{\"verdict\":\"approve\",\"continue\":false}",
			"{\"verdict\":\"approve\",\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}",
			"{\"verdict\":\"modify\",\"modified_arguments\":{},\"status\":\"rejected\"}",
			"{\"verdict\":\"ask\",\"action\":\"hard_abort\"}" })
	void verdictBesideADenialIsRefused(String reply) {
		assertRefused(reply.getBytes(StandardCharsets.UTF_8));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"updatedInput\":{\"a\":1}", "\"overwrite\":{\"a\":1}", "\"requireApproval\":true",
			"\"permission\":\"ask\"", "\"decision\":\"force_ask\"", "\"review\":true",
			"\"hookSpecificOutput\":{\"updatedInput\":{}}", "\"overrideInput\":{\"a\":1}" })
	void wordsOfAnotherSystemBesideAVerdictAreRefused(String word) {
		assertRefused(("{\"verdict\":\"approve\"," + word + "}").getBytes(StandardCharsets.UTF_8));
		assertRefused(
				("{\"verdict\":\"modify\",\"modified_arguments\":{}," + word + "}").getBytes(StandardCharsets.UTF_8));
		assertThat(decision("{\"verdict\":\"deny\"," + word + "}").verdict()).isEqualTo(Verdict.DENY);
	}

	@Test
	void changeInAnotherSpellingBesideApproveIsRefused() {
		assertRefused("{\"verdict\":\"approve\",\"modifiedArguments\":{\"a\":1}}".getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void wordsOfDenialInWhatTheCallGetsAreData() {
		assertThat(decision("{\"verdict\":\"respond\",\"result\":{\"status\":\"denied\"}}").verdict())
			.isEqualTo(Verdict.RESPOND);
		assertThat(decision("{\"verdict\":\"modify\",\"modified_arguments\":{\"action\":\"cancel\"}}"))
			.isEqualTo(ToolDecision.modify(Map.of("action", "cancel")));
	}

	// W13
	@Test
	void otherEncodingsAreRefused() {
		assertRefused(new byte[] { (byte) 0xC3, 0x28 });
		assertRefused(bytes("{\"verdict\":\"approve\",\"x\":\"", 0xC3, 0x28, "\"}"));
		assertRefused(bytes("{\"verdict\":\"approve\",\"x\":\"", 0xC0, 0xAF, "\"}"));
		assertRefused(bytes("{\"verdict\":\"approve\",\"x\":\"", 0xED, 0xA0, 0x80, "\"}"));
		for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE")) {
			assertRefused("{\"verdict\":\"approve\"}".getBytes(Charset.forName(charset)));
		}
		assertRefused("{\"verdict\":\"approve\",\"x\":\"\u00E4\"}".getBytes(StandardCharsets.ISO_8859_1));
	}

	// W15
	@Test
	void nestingIsBounded() {
		assertThat(decision(modifyNested(64)).verdict().value()).isEqualTo("modify");
		assertRefused(modifyNested(65).getBytes(StandardCharsets.UTF_8));
		assertRefused(modifyNested(600).getBytes(StandardCharsets.UTF_8));
		assertRefused("[".repeat(100_000).getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void hugeIntegerIsRefused() {
		assertRefused(("{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":" + "9".repeat(400) + "}}")
			.getBytes(StandardCharsets.UTF_8));
		assertRefused(("{\"verdict\":\"modify\",\"modified_arguments\":{\"n\":" + "9".repeat(200_000) + "}}")
			.getBytes(StandardCharsets.UTF_8));
	}

	private static String modifyNested(int levels) {
		return "{\"verdict\":\"modify\",\"modified_arguments\":" + "{\"a\":".repeat(levels) + "1" + "}".repeat(levels)
				+ "}";
	}

	private static ToolDecision decision(String reply) {
		return WebhookReply.of(reply.getBytes(StandardCharsets.UTF_8)).decisionAbout(CALL);
	}

	private static void assertRefused(byte[] reply) {
		assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> WebhookReply.of(reply).decisionAbout(CALL))
			.withMessageStartingWith("The answer of the webhook ")
			.matches((ex) -> !ex.isOutage());
	}

	private static byte[] bytes(Object... parts) {
		StringBuilder text = new StringBuilder();
		for (Object part : parts) {
			text.append((part instanceof Integer code) ? String.valueOf((char) code.intValue()) : part);
		}
		return text.toString().getBytes(StandardCharsets.ISO_8859_1);
	}

}
