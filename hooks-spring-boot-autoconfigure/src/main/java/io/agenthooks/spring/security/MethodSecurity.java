package io.agenthooks.spring.security;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether Spring's method security refused to run the method of a tool. An
 * exception does not say whether the method ran: the method may throw the same one
 * itself, a secured method that it calls may, and {@code @PostAuthorize} does when all is
 * done. So this reads where it was thrown, and believes only in stacks that have nothing
 * but an interceptor that asks first between the thrower and who called the tool.
 *
 * @since 0.1.0
 */
public final class MethodSecurity {

	/** The model reads it. Rules and names of roles are nobody's business but ours. */
	private static final String REASON = "The user is not authorized for this call";

	private static final String DENIED = "org.springframework.security.access.AccessDeniedException";

	private static final String INTERCEPTORS = "org.springframework.security.authorization.method.";

	private static final String BEFORE = INTERCEPTORS + "AuthorizationManagerBeforeMethodInterceptor";

	private static final String AOP = "org.springframework.aop.";

	private static final String PROXY_OF_CLASS = "$$SpringCGLIB$$";

	/** Classes that lead to a method and run nothing else. */
	private static final String[] WAYS = { AOP, INTERCEPTORS,
			"org.springframework.security.config.annotation.method.configuration.DeferringMethodInterceptor",
			"org.springframework.transaction.interceptor.", "org.springframework.ai.tool.method.MethodToolCallback",
			"org.springframework.ai.tool.function.FunctionToolCallback",
			"dev.langchain4j.service.tool.DefaultToolExecutor", "java.lang.reflect.", "java.lang.invoke.",
			"jdk.internal.reflect.", "jdk.proxy", "com.sun.proxy." };

	private MethodSecurity() {
	}

	/**
	 * Return the reason for the model if method security refused to run a tool.
	 * @param thrown what the tool threw; method security's exception is that, or its
	 * cause
	 * @param caller the class that called the tool
	 * @return the reason, or {@code null} if the tool may have run
	 */
	public static @Nullable String denialOf(Throwable thrown, Class<?> caller) {
		Throwable cause = thrown.getCause();
		Throwable denial = (isDenial(thrown) || cause == null) ? thrown : cause;
		return (isDenial(denial) && isThrownBefore(denial.getStackTrace(), caller.getName())) ? REASON : null;
	}

	private static boolean isDenial(Throwable thrown) {
		for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
			if (type.getName().equals(DENIED)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isThrownBefore(StackTraceElement[] stack, String caller) {
		int interceptor = 0;
		while (interceptor < stack.length && !stack[interceptor].getClassName().equals(BEFORE)) {
			interceptor++;
		}
		if (interceptor > 0 && stack[interceptor - 1].getClassName().startsWith(AOP)) {
			// It let the call go on.
			return false;
		}
		for (int i = interceptor; i < stack.length; i++) {
			String type = stack[i].getClassName();
			if (type.equals(caller)) {
				return true;
			}
			if (!isWay(type)) {
				return false;
			}
		}
		return false;
	}

	private static boolean isWay(String type) {
		if (type.contains(PROXY_OF_CLASS)) {
			return true;
		}
		for (String way : WAYS) {
			if (type.startsWith(way)) {
				return true;
			}
		}
		return false;
	}

}
