package io.agenthooks.spring.guard;

import org.springframework.beans.factory.ObjectProvider;

/**
 * A type whose single bean is looked up later, if there is one. Two such beans stop the
 * start rather than the first call.
 *
 * @param beans the beans of the type
 * @since 0.1.0
 */
public record SoleBean(ObjectProvider<?> beans) {

	void check() {
		this.beans.getIfAvailable();
	}

}
