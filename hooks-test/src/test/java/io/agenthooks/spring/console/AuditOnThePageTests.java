package io.agenthooks.spring.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

import io.agenthooks.spring.audit.AuditVerification;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the page of the console says of the audit.
 */
class AuditOnThePageTests {

	@Test
	void pageKnowsTheKindOfProblemThatIsNoChange() throws IOException {
		String kind = AuditVerification.Kind.UNKNOWN_KEY.name().toLowerCase(Locale.ROOT);
		assertThat(new ClassPathResource("io/agenthooks/spring/console/console.js")
			.getContentAsString(StandardCharsets.UTF_8)).contains("'" + kind + "'", "hooks.audit.former_keys");
	}

}
