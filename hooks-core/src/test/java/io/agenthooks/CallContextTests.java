package io.agenthooks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link CallContext}, and of the names that all kinds of hooks share.
 */
class CallContextTests {

	private static final CallContext ANN = CallContext.empty().withUser("ann");

	@Test
	void emptyHasDefaults() {
		CallContext context = CallContext.empty();
		assertThat(context.sessionId()).isNull();
		assertThat(context.agent()).isNull();
		assertThat(context.role()).isEqualTo("agent");
		assertThat(context.workspace()).isEqualTo("main");
		assertThat(context.attempt()).isEqualTo(1);
		assertThat(context.attributes()).isEmpty();
	}

	@Test
	void withersChangeOnePartEach() {
		CallContext context = CallContext.ofSession("s")
			.withAgent("a")
			.withRole("r")
			.withWorkspace("w")
			.withAttempt(2)
			.withAttribute("one", 1)
			.withAttribute("two", 2);
		assertThat(context).isEqualTo(new CallContext("s", null, null, null, Set.of(), Map.of(), "a", "r", "w", 2,
				Map.of("one", 1, "two", 2)));
		assertThat(context.withSessionId(null).withAgent(null)).isEqualTo(new CallContext(null, null, null, null,
				Set.of(), Map.of(), null, "r", "w", 2, Map.of("one", 1, "two", 2)));
		assertThat(context.withAttribute("one", 11).attributes()).isEqualTo(Map.of("one", 11, "two", 2));
		assertThat(CallContext.empty()).isEqualTo(CallContext.ofSession(null));
	}

