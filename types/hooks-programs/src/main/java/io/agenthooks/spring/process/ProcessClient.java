package io.agenthooks.spring.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.QuestionsInFlight;
import io.agenthooks.spring.program.Child;
import io.agenthooks.spring.program.Watchdog;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Keeps a program running. When it ends it is started again, after a time that doubles
 * with each start in a row; calls wait as long as they may. After too many it stays down,
 * and every call fails, until one has run longer than the longest of these times.
 */
final class ProcessClient implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ProcessClient.class);

	private final String hook;

	private final ProcessSettings settings;

	private final Watchdog watchdog = new Watchdog();

	private final AtomicLong droppedReplies = new AtomicLong();

	private final AtomicLong droppedEvents = new AtomicLong();

	private final QuestionsInFlight inFlight = new QuestionsInFlight();

	private volatile CompletableFuture<Peer> peer = new CompletableFuture<>();

	private volatile ProcessState state = ProcessState.RESTARTING;

	private @Nullable ProcessConnection current;

	/** By themselves; their programs may not have, yet. */
	private final List<ProcessConnection> ended = new ArrayList<>();

	/** Not if the process was killed because of what an agent may have brought about. */
	private volatile boolean mayPass = true;

	private int failures;

	ProcessClient(String hook, ProcessSettings settings) {
		this.hook = hook;
		this.settings = settings;
		try {
			connect(this.peer);
		}
		catch (NoVerdictException ex) {
			close();
			throw new InvalidHookConfigException(List.of(new Problem(List.of("command"),
					ex.getMessage() + " when it was greeted with hook.hello.",
					"Try it: echo '{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"hook.hello\", \"params\": {}}' | PROGRAM."
							+ " It has to answer with that id in one line, and to flush that line.")));
		}
	}

	private void connect(CompletableFuture<Peer> waiting) throws NoVerdictException {
		ProcessConnection connection = start();
		try {
			Map<String, @Nullable Object> reply = connection.ask("hook.hello",
					ProcessMessage.hello(this.hook, this.settings),
					System.nanoTime() + this.settings.helloTimeout().toNanos());
			Object protocol = reply.get("protocol_version");
			if (protocol != null && !protocol.equals(1)) {
				throw NoVerdictException.failure("The process speaks another version of the protocol");
			}
			Peer peer = new Peer(connection, protocol != null);
			synchronized (this) {
				if (this.state == ProcessState.CLOSED) {
					throw NoVerdictException.shuttingDown();
				}
				if (connection.hasEnded()) {
					throw NoVerdictException.failure("The process ended");
				}
				this.state = ProcessState.UP;
				waiting.complete(peer);
			}
		}
		catch (NoVerdictException ex) {
			connection.end(ex);
			// The application may end now, because of this, and no thread of it would be
			// left to kill.
			connection.kill();
			throw ex;
		}
	}

	private synchronized ProcessConnection start() throws NoVerdictException {
		if (this.state == ProcessState.CLOSED) {
			throw NoVerdictException.shuttingDown();
		}
		try {
			Child child = this.settings.program().start(this.watchdog.nextMark(), ProcessBuilder.Redirect.INHERIT);
			ProcessConnection connection = new ProcessConnection(this.hook, child, this.settings.maxLine(),
					this.droppedReplies, this::restart);
			this.current = connection;
			return connection;
		}
		catch (IOException ex) {
			throw NoVerdictException.unreached("The process could not be started");
		}
	}

	/** One that was not in use yet is seen to where it was made. */
	private synchronized void restart(ProcessConnection gone) {
		this.ended.removeIf((earlier) -> !earlier.isAlive());
		this.ended.add(gone);
		if (this.state == ProcessState.UP && this.current == gone) {
			this.mayPass = gone.mayPass();
			if (gone.age() > this.settings.maxDelay().toNanos()) {
				this.failures = 0;
			}
			this.state = ProcessState.RESTARTING;
			this.peer = new CompletableFuture<>();
			restart(this.peer);
		}
	}

	private synchronized void restart(CompletableFuture<Peer> waiting) {
		if (this.state == ProcessState.CLOSED) {
			return;
		}
		if (this.failures >= this.settings.restarts()) {
			logger.error("Hook '{}': the process has ended too often and stays down; every call fails", this.hook);
			this.state = ProcessState.DOWN;
			waiting.completeExceptionally((this.mayPass) ? NoVerdictException.unreached("The process is down")
					: NoVerdictException.refusal("The process is down"));
			return;
		}
		Duration delay = this.settings.delay().multipliedBy(1L << Math.min(this.failures, 20));
		long nanos = Math.min(delay.toNanos(), this.settings.maxDelay().toNanos());
		this.failures++;
		logger.warn("Hook '{}': the process has ended and is started again (attempt {} of {})", this.hook,
				this.failures, this.settings.restarts());
		CompletableFuture
			.delayedExecutor(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1), TimeUnit.NANOSECONDS,
					(work) -> HooksThreads.start("hooks-" + this.hook + "-restart", work))
			.execute(() -> {
				boolean connected = false;
				try {
					connect(waiting);
					connected = true;
				}
				catch (NoVerdictException ex) {
					logger.debug("Hook '{}': {}", this.hook, ex.getMessage());
				}
				finally {
					if (!connected) {
						restart(waiting);
					}
				}
			});
	}

	Map<String, @Nullable Object> ask(String method, byte[] params, Duration timeout) throws NoVerdictException {
		long deadline = System.nanoTime() + timeout.toNanos();
		ProcessConnection connection = awaitPeer(deadline).connection();
		return this.inFlight.ask(timeout, () -> connection.ask(method, params, deadline));
	}

	private Peer awaitPeer(long deadline) throws NoVerdictException {
		try {
			return this.peer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			throw NoVerdictException.unreachedInTime("The process is not running again yet", this.mayPass);
		}
		catch (InterruptedException ex) {
			throw NoVerdictException.interrupted();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof NoVerdictException known) ? known
					: NoVerdictException.failure("The process failed");
		}
	}

	void sendEvent(byte[] params) {
		CompletableFuture<Peer> peer = this.peer;
		try {
			if (!peer.isDone() || peer.isCompletedExceptionally()) {
				throw NoVerdictException.unreached("The process is not running");
			}
			Peer there = peer.join();
			there.connection()
				.sendEvent((there.oldDialect()) ? "hook.event" : "hook.runtime_event", params,
						System.nanoTime() + this.settings.observerTimeout().toNanos());
		}
		catch (NoVerdictException ex) {
			this.droppedEvents.incrementAndGet();
			logger.debug("Hook '{}': an event was dropped: {}", this.hook, ex.getMessage());
		}
	}

	String hook() {
		return this.hook;
	}

	long droppedReplies() {
		return this.droppedReplies.get();
	}

	long droppedEvents() {
		return this.droppedEvents.get();
	}

	ProcessState state() {
		return this.state;
	}

	/** First the input of the program ends, then it is asked to, then it is killed. */
	@Override
	public void close() {
		CompletableFuture<Peer> last;
		ProcessConnection connection;
		List<ProcessConnection> ended;
		synchronized (this) {
			this.state = ProcessState.CLOSED;
			last = this.peer;
			connection = this.current;
			ended = List.copyOf(this.ended);
			this.peer = CompletableFuture.failedFuture(NoVerdictException.shuttingDown());
		}
		last.completeExceptionally(NoVerdictException.shuttingDown());
		if (connection != null) {
			connection.close(NoVerdictException.shuttingDown());
		}
		// The thread that kills them may end with the application before it is done.
		ended.forEach(ProcessConnection::kill);
		this.watchdog.close();
	}

	private record Peer(ProcessConnection connection, boolean oldDialect) {
	}

}
