package io.agenthooks.spring.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records in files of JSON lines, one after the other: a new one begins with each
 * day (UTC), and where one would be too large. A file is named for its node, the number
 * of its first record, and the day, as {@code node1.000000000001.2026-11-22.jsonl}, and
 * is never renamed or changed again.
 * <p>
 * What is not kept completely is cut off again, so there is never half a line between
 * others: neither after a full disk nor after a crash.
 */
final class FileSink implements AuditSink {

	private static final Logger logger = LoggerFactory.getLogger(FileSink.class);

	private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

	private static final int CHUNK = 8192;

	private final Path directory;

	private final String node;

	private final long maxSize;

	private final boolean sync;

	private Locked lock;

	private @Nullable FileChannel channel;

	private @Nullable Path file;

	private @Nullable LocalDate day;

	/** The identity of the file, also if another gets its name. */
	private @Nullable Object identity;

	/** The bytes of the file that are kept for good. */
	private long kept;

	private long lastNumber;

	FileSink(Path directory, String node, long maxSize, boolean sync) throws IOException {
		this.directory = directory;
		this.node = node;
		this.maxSize = maxSize;
		this.sync = sync;
		Files.createDirectories(directory);
		this.lock = lock();
	}

	private Path lockPath() {
		return this.directory.resolve(this.node + ".lock");
	}