	@Test
	void attributesAreCopiedInOrderAndCannotBeChanged() {
		Map<String, Object> attributes = new HashMap<>(Map.of("a", 1));
		CallContext context = new CallContext(null, null, null, null, Set.of(), Map.of(), null, "r", "w", 1,
				attributes);
		attributes.put("b", 2);
		assertThat(context.attributes()).isEqualTo(Map.of("a", 1));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> context.attributes().put("c", 3));
		assertThat(CallContext.empty().withAttribute("z", 1).withAttribute("a", 2).attributes().keySet())
			.containsExactly("z", "a");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE })
	void attemptStartsAtOne(int attempt) {
		assertThatIllegalArgumentException().isThrownBy(() -> CallContext.empty().withAttempt(attempt))
			.withMessage("'attempt' must be 1 or more");
	}

	@Test
	@SuppressWarnings("NullAway")
	void createWithoutAPartNamesIt() {
		assertThatNullPointerException().isThrownBy(() -> CallContext.empty().withRole(null))
			.withMessage("'role' must not be null");
		assertThatNullPointerException().isThrownBy(() -> CallContext.empty().withWorkspace(null))
			.withMessage("'workspace' must not be null");
		assertThatNullPointerException().isThrownBy(() -> CallContext.empty().withAttribute("a", null))
			.withMessage("'value' must not be null");
		assertThatNullPointerException()
			.isThrownBy(() -> new CallContext(null, null, null, null, Set.of(), Map.of(), null, "r", "w", 1, null))
			.withMessage("'attributes' must not be null");
	}

	@Test
	void toStringShowsNoValuesOfAttributesAndIsOneLine() {
		String text = new CallContext("s\nWARN fake", null, null, "u\t", Set.of("ROLE_A\n"),
				Map.of("tenant\u001b", "acme"), "a\rb", "r\u202e", "w\u001b", 1, Map.of("token\n", "hunter2"))
			.toString();
		assertThat(text).contains("token", "WARN fake", "ROLE_A", "tenant")
			.doesNotContain("hunter2", "acme", "\n", "\r", "\u202e", "\u001b");
		assertThat(CallContext.empty().toString()).contains("sessionId=null", "role=agent");
	}

	@Test
	void emptyHasNoAuthoritiesAndNoClaims() {
		assertThat(CallContext.empty().authorities()).isEmpty();
		assertThat(CallContext.empty().claims()).isEmpty();
		assertThat(CallContext.empty().authorities().contains("ROLE_ADMIN")).isFalse();
		assertThat(CallContext.empty().withUser("ann").authorities()).isEmpty();
	}

	@Test
	void withUserDropsWhatBelongsToAnotherUser() {
		CallContext ann = ANN.withAuthorities(List.of("ROLE_ADMIN")).withClaims(Map.of("tenant", "acme"));
		assertThat(ann.withUser("ann")).isEqualTo(ann);
		for (String other : Arrays.asList("ben", "Ann", "", null)) {
			assertThat(ann.withUser(other)).isEqualTo(CallContext.empty().withUser(other));
		}
		assertThat(ann.withUser("ben").withUser("ann")).isEqualTo(ANN);
	}

	@Test
	void otherPartsKeepAuthoritiesAndClaims() {
		CallContext ann = ANN.withAuthorities(List.of("ROLE_ADMIN")).withClaims(Map.of("tenant", "acme"));
		CallContext changed = ann.withSessionId("s")
			.withRunId("r")
			.withAgent("a")
			.withRole("role")
			.withWorkspace("w")
			.withAttempt(2)
			.withAttribute("one", 1);
		assertThat(changed.authorities()).containsExactly("ROLE_ADMIN");
		assertThat(changed.claims()).isEqualTo(Map.of("tenant", "acme"));
		assertThat(new ToolIdentity("x__t", "t", "x").describeIn(changed).authorities()).containsExactly("ROLE_ADMIN");
		assertThat(new ToolIdentity("x__t", "t", "x").describeIn(changed).claims()).containsKey("tenant");
	}

	@Test
	void authoritiesAndClaimsNeedAUser() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> CallContext.empty().withAuthorities(List.of("ROLE_ADMIN")))
			.withMessage("'user' must not be null if there are authorities or claims");
		assertThatIllegalArgumentException().isThrownBy(() -> CallContext.empty().withClaims(Map.of("tenant", "a")));
		assertThat(CallContext.empty().withAuthorities(Set.of()).withClaims(Map.of())).isEqualTo(CallContext.empty());
	}

	@Test
	void authoritiesAndClaimsAreDeeplyImmutableCopiesInOrder() {
		List<String> authorities = new ArrayList<>(List.of("b", "a", "b"));
		List<String> groups = new ArrayList<>(List.of("one"));
		Map<String, Object> address = new HashMap<>(Map.of("city", "Bonn"));
		CallContext context = ANN.withAuthorities(authorities).withClaims(Map.of("groups", groups, "address", address));
		authorities.add("c");
		groups.add("two");
		address.put("city", "Rome");
		assertThat(context.authorities()).containsExactly("b", "a");
		assertThat(context.claims()).isEqualTo(Map.of("groups", List.of("one"), "address", Map.of("city", "Bonn")));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> context.authorities().add("c"));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> context.authorities().remove("a"));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> context.claims().remove("groups"));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> ((List<?>) Objects.requireNonNull(context.claims().get("groups"))).clear());
		assertThat(context).isEqualTo(ANN.withClaims(context.claims()).withAuthorities(Set.of("a", "b")));
	}

	@ParameterizedTest
	@MethodSource
	void claimsThatAreNoJsonAreRefused(Object value) {
		assertThatIllegalArgumentException().isThrownBy(() -> ANN.withClaims(Map.of("claim", value)))
			.withMessageNotContaining("hunter2");
	}

	static List<Object> claimsThatAreNoJsonAreRefused() {
		Map<String, Object> cycle = new HashMap<>();
		cycle.put("self", cycle);
		return List.of(new AtomicReference<>("hunter2"), Double.NaN, List.of(Float.POSITIVE_INFINITY),
				Map.of(1, "hunter2"), cycle, Collections.nCopies(20_000, "a"), new AtomicInteger(1));
	}

	@Test
	void claimsShowTheirNamesOnly() {
		assertThat(ANN.withClaims(Map.of("tenant", "hunter2")).claims()).hasToString("[tenant]");
	}

	@Test
	void verdictsHaveOneNameEverywhere() {
		assertThat(Verdict.values()).extracting(Verdict::value)
			.containsExactly("approve", "modify", "deny", "respond", "ask", "abort");
	}

}
