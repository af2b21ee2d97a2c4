package io.agenthooks.spring.security;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;

import io.agenthooks.CallContext;

/** The user as hooks know it, whatever thread they are on. */
final class CallerAuthentication extends AbstractAuthenticationToken {

	private static final long serialVersionUID = 1L;

	private static final String ANONYMOUS = "anonymousUser";

	private final String user;

	private CallerAuthentication(String user, CallContext context) {
		super(AuthorityUtils.createAuthorityList(context.authorities()));
		this.user = user;
		setDetails(context.claims());
		setAuthenticated(true);
	}

	static Authentication of(CallContext context) {
		String user = context.user();
		return (user != null) ? new CallerAuthentication(user, context) : new AnonymousAuthenticationToken(ANONYMOUS,
				ANONYMOUS, AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
	}

	@Override
	public Object getPrincipal() {
		return this.user;
	}

	@Override
	public Object getCredentials() {
		return "";
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return super.equals(other) && other instanceof CallerAuthentication caller && this.user.equals(caller.user);
	}

	@Override
	public int hashCode() {
		return Objects.hash(super.hashCode(), this.user);
	}

}
