package io.agenthooks.spring;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Applications that the tests of a class share: each configuration starts once, not once
 * for each row of a table. A test has to forget what the one before left in them.
 */
public final class SharedContexts implements AfterAllCallback {

	private final Map<Object, Shared<?>> started = new HashMap<>();

	/**
	 * The application of a configuration.
	 * @param key what tells this configuration from the others of the class
	 * @param runner how to start it
	 * @return its context, which is open until the last test of the class is over
	 */
	@SuppressWarnings("unchecked") // a key has always the same type of context
	public <C extends ConfigurableApplicationContext, A extends ApplicationContextAssertProvider<C>> A get(Object key,
			Supplier<? extends AbstractApplicationContextRunner<?, C, A>> runner) {
		return (A) this.started.computeIfAbsent(key, (absent) -> new Shared<>(runner.get())).context();
	}

	@Override
	public void afterAll(ExtensionContext context) throws InterruptedException {
		for (Shared<?> shared : this.started.values()) {
			shared.close();
		}
		this.started.clear();
	}

	/**
	 * A runner closes its context when the consumer returns, so that one waits.
	 */
	private static final class Shared<A extends ApplicationContextAssertProvider<?>> {

		private final CompletableFuture<A> context = new CompletableFuture<>();

		private final CountDownLatch over = new CountDownLatch(1);

		private final Thread thread;

		Shared(AbstractApplicationContextRunner<?, ?, A> runner) {
			this.thread = new Thread(() -> hold(runner), "shared-context");
			this.thread.setDaemon(true);
			this.thread.start();
		}

		private void hold(AbstractApplicationContextRunner<?, ?, A> runner) {
			try {
				runner.run((context) -> {
					this.context.complete(context);
					this.over.await();
				});
			}
			catch (Throwable ex) {
				this.context.completeExceptionally(ex);
			}
		}

		A context() {
			return this.context.orTimeout(3, TimeUnit.MINUTES).join();
		}

		void close() throws InterruptedException {
			this.over.countDown();
			this.thread.join();
		}

	}

}
