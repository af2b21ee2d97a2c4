package io.agenthooks.spring.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
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
import io.agenthooks.spring.program.Child;

/**
 * Talks to one child, in lines of JSON-RPC. Many calls share it: each waits for the reply
 * with its own id, so a slow one delays no other. Two threads belong to it, one that
 * reads and one that writes; a caller writes itself what surely fits in the pipe.
 * <p>
 * What the child writes that is no reply to a call that waits is dropped and counted. A
 * connection ends for good when the child ends, when it writes a line that is too long,
 * and when it does not take what is written to it: then nobody knows how much of a
 * message it has.
 */
final class ProcessConnection {

	/**
	 * Every pipe takes that much, also if nobody reads.
	 */
	private static final int FITS_IN_PIPE = 4096;

	/** How many bytes may wait to be written. */
	private static final int MAX_QUEUED = 16 * 1024 * 1024;

	/**
	 * So many questions in a row, each asked after the one before got no answer in time,
	 * show that the child has stopped.
	 */
	private static final int MAX_UNHEARD = 4;

	/** How far ids may be from each other; small enough to count for centuries. */
	private static final int MAX_STEP = 1 << 16;

	/** A reply may have that many levels around arguments. */
	private static final StrictJson json = new StrictJson(4);

	private final String hook;

	private final Child child;

	private final int maxLine;

	private final AtomicLong dropped;

	private final Consumer<ProcessConnection> onEnd;

	private final long start = System.nanoTime();

	/**
	 * Gives ids that grow, but cannot be foreseen: nobody replies before the question.
	 */
	private final AtomicLong ids = new AtomicLong(1);

	private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

	private final AtomicBoolean ending = new AtomicBoolean();

	private final Thread reader;

	private volatile @Nullable NoVerdictException end;

	/** Guards what follows. */
	private final Object lock = new Object();

	private final Deque<Frame> queue = new ArrayDeque<>();

	private long queuedBytes;

	/** What the writing thread is at. */
	private @Nullable Frame current;

	/** How many bytes the child was sent. */
	private long written;

	/** How many bytes the child has read at least, as its replies show. */
	private long read;

	/** How many messages the writing thread has finished. */
	private long finished;

	/** How many questions in a row nothing was heard after. */
	private int unheard;

	/** When that was counted the last time. */
	private long unheardAt = this.start;

	/**
	 * Create a connection.
	 * @param dropped counts replies that nobody waits for
	 * @param onEnd is told once when the connection ends by itself, before calls are
	 */
	ProcessConnection(String hook, Child child, int maxLine, AtomicLong dropped, Consumer<ProcessConnection> onEnd) {
		this.hook = hook;
		this.child = child;
		this.maxLine = maxLine;
		this.dropped = dropped;
		this.onEnd = onEnd;
		this.reader = daemon("reader", this::read);
		daemon("writer", this::write);
		CompletableFuture<Void> unused = child.process().onExit().thenRun(this::endSoon);
	}

