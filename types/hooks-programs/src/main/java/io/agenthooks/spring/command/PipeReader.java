package io.agenthooks.spring.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Never waits for more than there is. What is over the limit is taken, but not kept. */
final class PipeReader {

	private final InputStream pipe;

	private final int limit;

	private final byte[] buffer = new byte[64 * 1024];

	private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

	private boolean over;

	PipeReader(InputStream pipe, int limit) {
		this.pipe = pipe;
		this.limit = limit;
	}

	boolean take() {
		try {
			int length;
			// When the command ends, another thread of the JDK empties the pipe in
			// between, under this lock.
			synchronized (this.pipe) {
				int there = this.pipe.available();
				length = (there > 0) ? this.pipe.read(this.buffer, 0, Math.min(there, this.buffer.length)) : 0;
			}
			int fits = Math.min(Math.max(length, 0), this.limit - this.kept.size());
			this.kept.write(this.buffer, 0, fits);
			this.over |= fits < length;
			return length > 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	boolean isOver() {
		return this.over;
	}

	byte[] bytes() {
		return this.kept.toByteArray();
	}

	void close() {
		CommandInput.close(this.pipe);
	}

}
