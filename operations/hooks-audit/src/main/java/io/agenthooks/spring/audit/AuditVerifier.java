package io.agenthooks.spring.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.audit.AuditFiles.LineReader;

/**
 * Verifies whether records were changed, removed, reordered or added since they were
 * written, and which is the first. Uses nothing but the JDK, so that the jar alone can
 * verify an audit elsewhere.
 * <p>
 * Tell it the keys and where chains begin, then let it read the anchors, then the
 * records, however many these are.
 *
 * @since 0.1.0
 */
public final class AuditVerifier {

	private final Map<String, AuditKey> keys = new HashMap<>();

	/** The keys that have proved something: their secrets are the right ones. */
	private final Set<String> proving = new HashSet<>();

	private final Map<String, AuditChain> chains = new TreeMap<>();

	private final Map<String, Long> firsts = new HashMap<>();

	private boolean plainAllowed;

	/** Whether there has to be a second place that proves the end of each chain. */
	private boolean anchored;

	private Checkpoint checkpoint = () -> {
	};

	/**
	 * Check hashes that were made with a key. From then on records with plain hashes
	 * count as a problem, since anybody can make those.
	 * @param id the name of the key
	 * @param secret its secret
	 * @return this
	 */
	public AuditVerifier withKey(String id, String secret) {
		return withKey(AuditKey.of(id, secret));
	}

	AuditVerifier withKey(AuditKey key) {
		requireUnread(false);
		if (key.id() != null) {
			this.keys.put(key.id(), key);
		}
		return this;
	}

	/**
	 * Accept records with plain hashes beside those with keys, for an audit that had no
	 * key in the beginning.
	 * @return this
	 */
	public AuditVerifier allowPlain() {
		requireUnread(false);
		this.plainAllowed = true;
		return this;
	}

	/**
	 * Expect the records of a node from a number on, for an audit whose first files were
	 * moved elsewhere.
	 * @param node the name of the node
	 * @param number the number of the first record
	 * @return this
	 */
	public AuditVerifier startingAt(String node, long number) {
		requireUnread(false);
		this.firsts.put(node, number);
		return this;
	}

	/**
	 * Read the notes of the second place. Those that cannot be proved are ignored; a
	 * chain of which no note is left is {@linkplain AuditVerification.Kind#UNPROVED
	 * unproved}, also if the second place is gone.
	 * @param file the file
	 * @return this
	 * @throws IOException if it cannot be read
	 */
	public AuditVerifier anchors(Path file) throws IOException {
		requireUnread(true);
		this.anchored = true;
		if (!Files.exists(file)) {
			return this;
		}
		for (Path part : (Files.isDirectory(file)) ? sorted(file) : List.of(file)) {
			read(part, (line, place, finished) -> {
				SealedLine anchor = (finished) ? SealedLine.read(line) : null;
				if (anchor != null && anchor.isAnchor() && isProved(anchor)) {
					chain(anchor.node()).expect(anchor);
				}
				return true;
			});
		}
		return this;
	}

	/** Before each record. */
	void checkedBy(Checkpoint checkpoint) {
		this.checkpoint = checkpoint;
	}

	private void requireUnread(boolean anchors) {
		if (this.chains.values().stream().anyMatch((chain) -> !anchors || chain.hasRecords())) {
			throw new IllegalStateException("Keys come first, then anchors, then records");
		}
	}

	/**
	 * Read records. Those of one node have to come in their order.
	 * @param file a file with records, or a directory with such files
	 * @return this
	 * @throws IOException if it cannot be read
	 */
	public AuditVerifier records(Path file) throws IOException {
		for (Path part : (Files.isDirectory(file)) ? AuditFiles.all(file) : List.of(file)) {
			read(part, new Reading());
		}
		return this;
	}

	/**
	 * Read one record, for instance of a database.
	 * @param line the record as it was written
	 * @param place where it stands
	 * @return this
	 */
	public AuditVerifier record(String line, String place) {
		boolean unused = new Reading().accept(line, place, true);
		return this;
	}

	private static List<Path> sorted(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter(Files::isRegularFile).sorted().toList();
		}
	}

	private void read(Path file, LineReader reader) throws IOException {
		boolean unused = AuditFiles.read(file, (line, place, finished) -> {
			this.checkpoint.check();
			return reader.accept(line, place, finished);
		});
	}

	/**
	 * Whether all that was read is as it was written.
	 * @return what was found of each node
	 */
	public AuditVerification result() {
		return new AuditVerification(this.chains.values().stream().map((chain) -> chain.end(this.anchored)).toList());
	}

	private AuditChain chain(String node) {
		return this.chains.computeIfAbsent(node, (name) -> new AuditChain(name, this.firsts.getOrDefault(name, 1L)));
	}

	private boolean isProved(SealedLine line) {
		AuditKey key = keyOf(line);
		return key != null && isProvedBy(key, line);
	}

	boolean isProvedBy(AuditKey key, SealedLine line) {
		boolean proved = line.hasHashOf(key);
		if (proved && key.id() != null) {
			this.proving.add(key.id());
		}
		return proved;
	}

	boolean hasProved(String key) {
		return this.proving.contains(key);
	}

	/** The key of the hash of a line, or {@code null} if that would prove nothing. */
	@Nullable AuditKey keyOf(SealedLine line) {
		if (line.isKeyed()) {
			return (line.key() != null) ? this.keys.get(line.key()) : null;
		}
		return (this.keys.isEmpty() || this.plainAllowed) ? AuditKey.none() : null;
	}

	@FunctionalInterface
	interface Checkpoint {

		void check() throws IOException;

	}

	private final class Reading implements LineReader {

		private @Nullable AuditChain current;

		@Override
		public boolean accept(String line, String place, boolean finished) {
			SealedLine sealed = (finished) ? SealedLine.read(line) : null;
			if (sealed != null && sealed.isAnchor() && isProved(sealed)) {
				// A log may hold both. It says nothing about what stands around it.
				return true;
			}
			if (sealed != null && !sealed.isAnchor() && !isOfAnother(sealed)) {
				this.current = chain(sealed.node());
				this.current.accept(sealed, place, AuditVerifier.this);
				return true;
			}
			AuditChain chain = (this.current != null) ? this.current : chain(nodeOf(place));
			if (finished) {
				chain.unreadable(place);
			}
			else {
				chain.halfLine(place);
			}
			return true;
		}

		/** It says so, and cannot prove it. */
		private boolean isOfAnother(SealedLine line) {
			return this.current != null && !this.current.node().equals(line.node()) && !isProved(line);
		}

		private static String nodeOf(String place) {
			String file = String.valueOf(Path.of(place.replaceFirst(":[0-9]+$", "")).getFileName());
			return file.replaceFirst("\\.[0-9]{12,18}\\..*$", "");
		}

	}

}
