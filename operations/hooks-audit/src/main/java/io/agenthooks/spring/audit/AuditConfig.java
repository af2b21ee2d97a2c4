package io.agenthooks.spring.audit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.binding.Former;
import io.agenthooks.spring.binding.SecretCheck;

/**
 * The options of {@code hooks.audit}. The annotation is for the metadata of IDEs; it is
 * read by {@link io.agenthooks.spring.binding.HooksReader}.
 *
 * @param enabled Whether calls are recorded.
 * @param node Name of this node, whose records are a chain of their own; the name of the
 * host unless set.
 * @param arguments What is recorded of the arguments of tool calls.
 * @param strict Whether calls are denied while they cannot be recorded.
 * @param queueSize Number of calls that may wait to be recorded.
 * @param store Where records are kept.
 * @param key Key that the hashes of records are made with.
 * @param formerKeys Keys that earlier records were made with. The endpoint 'toolaudit'
 * verifies with them; nothing new is made with them.
 * @param file Files that records are kept in.
 * @param jdbc Table that records are kept in.
 * @param anchor Second place, in which the last record is noted.
 */
@ConfigurationProperties("hooks.audit")
@Former(value = "events", instead = "Remove it: records are no longer copied to an AuditEventRepository. What is to go "
		+ "elsewhere, too, is given there by an AuditSink bean of yours, or read from the store.")
