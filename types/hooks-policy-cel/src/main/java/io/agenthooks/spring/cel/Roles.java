package io.agenthooks.spring.cel;

import java.util.Collection;
import java.util.List;

/** The roles of Spring Security among authorities: those with its prefix. */
final class Roles {

	static final String PREFIX = "ROLE_";

	private Roles() {
	}

	/**
	 * The names of roles, without their prefix.
	 */
	static List<String> of(Collection<String> authorities) {
		return authorities.stream()
			.filter((authority) -> authority.startsWith(PREFIX))
			.map((authority) -> authority.substring(PREFIX.length()))
			.toList();
	}

}
