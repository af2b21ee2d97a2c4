package io.agenthooks.spring.audit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.audit.AuditVerification.Kind;
import io.agenthooks.spring.audit.AuditVerification.Problem;

/**
 * Tells whether records were changed, removed, reordered or added since they were
 * written, and which is the first. Uses nothing but the JDK, so that the jar alone can
 * verify an audit elsewhere.
 * <p>
 * Tell it the keys and where chains begin, then let it read the anchors, then the
 * records, however many these are.
 *
 * @since 0.1.0
 */
public final class AuditVerifier {

	private static final Pattern DROPPED = Pattern.compile(",\"dropped\":([0-9]{1,18})[,}]");

	private final Map<String, AuditKey> keys = new HashMap<>();

	/** The keys that have proved something: their secrets are the right ones. */
	private final Set<String> proving = new HashSet<>();

	private final Map<String, Chain> chains = new TreeMap<>();

	private final Map<String, Long> firsts = new HashMap<>();

	private boolean plainAllowed;

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

	/**
	 * As above, unless it is none.
	 */
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
	 * Read the notes of the second place. Those that cannot be proved are ignored.
	 * @param file the file
	 * @return this
	 * @throws IOException if it cannot be read
	 */
	public AuditVerifier anchors(Path file) throws IOException {
		requireUnread(true);
		for (Path part : (Files.isDirectory(file)) ? sorted(file) : List.of(file)) {
			read(part, (line, place, finished) -> {
				SealedLine anchor = SealedLine.read(line);
				if (finished && anchor != null && anchor.isAnchor() && isProved(anchor)) {
					chain(anchor.node()).anchors.merge(anchor.number(), List.of(anchor.previous()),
							AuditVerifier::both);
				}
			});
		}
		return this;
	}

	/**
	 * Ask before each record whether to go on.
	 * @param checkpoint throws an exception if not
	 */
	void checkedBy(Checkpoint checkpoint) {
		this.checkpoint = checkpoint;
	}

	private void requireUnread(boolean anchors) {
		if (this.chains.values().stream().anyMatch((chain) -> !anchors || chain.records > 0)) {
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
			Reading reading = new Reading();
			read(part, reading);
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
		new Reading().accept(line, place, true);
		return this;
	}

	private static List<Path> sorted(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter(Files::isRegularFile).sorted().toList();
		}
	}

