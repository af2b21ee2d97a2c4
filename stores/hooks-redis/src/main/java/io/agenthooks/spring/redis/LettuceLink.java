package io.agenthooks.spring.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;

import io.agenthooks.spring.threads.HooksThreads;

/**
 * The application's connection to Redis, of which each use ends in time. A command is
 * sent by the caller, who waits no longer than it is told to; then the command is
 * cancelled, so that Lettuce does not send it any more when it is connected again. To get
 * the connection may take as long as its own timeouts, so that is left to a thread of its
 * own; whoever waits for it does so in time, too.
 */
final class LettuceLink {

	private static final String THREAD = "hooks-limit-redis";

	/**
	 * Lettuce keeps what was sent and has had no answer. If a Redis stays silent, so many
	 * commands of each hook are left to it, and then one caller asks it now and then.
	 */
	static final int MAX_UNANSWERED = 1_000;

	private static final long PROBE_PAUSE = Duration.ofSeconds(1).toNanos();

	private static final LettuceExceptionConverter TRANSLATOR = new LettuceExceptionConverter();

	private final LettuceConnectionFactory factory;

	private final int maxUnanswered;

	/**
	 * By the slot of their keys, which all keys of a hook share: in a cluster, an answer
	 * of one node says nothing of the others.
	 */
	private final Map<Integer, Unanswered> unanswered = new ConcurrentHashMap<>();

	private final Object lock = new Object();

	private volatile @Nullable Link link;

	/** The connection that is being made, or was made last. Guarded by the lock. */
	private @Nullable CompletableFuture<Link> next;

	LettuceLink(LettuceConnectionFactory factory) {
		this(factory, MAX_UNANSWERED);
	}

	LettuceLink(LettuceConnectionFactory factory, int maxUnanswered) {
		this.factory = factory;
		this.maxUnanswered = maxUnanswered;
	}

	/** Use the connection until a deadline, by {@link System#nanoTime()}. */
	<T> @Nullable T use(byte[] key, long deadline,
			Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends Future<T>> command) {
		Unanswered unanswered = this.unanswered.computeIfAbsent(SlotHash.getSlot(key), (slot) -> new Unanswered());
		boolean probe = unanswered.count() >= this.maxUnanswered;
		if (probe && !unanswered.beginProbe()) {
			throw new QueryTimeoutException("Redis has not answered for a while, and is asked again now and then");
		}
		try {
			Link link = link(deadline);
			if (probe && !link.isOpen()) {
				// What is sent would only be kept.
				throw new RedisConnectionFailureException("There is no connection to Redis");
			}
			long before = unanswered.givenUp();
			return await(command.apply(link.commands()), deadline, unanswered, before);
		}
		catch (ExecutionException ex) {
			throw translated(ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new QueryTimeoutException("Redis did not answer in time", ex);
		}
		catch (RuntimeException ex) {
			throw translated(ex);
		}
		finally {
			if (probe) {
				unanswered.endProbe();
			}
		}
	}

	private static <T> @Nullable T await(Future<T> sent, long deadline, Unanswered unanswered, long before)
			throws ExecutionException, TimeoutException {
		try {
			T answer = await(sent, deadline);
			unanswered.answer(before);
			return answer;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RedisCommandExecutionException) {
				// That, too, is an answer.
				unanswered.answer(before);
			}
			else if (ex.getCause() instanceof RedisCommandTimeoutException) {
				// The client has a shorter timeout.
				unanswered.giveUp();
			}
			throw ex;
		}
		catch (TimeoutException ex) {
			unanswered.giveUp();
			throw ex;
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
			if (running == null || running.isDone()) {
				running = CompletableFuture.supplyAsync(this::open,
						(connect) -> HooksThreads.newThread(THREAD, connect).start());
				this.next = running;
			}
			return running;
		}
	}

	private Link open() {
		Link made = connect();
		Link before = this.link;
		this.link = made;
		if (before != null) {
			before.close();
		}
		return made;
	}

	private Link connect() {
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
	 * Commands that were given up without an answer. Redis answers in order, so whoever
	 * gets an answer knows that what was given up before is no longer kept.
	 */
	private static final class Unanswered {

		private final AtomicLong givenUp = new AtomicLong();

		/** The number of them that are no longer kept. */
		private final AtomicLong over = new AtomicLong();

		private final AtomicBoolean probing = new AtomicBoolean();

		private final AtomicLong nextProbe = new AtomicLong(System.nanoTime());

		long count() {
			return this.givenUp.get() - this.over.get();
		}

		long givenUp() {
			return this.givenUp.get();
		}

		void giveUp() {
			this.givenUp.incrementAndGet();
		}

		void answer(long before) {
			if (this.over.get() < before) {
				this.over.accumulateAndGet(before, Math::max);
			}
		}

		boolean beginProbe() {
			return System.nanoTime() - this.nextProbe.get() >= 0 && this.probing.compareAndSet(false, true);
		}

		void endProbe() {
			this.nextProbe.set(System.nanoTime() + PROBE_PAUSE);
			this.probing.set(false);
		}

	}

	/** A connection, whose commands may come from whatever thread. */
	private record Link(RedisConnection connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {

		boolean isOpen() {
			return this.commands instanceof AbstractRedisAsyncCommands<byte[], byte[]> known
					&& known.getConnection().isOpen();
		}

		void close() {
			try {
				this.connection.close();
			}
			catch (RuntimeException ex) {
				// Whoever waits for the next connection must not suffer.
			}
		}

	}

}
