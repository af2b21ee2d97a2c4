package io.agenthooks.spring.caller;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthentication;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;

import io.agenthooks.CallContext;

/**
 * Logins by tokens, as a resource server knows them: each with the authorities
 * {@code ROLE_USER} and one of the user's own, and with a tenant of the user's own.
 */
public final class TokenLogins {

	private TokenLogins() {
	}

	public static Authentication jwt(String user) {
		Jwt token = Jwt.withTokenValue("hunter2")
			.header("alg", "none")
			.subject(user)
			.claim("tenant", tenant(user))
			.claim("phone", "hunter2")
			.build();
		return new JwtAuthenticationToken(token, authorities(user));
	}

	public static Authentication opaque(String user) {
		OAuth2AccessToken token = new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "hunter2", null, null);
		return new BearerTokenAuthentication(new DefaultOAuth2AuthenticatedPrincipal(user,
				Map.of("tenant", tenant(user), "phone", "hunter2"), authorities(user)), token, authorities(user));
	}

	/**
	 * What hooks are to know of such a user, if they get the claim {@code tenant}.
	 */
	public static CallContext in(CallContext context, String user) {
		return context.withUser(user)
			.withAuthorities(AuthorityUtils.authorityListToSet(authorities(user)))
			.withClaims(Map.of("tenant", tenant(user)));
	}

	private static List<GrantedAuthority> authorities(String user) {
		return AuthorityUtils.createAuthorityList("ROLE_USER", "ROLE_" + user.toUpperCase(Locale.ROOT));
	}

	private static String tenant(String user) {
		return "tenant of " + user;
	}

}
