package io.agenthooks.spring.scope;

/**
 * A source of names that calls can have. Beans of this type are asked once, when all
 * singletons exist.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface NameSource {

	void addTo(KnownNames names);

}
