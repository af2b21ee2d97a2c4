package io.agenthooks.spring.audit;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Whether the records of an audit are as they were written.
 *
 * @param nodes what was found of each node, by name
 * @since 0.1.0
 */
public record AuditVerification(List<Node> nodes) {

	/** Create a result. */
	public AuditVerification {
		nodes = List.copyOf(nodes);
	}

	/**
	 * Whether no record was changed, removed, reordered or added.
	 * @return whether there is no problem
	 */
	public boolean isUnbroken() {
		return this.nodes.stream().allMatch((node) -> node.problem() == null);
	}

	/**
	 * Whether every call was recorded, as far as the records know. What a crash leaves
	 * unrecorded they do not.
	 * @return whether no record tells of calls that were not recorded
	 */
	public boolean isComplete() {
		return this.nodes.stream().allMatch((node) -> node.dropped() == 0);
	}

	/**
	 * Whether it is certain that something is not as it was written. If it is neither
	 * this nor {@linkplain #isUnbroken() unbroken}, it is unproved.
	 * @return whether there is a problem that is more than a missing proof
	 */
	public boolean isBroken() {
		return this.nodes.stream()
			.map(Node::problem)
			.anyMatch((problem) -> problem != null && problem.kind() != Kind.UNPROVED
					&& problem.kind() != Kind.UNKNOWN_KEY);
	}

	/** Return the findings about a node, line by line. */
	@Override
	public String toString() {
		return String.join(System.lineSeparator(), this.nodes.stream().map(Node::toString).toList());
	}

	/**
	 * The chain of a node.
	 *
	 * @param node the name of the node
	 * @param records how many records there are
	 * @param last the number of the last record of the unbroken part, or 0
	 * @param dropped how many calls the records say were not recorded
	 * @param keyed whether all hashes were made with a key; without one they show
	 * accidents, but no attack of somebody who can write the records
	 * @param anchors how many notes of the second place agree
	 * @param unfinished whether there is a half line behind the last record, as a crash
	 * leaves it
	 * @param problem the first thing that is wrong, or {@code null}
	 * @since 0.1.0
	 */
	public record Node(String node, long records, long last, long dropped, boolean keyed, long anchors,
			boolean unfinished, @Nullable Problem problem) {

		@Override
		public String toString() {
			StringBuilder text = new StringBuilder("node " + this.node + ": ");
			text.append((this.problem != null) ? this.problem : whole());
			text.append("; ")
				.append(this.records)
				.append(" records, ")
				.append(this.last)
				.append(" is the last of the ");
			text.append("unbroken part, ").append(this.dropped).append(" calls not recorded, ");
			text.append(this.anchors).append(" anchors");
			if (this.anchors == 0 && this.problem == null) {
				text.append(", so records that are missing at the end would not be missed");
			}
			if (this.unfinished) {
				text.append("; the last line is not finished, as a crash leaves it");
			}
			if (!this.keyed) {
				text.append("; plain SHA-256 without a key: shows accidents, but no change by someone ");
				text.append("who can write the records and the anchors");
			}
			return text.toString();
		}

		private String whole() {
			return (this.dropped == 0) ? "unbroken" : "INCOMPLETE: not all calls were recorded";
		}

	}

	/**
	 * Something that is wrong.
	 *
	 * @param kind what it is
	 * @param number the number of the first record that it is about
	 * @param place the file and the line
	 * @param message what it is, in words
	 * @since 0.1.0
	 */
	public record Problem(Kind kind, long number, String place, String message) {

		@Override
		public String toString() {
			return "%s: record %d (%s) %s".formatted(this.kind, this.number, this.place, this.message);
		}

	}

	/**
	 * The kind of a problem.
	 *
	 * @since 0.1.0
	 */
	public enum Kind {

		/** A record is not what was written. */
		CHANGED,

		/** Records are missing before others. */
		REMOVED,

		/** A record stands before one that was written earlier. */
		REORDERED,

		/** A record is not of this chain, or is there twice. */
		ADDED,

		/** Records are missing at the end: an anchor knows them. */
		CUT,

		/**
		 * A proof that was asked for cannot be made: a record has a plain hash beside
		 * records with keys, or the second place has no note of a chain.
		 */
		UNPROVED,

		/**
		 * A record was made with a key that is unknown here. Whether it was changed can
		 * only be told with that key.
		 */
		UNKNOWN_KEY

	}

}
