package io.agenthooks.spring.approval;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.agenthooks.CallContext;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Choices;
import io.agenthooks.toolcall.Asker;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ApprovalFingerprint}.
 */
class ApprovalFingerprintTests {

	private static final CallContext CONTEXT = CallContext.ofSession("s1")
		.withUser("admin")
		.withAgent("helper")
		.withClaims(Map.of("tenant", "acme"));

	private static final List<Asker> ASKERS = List.of(new Asker("policy", null));

	private final ApprovalFingerprint fingerprint = new ApprovalFingerprint((tool) -> "", (call) -> null, () -> "1");

	@Test
	void isAnotherOneForEachTenantAgentRoleAndWorkspace() {
		List<CallContext> contexts = List.of(CONTEXT, CONTEXT.withClaims(Map.of("tenant", "other")),
				CONTEXT.withAgent("other"), CONTEXT.withRole("other"), CONTEXT.withWorkspace("other"),
				CONTEXT.withUser("other"), CONTEXT.withSessionId("other"));
		assertThat(contexts.stream().map((context) -> of(call(context, "ls")))).doesNotHaveDuplicates()
			.allSatisfy((one) -> assertThat(one).matches("[0-9a-f]{128}"));
		assertThat(of(call(CONTEXT.withRunId("r2").withAttempt(2), "ls"))).isEqualTo(of(call(CONTEXT, "ls")));
	}

	@Test
	void ofEditedCallOfWhichAnotherNodeKnowsLessIsThatOfTheCall() {
		ToolCall known = call(CallContext.ofSession("s1").withUser("admin"), "pwd");
		ApprovalRequest question = Questions.question("q", of(call(CONTEXT, "ls")), "s1", 1, Questions.NOW);
		String edited = this.fingerprint.ofEdited(known, ApprovalFingerprint.argumentsOf(known), question, null);
		assertThat(edited).isEqualTo(of(call(CONTEXT, "pwd"))).isNotEqualTo(of(call(CONTEXT, "ls")));
	}

	@Test
	void isAnotherOneIfOthersMayDecide() {
		ToolCall call = call(CONTEXT, "ls");
		String arguments = ApprovalFingerprint.argumentsOf(call);
		Set<String> both = Set.of("ROLE_A", "ROLE_B");
		assertThat(List.of(
				this.fingerprint.of(call, arguments, new Approvers(both, false), 1, Choices.ALL, null, ASKERS),
				this.fingerprint.of(call, arguments, new Approvers(Set.of("ROLE_A"), false), 1, Choices.ALL, null,
						ASKERS),
				this.fingerprint.of(call, arguments, new Approvers(Set.of(), false), 1, Choices.ALL, null, ASKERS),
				this.fingerprint.of(call, arguments, new Approvers(both, true), 1, Choices.ALL, null, ASKERS),
				this.fingerprint.of(call, arguments, new Approvers(both, false), 2, Choices.ALL, null, ASKERS)))
			.doesNotHaveDuplicates();
	}

	private String of(ToolCall call) {
		return this.fingerprint.of(call, ApprovalFingerprint.argumentsOf(call), Approvers.EVERYBODY, 1, Choices.ALL,
				null, ASKERS);
	}

	private static ToolCall call(CallContext context, String command) {
		return ToolCall.of("c1", "run_command", Map.of("command", command), context);
	}

}
