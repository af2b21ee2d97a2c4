package io.agenthooks.spring.caller;

import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import reactor.core.publisher.Mono;

/**
 * The person whom a reactive application works for. Beside {@link CurrentUser}, so that
 * others need no Reactor.
 *
 * @since 0.1.0
 */
public final class ReactiveCaller {

	private ReactiveCaller() {
	}

	/**
	 * The user in the context of who subscribes.
	 * @param user the source of users, which says what hooks get of them
	 * @return who is logged in; never empty
	 */
	public static Mono<Login> of(CurrentUser user) {
		return (user instanceof SecurityUser security) ? Secured.of(security) : Mono.just(Login.UNKNOWN);
	}

	private static final class Secured {

		private static final String CAPTURED = SecurityContext.class.getName();

		private Secured() {
		}

		static Mono<Login> of(SecurityUser user) {
			return Mono.deferContextual((context) -> ReactiveSecurityContextHolder.getContext()
				.map((security) -> user.loginOf(security.getAuthentication()))
				.defaultIfEmpty((context.getOrDefault(CAPTURED, null) instanceof SecurityContext security)
						? user.loginOf(security.getAuthentication()) : Login.UNKNOWN));
		}

	}

}
