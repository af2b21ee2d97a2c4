package io.agenthooks.redact;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AbortedRuns;
import io.agenthooks.ExternalHook;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.policy.PolicyConfig;
import io.agenthooks.policy.PolicyToolHook;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedactArgumentsHook}, in a chain: what others get to see.
 */
class RedactArgumentsHookTests {

	private static final String KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

	private static final String MASK = "[redacted:password]";

	private static final Map<String, @Nullable Object> LOGIN = Map.of("user", "bob", "password", "hunter2");

	private static final Map<String, @Nullable Object> SEEN = Map.of("user", "bob", "password", MASK);

	private final RedactArgumentsHook redact = new RedactArgumentsHook(RedactConfig.defaults());

	private final Outside outside = new Outside();

	private final List<ToolCallEvent> events = new ArrayList<>();

	private final List<ToolCall> executed = new ArrayList<>();

	@Test
	void hookOutsideGetsMasksAndTheToolGetsTheArguments() {
		execute(List.of(this.redact, this.outside), LOGIN);
		assertThat(this.outside.seen).containsExactly(SEEN);
		assertThat(this.executed).extracting(ToolCall::arguments).containsExactly(LOGIN);
	}

	@Test
	void hookThatIsAskedBeforeGetsTheArguments() {
		execute(List.of(this.outside, this.redact), LOGIN);
		assertThat(this.outside.seen).containsExactly(LOGIN);
	}

