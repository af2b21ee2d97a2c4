package io.agenthooks.spring.audit;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SingleTask}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SingleTaskTests {

	private static final String SECRET = "hunter2";

	@Test
	void messageOfWhatCannotReadTheAuditIsNeitherInTheReplyNorInTheLog(CapturedOutput output) {
		WebEndpointResponse<Map<String, @Nullable Object>> reply = new SingleTask("test", Duration.ofMinutes(1))
			.run((cancelled) -> {
				throw new IOException(SECRET, new IllegalStateException(SECRET));
			});
		assertThat(reply.getStatus()).isEqualTo(500);
		assertThat(String.valueOf(reply.getBody())).contains("java.io.IOException").doesNotContain(SECRET);
		assertThat(output).contains("could not be read: java.io.IOException at ")
			.contains("caused by java.lang.IllegalStateException at ")
			.doesNotContain(SECRET);
	}

}
