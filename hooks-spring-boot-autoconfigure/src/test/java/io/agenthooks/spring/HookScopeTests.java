package io.agenthooks.spring;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for whom a hook is, as {@link HookScope} says.
 */
class HookScopeTests {

	@ParameterizedTest
	@CsvSource(nullValues = "-",
			value = { "ann, true", "Ann, true", "ANN, true", "\uff21nn, true", "a\u200bnn, true", "' ann', true",
					"anne, false", "ann@acme.com, true", "Bob@ACME.com, true", "bob, false", "'', true", "' ', true",
					"-, true" })
	void hookForUsersIsForThemAndForWhoIsNotKnown(@Nullable String user, boolean expected) {
		assertThat(isFor(HookOptions.defaults().users("ann", "*@acme.com"), CallContext.empty().withUser(user)))
			.isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "ROLE_ADMIN, true", "ROLE_USER;ROLE_ADMIN, true", "ROLE_USER, false", "role_admin, false",
			"SCOPE_mail:read, true", "'', true" })
	void hookForAuthoritiesIsForWhoHasOneAndForWhomNoneIsKnown(String authorities, boolean expected) {
		CallContext context = CallContext.empty()
			.withUser("ann")
			.withAuthorities((authorities.isEmpty()) ? Set.of() : List.of(authorities.split(";")));
		assertThat(isFor(HookOptions.defaults().authorities("ROLE_ADMIN", "SCOPE_*"), context)).isEqualTo(expected);
	}

	@Test
	void allOptionsHaveToFit() {
		HookOptions options = HookOptions.defaults().users("ann").authorities("ROLE_*").agents("bot");
		CallContext fits = CallContext.empty().withAgent("bot").withUser("ann").withAuthorities(List.of("ROLE_A"));
		assertThat(isFor(options, fits)).isTrue();
		assertThat(isFor(options, fits.withAgent("other"))).isFalse();
		assertThat(isFor(options, fits.withUser("bob").withAuthorities(List.of("ROLE_A")))).isFalse();
		assertThat(isFor(options, fits.withAuthorities(List.of("x")))).isFalse();
		assertThat(isFor(options, CallContext.empty().withAgent("bot"))).isTrue();
		assertThat(HookOptions.defaults().scope().contexts()).isNull();
	}

	@Test
	void optionsWithMistakesAreNamed() {
		assertThat(HookOptions.defaults().users().authorities("ROLE_(A|B)").problems())
			.extracting((problem) -> problem.path().get(0))
			.containsExactly("users", "authorities");
		assertThat(HookOptions.defaults().users("DOMAIN\\*", "a b", "a+b@c.de").authorities("SCOPE_a:b/c").problems())
			.isEmpty();
	}

	private static boolean isFor(HookOptions options, CallContext context) {
		return Objects.requireNonNull(options.scope().contexts()).test(context);
	}

}
