package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.SmartLifecycle;

import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Tells clients what becomes of questions, as server-sent events. Nobody waits for a
 * client: each has a queue and a thread, and one that does not keep up is cut off, and
 * connects again.
 */
final class ApprovalStreams
		implements ApplicationListener<PayloadApplicationEvent<ApprovalChangedEvent>>, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ApprovalStreams.class);

	/** One user cannot take all places. */
	private static final int MAX_OF_ONE_PERSON = 10;

	private static final byte[] FIRST = "retry: 3000\n\n".getBytes(StandardCharsets.UTF_8);

	private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

	private static final Duration LOOK = Duration.ofSeconds(1);

	private static final Duration FAREWELL = Duration.ofSeconds(2);

	private final ToolApprovals approvals;

	private final Bounds bounds;

	private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

	private final LastRevisions told = new LastRevisions();

	private @Nullable ExecutorService threads;

	ApprovalStreams(ToolApprovals approvals, Bounds bounds) {
		this.approvals = approvals;
		this.bounds = bounds;
	}

	@Nullable Stream open(Person person) {
		return open(person, null);
	}

	/** All questions without an answer; {@code null} if there is no place. */
	synchronized @Nullable Stream open(Person person, @Nullable Supplier<@Nullable ContinuedTurn> answer) {
		this.streams.removeIf(Stream::isForgotten);
		if (this.threads == null || this.streams.size() >= this.bounds.clients()
				|| this.streams.stream()
					.filter((stream) -> stream.person.name().equals(person.name()))
					.count() >= MAX_OF_ONE_PERSON) {
			return null;
		}
		Stream stream = new Stream(person, answer, this.threads);
		this.streams.add(stream);
		return stream;
	}

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<ApprovalChangedEvent> event) {
		ApprovalRequest request = event.getPayload().request();
		if (this.told.note(request)) {
			this.streams.forEach((stream) -> stream.offer(request));
		}
	}

	@Override
	public synchronized void start() {
		this.threads = HooksThreads.unbounded("hooks-approval-events");
	}

	/** End all streams, before the server waits for requests to end. */
	@Override
	public void stop() {
		ExecutorService ended;
		synchronized (this) {
			ended = this.threads;
			this.threads = null;
		}
		if (ended != null) {
			this.streams.forEach(Stream::close);
			HooksThreads.end(ended, FAREWELL);
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.threads != null;
	}

	private byte[] event(ApprovalRequest request, Person person) {
		String data = new String(
				StrictJson.write(ApprovalWriter.listed(request, this.approvals.mayDecide(request, person))),
				StandardCharsets.US_ASCII);
		return "id: %s:%d\nevent: %s\ndata: %s\n\n".formatted(request.id(), request.revision(), name(request), data)
			.getBytes(StandardCharsets.US_ASCII);
	}

	private static String name(ApprovalRequest request) {
		if (request.state().isOpen()) {
			return (request.revision() > 1) ? "answered" : "asked";
		}
		return "settled";
	}

	interface Client {

		/** Write an event, or throw if nobody reads any more. */
		void write(byte[] bytes) throws IOException;

		void end();

	}

	final class Stream {

		private final Person person;

		private final @Nullable Supplier<@Nullable ContinuedTurn> answer;

		private final ExecutorService threads;

		private ContinuedTurn.@Nullable Status told;

		/** A person who may no longer see questions must not see them for ever. */
		private final long until = System.nanoTime() + ApprovalStreams.this.bounds.lifetime().toNanos();

		private final BlockingQueue<Object> waiting = new ArrayBlockingQueue<>(ApprovalStreams.this.bounds.waiting());

		private volatile boolean closed;

		private volatile boolean served;

		Stream(Person person, @Nullable Supplier<@Nullable ContinuedTurn> answer, ExecutorService threads) {
			this.person = person;
			this.answer = answer;
			this.threads = threads;
		}

		void connect(Client client) {
			if (!serveLater(client)) {
				client.end();
			}
		}

		private synchronized boolean serveLater(Client client) {
			if (this.closed) {
				return false;
			}
			try {
				this.threads.execute(() -> serve(client));
				this.served = true;
				return true;
			}
			catch (RejectedExecutionException ex) {
				close();
				return false;
			}
		}

		/**
		 * The place becomes free when its thread has ended: there are no more threads
		 * than places.
		 */
		synchronized void close() {
			this.closed = true;
			if (!this.served) {
				ApprovalStreams.this.streams.remove(this);
			}
			this.waiting.clear();
			// Wakes the thread.
			boolean unused = this.waiting.offer(HEARTBEAT);
		}

		/** Whether the client went away before a thread served it. */
		private boolean isForgotten() {
			return !this.served && this.until - System.nanoTime() <= 0;
		}

		private void offer(ApprovalRequest request) {
			if (!this.waiting.offer(request)) {
				close();
			}
		}

		private void serve(Client client) {
			try {
				for (byte[] next = FIRST; next != null; next = next()) {
					client.write(next);
				}
			}
			catch (InterruptedException ex) {
				logger.debug("A stream of events was interrupted");
			}
			catch (IOException | RuntimeException | Error ex) {
				logger.debug("A client for questions to people is gone: {}", ex.getClass().getName());
			}
			finally {
				close();
				ApprovalStreams.this.streams.remove(this);
				client.end();
			}
		}

		/**
		 * The next event, or a sign of life, which shows whether the client is still
		 * there; {@code null} at the end.
		 */
		private byte @Nullable [] next() throws InterruptedException {
			if (this.answer != null) {
				return nextOf(this.answer);
			}
			Object next = await(ApprovalStreams.this.bounds.heartbeat());
			if (this.closed || this.until - System.nanoTime() <= 0) {
				return null;
			}
			return (next instanceof ApprovalRequest request) ? event(request, this.person) : HEARTBEAT;
		}

		private @Nullable Object await(Duration time) throws InterruptedException {
			return this.waiting.poll(Math.min(this.until - System.nanoTime(), time.toNanos()), TimeUnit.NANOSECONDS);
		}

		/** Any node may go on with the turn, so its state is looked at now and then. */
		private byte @Nullable [] nextOf(Supplier<@Nullable ContinuedTurn> answer) throws InterruptedException {
			if (this.told != null && this.told.isEnd()) {
				return null;
			}
			Object unused = (this.told != null) ? await(LOOK) : null;
			ContinuedTurn turn = (this.closed || this.until - System.nanoTime() <= 0) ? null : answer.get();
			if (turn == null || turn.status() == this.told) {
				return (turn != null) ? HEARTBEAT : null;
			}
			this.told = turn.status();
			return Answers.event(turn);
		}

	}

	record Bounds(int clients, int waiting, Duration heartbeat, Duration lifetime) {

		static final Bounds DEFAULT = new Bounds(100, 1_000, Duration.ofSeconds(15), Duration.ofMinutes(10));

	}

}
