package io.agenthooks.spring.autoconfigure;

import java.util.function.Predicate;

/**
 * A type of beans that run tools, each of which must be guarded.
 *
 * @param type the type
 * @param guard tells whether calls of tools pass the hooks if they go through a bean
 */
record GuardedType(Class<?> type, Predicate<Object> guard) {

	boolean isGuarded(Object bean) {
		return this.guard.test(bean);
	}

}
