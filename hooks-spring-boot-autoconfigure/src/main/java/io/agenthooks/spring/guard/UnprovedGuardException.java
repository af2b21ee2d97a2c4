package io.agenthooks.spring.guard;

import org.jspecify.annotations.Nullable;

/** Through a bean that seems guarded, a call was not denied that the hooks must deny. */
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
