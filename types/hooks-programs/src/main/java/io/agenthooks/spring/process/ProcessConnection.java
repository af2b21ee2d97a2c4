package io.agenthooks.spring.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;
import io.agenthooks.spring.process.ProcessOutput.Frame;
import io.agenthooks.spring.program.Child;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Talks JSON-RPC in lines with one child. Each call waits for the reply with its own id,
 * so a slow one delays no other. One thread reads, one writes.
 * <p>
 * What is no reply to a waiting call is dropped and counted. A connection ends for good
 * when the child ends, writes a line that is too long, or does not take what is written
 * to it: nobody knows how much of a message it has.
 */
final class ProcessConnection {

	/** Small enough to count for centuries. */
	private static final int MAX_STEP = 1 << 16;

	/** A reply may have that many levels around arguments. */
	private static final StrictJson json = new StrictJson(4);

	private final String hook;

	private final Child child;

	private final int maxLine;

	private final AtomicLong dropped;

	private final Consumer<ProcessConnection> onEnd;

	private final long start = System.nanoTime();

	/** Ids grow, but cannot be foreseen: nobody replies before the question. */
	private final AtomicLong ids = new AtomicLong(1);

	private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

	private final AtomicBoolean ending = new AtomicBoolean();

	private final Thread reader;

	private final ProcessOutput output;

	private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

	private final LifeSigns signs = new LifeSigns();

	/** Because this connection has ended. */
	private volatile boolean mayPass = true;

	ProcessConnection(String hook, Child child, int maxLine, AtomicLong dropped, Consumer<ProcessConnection> onEnd) {
		this.hook = hook;
		this.child = child;
		this.maxLine = maxLine;
		this.dropped = dropped;
		this.onEnd = onEnd;
		this.output = new ProcessOutput(child.process().getOutputStream(), dropped, this::endSoon);
		this.reader = daemon("reader", this::read);
		daemon("writer", this.output::write);
		CompletableFuture<Void> unused = child.process().onExit().thenRun(this::endSoon);
	}

	private Thread daemon(String role, Runnable work) {
		return HooksThreads.start("hooks-" + this.hook + "-" + role, work);
	}

