package io.agenthooks.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;

/**
 * A bean that the hooks ask for when it is needed, if there is one. Two of them are found
 * at the start, and not by the first call.
 *
 * @param beans the beans of the type
 */
record SoleBean(ObjectProvider<?> beans) {

	void check() {
		this.beans.getIfAvailable();
	}

}