	private Locked lock() throws IOException {
		FileChannel file = FileChannel.open(lockPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		@Nullable FileLock lock = lock(file);
		if (lock == null) {
			file.close();
			throw new InvalidAuditException(
					"Another application writes the audit of node '%s' in '%s'.".formatted(this.node, this.directory),
					"Give each a 'hooks.audit.node' of its own.");
		}
		return new Locked(file, lock, identityOf(lockPath()));
	}

	private static @Nullable FileLock lock(FileChannel file) throws IOException {
		try {
			return file.tryLock();
		}
		catch (OverlappingFileLockException ex) {
			return null;
		}
	}

	@Override
	public @Nullable String lastLine(String node) throws IOException {
		List<Path> files = AuditFiles.of(this.directory, node);
		for (int i = files.size() - 1; i >= 0; i--) {
			Path file = files.get(i);
			cutHalfLine(file);
			long size = Files.size(file);
			if (size == 0) {
				Files.delete(file);
				continue;
			}
			String line = lastLine(file, size);
			SealedLine last = SealedLine.read(line);
			if (last == null) {
				this.file = file;
				throw InvalidAuditException.changed(this, node, null, null);
			}
			this.lastNumber = last.number();
			this.file = file;
			this.kept = size;
			this.identity = attributes(file).fileKey();
			this.day = AuditFiles.dayOf(file);
			return line;
		}
		return null;
	}

	private static String lastLine(Path file, long size) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
			long start = startOfLine(channel, size - 1);
			byte[] line = new byte[Math.toIntExact(size - 1 - start)];
			channel.read(ByteBuffer.wrap(line), start);
			return new String(line, StandardCharsets.ISO_8859_1);
		}
	}

	/** Cut off what a crash left of a line: nobody was told that it is kept. */
	private static void cutHalfLine(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			long whole = startOfLine(channel, channel.size());
			if (whole < channel.size()) {
				logger.warn("The last line of '{}' was not finished: {} bytes are cut off", file,
						channel.size() - whole);
				channel.truncate(whole);
				channel.force(true);
			}
		}
	}

	private static long startOfLine(FileChannel channel, long end) throws IOException {
		ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
		for (long position = end; position > 0;) {
			long from = Math.max(0, position - CHUNK);
			chunk.clear().limit((int) (position - from));
			channel.read(chunk, from);
			for (int i = chunk.position() - 1; i >= 0; i--) {
				if (chunk.get(i) == '\n') {
					return from + i + 1;
				}
			}
			position = from;
		}
		return 0;
	}

	/**
	 * The file of the lock may be removed with old files: another application could lock
	 * another one of that name.
	 */
	private void keepLock() throws IOException {
		if (!Objects.equals(identityOf(lockPath()), this.lock.identity())) {
			Locked before = this.lock;
			this.lock = lock();
			before.file().close();
		}
	}

	/**
	 * Also if another file gets its name; {@code null} if it is not there, or unknown.
	 */
	private static @Nullable Object identityOf(Path file) throws IOException {
		try {
			return attributes(file).fileKey();
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	@Override
	public void write(List<AuditRecord> records) throws IOException {
		try {
			keepLock();
			leaveWhatOthersChanged();
			ByteArrayOutputStream lines = new ByteArrayOutputStream();
			long last = this.lastNumber;
			for (AuditRecord record : records) {
				if (record.number() <= this.lastNumber) {
					continue;
				}
				byte[] line = (record.line() + "\n").getBytes(StandardCharsets.US_ASCII);
				LocalDate day = record.time().atZone(ZoneOffset.UTC).toLocalDate();
				if (isFull(day, lines.size(), line.length)) {
					keep(lines, last);
					begin(record, day);
				}
				lines.writeBytes(line);
				last = record.number();
			}
			keep(lines, last);
		}
		catch (IOException | RuntimeException ex) {
			closeChannel();
			throw ex;
		}
	}

	/**
	 * A file that was moved, emptied or replaced, as programs that rotate logs do, keeps
	 * no record for good.
	 */
	private void leaveWhatOthersChanged() throws IOException {
		Path file = this.file;
		if (file == null || this.kept == 0 || isAsLeft(file)) {
			return;
		}
		logger.warn("'{}' was changed, moved or removed by another: the audit goes on in another file", file);
		closeChannel();
		this.day = null;
	}

	private boolean isAsLeft(Path file) throws IOException {
		try {
			BasicFileAttributes now = attributes(file);
			// What a failed attempt to write left behind is cut off when it is opened.
			return Objects.equals(now.fileKey(), this.identity)
					&& ((this.channel != null) ? now.size() == this.kept : now.size() >= this.kept);
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

	private static BasicFileAttributes attributes(Path file) throws IOException {
		return Files.readAttributes(file, BasicFileAttributes.class);
	}

	private boolean isFull(LocalDate day, int pending, int more) {
		return this.file == null || !day.equals(this.day)
				|| (this.kept + pending > 0 && this.kept + pending + more > this.maxSize);
	}

	private void begin(AuditRecord first, LocalDate day) throws IOException {
		closeChannel();
		this.file = this.directory.resolve(AuditFiles.nameOf(this.node, first.number(), day));
		this.day = day;
		this.kept = 0;
	}

	private void keep(ByteArrayOutputStream lines, long last) throws IOException {
		if (lines.size() == 0 || this.file == null) {
			return;
		}
		FileChannel channel = open(this.file);
		ByteBuffer bytes = ByteBuffer.wrap(lines.toByteArray());
		while (bytes.hasRemaining()) {
			channel.write(bytes);
		}
		if (this.sync) {
			channel.force(false);
		}
		this.kept += lines.size();
		this.lastNumber = last;
		lines.reset();
	}

	/** The open file, without what was not kept. */
	private FileChannel open(Path file) throws IOException {
		FileChannel open = this.channel;
		if (open != null && Files.exists(file)) {
			return open;
		}
		closeChannel();
		boolean isNew = !Files.exists(file);
		open = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		this.channel = open;
		if (isNew) {
			protect(file);
			// What somebody deleted cannot be gone on with.
			this.kept = 0;
		}
		this.identity = attributes(file).fileKey();
		open.truncate(this.kept);
		open.position(open.size());
		return open;
	}

	private static void protect(Path file) throws IOException {
		if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
			Files.setPosixFilePermissions(file, OWNER_ONLY);
		}
	}

	private void closeChannel() {
		FileChannel open = this.channel;
		this.channel = null;
		if (open != null) {
			try {
				open.close();
			}
			catch (IOException ex) {
				logger.debug("An audit file could not be closed", ex);
			}
		}
	}

	@Override
	public void close() {
		closeChannel();
		try {
			this.lock.lock().release();
			this.lock.file().close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Nullable Path file() {
		return this.file;
	}

	@Override
	public String toString() {
		return "the files of node '%s' in '%s'".formatted(this.node, this.directory);
	}

	private record Locked(FileChannel file, FileLock lock, @Nullable Object identity) {
	}

}