	private void read(Path file, LineReader reader) throws IOException {
		try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
			ByteArrayOutputStream line = new ByteArrayOutputStream();
			long number = 0;
			for (int next = in.read(); next != -1; next = in.read()) {
				if (next != '\n') {
					line.write(next);
					continue;
				}
				this.checkpoint.check();
				reader.accept(line.toString(StandardCharsets.ISO_8859_1), file + ":" + ++number, true);
				line.reset();
			}
			if (line.size() > 0) {
				reader.accept(line.toString(StandardCharsets.ISO_8859_1), file + ":" + ++number, false);
			}
		}
	}

	/**
	 * Whether all that was read is as it was written.
	 * @return what was found of each node
	 */
	public AuditVerification result() {
		return new AuditVerification(this.chains.values().stream().map(Chain::end).toList());
	}

	private static List<String> both(List<String> some, List<String> others) {
		List<String> both = new ArrayList<>(some);
		others.stream().filter((other) -> !both.contains(other)).forEach(both::add);
		return both;
	}

	private Chain chain(String node) {
		return this.chains.computeIfAbsent(node, (name) -> new Chain(name, this.firsts.getOrDefault(name, 1L)));
	}

	private boolean isProved(SealedLine line) {
		AuditKey key = keyOf(line);
		return key != null && isProvedBy(key, line);
	}

	private boolean isProvedBy(AuditKey key, SealedLine line) {
		boolean proved = line.hasHashOf(key);
		if (proved && key.id() != null) {
			this.proving.add(key.id());
		}
		return proved;
	}

	/**
	 * What the hash of a line has to be made with, or {@code null} if that would prove
	 * nothing.
	 */
	private @Nullable AuditKey keyOf(SealedLine line) {
		if (line.isKeyed()) {
			return (line.key() != null) ? this.keys.get(line.key()) : null;
		}
		return (this.keys.isEmpty() || this.plainAllowed) ? AuditKey.none() : null;
	}

	/**
	 * Where somebody may end the reading.
	 */
	@FunctionalInterface
	interface Checkpoint {

		void check() throws IOException;

	}

	/**
	 * Takes lines.
	 */
	@FunctionalInterface
	private interface LineReader {

		void accept(String line, String place, boolean finished);

	}

	/**
	 * The reading of one file.
	 */
	private final class Reading implements LineReader {

		private @Nullable Chain current;

		@Override
		public void accept(String line, String place, boolean finished) {
			SealedLine sealed = (finished) ? SealedLine.read(line) : null;
			if (sealed != null && sealed.isAnchor() && isProved(sealed)) {
				// A log may hold both. It says nothing about what stands around it.
				return;
			}
			if (sealed != null && !sealed.isAnchor() && !isOfAnother(sealed)) {
				this.current = chain(sealed.node());
				this.current.accept(sealed, place, AuditVerifier.this);
				return;
			}
			Chain chain = (this.current != null) ? this.current : chain(nodeOf(place));
			if (finished) {
				chain.unreadable(place);
			}
			else {
				chain.halfLine(place);
			}
		}

		/**
		 * Whether a line says that it is of another node than those before it, and cannot
		 * prove that.
		 */
		private boolean isOfAnother(SealedLine line) {
			return this.current != null && !this.current.node.equals(line.node()) && !isProved(line);
		}

		private static String nodeOf(String place) {
			String file = String.valueOf(Path.of(place.replaceFirst(":[0-9]+$", "")).getFileName());
			return file.replaceFirst("\\.[0-9]{12,18}\\..*$", "");
		}

	}

	/**
	 * The chain of a node, as far as it was read.
	 */
	private static final class Chain {

		private final String node;

		final Map<Long, List<String>> anchors = new LinkedHashMap<>();

		/** The hashes of the records that anchors name. */
		private final Map<Long, String> hashes = new HashMap<>();

		private long expected;

		private @Nullable String previous;

		private long records;

		private long dropped;

		private boolean keyed = true;

		private @Nullable String halfLine;

		private @Nullable Problem problem;

		/** Whether the problem is that records are not there, and may come yet. */
		private boolean missing;

		Chain(String node, long first) {
			this.node = node;
			this.expected = first;
			this.previous = (first == 1) ? SealedLine.NOTHING_BEFORE : null;
		}

		void accept(SealedLine line, String place, AuditVerifier verifier) {
			this.records++;
			if (this.missing && line.number() == this.expected) {
				Problem missed = Objects.requireNonNull(this.problem);
				this.problem = new Problem(Kind.REORDERED, missed.number(), place, "stands behind later records");
				this.missing = false;
			}
			if (this.problem != null) {
				return;
			}
			if (this.halfLine != null) {
				found(Kind.CHANGED, this.expected, this.halfLine, "is only half there, and others follow");
				return;
			}
			AuditKey key = verifier.keyOf(line);
			if (key == null && line.isKeyed()) {
				found(Kind.UNKNOWN_KEY, line.number(), place,
						"was made with the key '%s', which was not given: whether it was changed cannot be told"
							.formatted(line.key()));
			}
			else if (key == null) {
				found(Kind.UNPROVED, line.number(), place, "has a plain hash, which anybody can make");
			}
			else if (!verifier.isProvedBy(key, line)) {
				found(Kind.CHANGED, this.expected, place, (key.id() != null && !verifier.proving.contains(key.id()))
						? "is not what was written, or the secret of the key '%s' is another one".formatted(line.key())
						: "is not what was written");
			}
			else if (line.number() > this.expected) {
				found(Kind.REMOVED, this.expected, place, "and all before %d are missing".formatted(line.number()));
				this.missing = true;
			}
			else if (line.number() < this.expected) {
				found(Kind.ADDED, line.number(), place, "is there a second time");
			}
			else if (this.previous != null && !this.previous.equals(line.previous())) {
				found(Kind.ADDED, line.number(), place,
						"does not follow record %d: it is of another chain".formatted(line.number() - 1));
			}
			else {
				advance(line);
			}
		}

		private void advance(SealedLine line) {
			this.expected = line.number() + 1;
			this.previous = line.hash();
			this.keyed &= line.isKeyed();
			if (this.anchors.containsKey(line.number())) {
				this.hashes.put(line.number(), line.hash());
			}
			if (line.kind().equals("gap")) {
				Matcher dropped = DROPPED.matcher(line.body());
				this.dropped += (dropped.find()) ? Long.parseLong(dropped.group(1)) : 0;
			}
		}

		void unreadable(String place) {
			this.records++;
			if (this.problem == null) {
				found(Kind.CHANGED, this.expected, place, "is no record any more");
			}
		}

		void halfLine(String place) {
			if (this.halfLine == null) {
				this.halfLine = place;
			}
		}

		private void found(Kind kind, long number, String place, String message) {
			this.problem = new Problem(kind, number, place, message);
		}

		AuditVerification.Node end() {
			long count = 0;
			long last = this.expected - 1;
			for (Map.Entry<Long, List<String>> anchor : this.anchors.entrySet()) {
				String hash = this.hashes.get(anchor.getKey());
				if (hash != null && anchor.getValue().equals(List.of(hash))) {
					count++;
				}
				else if (this.problem == null) {
					this.problem = notAnchored(anchor.getKey(), hash, last);
				}
			}
			return new AuditVerification.Node(this.node, this.records, last, this.dropped, this.keyed, count,
					this.halfLine != null, this.problem);
		}

		private @Nullable Problem notAnchored(long number, @Nullable String hash, long last) {
			if (hash != null) {
				return new Problem(Kind.CHANGED, number, "anchor",
						"was another one when it was noted: the chain was made again");
			}
			return (number > last) ? new Problem(Kind.CUT, last + 1, "anchor",
					"and all up to %d at least are missing at the end".formatted(number)) : null;
		}

	}

}
