package io.agenthooks.policy;

import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.Verdict;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmRole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link PolicyLlmHook} and {@link PolicyLlmResponseHook}.
 */
class PolicyLlmHookTests {

	private static final LlmCall CALL = LlmCall.of(LlmMessage.system("Project Falcon is secret."),
			LlmMessage.user("Tell me of \uFF26alcon"));

	private static Verdict preCall(LlmCall call, List<String> patterns, @Nullable List<LlmRole> roles) {
		return new PolicyLlmHook(new LlmPolicyConfig(patterns, roles, false, null, null)).preCall(call).verdict();
	}

	@Test
	void preCallWhenAMessageMatchesDenies() {
		assertThat(preCall(CALL, List.of("nothing", "(?i)falcon is"), null)).isEqualTo(Verdict.DENY);
		assertThat(preCall(CALL, List.of("nothing"), null)).isEqualTo(Verdict.APPROVE);
		assertThat(new PolicyLlmHook(new LlmPolicyConfig(List.of("secret"), null, false, null, null)).preCall(CALL)
			.reason()).isEqualTo("The policy denies this prompt");
	}

	@Test
	void preCallLooksAtMessagesOfTheRolesOnlyAndAtTheirPlainForm() {
		assertThat(preCall(CALL, List.of("secret"), List.of(LlmRole.USER, LlmRole.TOOL))).isEqualTo(Verdict.APPROVE);
		assertThat(preCall(CALL, List.of("of Falcon"), List.of(LlmRole.USER))).isEqualTo(Verdict.DENY);
	}

	@Test
	void preCallWhenThePromptIsTooLargeToBeSearchedDenies() {
		LlmCall large = CALL.withMessages(Collections.nCopies(200, LlmMessage.user("a".repeat(1_000_000))));
		assertThat(
				new PolicyLlmHook(new LlmPolicyConfig(List.of("b"), null, false, null, null)).preCall(large).reason())
			.contains("too large");
	}

	@Test
	void onResponseWithholdsWhatMatches() {
		PolicyLlmResponseHook hook = new PolicyLlmResponseHook(
				new LlmPolicyConfig(List.of("secret"), null, false, null, null));
		assertThat(hook.onResponse(CALL, LlmResponse.of("It is secret")).verdict()).isEqualTo(Verdict.DENY);
		assertThat(hook.onResponse(CALL, LlmResponse.of("Hi")).verdict()).isEqualTo(Verdict.APPROVE);
	}

	@Test
	void mistakesAreToldAllAtOnce() {
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(
				() -> new PolicyLlmHook(new LlmPolicyConfig(List.of("a(", "b", "c["), List.of(), false, null, null)))
			.satisfies((ex) -> assertThat(ex.getProblems()).extracting(Problem::path)
				.containsExactlyInAnyOrder(List.of("roles"), List.of("deny_patterns", "0"),
						List.of("deny_patterns", "2")));
		assertThatExceptionOfType(InvalidHookConfigException.class).isThrownBy(
				() -> new PolicyLlmResponseHook(new LlmPolicyConfig(null, List.of(LlmRole.USER), false, null, null)))
			.satisfies((ex) -> assertThat(ex.getProblems()).extracting(Problem::path)
				.containsExactlyInAnyOrder(List.of("roles"), List.of("deny_patterns")));
	}

}
