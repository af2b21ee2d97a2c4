package io.agenthooks.spring.limit;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.CallContext;
import io.agenthooks.toolcall.ToolCall;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LimitKey}.
 */
class LimitKeyTests {

	private static final CallContext CONTEXT = CallContext.ofSession("s1")
		.withRunId("r1")
		.withUser("alice")
		.withClaims(Map.of("tenant", "acme"))
		.withAgent("helper")
		.withWorkspace("main");

	@ParameterizedTest
	@ValueSource(strings = { "tool", "session", "run", "user", "agent", "workspace", "claim:tenant" })
	void callsDifferByThePartAndByNothingElse(String part) {
		List<ToolCall> calls = List.of(call("refund", CONTEXT), call("pay", CONTEXT),
				call("refund", CONTEXT.withSessionId("s2")), call("refund", CONTEXT.withRunId("r2")),
				call("refund", CONTEXT.withUser("bob").withClaims(Map.of("tenant", "acme"))),
				call("refund", CONTEXT.withAgent("other")), call("refund", CONTEXT.withWorkspace("other")),
				call("refund", CONTEXT.withClaims(Map.of("tenant", "other"))));
		List<String> keys = calls.stream().map((call) -> key(call, part)).toList();
		assertThat(keys.stream().distinct()).hasSize(2);
		assertThat(keys.stream().filter((key) -> !key.equals(keys.get(0)))).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "alice, ALICE", "alice, '  alice '", "alice, \uff21lice", "\u00e9mile, e\u0301mile", "\ufb01nn, finn",
			"stra\u00dfe, STRASSE", "stra\u00dfe, STRA\u1e9eE", "alice, al\u200bice", "alice, '\u202ealice'",
			"\u0131, i", "alice, al\ufe0fice", "alice, al\u034fice", "alice, alice\u3164", "alice, 'alice\udb40\udd00'",
			"alice, al\u0085ice", "ann lee, ann  lee", "ann lee, 'ann\u00a0 lee'", "ann lee, ann\tlee" })
	void spellingsOfAValueAreOneValue(String name, String spelling) {
		assertThat(key(ofUser(name), "user")).isEqualTo(key(ofUser(spelling), "user"));
	}

	@Test
	void valuesAreNoMoreInAKeyThanTheirDigest() {
		assertThat(key(ofUser("alice"), "user")).matches("[0-9a-f]{64}").isNotEqualTo(key(ofUser("bob"), "user"));
	}

	@Test
	void partsDoNotRunIntoEachOther() {
		ToolCall one = call("t", CallContext.ofSession("a").withUser("b1:c"));
		ToolCall other = call("t", CallContext.ofSession("a1:b").withUser("c"));
		assertThat(key(one, "session", "user")).isNotEqualTo(key(other, "session", "user"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "session", "run", "user", "agent", "claim:tenant" })
	void missingPartIsTold(String part) {
		LimitKey.Found found = reader(part).of(call("refund", CallContext.empty()));
		assertThat(found.key()).isNull();
		assertThat(found.missing()).isTrue();
		assertThat(found.problem()).startsWith("The call has no " + part.split(":", -1)[0]);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\u200b", "\u00ad\n" })
	void partThatHasNothingVisibleIsMissing(String user) {
		assertThat(reader("user").of(ofUser(user)).missing()).isTrue();
	}

	@Test
	void partThatIsTooLongIsUnusableAndNotMissing() {
		LimitKey.Found found = reader("session").of(call("t", CallContext.ofSession("\ufdfa".repeat(2_001))));
		assertThat(found.key()).isNull();
		assertThat(found.missing()).isFalse();
	}

	@Test
	void keyOfAnotherExpressionIsAnotherOneAndReadsTheSame() {
		LimitKey one = new LimitKey(List.of(), TestExpressions.READER.read("key_expression", "args.user"));
		LimitKey same = new LimitKey(List.of(), TestExpressions.READER.read("key_expression", " args.user "));
		LimitKey other = new LimitKey(List.of(), TestExpressions.READER.read("key_expression", "args.session"));
		assertThat(one.identity()).isEqualTo(same.identity()).isNotEqualTo(other.identity());
		assertThat(one.describe()).isEqualTo(other.describe()).doesNotContain("args");
		ConcurrencySettings running = new ConcurrencySettings(1, one, OnMissingKey.DENY, Duration.ZERO);
		assertThat(running.entry("h"))
			.isNotEqualTo(new ConcurrencySettings(1, other, OnMissingKey.DENY, Duration.ZERO).entry("h"));
		assertThat(budget(one)).isNotEqualTo(budget(other));
	}

	private static String budget(LimitKey key) {
		return SharedBudget
			.of("h", "calls",
					new BudgetTerms(BigDecimal.TEN, "day", BudgetPeriod.DAY, ZoneOffset.UTC, key, OnMissingKey.DENY,
							BigDecimal.ONE.negate(), 10, Duration.ofHours(1)),
					1_000, SharedLimits.LEASE)
			.entry();
	}

	@Test
	void claimMayBeAnyJsonValue() {
		List<Object> tenants = List.of(1, "1", List.of("a", "b"), List.of("b", "a"), Map.of("id", 1), true);
		List<String> keys = new ArrayList<>();
		for (Object tenant : tenants) {
			keys.add(key(call("t", CONTEXT.withClaims(Map.of("tenant", tenant))), "claim:tenant"));
		}
		assertThat(keys.get(0)).isEqualTo(keys.get(1));
		assertThat(keys.stream().distinct()).hasSize(5);
	}

	private static ToolCall ofUser(String user) {
		return call("t", CallContext.empty().withUser(user));
	}

	private static ToolCall call(String tool, CallContext context) {
		return ToolCall.of(tool, Map.of("user", "mallory", "session", "s9"), context);
	}

	private static LimitKey reader(String... parts) {
		List<KeyPart> read = new ArrayList<>();
		for (String part : parts) {
			read.add(Objects.requireNonNull(KeyPart.of(part)));
		}
		return new LimitKey(read, null);
	}

	private static String key(ToolCall call, String... parts) {
		@Nullable String key = reader(parts).of(call).key();
		return Objects.requireNonNull(key);
	}

}
