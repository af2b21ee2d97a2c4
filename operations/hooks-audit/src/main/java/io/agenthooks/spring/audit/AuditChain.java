package io.agenthooks.spring.audit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.audit.AuditVerification.Kind;
import io.agenthooks.spring.audit.AuditVerification.Problem;

/** The chain of a node, as far as it was read. Uses nothing but the JDK. */
final class AuditChain {

	private static final Pattern DROPPED = Pattern.compile(",\"dropped\":([0-9]{1,18})[,}]");

	private final String node;

	private final Map<Long, List<String>> anchors = new LinkedHashMap<>();

	private final Map<Long, String> hashes = new HashMap<>();

	private long expected;

	private @Nullable String previous;

	private long records;

	private long dropped;

	private boolean keyed = true;

	private @Nullable String halfLine;

	private @Nullable Problem problem;

	/** The first end that was missing at a start. The chain behind it is looked at. */
	private @Nullable Problem cut;

	/** The last record before that. */
	private long unbroken;

	/** Whether the problem is that records are not there, and may come yet. */
	private boolean missing;

	AuditChain(String node, long first) {
		this.node = node;
		this.expected = first;
		this.previous = (first == 1) ? SealedLine.NOTHING_BEFORE : null;
	}

	String node() {
		return this.node;
	}

	boolean hasRecords() {
		return this.records > 0;
	}

	void expect(SealedLine anchor) {
		this.anchors.merge(anchor.number(), List.of(anchor.previous()), AuditChain::both);
	}

	private static List<String> both(List<String> some, List<String> others) {
		return Stream.concat(some.stream(), others.stream()).distinct().toList();
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
			found(Kind.CHANGED, this.expected, place, (key.id() != null && !verifier.hasProved(key.id()))
					? "is not what was written, or the secret of the key '%s' is another one".formatted(line.key())
					: "is not what was written");
		}
		else if (isCut(line)) {
			noteCut(line, place);
			advance(line);
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

	private boolean isCut(SealedLine line) {
		return line.kind().equals(AuditCut.KIND) && line.number() >= this.expected
				&& line.previous().equals(this.previous);
	}

	private void noteCut(SealedLine line, String place) {
		if (this.cut != null) {
			return;
		}
		this.unbroken = this.expected - 1;
		this.cut = (line.number() > this.expected)
				? new Problem(Kind.CUT, this.expected, place,
						"and all up to %d at least were missing when the application started"
							.formatted(line.number() - 1))
				: new Problem(Kind.CHANGED, this.unbroken, place,
						"was another one when it was noted than when the application started");
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
			found(Kind.CHANGED, this.expected, place, "is not a record any more");
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

	/** The findings. Anchored: the second place has to prove the end. */
	AuditVerification.Node end(boolean anchored) {
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
		if (anchored && count == 0 && problem() == null) {
			found(Kind.UNPROVED, last, "anchor",
					"is the last, and the second place has no note of this chain that can be proved: what is missing behind "
							+ "it would not be missed");
		}
		return new AuditVerification.Node(this.node, this.records, (this.cut != null) ? this.unbroken : last,
				this.dropped, this.keyed, count, this.halfLine != null, problem());
	}

	/** The first problem. Behind an end that was missing there may be another one. */
	private @Nullable Problem problem() {
		Problem first = this.cut;
		if (first == null || this.problem == null) {
			return (first != null) ? first : this.problem;
		}
		return new Problem(first.kind(), first.number(), first.place(), first.message() + "; later " + this.problem);
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
