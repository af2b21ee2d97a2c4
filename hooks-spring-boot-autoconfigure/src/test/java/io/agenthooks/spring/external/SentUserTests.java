package io.agenthooks.spring.external;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException.Problem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SentUser}.
 */
class SentUserTests {

	private static final CallContext ANN = CallContext.empty()
		.withUser("ann")
		.withAuthorities(List.of("ROLE_ADMIN"))
		.withClaims(Map.of("tenant", "acme", "phone", "hunter2"));

	private final List<Problem> problems = new ArrayList<>();

	@Test
	void nothingIsSentUnlessItIsListed() {
		assertThat(sent(null, ANN)).isEmpty();
		assertThat(sent(List.of(), ANN)).isEmpty();
		assertThat(this.problems).isEmpty();
	}

	@Test
	void onlyWhatIsListedIsSent() {
		assertThat(sent(List.of("authorities"), ANN)).isEqualTo(Map.of("authorities", List.of("ROLE_ADMIN")));
		assertThat(sent(List.of("claims.tenant", "claims.absent"), ANN))
			.isEqualTo(Map.of("claims", Map.of("tenant", "acme")));
		assertThat(sent(List.of("authorities", "claims.tenant"), CallContext.empty()))
			.isEqualTo(Map.of("authorities", List.of(), "claims", Map.of()));
		assertThat(this.problems).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "authority", "claims", "claims.", "claims.*", "*", "", "user", "Authorities", "tenant" })
	void whatCannotBeSentIsAMistake(String name) {
		assertThat(sent(List.of(name), ANN)).isEmpty();
		assertThat(this.problems).singleElement()
			.satisfies((problem) -> assertThat(problem.path()).containsExactly("send_user", "0"));
	}

	private Map<String, @Nullable Object> sent(@Nullable List<String> send, CallContext context) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		SentUser.of(send, this.problems).addTo(message, context);
		return message;
	}

}
