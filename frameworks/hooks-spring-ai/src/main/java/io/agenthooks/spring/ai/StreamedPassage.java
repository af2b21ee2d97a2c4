package io.agenthooks.spring.ai;

import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The way of something streamed through hooks, which may block, so never on the thread of
 * an event loop. It ends even if it is cancelled while it begins.
 */
final class StreamedPassage<P> {

	private final Supplier<P> begin;

	private final Consumer<P> cancel;

	private volatile @Nullable P progress;

	private volatile boolean cancelled;

	StreamedPassage(Supplier<P> begin, Consumer<P> cancel) {
		this.begin = begin;
		this.cancel = cancel;
	}

	Mono<P> begin() {
		return blocking(() -> {
			P begun = this.begin.get();
			this.progress = begun;
			if (this.cancelled) {
				this.cancel.accept(begun);
			}
			return begun;
		});
	}

	void cancel() {
		this.cancelled = true;
		P begun = this.progress;
		if (begun != null) {
			Schedulers.boundedElastic().schedule(() -> this.cancel.accept(begun));
		}
	}

	static <T> Mono<T> blocking(Supplier<T> hooks) {
		return Mono.fromSupplier(hooks).subscribeOn(Schedulers.boundedElastic());
	}

	/** Let hooks learn of a failure before the agent does. */
	static <T> Mono<T> failing(Consumer<Throwable> hooks, Throwable failure) {
		return Mono.<T>error(failure)
			.delaySubscription(Mono.fromRunnable(() -> hooks.accept(failure)).subscribeOn(Schedulers.boundedElastic()));
	}

}
