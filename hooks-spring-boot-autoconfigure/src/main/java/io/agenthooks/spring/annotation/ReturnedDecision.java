package io.agenthooks.spring.annotation;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import reactor.core.publisher.Mono;

import io.agenthooks.toolcall.ToolDecision;

/** There is no promise if the method decides at once. */
record ReturnedDecision(Content content, @Nullable Function<Object, Promise> promise) {

	/** Null if no decision can be made of what the method returns. */
	static @Nullable ReturnedDecision of(Method method, Class<?> beanClass) {
		if (SuspendingMethods.contain(method)) {
			return ofSuspending(SuspendingMethods.returned(method, beanClass).resolve(Object.class));
		}
		ResolvableType type = ResolvableType.forMethodReturnType(method, beanClass);
		Class<?> returned = type.resolve(Object.class);
		Content direct = Content.of(returned);
		if (direct != null) {
			return (returned != Void.class) ? new ReturnedDecision(direct, null) : null;
		}
		if (CompletionStage.class.isAssignableFrom(returned)) {
			return promise(Content.of(type.as(CompletionStage.class).getGeneric().resolve(Object.class)),
					(stage) -> new Promise((CompletionStage<?>) stage, null));
		}
		return adapted(type, returned);
	}

	private static @Nullable ReturnedDecision ofSuspending(Class<?> returned) {
		Content content = (returned.getName().equals("kotlin.Unit")) ? Content.NOTHING : Content.of(returned);
		return promise(content, (value) -> {
			CompletableFuture<?> future = ((Mono<?>) value).toFuture();
			return new Promise(future, future);
		});
	}

	/** Reactor, which Spring needs to wait, may be absent. */
	private static @Nullable ReturnedDecision adapted(ResolvableType type, Class<?> returned) {
		ReactiveAdapterRegistry registry = ReactiveAdapterRegistry.getSharedInstance();
		ReactiveAdapter adapter = registry.getAdapter(returned);
		ReactiveAdapter futures = registry.getAdapter(CompletableFuture.class);
		if (adapter == null || adapter.isMultiValue() || futures == null) {
			return null;
		}
		Content content = (adapter.isNoValue()) ? Content.NOTHING
				: Content.of(type.as(adapter.getReactiveType()).getGeneric().resolve(Object.class));
		return promise(content, (value) -> {
			CompletableFuture<?> future = (CompletableFuture<?>) futures.fromPublisher(adapter.toPublisher(value));
			return new Promise(future, future);
		});
	}

	private static @Nullable ReturnedDecision promise(@Nullable Content content, Function<Object, Promise> promise) {
		return (content != null) ? new ReturnedDecision(content, promise) : null;
	}

	boolean isPromise() {
		return this.promise != null;
	}

	/** Null if the value stands for no decision. */
	@Nullable ToolDecision decision(@Nullable Object value, ToolDecision denial) {
		return switch (this.content) {
			case DECISION -> (ToolDecision) value;
			case BOOLEAN -> (value != null) ? allow((Boolean) value, denial) : null;
			case NOTHING -> ToolDecision.approve();
		};
	}

	private static ToolDecision allow(boolean allowed, ToolDecision denial) {
		return (allowed) ? ToolDecision.approve() : denial;
	}

	CompletableFuture<ToolDecision> promisedDecision(@Nullable Object returned, ToolDecision denial) {
		if (this.promise == null || returned == null) {
			throw new IllegalStateException("The method returned null, so there is nothing to wait for");
		}
		Promise promise = this.promise.apply(returned);
		PromisedDecision decision = new PromisedDecision(promise.cancellable());
		promise.stage().whenComplete((value, ex) -> {
			if (ex != null) {
				decision.completeExceptionally(
						(ex instanceof CompletionException && ex.getCause() != null) ? ex.getCause() : ex);
				return;
			}
			try {
				decision.complete(decision(value, denial));
			}
			catch (ClassCastException wrongType) {
				decision.completeExceptionally(wrongType);
			}
		});
		return decision;
	}

	enum Content {

		DECISION, BOOLEAN, NOTHING;

		static @Nullable Content of(Class<?> type) {
			if (ToolDecision.class.isAssignableFrom(type)) {
				return DECISION;
			}
			if (type == boolean.class || type == Boolean.class) {
				return BOOLEAN;
			}
			return (type == void.class || type == Void.class) ? NOTHING : null;
		}

	}

	/** Nothing is cancelled if it is not ours: others may wait for it, too. */
	record Promise(CompletionStage<?> stage, @Nullable CompletableFuture<?> cancellable) {
	}

	private static final class PromisedDecision extends CompletableFuture<ToolDecision> {

		private final @Nullable CompletableFuture<?> cancellable;

		PromisedDecision(@Nullable CompletableFuture<?> cancellable) {
			this.cancellable = cancellable;
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			boolean cancelled = super.cancel(mayInterruptIfRunning);
			if (cancelled && this.cancellable != null) {
				this.cancellable.cancel(mayInterruptIfRunning);
			}
			return cancelled;
		}

	}

}
