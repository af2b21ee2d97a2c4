package io.agenthooks.spring.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.NoVerdictException;

/**
 * Writes to one child, in order. A caller writes itself what surely fits in the pipe; a
 * thread writes the rest.
 */
final class ProcessOutput {

	/** Every pipe takes that much, also if the child does not read. */
	private static final int FITS_IN_PIPE = 4096;

	/** In bytes. */
	private static final int MAX_QUEUED = 16 * 1024 * 1024;

	private final OutputStream stream;

	private final AtomicLong dropped;

	private final Runnable onBroken;

	private final Object lock = new Object();

	private @Nullable NoVerdictException end;

	private final Deque<Frame> queue = new ArrayDeque<>();

	private long queuedBytes;

	private @Nullable Frame current;

	private long written;

	/** As the replies of the child show. */
	private long read;

	private long finished;

	ProcessOutput(OutputStream stream, AtomicLong dropped, Runnable onBroken) {
		this.stream = stream;
		this.dropped = dropped;
		this.onBroken = onBroken;
	}

	/**
	 * A message that may not fit in the pipe is left to the thread: no call waits for a
	 * child that does not read.
	 */
	void send(Frame frame) throws NoVerdictException {
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
				// How many there are, and how long, is up to the agent.
				throw NoVerdictException.refusal("Too many messages wait for the process");
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
			this.stream.write(frame.bytes);
			this.stream.flush();
		}
		catch (IOException ex) {
			// The child has ended, or has closed its input.
			this.onBroken.run();
		}
	}

	/** The work of a thread, until the connection ends. */
	void write() {
		try {
			Frame frame = next();
			while (frame != null) {
				this.stream.write(frame.bytes);
				this.stream.flush();
				frame = next();
			}
		}
		catch (IOException ex) {
			// The child has ended, or has closed its input.
			this.onBroken.run();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

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

	/** If it is not being written yet. */
	boolean unqueue(Frame frame) {
		synchronized (this.lock) {
			boolean queued = this.queue.remove(frame);
			this.queuedBytes -= (queued) ? frame.bytes.length : 0;
			return queued;
		}
	}

	/**
	 * The thread has not finished a single message while this one waited: the child does
	 * not read.
	 */
	boolean isStuck(Frame frame) {
		synchronized (this.lock) {
			return (unqueue(frame)) ? this.finished == frame.finishedBefore : this.current == frame;
		}
	}

	void markRead(Frame frame) {
		synchronized (this.lock) {
			this.read = Math.max(this.read, frame.end);
		}
	}

	void stop(NoVerdictException reason) {
		synchronized (this.lock) {
			this.end = reason;
			this.queue.clear();
			this.lock.notifyAll();
		}
	}

	/** Unless a message is just being written. */
	void close() throws IOException {
		synchronized (this.lock) {
			if (this.current == null) {
				this.stream.close();
			}
		}
	}

	static final class Frame {

		private final byte[] bytes;

		/** Then it is of no interest any more. */
		private final long latest;

		/** When this one came. */
		private long finishedBefore;

		/** The bytes that the child was sent when it had this one. */
		private long end;

		private Frame(byte[] bytes, long latest) {
			this.bytes = bytes;
			this.latest = latest;
		}

		static Frame of(String head, byte[] params, long latest) {
			byte[] start = ("{\"jsonrpc\":\"2.0\"," + head + ",\"params\":").getBytes(StandardCharsets.US_ASCII);
			byte[] bytes = new byte[start.length + params.length + 2];
			System.arraycopy(start, 0, bytes, 0, start.length);
			System.arraycopy(params, 0, bytes, start.length, params.length);
			bytes[bytes.length - 2] = '}';
			bytes[bytes.length - 1] = '\n';
			return new Frame(bytes, latest);
		}

	}

}
