package io.agenthooks.spring.audit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.json.StrictJson;

/** Each record holds the hash of the one before. Not safe for use by several threads. */
final class RecordChain {

	private final AuditLog.Settings settings;

	private final AuditKey.Hash hash;

	private long number;

	private String previous = SealedLine.NOTHING_BEFORE;

	RecordChain(AuditLog.Settings settings) {
		this.settings = settings;
		this.hash = settings.key().chain();
	}

	void continueAfter(ChainEnd end) {
		this.number = end.number();
		this.previous = end.hash();
	}

	AuditRecord seal(String kind, Instant time, Map<String, @Nullable Object> members) {
		String json = new String(StrictJson.write(members), StandardCharsets.US_ASCII);
		String rest = "," + json.substring(1, json.length() - 1);
		SealedLine line = SealedLine.seal(this.settings.node(), this.number + 1, time, kind, this.previous,
				this.settings.key(), this.hash, rest);
		this.number = line.number();
		this.previous = line.hash();
		return new AuditRecord(line.node(), line.number(), time, kind, line.hash(), line.line());
	}

}