	@Test
	void policiesAndOtherHooksInsideSeeTheArguments() {
		List<Object> seen = new ArrayList<>();
		ToolResult result = execute(List.of(this.redact, (PreToolHook) (call) -> {
			seen.add(call.arguments());
			return ToolDecision.approve();
		}, new PolicyToolHook(new PolicyConfig(null, null, Map.of("password", List.of("hunter\\d")), null))), LOGIN);
		assertThat(seen).containsExactly(LOGIN);
		assertThat(result.succeeded()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "password", "Passwd", "passphrase", "token", "accessToken", "access_token", "apiKey",
			"api_key", "API-KEY", "api.key", "ApiKey2", "client-secret", "Authorization", "pass", "passwords", "tokens",
			"credentials", "Set-Cookie", "pin", "CVV", "pass\u200Bword", "\uFF50assword", "x_private_key" })
	void valuesOfNamesOfSecretsAreMasked(String name) {
		execute(List.of(this.redact, this.outside), Map.of(name, "hunter2"));
		execute(List.of(this.redact, this.outside), Map.of("a", List.of(Map.of("b", Map.of(name, 1234)))));
		execute(List.of(this.redact, this.outside),
				Map.of(name, Map.of("value", "${hunter2}", "n", List.of("hunter2"))));
		assertThat(this.outside.seen).hasSize(3)
			.allSatisfy((seen) -> assertThat(seen.toString()).contains("redacted").doesNotContain("hunter2", "1234"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "name", "key", "Header", "field", "variable" })
	void valuesOfPairsThatAreNamedLikeSecretsAreMasked(String name) {
		execute(List.of(this.redact, this.outside),
				Map.of("env",
						List.of(Map.of(name, "DB_PASSWORD", "value", "hunter2", "secure", true),
								Map.of(name, "Authorization ", "Value", List.of("hunter2")),
								Map.of(name, "HOME", "value", "/root"))));
		assertThat(this.outside.seen.toString()).contains("DB_PASSWORD", "/root", "true").doesNotContain("hunter2");
		assertThat(this.executed.get(0).arguments().toString()).contains("hunter2");
	}

	@Test
	void wordsOfACommandLineBehindAnOptionOfASecretAreMasked() {
		execute(List.of(this.redact, this.outside),
				Map.of("args", List.of("login", "--db-password", "hunter2", "--user", "bob", "-token", 1234, "-v")));
		assertThat(this.outside.seen).containsExactly(
				Map.of("args", List.of("login", "--db-password", MASK, "--user", "bob", "-token", MASK, "-v")));
	}

	@Test
	void pairsThatOnlyLookLikeOnesOfSecretsAreNotMasked() {
		Map<String, @Nullable Object> arguments = Map.of("sort", Map.of("key", "title", "value", "up"), "args",
				List.of("password", "reset"), "tool", Map.of("name", "reset_password", "description", "sends a mail"));
		execute(List.of(this.redact, this.outside), arguments);
		assertThat(this.outside.seen).containsExactly(arguments);
	}

	@ParameterizedTest
	@ValueSource(strings = { "nextPageToken", "max_tokens", "author", "path", "compass", "monkey" })
	void valuesOfOtherNamesAreNot(String name) {
		execute(List.of(this.redact, this.outside), Map.of(name, "plain"));
		assertThat(this.outside.seen).containsExactly(Map.of(name, "plain"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "curl -H 'Authorization: Bearer " + KEY + "' https://x.test", "export TOKEN=" + KEY,
			"{\"a\": {\"key\": \"" + KEY + "\"}}", "https://bob:" + KEY + "@x.test/", "4111 1111 1111 1111 " + KEY })
	void secretsInValuesAreMasked(String text) {
		execute(List.of(this.redact, this.outside), Map.of("command", text, "more", List.of(text)));
		assertThat(this.outside.seen.toString()).contains("[redacted:").doesNotContain(KEY);
		assertThat(this.executed.get(0).arguments()).containsEntry("command", text);
	}

	@Test
	void resultHooksPostCallHooksAndEventsGetMasks() {
		ToolHookChain chain = new ToolHookChain(List.of(this.redact), List.of(this.outside), List.of(this.outside),
				ToolApprover.nobody(), this.events::add, new AbortedRuns());
		chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done"));
		assertThat(this.outside.results).containsExactly(SEEN);
		assertThat(this.outside.outcomes).singleElement().satisfies((outcome) -> {
			assertThat(outcome.requested().arguments()).isEqualTo(SEEN);
			assertThat(outcome.effective().arguments()).isEqualTo(SEEN);
		});
		assertThat(this.events).hasSize(2).allSatisfy((event) -> assertThat(event.call().arguments()).isEqualTo(SEEN));
	}

	@Test
	void localPostCallHooksGetTheArguments() {
		List<ToolOutcome> outcomes = new ArrayList<>();
		new ToolHookChain(List.of(this.redact), List.of((PostToolHook) outcomes::add))
			.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done"));
		assertThat(outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.effective().arguments()).isEqualTo(LOGIN));
	}

	@Test
	void eventsOfEachKindGetMasks() {
		PreToolHook change = (call) -> ToolDecision.modify(Map.of("password", "another1", "user", "eve"));
		PreToolHook broken = PreToolHook.failOpen((call) -> {
			throw new IllegalStateException("broken");
		});
		PreToolHook ask = (call) -> ToolDecision.ask("sure?");
		ToolResultHook replace = ToolResultHook.replacing((call, result) -> ToolResult.success("other"));
		ToolHookChain chain = new ToolHookChain(List.of(this.redact, change, broken, ask), List.of(replace),
				List.of(this.outside), (call, question) -> ToolDecision.modify(Map.of("password", "third333")),
				this.events::add, new AbortedRuns());
		chain.execute(ToolCall.of("login", LOGIN), (call) -> {
			this.executed.add(call);
			return ToolResult.success("done");
		});
		assertThat(this.executed).singleElement()
			.satisfies((call) -> assertThat(call.arguments()).isEqualTo(Map.of("password", "third333")));
		assertThat(this.events).hasSizeGreaterThanOrEqualTo(7)
			.allSatisfy((event) -> assertThat(event.call().arguments()).containsEntry("password", MASK));
		assertThat(this.events).filteredOn(ToolCallEvent.Modified.class::isInstance)
			.allSatisfy((event) -> assertThat(((ToolCallEvent.Modified) event).before().arguments())
				.containsEntry("password", MASK));
		assertThat(this.events).filteredOn(ToolCallEvent.ApprovalSettled.class::isInstance)
			.singleElement()
			.satisfies((event) -> assertThat(((ToolCallEvent.ApprovalSettled) event).answer())
				.isEqualTo(ToolDecision.modify(Map.of("password", MASK))));
		assertThat(this.outside.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.decision())
				.isEqualTo(ToolDecision.modify(Map.of("password", MASK))));
	}