record AuditConfig(@Nullable Boolean enabled, @Nullable String node, @Nullable Arguments arguments,
		@Nullable Boolean strict, @Nullable Integer queueSize, @Nullable Store store, @Nullable Key key,
		@Nullable List<Key> formerKeys, @Nullable Files file, @Nullable Jdbc jdbc, @Nullable Anchor anchor) {

	static final int DEFAULT_QUEUE_SIZE = 10_000;

	/** A name has 64 characters at most. */
	private static final int MAX_LOGGED_NODE = 64 - LogSink.START_LENGTH;

	static final String DEFAULT_PATH = "audit";

	private static final DataSize DEFAULT_SIZE = DataSize.ofMegabytes(100);

	private static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);

	/** Records that are newer than the last note can be cut off unseen. */
	private static final Duration MAX_INTERVAL = Duration.ofDays(1);

	AuditConfig {
		List<Problem> problems = new ArrayList<>();
		if (node != null && !SealedLine.NAME.matcher(node).matches()) {
			problems.add(new Problem(List.of("node"), "is not a valid name of a node",
					"Write up to 64 letters, digits, dots, dashes and underscores."));
		}
		if (node != null && store == Store.LOG && node.length() > MAX_LOGGED_NODE) {
			problems.add(new Problem(List.of("node"), "is too long for 'store: log', which adds the time of the start",
					"Write at most %d characters.".formatted(MAX_LOGGED_NODE)));
		}
		if (queueSize != null && (queueSize < 1 || queueSize > 1_000_000)) {
			problems.add(new Problem(List.of("queue_size"), "is out of range", "Write a number from 1 to 1000000."));
		}
		if (key != null) {
			key.check(List.of("key"), problems);
			key.checkGuessed(problems);
		}
		checkFormer((formerKeys != null) ? formerKeys : List.of(), key, problems);
		if (file != null && file.maxSize() != null && file.maxSize().compareTo(DataSize.ofKilobytes(1)) < 0) {
			problems.add(new Problem(List.of("file", "max_size"), "is too small", "Write 1KB or more."));
		}
		if (anchor != null && anchor.interval() != null && (anchor.interval().compareTo(Duration.ofMillis(1)) < 0
				|| anchor.interval().compareTo(MAX_INTERVAL) > 0)) {
			problems.add(new Problem(List.of("anchor", "interval"), "is out of range",
					"Write a time from 1s to 1d, such as 1m. A number without a unit is seconds."));
		}
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
	}

	/** Two secrets under one name would leave open which of them proves a record. */
	private static void checkFormer(List<Key> formerKeys, @Nullable Key key, List<Problem> problems) {
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < formerKeys.size(); i++) {
			Key former = formerKeys.get(i);
			List<String> path = List.of("former_keys", String.valueOf(i));
			former.check(path, problems);
			if (former.id() != null && key != null && former.id().equals(key.id())) {
				problems.add(new Problem(append(path, "id"), "is that of the active key",
						"Remove this key, or give 'key' a name of its own: a new secret needs a new 'id'."));
			}
			else if (former.id() != null && !ids.add(former.id())) {
				problems
					.add(new Problem(append(path, "id"), "is there a second time", "Write each former key only once."));
			}
		}
	}

	private static List<String> append(List<String> path, String name) {
		List<String> longer = new ArrayList<>(path);
		longer.add(name);
		return longer;
	}

	String nodeOrHost() {
		if (this.node != null) {
			return this.node;
		}
		try {
			String host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9.-]", "-");
			String name = host.substring(0, Math.min(host.length(), 64));
			return (SealedLine.NAME.matcher(name).matches()) ? name : "node";
		}
		catch (UnknownHostException ex) {
			return "node";
		}
	}

	Arguments argumentsOrDefault() {
		return Objects.requireNonNullElse(this.arguments, Arguments.REDACTED);
	}

	boolean isStrict() {
		return Boolean.TRUE.equals(this.strict);
	}

	int queueSizeOrDefault() {
		return Objects.requireNonNullElse(this.queueSize, DEFAULT_QUEUE_SIZE);
	}

	Store storeOrDefault() {
		return Objects.requireNonNullElse(this.store, Store.FILE);
	}

	/**
	 * The name of the chain that an application begins where none can be gone on with.
	 */
	String newChain(Instant start) {
		String node = nodeOrHost();
		return LogSink.chainOf(node.substring(0, Math.min(node.length(), MAX_LOGGED_NODE)), start);
	}

	Schema schema() {
		return (this.jdbc != null && this.jdbc.initializeSchema() != null) ? this.jdbc.initializeSchema()
				: Schema.EMBEDDED;
	}

	AuditKey auditKey() {
		return (this.key != null) ? this.key.auditKey() : AuditKey.none();
	}

	/** The keys that earlier records were made with. */
	List<AuditKey> formerAuditKeys() {
		return (this.formerKeys != null) ? this.formerKeys.stream().map(Key::auditKey).toList() : List.of();
	}

	String path() {
		return (this.file != null && this.file.path() != null) ? this.file.path() : DEFAULT_PATH;
	}

	long maxSize() {
		return ((this.file != null && this.file.maxSize() != null) ? this.file.maxSize() : DEFAULT_SIZE).toBytes();
	}

	boolean isSynced() {
		return this.file == null || !Boolean.FALSE.equals(this.file.sync());
	}

	String anchorFile() {
		return (this.anchor != null && this.anchor.file() != null) ? this.anchor.file()
				: path() + "-anchors/" + nodeOrHost() + ".jsonl";
	}

	/** Whether the place of anchors is configured. */
	boolean isAnchorChosen() {
		return this.anchor != null && this.anchor.file() != null;
	}

	Duration anchorInterval() {
		return (this.anchor != null && this.anchor.interval() != null) ? this.anchor.interval() : DEFAULT_INTERVAL;
	}

	/** The key without its secret. */
	@Override
	public String toString() {
		return "AuditConfig[node=%s, arguments=%s, strict=%s]".formatted(this.node, this.arguments, this.strict);
	}

	/** The record of the arguments of tool calls. */
	enum Arguments {

		/** Their hash alone. */
		NONE,

		/** The rest when secrets and personal data are taken out. */
		REDACTED,

		/** All of them. */
		FULL

	}

	/** The store of records. */
	enum Store {

		/** In files of JSON lines. */
		FILE,

		/** In a table of a database. */
		JDBC,

		/** By whatever the logger io.agenthooks.audit writes to. */
		LOG

	}

	/** The condition under which the table is made. */
	enum Schema {

		/** In any database. */
		ALWAYS,

		/** In a database that runs within the application. */
		EMBEDDED,

		/** Never: it is there. */
		NEVER

	}

	/**
	 * The table that records are kept in.
	 *
	 * @param initializeSchema When the table is made at the start.
	 */
	record Jdbc(@Nullable Schema initializeSchema) {
	}

	/**
	 * A key that hashes are made with.
	 *
	 * @param id Name of the key, which each record has.
	 * @param secret Secret of 32 characters or more; without it, hashes are plain ones
	 * that everybody can make.
	 */
	record Key(@Nullable String id, @Nullable String secret) {

		void check(List<String> path, List<Problem> problems) {
			if (this.id == null || !SealedLine.NAME.matcher(this.id).matches()) {
				problems.add(new Problem(append(path, "id"),
						(this.id == null) ? "is missing" : "is not a valid name of a key",
						"Write up to 64 letters, digits, dots, dashes and underscores, such as '2026-11'."));
			}
			String mistake = SecretCheck.tooShort(this.secret);
			if (mistake != null) {
				problems.add(new Problem(append(path, "secret"), mistake, SecretCheck.action()));
			}
		}

		/**
		 * Look at the secret of the active key. A former one proves what there is, and
		 * cannot be changed any more.
		 */
		void checkGuessed(List<Problem> problems) {
			String mistake = (SecretCheck.tooShort(this.secret) == null) ? SecretCheck.mistake(this.secret) : null;
			if (mistake != null) {
				problems.add(new Problem(List.of("key", "secret"), mistake, SecretCheck.action()));
			}
		}

		AuditKey auditKey() {
			return (this.id != null && this.secret != null) ? AuditKey.of(this.id, this.secret) : AuditKey.none();
		}

		/** The key without its secret. */
		@Override
		public String toString() {
			return "Key[id=%s]".formatted(this.id);
		}

	}

	/**
	 * The files that records are kept in.
	 *
	 * @param path Directory of the files.
	 * @param maxSize Size after which a new file begins; one begins each day anyway.
	 * @param sync Whether records count as kept only when the disk has them.
	 */
	record Files(@Nullable String path, @Nullable DataSize maxSize, @Nullable Boolean sync) {
	}

	/**
	 * The second place.
	 *
	 * @param file File in which the last record is noted; better on another disk.
	 * @param interval Time between two notes, while there are records.
	 */
	record Anchor(@Nullable String file, @Nullable Duration interval) {
	}

}