	private Thread daemon(String role, Runnable work) {
		Thread thread = new Thread(null, work, "hooks-" + this.hook + "-" + role, 0, false);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	/**
	 * Ask the child.
	 * @return the result that it replies with
	 * @throws NoVerdictException if it does not reply with a result in time
	 */
	Map<String, @Nullable Object> ask(String method, byte[] params, long deadline) throws NoVerdictException {
		long id = this.ids.getAndAdd(ThreadLocalRandom.current().nextInt(1, MAX_STEP));
		Frame frame = new Frame(frame("\"id\":" + id + ",\"method\":\"" + method + "\"", params), Long.MAX_VALUE);
		Pending call = new Pending(new CompletableFuture<>(), frame, System.nanoTime());
		this.pending.put(id, call);
		try {
			send(frame);
			return call.reply().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			if (isStuck(frame)) {
				end(NoVerdictException.failure("The process does not read what is written to it"));
			}
			else if (hasStopped(id, call)) {
				end(NoVerdictException.failure("The process has stopped answering"));
			}
			throw NoVerdictException.failure("The process did not answer in time");
		}
		catch (InterruptedException ex) {
			unqueue(frame);
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

	/**
	 * Tell the child something, and do not wait.
	 * @param latest when it is of no interest any more
	 * @throws NoVerdictException if too much waits already
	 */
	void tell(String method, byte[] params, long latest) throws NoVerdictException {
		send(new Frame(frame("\"method\":\"" + method + "\"", params), latest));
	}

	private static byte[] frame(String head, byte[] params) {
		byte[] start = ("{\"jsonrpc\":\"2.0\"," + head + ",\"params\":").getBytes(StandardCharsets.US_ASCII);
		byte[] frame = new byte[start.length + params.length + 2];
		System.arraycopy(start, 0, frame, 0, start.length);
		System.arraycopy(params, 0, frame, start.length, params.length);
		frame[frame.length - 2] = '}';
		frame[frame.length - 1] = '\n';
		return frame;
	}

	/**
	 * Write a message if it is sure to fit in the pipe, so that no call waits for a child
	 * that does not read. Otherwise the thread for that writes it.
	 */
	private void send(Frame frame) throws NoVerdictException {
		synchronized (this.lock) {
			NoVerdictException end = this.end;
			if (end != null) {
				throw end;
			}
			frame.finishedBefore = this.finished;
			if (this.queue.isEmpty() && this.current == null
					&& this.written + frame.bytes.length - this.read <= FITS_IN_PIPE) {
				writeNow(frame);
				return;
			}
			if (!this.queue.isEmpty() && this.queuedBytes + frame.bytes.length > MAX_QUEUED) {
				throw NoVerdictException.failure("Too much waits for the process already");
			}
			this.queue.add(frame);
			this.queuedBytes += frame.bytes.length;
			this.lock.notifyAll();
		}
	}

	private void writeNow(Frame frame) {
		this.written += frame.bytes.length;
		frame.end = this.written;
		try {
			OutputStream stream = this.child.process().getOutputStream();
			stream.write(frame.bytes);
			stream.flush();
		}
		catch (IOException ex) {
			// The child has ended, or will never hear of anything again.
			endSoon();
		}
	}

	private void write() {
		OutputStream stream = this.child.process().getOutputStream();
		try {
			Frame frame = next();
			while (frame != null) {
				stream.write(frame.bytes);
				stream.flush();
				frame = next();
			}
		}
		catch (IOException ex) {
			// The child has ended, or will never hear of anything again.
			endSoon();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * The next message to write, or {@code null} if the connection has ended.
	 */
	private @Nullable Frame next() throws InterruptedException {
		synchronized (this.lock) {
			if (this.current != null) {
				this.current = null;
				this.finished++;
			}
			while (this.end == null) {
				Frame frame = this.queue.poll();
				if (frame == null) {
					this.lock.wait();
					continue;
				}
				this.queuedBytes -= frame.bytes.length;
				if (frame.latest == Long.MAX_VALUE || System.nanoTime() - frame.latest < 0) {
					this.written += frame.bytes.length;
					frame.end = this.written;
					this.current = frame;
					return frame;
				}
				this.dropped.incrementAndGet();
			}
			return null;
		}
	}

	private boolean unqueue(Frame frame) {
		synchronized (this.lock) {
			boolean queued = this.queue.remove(frame);
			this.queuedBytes -= (queued) ? frame.bytes.length : 0;
			return queued;
		}
	}

	/**
	 * Whether the writing thread has not come to an end with a message, or has not
	 * finished a single one while it waited: the child does not read.
	 */
	private boolean isStuck(Frame frame) {
		synchronized (this.lock) {
			return (unqueue(frame)) ? this.finished == frame.finishedBefore : this.current == frame;
		}
	}

	/**
	 * Whether the child has been silent for several questions, one after the other. As
	 * long as it may take its time for an older one, which may wait for a person, it may
	 * be silent about the others.
	 */
	private boolean hasStopped(long id, Pending call) {
		boolean isOldest = this.pending.keySet().stream().allMatch((other) -> other >= id);
		synchronized (this.lock) {
			if (isOldest && call.start() - this.unheardAt >= 0) {
				this.unheard++;
				this.unheardAt = System.nanoTime();
			}
			return this.unheard >= MAX_UNHEARD;
		}
	}

	private void heard() {
		synchronized (this.lock) {
			this.unheard = 0;
			this.unheardAt = System.nanoTime();
		}
	}

	private void read() {
		InputStream stream = this.child.process().getInputStream();
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		byte[] buffer = new byte[16 * 1024];
		try {
			int length = stream.read(buffer);
			while (length >= 0) {
				int begin = 0;
				for (int i = 0; i < length; i++) {
					if (buffer[i] == '\n') {
						line.write(buffer, begin, i - begin);
						checkLine(line);
						heard();
						receive(line.toByteArray());
						line.reset();
						begin = i + 1;
					}
				}
				line.write(buffer, begin, length - begin);
				checkLine(line);
				length = stream.read(buffer);
			}
			end(NoVerdictException.failure("The process ended"));
		}
		catch (IOException ex) {
			end(NoVerdictException.failure("The process ended"));
		}
		catch (NoVerdictException ex) {
			end(ex);
		}
	}

	private void checkLine(ByteArrayOutputStream line) throws NoVerdictException {
		if (line.size() > this.maxLine) {
			throw NoVerdictException.failure("The process wrote a line that is too long");
		}
	}

	private void receive(byte[] line) {
		Map<String, @Nullable Object> message;
		try {
			message = json.readObject(line);
		}
		catch (InvalidJsonException ex) {
			this.dropped.incrementAndGet();
			return;
		}
		Pending call = this.pending.remove(idOf(message));
		if (call == null) {
			this.dropped.incrementAndGet();
			return;
		}
		synchronized (this.lock) {
			this.read = Math.max(this.read, call.frame().end);
		}
		Object result = message.get("result");
		Object error = message.get("error");
		if (result instanceof Map<?, ?> members && error == null) {
			call.reply().complete(StrictJson.object(members));
		}
		else {
			call.reply().completeExceptionally(withoutVerdict(result, error));
		}
	}

	private static NoVerdictException withoutVerdict(@Nullable Object result, @Nullable Object error) {
		if (result != null && error != null) {
			// The result may be a denial.
			return NoVerdictException.refusal("The process answered with a result and an error at once");
		}
		return NoVerdictException
			.failure((error != null) ? "The process answered with an error" : "The process answered without a result");
	}

	/**
	 * The id that a message replies to, or 0, which no call has. What names a method is
	 * no reply, and a text is no number.
	 */
	private static long idOf(Map<String, @Nullable Object> message) {
		Object id = message.get("id");
		if (message.containsKey("method")) {
			return 0;
		}
		return (id instanceof Integer number) ? number : (id instanceof Long number) ? number : 0;
	}

	/**
	 * End because the child has ended, or has closed its input. What it wrote before is
	 * read first, unless its pipe stays open.
	 */
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
		end(NoVerdictException.failure("The process ended"));
	}

	/**
	 * End, and kill the child with all that it has started.
	 * @param reason what calls that wait are told
	 */
	void end(NoVerdictException reason) {
		if (this.ending.compareAndSet(false, true)) {
			this.onEnd.accept(this);
			stop(reason);
			daemon("end", this::kill);
		}
	}

	/**
	 * End in order: the end of its input tells the child, which may take a moment.
	 */
	void close(NoVerdictException reason) {
		if (!this.ending.compareAndSet(false, true)) {
			kill();
			return;
		}
		stop(reason);
		try {
			synchronized (this.lock) {
				if (this.current == null) {
					this.child.process().getOutputStream().close();
				}
			}
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

	/**
	 * Kill the child with all that it has started, and come back when that is done.
	 */
	void kill() {
		this.child.kill();
	}

	private void stop(NoVerdictException reason) {
		synchronized (this.lock) {
			this.end = reason;
			this.queue.clear();
			this.lock.notifyAll();
		}
		this.pending.values().forEach((call) -> call.reply().completeExceptionally(reason));
	}

	/**
	 * Whether this connection is of no use any more.
	 */
	boolean hasEnded() {
		return this.ending.get();
	}

	/**
	 * How long this connection has been there, in nanoseconds.
	 */
	long age() {
		return System.nanoTime() - this.start;
	}

	/**
	 * A call that waits for its reply.
	 */
	private record Pending(CompletableFuture<Map<String, @Nullable Object>> reply, Frame frame, long start) {
	}

	/**
	 * A message on its way.
	 */
	private static final class Frame {

		private final byte[] bytes;

		/** When it is of no interest any more. */
		private final long latest;

		/** How many messages were finished when this one came. */
		private long finishedBefore;

		/** How many bytes the child was sent when it had this one. */
		private long end;

		private Frame(byte[] bytes, long latest) {
			this.bytes = bytes;
			this.latest = latest;
		}

	}

}
