package io.agenthooks.spring.command;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

import io.agenthooks.spring.program.Child;

/**
 * Another thread writes what may not fit in the pipe. When the command has ended, that
 * thread ends, too, also if a child of it still holds the other end.
 */
final class CommandInput {

	/** Every pipe takes that much at once, also if the command does not read. */
	private static final int FITS_IN_PIPE = 4096;

	/** In nanoseconds. */
	private static final int STEP_TO_LOOK = 10_000_000;

	/** In nanoseconds: a command that has not read for so long will not read any more. */
	private static final long PATIENCE = 1_000_000_000;

	private static final int MAX_TRIES = 20;

	private static final int CHUNK = 16 * 1024;

	/** In nanoseconds. */
	private static final int STEP_TO_WRITE = 50_000;

	private final Child child;

	private final byte[] bytes;

	private volatile int position;

	private volatile boolean written;

	CommandInput(Child child, byte[] bytes) {
		this.child = child;
		this.bytes = bytes;
	}

	void write(ExecutorService threads) {
		if (this.bytes.length <= FITS_IN_PIPE) {
			writeNow();
			return;
		}
		boolean handedOver = false;
		try {
			threads.execute(this::writeNow);
			handedOver = true;
		}
		catch (RejectedExecutionException ex) {
			// The application is shutting down, which the caller sees next.
		}
		finally {
			if (!handedOver) {
				this.written = true;
				close(this.child.process().getOutputStream());
			}
		}
	}

	private void writeNow() {
		try (OutputStream stream = this.child.process().getOutputStream()) {
			// When the command ends, another thread of the JDK closes the stream in
			// between, under this lock. What is left behind may still want to read.
			synchronized (stream) {
				for (int begin = 0; begin < this.bytes.length; begin += CHUNK) {
					stream.write(this.bytes, begin, Math.min(CHUNK, this.bytes.length - begin));
					this.position = begin;
				}
			}
		}
		catch (IOException ex) {
			// The command did not want to know more.
		}
		finally {
			this.written = true;
		}
	}

	/**
	 * The thread ends by itself, unless the command left a process behind that could
	 * still read.
	 */
	void end(ExecutorService threads) {
		if (!this.written) {
			try {
				threads.execute(this::takeBack);
			}
			catch (RejectedExecutionException ex) {
				// The application is shutting down.
			}
		}
	}

	/** From the end of that process, unless it reads, slow as it may be. */
	private void takeBack() {
		int seen = 0;
		long since = System.nanoTime();
		int tries = 0;
		while (!this.written && tries < MAX_TRIES) {
			LockSupport.parkNanos(STEP_TO_LOOK);
			if (this.position != seen) {
				seen = this.position;
				since = System.nanoTime();
			}
			else if (System.nanoTime() - since >= PATIENCE) {
				this.child.inputs().forEach(this::empty);
				tries++;
			}
		}
	}

	private void empty(Path pipe) {
		byte[] buffer = new byte[64 * 1024];
		try (InputStream rest = new FileInputStream(pipe.toFile())) {
			while (!this.written) {
				if (rest.available() == 0 || rest.read(buffer) < 0) {
					LockSupport.parkNanos(STEP_TO_WRITE);
				}
			}
		}
		catch (IOException ex) {
			// That process has ended, and so has the pipe.
		}
	}

	static void close(Closeable stream) {
		try {
			stream.close();
		}
		catch (IOException ex) {
			// It is of no use any more.
		}
	}

}
