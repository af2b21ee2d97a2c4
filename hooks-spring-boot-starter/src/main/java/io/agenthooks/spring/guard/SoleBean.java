package io.agenthooks.spring.guard;

import org.springframework.beans.factory.ObjectProvider;

/**
 * A bean that the hooks ask for when it is needed, if there is one. Two of them are found
 * at the start, and not by the first call.
 *
 * @param beans the beans of the type
 * @since 0.1.0
 */
public record SoleBean(ObjectProvider<?> beans) {

	void check() {
		this.beans.getIfAvailable();
	}

}
