package io.agenthooks.spring.cel;

import java.util.Collection;
import java.util.List;

final class Roles {

	static final String PREFIX = "ROLE_";

	private Roles() {
	}

	static List<String> of(Collection<String> authorities) {
		return authorities.stream()
			.filter((authority) -> authority.startsWith(PREFIX))
			.map((authority) -> authority.substring(PREFIX.length()))
			.toList();
	}

}
