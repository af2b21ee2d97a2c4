package io.agenthooks.spring.audit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.audit.AuditFiles.LineReader;

/**
 * Verifies and exports the audit of the running application, wherever it is configured to
 * be kept. Reads only, and shares nothing with what writes.
 *
 * @since 0.1.0
 */
public final class AuditReports {

	/** The most characters of an export: a record may hold large arguments. */
	private static final long MAX_EXPORT = 16 * 1024 * 1024;

	private final AuditConfig config;

	private final AuditSink sink;

	AuditReports(AuditConfig config, AuditSink sink) {
		this.config = config;
		this.sink = sink;
	}

	/**
	 * Say why the records cannot be read back.
	 * @return the reason, as a sentence without its end, or {@code null} if they can
	 */
	public @Nullable String unreadableReason() {
		if (this.sink instanceof FileSink || this.sink instanceof JdbcSink) {
			return null;
		}
		if (this.sink instanceof LogSink) {
			return "The records are in the log: they are given to " + this.sink
					+ ", which cannot be read back. Verify the file that it writes, with the command 'verify'";
		}
		return "The records are kept by " + this.sink.getClass().getName()
				+ ", a bean of the application, which cannot be read";
	}

	/**
	 * Verify all records.
	 * @param cancelled whether to end early
	 * @return what was found
	 * @throws IOException if the records cannot be read, or it was to end early
	 */
	public AuditVerification verify(BooleanSupplier cancelled) throws IOException {
		AuditVerifier verifier = new AuditVerifier();
		verifier.checkedBy(() -> check(cancelled));
		AuditKey key = this.config.auditKey();
		verifier.withKey(key);
		this.config.formerAuditKeys().forEach(verifier::withKey);
		if (key.id() == null) {
			verifier.allowPlain();
		}
		// Before the records: what is written meanwhile is newer than they are.
		verifier.anchors(Path.of(this.config.anchorFile()));
		if (this.sink instanceof FileSink) {
			verifier.records(Path.of(this.config.path()));
		}
		else {
			readTable(cancelled, (line, place, finished) -> {
				verifier.record(line, place);
				return true;
			});
		}
		return verifier.result();
	}

	/**
	 * The records of a period, as far as they fit into a reply.
	 * @param from the first moment, or {@code null} for the beginning
	 * @param until the first moment that is later, or {@code null} for no end
	 * @param most how many records at most
	 * @param cancelled whether to end early
	 * @return the records
	 * @throws IOException if they cannot be read, or it was to end early
	 */
	public Export export(@Nullable Instant from, @Nullable Instant until, int most, BooleanSupplier cancelled)
			throws IOException {
		List<String> lines = new ArrayList<>();
		boolean[] truncated = new boolean[1];
		long[] size = new long[1];
		LineReader reader = (line, place, finished) -> {
			check(cancelled);
			SealedLine sealed = (finished) ? SealedLine.read(line) : null;
			if (sealed == null || !sealed.isWithin(from, until)) {
				return true;
			}
			size[0] += line.length();
			if (lines.size() == most || size[0] > MAX_EXPORT) {
				truncated[0] = true;
				return false;
			}
			lines.add(line);
			return true;
		};
		if (this.sink instanceof FileSink) {
			for (Path file : AuditFiles.all(Path.of(this.config.path()))) {
				if (!AuditFiles.read(file, reader)) {
					break;
				}
			}
		}
		else {
			readTable(cancelled, reader);
		}
		return new Export(lines, truncated[0]);
	}

	private void readTable(BooleanSupplier cancelled, LineReader reader) throws IOException {
		if (!(this.sink instanceof JdbcSink table)) {
			throw new IOException(unreadableReason());
		}
		table.read((line, place, finished) -> {
			check(cancelled);
			return reader.accept(line, place, finished);
		});
	}

	private static void check(BooleanSupplier cancelled) throws InterruptedIOException {
		if (cancelled.getAsBoolean()) {
			throw new InterruptedIOException("Reading the audit took too long");
		}
	}

	/**
	 * Records of a period.
	 *
	 * @param lines the records as they are kept, node by node
	 * @param truncated whether there are more
	 * @since 0.1.0
	 */
	public record Export(List<String> lines, boolean truncated) {

		/** Create an export. */
		public Export {
			lines = List.copyOf(lines);
		}

		/** The number of records, without their contents. */
		@Override
		public String toString() {
			return "Export[records=%d, truncated=%s]".formatted(this.lines.size(), this.truncated);
		}

	}

}
