package io.agenthooks.spring.suspend;

import java.util.Objects;
import java.util.Set;

/**
 * A person who decides about calls.
 *
 * @param name the name that the application knows this person by
 * @param authorities what this person may do
 * @since 0.1.0
 */
public record Person(String name, Set<String> authorities) {

	/**
	 * Create a person.
	 * @throws IllegalArgumentException if there is no name
	 */
	public Person {
		Objects.requireNonNull(name, "'name' must not be null");
		if (name.isBlank()) {
			throw new IllegalArgumentException("'name' must not be blank");
		}
		authorities = Set.copyOf(authorities);
	}

}
