package io.agenthooks.spring.approval;

import java.security.Principal;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;

/** Tells who sent a request, and whether that person may see questions. */
final class ApprovalPeople {

	/** Everybody, if there is no login. */
	private static final String ANONYMOUS = "anonymous";

	private final Set<String> approvers;

	private final boolean secured;

	ApprovalPeople(ApprovalWeb web, boolean secured) {
		this.approvers = (secured) ? web.requiredApprovers() : web.approvers();
		this.secured = secured;
	}

	/** The user of a request, or {@code null} without a login. */
	@Nullable Person of(@Nullable Principal principal) {
		if (!this.secured) {
			return new Person(ANONYMOUS, this.approvers);
		}
		return (principal != null) ? LoggedIn.of(principal) : null;
	}

	boolean maySee(Person person) {
		return !this.secured || !Collections.disjoint(this.approvers, person.authorities());
	}

	boolean mayHear(Person person, ApprovalRequest request) {
		return !this.secured || person.name().equals(request.user());
	}

	/** Finds the user by Spring Security, which may be missing. */
	private static final class LoggedIn {

		private static final AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();

		static @Nullable Person of(Principal principal) {
			if (!(principal instanceof Authentication login) || !trust.isAuthenticated(login)
					|| login.getName().isBlank()) {
				return null;
			}
			return new Person(login.getName(),
					login.getAuthorities()
						.stream()
						.map(GrantedAuthority::getAuthority)
						.flatMap(Stream::ofNullable)
						.collect(Collectors.toUnmodifiableSet()));
		}

	}

}
