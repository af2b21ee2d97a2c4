package io.agenthooks.sample.approvals;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.web.server.ResponseStatusException;

import io.agenthooks.sample.SampleProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ApprovalController}.
 */
class ApprovalControllerTests {

	private final ApprovalController approvals = new ApprovalController(
			new SampleProperties(null, false, Duration.ZERO, new SampleProperties.Approvals("secret", "example.com")));

	@Test
	void decideWhenEmailStaysInCompanyAddsFooterOnce() {
		ApprovalReply reply = decide(email("Ann@Example.com", "Hello"));
		assertThat(reply.verdict()).isEqualTo("modify");
		assertThat(reply.modifiedArguments()).containsEntry("to", "Ann@Example.com")
			.containsEntry("body", "Hello\n--\nWritten by an agent.");
		assertThat(decide(email("ann@example.com", "Hello\n--\nWritten by an agent.")).verdict()).isEqualTo("approve");
	}

	@Test
	void decideWhenEmailLeavesCompanyDenies() {
		assertThat(decide(email("eve@elsewhere.test", "Hello")).verdict()).isEqualTo("deny");
		assertThat(decide(email("eve@notexample.com", "Hello")).verdict()).isEqualTo("deny");
		assertThat(decide(Map.of()).verdict()).isEqualTo("deny");
	}

	@Test
	void decideWhenEmailHoldsPasswordAborts() {
		assertThat(decide(email("ann@example.com", "The Password is 1234.")).verdict()).isEqualTo("abort");
	}

	@Test
	void decideWhenToolIsAnotherApproves() {
		assertThat(this.approvals.decide("Bearer secret", new ApprovalQuestion("read_file", Map.of())).verdict())
			.isEqualTo("approve");
	}

	@Test
	void decideWhenTokenIsWrongIsRefused() {
		assertThatExceptionOfType(ResponseStatusException.class)
			.isThrownBy(() -> this.approvals.decide("Bearer other", new ApprovalQuestion("read_file", Map.of())))
			.withMessageContaining("401");
	}

	private ApprovalReply decide(Map<String, @Nullable Object> email) {
		return this.approvals.decide("Bearer secret", new ApprovalQuestion("send_email", email));
	}

	private static Map<String, @Nullable Object> email(String to, String body) {
		return Map.of("to", to, "subject", "Hello", "body", body);
	}

}
