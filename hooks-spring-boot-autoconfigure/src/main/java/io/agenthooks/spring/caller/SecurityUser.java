package io.agenthooks.spring.caller;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.ReactiveSecurityContextHolderThreadLocalAccessor;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A class of its own, so that Spring Security need not be there. */
final class SecurityUser implements CurrentUser {

	private static final boolean propagated = isPresent("reactor.core.publisher.Mono")
			&& isPresent("io.micrometer.context.ThreadLocalAccessor")
			&& isPresent("org.springframework.security.core.context.ReactiveSecurityContextHolderThreadLocalAccessor");

	private static final boolean oauth2 = isPresent("org.springframework.security.oauth2.core.ClaimAccessor");

	private final Set<String> claims;

	SecurityUser(Collection<String> claims) {
		this.claims = Set.copyOf(claims);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, SecurityUser.class.getClassLoader());
	}

	@Override
	public Login ofThread() {
		Login login = loginOf(SecurityContextHolder.getContext().getAuthentication());
		return (login.known() || !propagated) ? login : Propagated.ofThread(this);
	}

	Login loginOf(@Nullable Authentication authentication) {
		if (authentication == null) {
			return Login.UNKNOWN;
		}
		return (!authentication.isAuthenticated() || authentication instanceof AnonymousAuthenticationToken)
				? Login.GUEST
				: Login.of(authentication.getName(), authoritiesOf(authentication), claimsOf(authentication));
	}

	private static Set<String> authoritiesOf(Authentication authentication) {
		Set<String> names = new LinkedHashSet<>();
		for (GrantedAuthority authority : authentication.getAuthorities()) {
			String name = authority.getAuthority();
			if (name != null) {
				names.add(name);
			}
		}
		return names;
	}

	private Map<String, Object> claimsOf(Authentication authentication) {
		return (oauth2 && !this.claims.isEmpty()) ? UserClaims.of(authentication, this.claims) : Map.of();
	}

	/** The context that a reactive application propagates to its threads. */
	private static final class Propagated {

		private static final ReactiveSecurityContextHolderThreadLocalAccessor accessor = new ReactiveSecurityContextHolderThreadLocalAccessor();

		private Propagated() {
		}

		static Login ofThread(SecurityUser user) {
			@Nullable Mono<SecurityContext> context = accessor.getValue();
			if (context == null || Schedulers.isInNonBlockingThread()) {
				return Login.UNKNOWN;
			}
			SecurityContext security = context.block();
			return (security != null) ? user.loginOf(security.getAuthentication()) : Login.UNKNOWN;
		}

	}

}
