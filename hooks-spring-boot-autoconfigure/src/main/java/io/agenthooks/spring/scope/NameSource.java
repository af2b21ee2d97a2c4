package io.agenthooks.spring.scope;

/**
 * A source of names that calls can have, asked once, when all singletons exist.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NameSource {

	void addTo(KnownNames names);

}
