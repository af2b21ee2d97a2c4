package io.agenthooks.spring.ai;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A value that a thread has while it does some work. */
final class ThreadValue<T> {

	@SuppressWarnings("ThreadLocalUsage") // each ThreadValue is static itself
	private final ThreadLocal<@Nullable T> values = new ThreadLocal<>();

	@Nullable T get() {
		return this.values.get();
	}

	<R extends @Nullable Object> R during(@Nullable T value, Supplier<R> work) {
		T around = this.values.get();
		this.values.set(value);
		try {
			return work.get();
		}
		finally {
			this.values.set(around);
		}
	}

	/**
	 * It may go on at once, on the same thread: who gets what it emits is outside of it.
	 */
	<S> Flux<S> during(T value, Flux<S> stream) {
		return Flux.from((subscriber) -> {
			T around = this.values.get();
			T unused = during(value, () -> {
				stream.transform(Operators.<S, S>lift((source, actual) -> new Outside<>(actual, value, around)))
					.subscribe(subscriber);
				return value;
			});
		});
	}

	private final class Outside<S> implements CoreSubscriber<S> {

		private final CoreSubscriber<? super S> subscriber;

		private final T inside;

		private final @Nullable T around;

		Outside(CoreSubscriber<? super S> subscriber, T inside, @Nullable T around) {
			this.subscriber = subscriber;
			this.inside = inside;
			this.around = around;
		}

		@Override
		public Context currentContext() {
			return this.subscriber.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.subscriber.onSubscribe(subscription);
		}

		@Override
		public void onNext(S part) {
			tell(() -> this.subscriber.onNext(part));
		}

		@Override
		public void onError(Throwable failure) {
			tell(() -> this.subscriber.onError(failure));
		}

		@Override
		public void onComplete() {
			tell(this.subscriber::onComplete);
		}

		/** On another thread there is nothing to leave. */
		@SuppressWarnings("ReferenceEquality") // of the very value
		private void tell(Runnable signal) {
			if (get() != this.inside) {
				signal.run();
				return;
			}
			T unused = during(this.around, () -> {
				signal.run();
				return this.inside;
			});
		}

	}

}
