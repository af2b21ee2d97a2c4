package io.agenthooks.spring.approval;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import io.agenthooks.spring.json.StrictJson;

/**
 * Tells clients what becomes of questions, as server-sent events. Nobody who asks or
 * answers waits for a client: each has a queue, and one that does not keep up is cut off,
 * connects again, and reads the list.
 */
final class ApprovalStreams
		implements ApplicationListener<PayloadApplicationEvent<ApprovalChangedEvent>>, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ApprovalStreams.class);

	/** One user cannot take all places. */
	private static final int MAX_OF_ONE_PERSON = 10;

	private static final byte[] FIRST = "retry: 3000\n\n".getBytes(StandardCharsets.UTF_8);

	private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final Duration FAREWELL = Duration.ofSeconds(2);

	private final ToolApprovals approvals;

	private final Bounds bounds;

	private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

	/** Those that were told, each once. */
	private final LastRevisions told = new LastRevisions();

	private @Nullable Threads threads;

	ApprovalStreams(ToolApprovals approvals, Bounds bounds) {
		this.approvals = approvals;
		this.bounds = bounds;
	}

	/**
	 * Make place for a client, or return {@code null} if there is none.
	 */
	synchronized @Nullable Stream open(Person person) {
		if (this.threads == null || this.streams.size() >= this.bounds.clients()
				|| this.streams.stream()
					.filter((stream) -> stream.person.name().equals(person.name()))
					.count() >= MAX_OF_ONE_PERSON) {
			return null;
		}
		Stream stream = new Stream(person, this.threads.workers(), System.nanoTime());
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
		ThreadFactory factory = factory();
		// There are at most as many tasks as clients. What is left to do after the end
		// is not done.
		ExecutorService workers = new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS,
				new SynchronousQueue<>(), factory, new ThreadPoolExecutor.DiscardPolicy());
		ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(factory);
		long every = this.bounds.heartbeat().toNanos();
		Future<?> unused = clock.scheduleAtFixedRate(() -> this.streams.forEach(Stream::tick), every, every,
				TimeUnit.NANOSECONDS);
		this.threads = new Threads(workers, clock);
	}

	private static ThreadFactory factory() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("hooks-approval-events-");
		factory.setDaemon(true);
		return factory;
	}

	/**
	 * End all streams, before the server waits for requests to end.
	 */
	@Override
	public void stop() {
		Threads ended;
		synchronized (this) {
			ended = this.threads;
			this.threads = null;
		}
		if (ended != null) {
			ended.clock().shutdownNow();
			this.streams.forEach(Stream::close);
			ended.workers().shutdown();
			try {
				ended.workers().awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			ended.workers().shutdownNow();
			this.streams.clear();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.threads != null;
	}

	/**
	 * An event as it is sent.
	 */
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

	/**
	 * What a stream writes to.
	 */
	interface Client {

		/**
		 * Whether it takes bytes now. If it does not, it calls {@link Stream#wake()} once
		 * it does.
		 */
		boolean isReady();

		void write(byte[] bytes) throws IOException;

		void end();

	}

	/**
	 * The events for one client.
	 */
	final class Stream {

		private final Person person;

		private final ExecutorService workers;

		private final long since;

		private final Queue<Object> waiting;

		private final AtomicInteger wakes = new AtomicInteger();

		private volatile @Nullable Client client;

		private volatile boolean closing;

		/** Only for the one worker that serves this stream now. */
		private boolean ended;

		Stream(Person person, ExecutorService workers, long since) {
			this.person = person;
			this.workers = workers;
			this.since = since;
			this.waiting = new ArrayBlockingQueue<>(ApprovalStreams.this.bounds.waiting());
			this.waiting.add(FIRST);
		}

		void connect(Client client) {
			this.client = client;
			if (this.closing) {
				// Nobody may be left to do it.
				client.end();
				return;
			}
			wake();
		}

		/**
		 * Write what waits, on another thread.
		 */
		void wake() {
			if (this.wakes.getAndIncrement() == 0) {
				this.workers.execute(this::work);
			}
		}

		/**
		 * Send nothing more.
		 */
		void close() {
			this.closing = true;
			ApprovalStreams.this.streams.remove(this);
			wake();
		}

		private void offer(Object what) {
			if (!this.waiting.offer(what)) {
				close();
				return;
			}
			wake();
		}

		/**
		 * Send a sign of life, which shows whether the client is still there. A person
		 * who may no longer see questions must not see them for ever.
		 */
		private void tick() {
			if (System.nanoTime() - this.since > ApprovalStreams.this.bounds.lifetime().toNanos()) {
				close();
			}
			else if (this.waiting.isEmpty()) {
				offer(HEARTBEAT);
			}
		}

		private void work() {
			int done = this.wakes.get();
			do {
				try {
					write();
				}
				catch (Exception | Error ex) {
					logger.debug("A client for questions to people is gone: {}", ex.getClass().getName());
					end();
				}
				done = this.wakes.addAndGet(-done);
			}
			while (done != 0);
		}

		private void write() throws IOException {
			Client connected = this.client;
			if (connected == null || this.ended) {
				return;
			}
			Object next = null;
			while (!this.closing && connected.isReady() && (next = this.waiting.poll()) != null) {
				connected
					.write((next instanceof ApprovalRequest request) ? event(request, this.person) : (byte[]) next);
			}
			if (this.closing) {
				end();
			}
		}

		private void end() {
			Client connected = this.client;
			if (!this.ended && connected != null) {
				this.ended = true;
				this.closing = true;
				ApprovalStreams.this.streams.remove(this);
				connected.end();
			}
		}

	}

	/**
	 * How much clients may take.
	 *
	 * @param clients how many there may be
	 * @param waiting how many events may wait for one
	 * @param heartbeat how often clients get a sign of life
	 * @param lifetime after which a client has to connect again
	 */
	record Bounds(int clients, int waiting, Duration heartbeat, Duration lifetime) {

		static final Bounds DEFAULT = new Bounds(100, 1_000, Duration.ofSeconds(15), Duration.ofMinutes(10));

	}

	private record Threads(ExecutorService workers, ScheduledExecutorService clock) {
	}

}
