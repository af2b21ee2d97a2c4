package io.agenthooks.test;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TestedApprovals}.
 */
class TestedApprovalsTests {

	private static final Map<String, Object> MAIL = Map.of("to", "bob@example.com");

	private final ToolHooksTester hooks = ToolHooksTester.ofYaml("""
			hooks:
			  approval:
			    enabled: true
			    approvers: [ROLE_APPROVER]
			    timeout: 10m
			  tool_call:
			    pre_call:
			      - type: policy
			        name: colleagues
			        config: {deny_argument_patterns: {to: [".*@evil\\\\.example"]}}
			      - type: approval
			        match: ["send_*"]
			""").inSession("s1").asUser("carol");

	private final TestedApprovals approvals = this.hooks.approvals().as("alice", "ROLE_APPROVER");

	@AfterEach
	void close() {
		this.hooks.close();
	}

	@Test
	void callRunsOnceAPersonApproves() {
		TestedQuestion question = this.approvals.ask("send_email", MAIL);
		assertThat(question.request().state()).isEqualTo(ApprovalState.PENDING);
		assertThat(this.approvals.pending()).hasSize(1);
		assertThat(this.hooks.executor()).hasRunNothing();
		assertThat(question.approve().call()).isApproved().hasSucceeded();
		assertThat(question.request().state()).isEqualTo(ApprovalState.CLAIMED);
		assertThat(this.approvals.pending()).isEmpty();
	}

	@Test
	void toolGetsWhatThePersonEdited() {
		Map<String, Object> edited = Map.of("to", "dave@example.com");
		assertThat(this.approvals.ask("send_email", MAIL).edit(edited).call()).isModified().toArguments(edited);
	}

	@Test
	void editThatAPolicyDeniesIsRefused() {
		TestedQuestion question = this.approvals.ask("send_email", MAIL);
		assertThatExceptionOfType(ApprovalRefusedException.class)
			.isThrownBy(() -> question.edit(Map.of("to", "eve@evil.example")))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.INVALID_EDIT))
			.satisfies((ex) -> assertThat(ex.mistakes()).singleElement().asString().contains("colleagues"));
		assertThat(question.deny("no").call()).isDenied();
	}

	@Test
	void modelReadsWhyAPersonDenied() {
		assertThat(this.approvals.ask("send_email", MAIL).deny("not today").call()).isDenied()
			.withReasonContaining("not today");
		assertThat(this.hooks.executor()).hasRunNothing();
	}

	@Test
	void callIsDeniedWhenTheTimeIsOver() {
		TestedQuestion question = this.approvals.ask("send_email", MAIL);
		this.approvals.advance(Duration.ofMinutes(9));
		assertThat(question.request().state()).isEqualTo(ApprovalState.PENDING);
		assertThat(question.expire().call()).isDenied().withReasonContaining("Nobody approved");
		assertThat(question.request().state()).isEqualTo(ApprovalState.EXPIRED);
		assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(question::approve)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.SETTLED));
	}

	@Test
	void personWithoutAuthorityAndTheUserOfTheAgentAreRefused() {
		TestedQuestion question = this.approvals.ask("send_email", MAIL);
		for (TestedQuestion asked : new TestedQuestion[] { question.as("mallory", "ROLE_USER"),
				question.as("carol", "ROLE_APPROVER") }) {
			assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(asked::approve)
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_ALLOWED));
		}
		assertThat(question.deny("no").call()).isDenied();
	}

	@Test
	void fourEyesNeedAnotherPerson() {
		try (ToolHooksTester careful = this.hooks.withProperty("hooks.approval.four_eyes", "2")) {
			TestedQuestion question = careful.approvals()
				.as("alice", "ROLE_APPROVER")
				.ask("send_email", MAIL)
				.approve();
			assertThat(question.request().state()).isEqualTo(ApprovalState.PENDING);
			assertThat(question.as("bob", "ROLE_APPROVER").approve().call()).isApproved();
		}
	}

	@Test
	void saysThatNobodyWasAsked() {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.approvals.ask("read_file", Map.of()))
			.withMessage("Expected the call of the tool 'read_file' to wait for people, but it ended: succeeded");
	}

	@Test
	void saysThatThereIsNobodyToAsk() {
		try (ToolHooksTester none = ToolHooksTester.ofHooks()) {
			assertThatIllegalStateException().isThrownBy(() -> none.approvals().pending())
				.withMessageContaining("hooks.approval.enabled: true");
		}
		TestedQuestion question = this.hooks.approvals().ask("send_email", MAIL);
		assertThatIllegalStateException().isThrownBy(question::approve).withMessageContaining("Say who answers");
		assertThat(question.as("alice", "ROLE_APPROVER").deny("no").call()).isDenied();
	}

}