	@Test
	void viewIsOfTheArgumentsAsHooksBeforeLeftThem() {
		PreToolHook change = (call) -> ToolDecision.modify(Map.of("user", "eve", "token", "t0ken"));
		execute(List.of(this.redact, change, this.outside), LOGIN);
		assertThat(this.outside.seen).containsExactly(Map.of("user", "eve", "token", MASK));
	}

	@Test
	void callsForWhichTheMaskIsNotAreSentAsTheyAre() {
		PreToolHook narrowed = PreToolHook.forTools("login"::equals, this.redact);
		ToolHookChain chain = new ToolHookChain(List.of(narrowed, this.outside), List.of());
		chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success(""));
		chain.execute(ToolCall.of("other", LOGIN), (call) -> ToolResult.success(""));
		assertThat(this.outside.seen).containsExactly(SEEN, LOGIN);
	}

	@Test
	void maskOnTrialMasksNevertheless() {
		execute(List.of(PreToolHook.observeOnly(this.redact), this.outside), LOGIN);
		assertThat(this.outside.seen).containsExactly(SEEN);
	}

	@ParameterizedTest
	@MethodSource
	void changeOfAMaskedCallPutsBackWhatWasMasked(String situation, Map<String, Object> changed,
			Map<String, Object> expected) {
		this.outside.answer = (call) -> ToolDecision.modify(changed);
		ToolResult result = execute(List.of(this.redact, this.outside), nested());
		assertThat(result.content()).isEqualTo("done");
		assertThat(this.executed).extracting(ToolCall::arguments).containsExactly(expected);
		assertThat(this.executed.toString()).doesNotContain("redacted");
	}

	static Stream<Arguments> changeOfAMaskedCallPutsBackWhatWasMasked() {
		Map<String, Object> same = seen();
		return Stream.of(Arguments.of("nothing changed", same, nested()),
				Arguments.of("other member changed", with(same, "user", "eve"), with(nested(), "user", "eve")),
				Arguments.of("member added", with(same, "limit", 3), with(nested(), "limit", 3)),
				Arguments.of("member beside a mask in a map changed",
						with(same, "db", Map.of("host", "y", "password", MASK)),
						with(nested(), "db", Map.of("host", "y", "password", "hunter3"))),
				Arguments.of("masked member removed", without(same, "password"), without(nested(), "password")),
				Arguments.of("list with masks removed", without(same, "logins"), without(nested(), "logins")));
	}

	@ParameterizedTest
	@MethodSource
	void changeOfWhatIsMaskedDenies(String situation, Map<String, Object> changed) {
		this.outside.answer = (call) -> ToolDecision.modify(changed);
		ToolResult result = execute(List.of(this.redact, this.outside), nested());
		assertThat(result.content()).contains("masked").doesNotContain("hunter", KEY);
		assertThat(this.executed).isEmpty();
	}

	static Stream<Arguments> changeOfWhatIsMaskedDenies() {
		Map<String, Object> same = seen();
		String command = (String) same.get("command");
		return Stream.of(Arguments.of("mask in another member", with(same, "user", MASK)),
				Arguments.of("mask in a new member", with(same, "copy", MASK)),
				Arguments.of("mask within a text", with(same, "user", "bob:" + MASK)),
				Arguments.of("mask in capitals", with(same, "user", MASK.toUpperCase(Locale.ROOT))),
				Arguments.of("mask in an address", with(same, "user", "https://x.test/?p=%5Bredacted%3Apassword%5D")),
				Arguments.of("mask deep in a new member", with(same, "copy", List.of(Map.of("a", List.of(MASK))))),
				Arguments.of("mask as a name", with(same, "copy", Map.of(MASK, "a"))),
				Arguments.of("another value for what was masked", with(same, "password", "owned")),
				Arguments.of("another mask for what was masked", with(same, "password", "[redacted:secret]")),
				Arguments.of("text around a mask changed", with(same, "command", "sudo " + command)),
				Arguments.of("list in another order",
						with(same, "logins", reversed(Objects.requireNonNull(same.get("logins"))))),
				Arguments.of("element beside a mask changed",
						with(same, "logins",
								List.of(Map.of("user", "eve", "password", MASK),
										Map.of("user", "b", "password", MASK)))),
				Arguments.of("element removed", with(same, "logins", List.of(Map.of("user", "a", "password", MASK)))),
				Arguments.of("masked map replaced by a text", with(same, "db", "x")),
				Arguments.of("masks moved into a list", with(same, "db", List.of(MASK))));
	}

	@Test
	void maskThatTheAgentWroteItselfIsNoMaskOfOurs() {
		this.outside.answer = (call) -> ToolDecision.modify(Map.of("text", "[redacted:email]!"));
		execute(List.of(this.redact, this.outside), Map.of("text", "[redacted:email]"));
		assertThat(this.executed).extracting(ToolCall::arguments).containsExactly(Map.of("text", "[redacted:email]!"));
	}

	@Test
	void namesThatHoldSecretsAreMaskedAndCannotBeChanged() {
		Map<String, Object> arguments = Map.of("a", Map.of(KEY, "x", "y", "z"));
		this.outside.answer = (call) -> ToolDecision.modify(call.arguments());
		execute(List.of(this.redact, this.outside), arguments);
		assertThat(this.outside.seen.toString()).doesNotContain(KEY);
		assertThat(this.executed).extracting(ToolCall::arguments).containsExactly(arguments);
		this.outside.answer = (call) -> ToolDecision
			.modify(Map.of("a", with(map(call.arguments().get("a")), "y", "other")));
		assertThat(execute(List.of(this.redact, this.outside), arguments).content()).contains("names that are masked");
	}

	@Test
	void memberWithAMaskedNameCannotBeRemovedSoThatItComesBack() {
		Map<String, Object> arguments = Map.of("a", Map.of(KEY, "x", "y", "z"));
		this.outside.answer = (call) -> ToolDecision.modify(Map.of("a", Map.of()));
		assertThat(execute(List.of(this.redact, this.outside), arguments).content()).contains("names that are masked");
		this.outside.answer = (call) -> ToolDecision.modify(Map.of("b", 2));
		assertThat(execute(List.of(this.redact, this.outside), Map.of(KEY, "x", "b", 1)).content())
			.contains("names that are masked");
		assertThat(this.executed).isEmpty();
	}

	@Test
	void maskCannotBecomeTheNameOfAnArgument() {
		this.outside.answer = (call) -> ToolDecision.modify(Map.of("user", "bob", "password", MASK, MASK, "y"));
		assertThat(execute(List.of(this.redact, this.outside), LOGIN).content()).contains("holds a mask");
		assertThat(this.executed).isEmpty();
	}

	@Test
	void numbersThatComeBackInAnotherTypeAreTheSame() {
		Map<String, Object> arguments = Map.of("logins", List.of(Map.of("token", "t0ken", "n", 5)));
		this.outside.answer = (call) -> ToolDecision
			.modify(Map.of("logins", List.of(Map.of("token", MASK, "n", new BigDecimal("5.0")))));
		execute(List.of(this.redact, this.outside), arguments);
		assertThat(this.executed).extracting(ToolCall::arguments).containsExactly(arguments);
	}

	@Test
	void tooLargeArgumentsAreNotSentAndTheCallIsDenied() {
		Map<String, Object> large = Map.of("text", "a@".repeat(2_100_000));
		ToolResult result = execute(List.of(this.redact, this.outside), large);
		assertThat(result.content()).contains("could not be masked");
		assertThat(this.outside.seen).isEmpty();
		assertThat(this.executed).isEmpty();
	}

	@Test
	void tooLargeArgumentsDenyAlsoBehindAHookThatFailsOpen() {
		Map<String, Object> large = Map.of("text", "a@".repeat(2_100_000));
		ToolResult result = execute(List.of(this.redact, PreToolHook.failOpen(this.outside)), large);
		assertThat(result.content()).contains("could not be masked");
		assertThat(this.outside.seen).isEmpty();
	}

	@Test
	void tooLargeArgumentsPassWhereNobodyWouldSeeThem() {
		Map<String, Object> large = Map.of("text", "a@".repeat(2_100_000));
		ToolHookChain chain = new ToolHookChain(List.of(this.redact, PreToolHook.observeOnly(this.outside)), List.of(),
				List.of(this.outside), ToolApprover.nobody(), this.events::add, new AbortedRuns());
		assertThat(chain.execute(ToolCall.of("write", large), (call) -> ToolResult.success("done")).content())
			.isEqualTo("done");
		assertThat(this.outside.seen).isEmpty();
		assertThat(this.outside.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.effective().arguments()).isEmpty());
		assertThat(this.events).isNotEmpty().allSatisfy((event) -> assertThat(event.call().arguments()).isEmpty());
	}

	@Test
	void maskThatFailsDenies() {
		HookEntry<PreToolHook> entry = HookEntry.of((PreToolHook) this.outside).maskedBy((arguments) -> {
			throw new IllegalStateException("broken");
		});
		ToolHookChain chain = ToolHookChain.of(List.of(entry), List.of(), List.of(), ToolApprover.nobody(), null,
				new AbortedRuns());
		assertThat(chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done")).content())
			.contains("could not be masked");
		assertThat(this.outside.seen).isEmpty();
	}

	@Test
	void ownMaskOfAnEntryHoldsForThatHookAlone() {
		Outside other = new Outside();
		HookEntry<PreToolHook> entry = HookEntry.of((PreToolHook) this.outside)
			.maskedBy(RedactArgumentsHookTests::onlyUser);
		ToolHookChain chain = ToolHookChain.of(List.of(entry, HookEntry.of(other)), List.of(), List.of(),
				ToolApprover.nobody(), null, new AbortedRuns());
		this.outside.answer = (call) -> ToolDecision.modify(call.arguments());
		chain.execute(ToolCall.of("login", LOGIN), (call) -> {
			this.executed.add(call);
			return ToolResult.success("done");
		});
		assertThat(this.outside.seen).containsExactly(Map.of("user", "***"));
		assertThat(other.seen).containsExactly(LOGIN);
		assertThat(this.executed).extracting(ToolCall::arguments).containsExactly(LOGIN);
	}

	@Test
	void hookThatWasNotAskedHearsOfTheEndWithoutArguments() {
		PreToolHook deny = (call) -> ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(deny, this.outside), List.of(this.outside));
		chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done"));
		chain.refuse(ToolCall.of("login", LOGIN), "arguments", "broken");
		chain.setToolsEnabled(false);
		chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done"));
		assertThat(this.outside.seen).isEmpty();
		assertThat(this.outside.outcomes).hasSize(3).allSatisfy((outcome) -> {
			assertThat(outcome.requested().arguments()).isEmpty();
			assertThat(outcome.effective().arguments()).isEmpty();
		});
	}

	@Test
	void hookThatWasAskedHearsOfTheEndWithArguments() {
		PreToolHook deny = (call) -> ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(this.outside, deny), List.of(this.outside));
		chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done"));
		assertThat(this.outside.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.effective().arguments()).isEqualTo(LOGIN));
	}

	@Test
	void hookThatWasNotAskedGetsMasksIfItWantsArguments() {
		this.outside.seesUnasked = true;
		PreToolHook deny = (call) -> ToolDecision.deny("no");
		ToolHookChain chain = new ToolHookChain(List.of(deny, this.redact, this.outside), List.of(this.outside));
		chain.execute(ToolCall.of("login", LOGIN), (call) -> ToolResult.success("done"));
		assertThat(this.outside.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.effective().arguments()).isEqualTo(SEEN));
	}

	@Test
	void hookThatOnlyHearsGetsTheArgumentsOfDeniedCalls() {
		PreToolHook deny = (call) -> ToolDecision.deny("no");
		new ToolHookChain(List.of(deny), List.of(this.outside)).execute(ToolCall.of("login", LOGIN),
				(call) -> ToolResult.success("done"));
		assertThat(this.outside.outcomes).singleElement()
			.satisfies((outcome) -> assertThat(outcome.effective().arguments()).isEqualTo(LOGIN));
	}

	private ToolResult execute(List<? extends PreToolHook> hooks, Map<String, ?> arguments) {
		return new ToolHookChain(hooks, List.of()).execute(ToolCall.of("login", arguments), (call) -> {
			this.executed.add(call);
			return ToolResult.success("done");
		});
	}

	private static Map<String, @Nullable Object> onlyUser(Map<String, @Nullable Object> arguments) {
		Map<String, @Nullable Object> seen = new LinkedHashMap<>();
		seen.put("user", "***");
		return seen;
	}

	private static Map<String, Object> nested() {
		return arguments("hunter2", "hunter3", "hunter4", "hunter5", KEY);
	}

	private static Map<String, Object> seen() {
		return arguments(MASK, MASK, MASK, MASK, "[redacted:secret]");
	}

	private static Map<String, Object> arguments(String first, String second, String third, String fourth, String key) {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("user", "bob");
		arguments.put("password", first);
		arguments.put("db", Map.of("host", "x", "password", second));
		arguments.put("logins",
				List.of(Map.of("user", "a", "password", third), Map.of("user", "b", "password", fourth)));
		arguments.put("command", "curl -H 'X-Key: " + key + "' https://x.test");
		return arguments;
	}

	private static Map<String, Object> with(Map<String, Object> map, String name, Object value) {
		Map<String, Object> other = new LinkedHashMap<>(map);
		other.put(name, value);
		return other;
	}

	private static Map<String, Object> without(Map<String, Object> map, String name) {
		Map<String, Object> other = new LinkedHashMap<>(map);
		other.remove(name);
		return other;
	}

	private static List<Object> reversed(Object list) {
		List<Object> reversed = new ArrayList<>((List<?>) list);
		Collections.reverse(reversed);
		return reversed;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(@Nullable Object value) {
		return (Map<String, Object>) Objects.requireNonNull(value);
	}

	/**
	 * A hook that shows calls to somebody outside.
	 */
	private static final class Outside implements PreToolHook, ToolResultHook, PostToolHook, ExternalHook {

		private final List<Map<String, @Nullable Object>> seen = new ArrayList<>();

		private final List<Map<String, @Nullable Object>> results = new ArrayList<>();

		private final List<ToolOutcome> outcomes = new ArrayList<>();

		private Function<ToolCall, ToolDecision> answer = (call) -> ToolDecision.approve();

		private boolean seesUnasked;

		@Override
		public String name() {
			return "outside";
		}

		@Override
		public boolean seesUnaskedCalls() {
			return this.seesUnasked;
		}

		@Override
		public ToolDecision preCall(ToolCall call) {
			this.seen.add(call.arguments());
			return this.answer.apply(call);
		}

		@Override
		public ToolDecision onResult(ToolCall call, ToolResult result) {
			this.results.add(call.arguments());
			return ToolDecision.approve();
		}

		@Override
		public void postCall(ToolOutcome outcome) {
			this.outcomes.add(outcome);
		}

	}

}
