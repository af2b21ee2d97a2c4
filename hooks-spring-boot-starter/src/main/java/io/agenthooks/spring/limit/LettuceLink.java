package io.agenthooks.spring.limit;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;

/**
 * The application's connection to Redis, of which each use ends in time. A command is
 * sent by the caller, who waits no longer than it is told to; then the command is
 * cancelled, so that Lettuce does not send it any more when it is connected again. To get
 * the connection may take as long as its own timeouts, so that is left to a thread of its
 * own; whoever waits for it does so in time, too.
 */
final class LettuceLink {

	static final String THREAD = "hooks-limit-redis";

	/**
	 * What was sent and has had no answer is kept by Lettuce. If a Redis stays connected
	 * and silent, so many commands are left to it, and then one caller at a time asks it.
	 */
	static final int MAX_UNANSWERED = 1_000;

	private static final LettuceExceptionConverter TRANSLATOR = new LettuceExceptionConverter();

	private final LettuceConnectionFactory factory;

	private final int maxUnanswered;

	/** Commands without an answer since the last answer. */
	private final AtomicInteger unanswered = new AtomicInteger();

	private final AtomicBoolean probing = new AtomicBoolean();

	private final Object lock = new Object();

	private volatile @Nullable Link link;

	/** The connection that is being made. Guarded by the lock. */
	private @Nullable CompletableFuture<Link> next;

	LettuceLink(LettuceConnectionFactory factory) {
		this(factory, MAX_UNANSWERED);
	}

	LettuceLink(LettuceConnectionFactory factory, int maxUnanswered) {
		this.factory = factory;
		this.maxUnanswered = maxUnanswered;
	}

	/**
	 * Use the connection.
	 * @param deadline when the use ends at the latest, by {@link System#nanoTime()}
	 * @param command sends a command
	 * @return the answer
	 * @throws QueryTimeoutException if there is none in time
	 * @throws DataAccessException if Redis cannot be asked, or refuses
	 */
	<T> @Nullable T use(long deadline,
			Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends Future<T>> command) {
		boolean probe = this.unanswered.get() >= this.maxUnanswered;
		if (probe && !this.probing.compareAndSet(false, true)) {
			throw new QueryTimeoutException("Redis has not answered for a while, and another call asks it again");
		}
		try {
			T answer = await(command.apply(link(deadline).commands()), deadline);
			this.unanswered.set(0);
			return answer;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException) {
				// That, too, is an answer.
				this.unanswered.set(0);
			}
			throw translated(ex.getCause());
		}
		catch (TimeoutException ex) {
			this.unanswered.incrementAndGet();
			throw new QueryTimeoutException("Redis did not answer in time", ex);
		}
		catch (RuntimeException ex) {
			throw translated(ex);
		}
		finally {
			if (probe) {
				this.probing.set(false);
			}
		}
	}

	private static RuntimeException translated(@Nullable Throwable failure) {
		if (failure instanceof RedisNoScriptException missing) {
			return missing;
		}
		if (failure instanceof CancellationException) {
			return new RedisConnectionFailureException("The connection to Redis was closed", failure);
		}
		DataAccessException known = (failure instanceof Exception ex) ? TRANSLATOR.convert(ex) : null;
		return (known != null) ? known : new RedisSystemException("Redis cannot be asked", failure);
	}

	/**
	 * Wait, also on a thread that is interrupted: what was sent would be done all the
	 * same, and nobody would know.
	 */
	private static <T> @Nullable T await(Future<T> future, long deadline) throws ExecutionException, TimeoutException {
		boolean interrupted = false;
		boolean done = false;
		try {
			while (true) {
				try {
					T answer = future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
					done = true;
					return answer;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (!done) {
				future.cancel(true);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * The connection. One that is not open is asked for again: Lettuce may be about to
	 * connect it again, or the factory was started again and has another one.
	 */
	private Link link(long deadline) throws ExecutionException, TimeoutException {
		Link known = this.link;
		if (known != null && known.isOpen()) {
			return known;
		}
		CompletableFuture<Link> next = next();
		// A copy: of those who wait for it, nobody cancels it for the others.
		Link link = await(next.copy(), deadline);
		if (link == null) {
			throw new IllegalStateException("There is no connection");
		}
		return link;
	}

	private CompletableFuture<Link> next() {
		synchronized (this.lock) {
			CompletableFuture<Link> running = this.next;
			if (running != null) {
				return running;
			}
			CompletableFuture<Link> started = new CompletableFuture<>();
			Thread thread = new Thread(() -> connect(started), THREAD);
			thread.setDaemon(true);
			this.next = started;
			thread.start();
			return started;
		}
	}

	private void connect(CompletableFuture<Link> started) {
		Link made = null;
		Throwable failure = null;
		try {
			made = open();
		}
		catch (RuntimeException | LinkageError ex) {
			failure = ex;
		}
		Link before;
		synchronized (this.lock) {
			this.next = null;
			before = this.link;
			this.link = (made != null) ? made : before;
		}
		if (made != null) {
			started.complete(made);
		}
		else {
			started.completeExceptionally((failure != null) ? failure : new IllegalStateException("no connection"));
		}
		if (made != null && before != null) {
			before.close();
		}
	}

	private Link open() {
		RedisConnection connection = this.factory.getConnection();
		try {
			@SuppressWarnings("unchecked") // that of the factory
			RedisClusterAsyncCommands<byte[], byte[]> commands = (RedisClusterAsyncCommands<byte[], byte[]>) connection
				.getNativeConnection();
			return new Link(connection, commands);
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	/**
	 * When a use ends that begins now.
	 */
	static long deadline(Duration timeout) {
		return System.nanoTime() + timeout.toNanos();
	}

	/**
	 * A connection.
	 *
	 * @param connection that of the factory, which keeps one of its own if the
	 * application's are not shared
	 * @param commands sends commands, from whatever thread
	 */
	private record Link(RedisConnection connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {

		boolean isOpen() {
			return this.commands instanceof AbstractRedisAsyncCommands<byte[], byte[]> known
					&& known.getConnection().isOpen();
		}

		void close() {
			this.connection.close();
		}

	}

}
