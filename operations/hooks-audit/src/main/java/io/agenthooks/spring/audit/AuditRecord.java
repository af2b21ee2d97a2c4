package io.agenthooks.spring.audit;

import java.time.Instant;

/**
 * A record of the audit at its place in the chain of its node.
 *
 * @param node the node that wrote it
 * @param number its number in the chain of the node, from 1, without gaps
 * @param time when what it tells happened
 * @param kind what it tells of: {@code tool_call}, {@code llm_call}, {@code run}, or of
 * the audit itself {@code start}, {@code config}, {@code gap} or {@code stop}
 * @param hash its hash, which covers the whole line and the hash of the record before
 * @param line the record as one line of JSON in ASCII, hash included, without an end. A
 * store has to keep it byte by byte.
 * @since 0.1.0
 */
public record AuditRecord(String node, long number, Instant time, String kind, String hash, String line) {

	/** The record without its contents, which may be secret. */
	@Override
	public String toString() {
		return "AuditRecord[node=%s, number=%d, kind=%s]".formatted(this.node, this.number, this.kind);
	}

}