	Map<String, @Nullable Object> ask(String method, byte[] params, long deadline) throws NoVerdictException {
		if (Thread.currentThread().isInterrupted()) {
			// A reply that came at once would be taken in spite of it.
			throw NoVerdictException.interrupted();
		}
		long id = this.ids.getAndAdd(ThreadLocalRandom.current().nextInt(1, MAX_STEP));
		Frame frame = Frame.of("\"id\":" + id + ",\"method\":\"" + method + "\"", params, Long.MAX_VALUE);
		Pending call = new Pending(new CompletableFuture<>(), frame, System.nanoTime());
		this.pending.put(id, call);
		try {
			this.output.send(frame);
			return call.reply().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (this.output.isStuck(frame)) {
				endLate("The process does not read what is written to it");
			}
			else if (this.signs.hasStopped(isOldest(id), call.start())) {
				endLate("The process has stopped answering");
			}
			if (this.signs.hasAnsweredSince(call.start())) {
				throw NoVerdictException.timeout("The process is busy with other calls", false);
			}
			throw NoVerdictException.timeout("The process did not answer in time", !hasBegunToAnswer(call));
		}
		catch (InterruptedException ex) {
			this.output.unqueue(frame);
			throw NoVerdictException.interrupted();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof NoVerdictException known) ? known
					: NoVerdictException.failure("The process failed");
		}
		finally {
			this.pending.remove(id);
		}
	}

	void sendEvent(String method, byte[] params, long latest) throws NoVerdictException {
		this.output.send(Frame.of("\"method\":\"" + method + "\"", params, latest));
	}

	private boolean isOldest(long id) {
		return this.pending.keySet().stream().allMatch((other) -> other >= id);
	}

	/** It may be this reply. */
	private boolean hasBegunToAnswer(Pending call) {
		return this.signs.hasBrokenOffSince(call.start()) || BrokenReply.isOne(this.begun.toByteArray());
	}

	/**
	 * Because of what may come from how many calls there are, which is up to the agent.
	 */
	private void endLate(String reason) {
		end((this.pending.size() > 1) ? NoVerdictException.refusal(reason) : NoVerdictException.breakdown(reason));
	}

	private void read() {
		InputStream stream = this.child.process().getInputStream();
		byte[] buffer = new byte[16 * 1024];
		try {
			int length = stream.read(buffer);
			while (length >= 0) {
				int begin = 0;
				for (int i = 0; i < length; i++) {
					if (buffer[i] == '\n') {
						this.begun.write(buffer, begin, i - begin);
						checkLine();
						this.signs.wrote();
						receive(this.begun.toByteArray());
						this.begun.reset();
						begin = i + 1;
					}
				}
				this.begun.write(buffer, begin, length - begin);
				checkLine();
				length = stream.read(buffer);
			}
			endAfterLine(NoVerdictException.breakdown("The process ended"));
		}
		catch (IOException ex) {
			endAfterLine(NoVerdictException.breakdown("The process ended"));
		}
		catch (NoVerdictException ex) {
			endAfterLine(ex);
		}
	}

	/** The unfinished line may be a denial. */
	private void endAfterLine(NoVerdictException reason) {
		denyWhatIsAnsweredBy(this.begun.toByteArray());
		end(reason);
	}

	private void checkLine() throws NoVerdictException {
		if (this.begun.size() > this.maxLine) {
			// It may repeat what the agent wrote.
			throw NoVerdictException.refusal("The process wrote a line that is too long");
		}
	}

	private void receive(byte[] line) {
		Map<String, @Nullable Object> message;
		try {
			message = json.readObject(line);
		}
		catch (InvalidJsonException ex) {
			drop(line);
			return;
		}
		Pending call = this.pending.remove(idOf(message));
		if (call == null) {
			drop(line);
			return;
		}
		this.output.markRead(call.frame());
		this.signs.answered();
		if (message.get("result") instanceof Map<?, ?> members && message.get("error") == null) {
			call.reply().complete(StrictJson.object(members));
		}
		else {
			call.reply().completeExceptionally(BrokenReply.withoutVerdict(message));
		}
	}

	private void drop(byte[] line) {
		this.dropped.incrementAndGet();
		denyWhatIsAnsweredBy(line);
	}

	/** A message that does not say of which call it is may be the answer to any. */
	private void denyWhatIsAnsweredBy(byte[] line) {
		Set<Long> ids = BrokenReply.idsIn(line);
		if (ids.isEmpty() && BrokenReply.isOne(line)) {
			this.signs.brokeOff();
		}
		for (Long id : ids) {
			Pending call = this.pending.remove(id);
			if (call != null) {
				this.output.markRead(call.frame());
				call.reply().completeExceptionally(NoVerdictException.refusal(BrokenReply.BROKEN));
			}
		}
	}

	/**
	 * Or 0, which no call has. What names a method is no reply, and a text is not a
	 * number.
	 */
	private static long idOf(Map<String, @Nullable Object> message) {
		Object id = message.get("id");
		if (message.containsKey("method")) {
			return 0;
		}
		return (id instanceof Integer number) ? number : (id instanceof Long number) ? number : 0;
	}

	/** All that the child wrote before is read first, unless its pipe stays open. */
	private void endSoon() {
		if (!hasEnded()) {
			daemon("end", this::endAfterReading);
		}
	}

	private void endAfterReading() {
		try {
			this.reader.join(500);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		end(NoVerdictException.breakdown("The process ended"));
	}

	void end(NoVerdictException reason) {
		if (this.ending.compareAndSet(false, true)) {
			this.mayPass = reason.mayPass();
			this.onEnd.accept(this);
			stop(reason);
			daemon("end", this::kill);
		}
	}

	/** The end of its input tells the child, which may take a moment. */
	void close(NoVerdictException reason) {
		if (!this.ending.compareAndSet(false, true)) {
			kill();
			return;
		}
		stop(reason);
		try {
			this.output.close();
			this.child.process().waitFor(2, TimeUnit.SECONDS);
		}
		catch (IOException ex) {
			// Then the child has ended already.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		kill();
	}

	/** Kill the child with all that it has started, and come back when that is done. */
	void kill() {
		this.child.kill();
	}

	boolean isAlive() {
		return this.child.process().isAlive();
	}

	private void stop(NoVerdictException reason) {
		this.output.stop(reason);
		this.pending.values()
			.forEach((call) -> call.reply()
				.completeExceptionally((hasBegunToAnswer(call) && reason.mayPass())
						? NoVerdictException.refusal(BrokenReply.BROKEN) : reason));
	}

	boolean hasEnded() {
		return this.ending.get();
	}

	/**
	 * It ended because of the child, and not of what the agent may have brought about.
	 */
	boolean mayPass() {
		return this.mayPass;
	}

	/** In nanoseconds. */
	long age() {
		return System.nanoTime() - this.start;
	}

	private record Pending(CompletableFuture<Map<String, @Nullable Object>> reply, Frame frame, long start) {
	}

}
