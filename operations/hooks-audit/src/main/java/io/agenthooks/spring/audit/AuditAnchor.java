package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;

/**
 * Notes the head of a chain in a second place, so that a tail that was cut off is missed:
 * in a file, and in the logger {@code io.agenthooks.audit.anchor}.
 */
final class AuditAnchor {

	private static final Logger anchors = LoggerFactory.getLogger("io.agenthooks.audit.anchor");

	private final WarningThrottle warnings = new WarningThrottle(LoggerFactory.getLogger(AuditAnchor.class));

	private final Path file;

	private final long interval;

	private final AuditKey key;

	private final List<AuditKey> keys;

	private final AuditKey.Hash hash;

	private final Clock clock;

	private long next = System.nanoTime();

	private long anchored;

	AuditAnchor(Path file, Duration interval, AuditKey key, List<AuditKey> former, Clock clock) {
		this.file = file;
		this.interval = interval.toNanos();
		this.key = key;
		this.keys = Stream.concat(Stream.of(key), former.stream()).toList();
		this.hash = key.anchor();
		this.clock = clock;
	}

	static void requireWritable(Path file) throws IOException {
		Path directory = file.toAbsolutePath().getParent();
		// A link to a directory is one, but not for every version of Java.
		if (directory != null && !Files.isDirectory(directory)) {
			Files.createDirectories(directory);
		}
		if (Files.isDirectory(file) || (Files.exists(file) && !Files.isWritable(file))
				|| (directory != null && !Files.exists(file) && !Files.isWritable(directory))) {
			throw new AccessDeniedException(file.toString());
		}
	}

	/** The missing end of a chain; the last record is {@code null} if there is none. */
	@Nullable AuditCut cutOf(String node, @Nullable SealedLine last) throws IOException {
		// Until the chain has a record with a key, its notes have none either.
		boolean plain = last != null && !last.isKeyed() && this.key.id() != null;
		List<AuditKey> proving = (plain) ? Stream.concat(this.keys.stream(), Stream.of(AuditKey.none())).toList()
				: this.keys;
		return AuditCut.find(this.file, node, last, proving);
	}

	/** If it is time to. */
	void note(@Nullable AuditRecord head, boolean now) {
		if (head == null || head.number() == this.anchored || (!now && System.nanoTime() - this.next < 0)) {
			return;
		}
		this.next = System.nanoTime() + this.interval;
		SealedLine anchor = SealedLine.seal(head.node(), head.number(), this.clock.instant(), SealedLine.ANCHOR,
				head.hash(), this.key, this.hash, "");
		anchors.info("{}", anchor.line());
		try {
			append(anchor.line());
			this.anchored = head.number();
		}
		catch (IOException ex) {
			this.warnings.warn("The head of the audit could not be noted in '%s': %s".formatted(this.file, ex));
		}
	}

	private void append(String line) throws IOException {
		Path directory = this.file.toAbsolutePath().getParent();
		if (directory != null && !Files.isDirectory(directory)) {
			Files.createDirectories(directory);
		}
		try (FileChannel channel = FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			ByteBuffer end = ByteBuffer.allocate(1);
			long size = channel.size();
			boolean half = size > 0 && channel.read(end, size - 1) == 1 && end.get(0) != '\n';
			ByteBuffer bytes = ByteBuffer
				.wrap((((half) ? "\n" : "") + line + "\n").getBytes(StandardCharsets.US_ASCII));
			channel.position(size);
			while (bytes.hasRemaining()) {
				channel.write(bytes);
			}
			channel.force(false);
		}
	}

	@Override
	public String toString() {
		return this.file.toString();
	}

}
