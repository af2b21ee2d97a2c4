package io.agenthooks.spring.approval;

import org.junit.jupiter.api.Test;

import io.agenthooks.spring.suspend.ApprovalPendingException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ApprovalPendingException}. {@code SuspendedTurnsTests} and
 * {@code AiServiceSuspendTests} have calls that wait inside of tools.
 */
class ApprovalPendingExceptionTests {

	@Test
	void failureThatIsItsOwnCauseIsNoCallThatWaits() {
		IllegalStateException outer = new IllegalStateException("outer");
		IllegalStateException inner = new IllegalStateException("inner", outer);
		outer.initCause(inner);
		assertThat(ApprovalPendingException.orFailure(outer)).isSameAs(outer);
	}

}
