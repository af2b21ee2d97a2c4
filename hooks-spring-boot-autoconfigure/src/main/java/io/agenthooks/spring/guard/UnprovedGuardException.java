package io.agenthooks.spring.guard;

import org.jspecify.annotations.Nullable;

/**
 * A call that the hooks must deny was not denied through a bean that seems guarded, so
 * the application must not start.
 */
final class UnprovedGuardException extends RuntimeException {

	private final String bean;

	UnprovedGuardException(String bean, @Nullable Throwable cause) {
		super("A call that must be denied was not denied by the hooks, made through " + bean, cause);
		this.bean = bean;
	}

	String getBean() {
		return this.bean;
	}

}
