package io.agenthooks.spring.caller;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import io.micrometer.context.ContextSnapshotFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.security.concurrent.DelegatingSecurityContextCallable;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

import io.agenthooks.chain.Nesting;

/**
 * Carries what is bound to this thread to another one: the user of Spring Security, the
 * MDC, what Micrometer's context propagation knows of, and how deep inside of calls the
 * thread is. Whoever works there leaves nothing behind.
 *
 * @since 0.1.0
 */
public final class CarriedContext {

	private static final boolean propagation = isPresent("io.micrometer.context.ContextSnapshotFactory");

	private static final boolean security = isPresent(
			"org.springframework.security.concurrent.DelegatingSecurityContextCallable");

	private CarriedContext() {
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, CarriedContext.class.getClassLoader());
	}

	/**
	 * Let work on another thread see the context of this one.
	 * @param <T> the type of what it makes
	 * @param work the work
	 * @return the same work with the context that this thread has now
	 */
	public static <T extends @Nullable Object> Callable<T> carry(Supplier<T> work) {
		Caller caller = Caller.ofThread();
		Supplier<T> known = (caller != null) ? () -> caller.execute(work) : work;
		Callable<T> carried = Nesting.ofThisThread().carry(known)::get;
		if (security) {
			carried = Security.carry(carried);
		}
		if (propagation) {
			carried = Propagation.carry(carried);
		}
		return withLog(carried);
	}

	/**
	 * Let work that makes nothing see the context of this thread on another one.
	 * @param work the work
	 * @return the same work with the context that this thread has now
	 */
	public static Runnable carryTask(Runnable work) {
		Callable<@Nullable Void> carried = CarriedContext.<@Nullable Void>carry(() -> {
			work.run();
			return null;
		});
		return () -> {
			try {
				@Nullable Void unused = carried.call();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		};
	}

	private static <T extends @Nullable Object> Callable<T> withLog(Callable<T> work) {
		@Nullable Map<String, String> context = MDC.getCopyOfContextMap();
		if (context == null || context.isEmpty()) {
			return work;
		}
		return () -> {
			@Nullable Map<String, String> before = MDC.getCopyOfContextMap();
			MDC.setContextMap(context);
			try {
				return work.call();
			}
			finally {
				if (before != null) {
					MDC.setContextMap(before);
				}
				else {
					MDC.clear();
				}
			}
		};
	}

	private static final class Security {

		private Security() {
		}

		static <T extends @Nullable Object> Callable<T> carry(Callable<T> work) {
			return new DelegatingSecurityContextCallable<>(work, SecurityContextHolder.getContext());
		}

	}

	private static final class Propagation {

		private static final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();

		private Propagation() {
		}

		static <T extends @Nullable Object> Callable<T> carry(Callable<T> work) {
			return snapshots.captureAll().wrap(work);
		}

	}

}
