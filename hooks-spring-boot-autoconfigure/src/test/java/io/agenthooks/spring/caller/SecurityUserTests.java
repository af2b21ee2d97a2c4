package io.agenthooks.spring.caller;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.core.ClaimAccessor;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

import io.agenthooks.CallContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SecurityUser}.
 */
class SecurityUserTests {

	private static final List<GrantedAuthority> ROLES = AuthorityUtils.createAuthorityList("ROLE_USER", "SCOPE_mail");

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	static Stream<Arguments> logins() {
		return Stream.of(Arguments.of(new TestingAuthenticationToken("anna", "x", ROLES), Map.of()),
				Arguments.of(new UsernamePasswordAuthenticationToken(new User("anna", "x", ROLES), "x", ROLES),
						Map.of()),
				Arguments.of(TokenLogins.jwt("anna"), Map.of("tenant", "tenant of anna")),
				Arguments.of(TokenLogins.opaque("anna"), Map.of("tenant", "tenant of anna")),
				// A converter may have put an object of the application into its place.
				Arguments.of(new UsernamePasswordAuthenticationToken(new User("anna", "x", ROLES),
						jwt(Map.of("sub", "anna", "tenant", "t")), ROLES), Map.of("tenant", "t")));
	}

	@ParameterizedTest
	@MethodSource("logins")
	void userHasAuthoritiesAndTheClaimsThatAreNamed(Authentication login, Map<String, Object> claims) {
		CallContext context = contextOf(login, "tenant", "absent");
		assertThat(context.user()).isEqualTo("anna");
		assertThat(context.authorities()).isEqualTo(AuthorityUtils.authorityListToSet(login.getAuthorities()))
			.contains("ROLE_USER");
		assertThat(context.claims()).isEqualTo(claims);
		assertThat(contextOf(login).claims()).isEmpty();
		Login reactive = ReactiveCaller.of(CurrentUser.ofSpringSecurity(List.of("tenant")))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(login))
			.block();
		assertThat(reactive).isNotNull().extracting((each) -> each.in(CallContext.empty())).isEqualTo(context);
	}

	@Test
	void guestHasNoAuthorities() {
		Authentication guest = new AnonymousAuthenticationToken("key", "anonymousUser",
				AuthorityUtils.createAuthorityList("ROLE_ADMIN"));
		Authentication notYet = new TestingAuthenticationToken("anna", "x");
		notYet.setAuthenticated(false);
		for (Authentication login : new @Nullable Authentication[] { guest, notYet, null }) {
			assertThat(contextOf(login, "tenant")).isEqualTo(CallContext.empty());
		}
	}

	@Test
	void authorityWithoutANameIsNone() {
		GrantedAuthority nameless = () -> null;
		GrantedAuthority odd = () -> "ROLE_\u202eNIMDA ' or 1=1";
		CallContext context = contextOf(new UsernamePasswordAuthenticationToken("anna", "x", List.of(nameless, odd)));
		assertThat(context.authorities()).containsExactly("ROLE_\u202eNIMDA ' or 1=1");
	}

	static Stream<Arguments> values() {
		Map<String, Object> cycle = new HashMap<>();
		cycle.put("self", cycle);
		Map<String, @Nullable Object> withNull = new LinkedHashMap<>();
		withNull.put("a", null);
		List<Object> deep = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			deep = new ArrayList<>(List.of(deep));
		}
		return Stream.of(Arguments.of("a", "a"), Arguments.of(1L, 1L), Arguments.of(true, true),
				Arguments.of(new BigDecimal("1.10"), new BigDecimal("1.10")),
				Arguments.of(List.of("a", 1), List.of("a", 1)), Arguments.of(withNull, withNull),
				Arguments.of(Map.of("roles", List.of("x")), Map.of("roles", List.of("x"))),
				Arguments.of(Instant.EPOCH, "1970-01-01T00:00:00Z"), Arguments.of(URI.create("https://a"), "https://a"),
				Arguments.of(new UUID(0, 1), "00000000-0000-0000-0000-000000000001"), Arguments.of(Double.NaN, null),
				Arguments.of(new Object(), null), Arguments.of(List.of(new AtomicReference<>("a")), null),
				Arguments.of(Map.of(1, "a"), null), Arguments.of(cycle, null), Arguments.of(deep, null),
				Arguments.of(Collections.nCopies(20_000, "a"), null));
	}

	@ParameterizedTest
	@MethodSource("values")
	void claimThatIsNoJsonCountsAsNotThere(Object value, @Nullable Object expected) {
		Map<String, Object> claims = new HashMap<>(Map.of("sub", "anna", "claim", value));
		CallContext context = contextOf(new JwtAuthenticationToken(jwt(claims), ROLES), "claim");
		assertThat(context.user()).isEqualTo("anna");
		assertThat(context.authorities()).hasSize(2);
		assertThat(context.claims().get("claim")).isEqualTo(expected);
		assertThat(context.claims().containsKey("claim")).isEqualTo(expected != null);
	}

	@Test
	void tokenThatCannotBeReadHasNoClaims() {
		ClaimAccessor broken = () -> {
			throw new IllegalStateException("hunter2");
		};
		CallContext context = contextOf(new TestingAuthenticationToken(broken, "x", "ROLE_USER"), "tenant");
		assertThat(context.claims()).isEmpty();
		assertThat(context.authorities()).isEqualTo(Set.of("ROLE_USER"));
	}

	@Test
	void loginShowsNoSecrets() {
		SecurityContextHolder.getContext().setAuthentication(TokenLogins.jwt("anna"));
		assertThat(CurrentUser.ofSpringSecurity(List.of("phone")).ofThread().toString()).contains("anna", "phone")
			.doesNotContain("hunter2");
	}

	private static Jwt jwt(Map<String, Object> claims) {
		return Jwt.withTokenValue("hunter2").header("alg", "none").claims((all) -> all.putAll(claims)).build();
	}

	private static CallContext contextOf(@Nullable Authentication login, String... claims) {
		SecurityContextHolder.getContext().setAuthentication(login);
		return CurrentUser.ofSpringSecurity(List.of(claims)).ofThread().in(CallContext.empty());
	}

}
