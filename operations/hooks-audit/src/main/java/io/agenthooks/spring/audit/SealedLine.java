package io.agenthooks.spring.audit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The line of a record or an anchor: a head that says where it belongs, what it tells,
 * and the hash of all before it. The hash is one of bytes, so it depends on no reader of
 * JSON. Uses nothing but the JDK.
 *
 * @param key the name of the key, or {@code null} if the hash is a plain one
 */
record SealedLine(String node, long number, String time, String kind, String previous, String algorithm,
		@Nullable String key, String hash, String body) {

	static final String ANCHOR = "anchor";

	/** The first record's value in place of a hash. */
	static final String NOTHING_BEFORE = "0".repeat(64);

	static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

	static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'")
		.withZone(ZoneOffset.UTC);

	private static final Pattern HEAD = Pattern.compile(
			"\\{\"v\":1,\"node\":\"(" + NAME + ")\",\"number\":([1-9][0-9]{0,17}),\"time\":\"([0-9TZ:.+-]{20,40})\","
					+ "\"kind\":\"([a-z_]{1,32})\",\"prev\":\"([0-9a-f]{64})\",\"alg\":\"(HMAC-SHA256|SHA-256)\""
					+ "(?:,\"key\":\"(" + NAME + ")\")?[,}]");

	private static final Pattern TAIL = Pattern.compile(",\"hash\":\"([0-9a-f]{64})\"}");

	private static final int TAIL_LENGTH = 75;

	static SealedLine seal(String node, long number, Instant time, String kind, String previous, AuditKey key,
			AuditKey.Hash hash, String rest) {
		String written = TIME.format(time);
		String named = (key.id() != null) ? ",\"key\":\"" + key.id() + "\"" : "";
		String body = "{\"v\":1,\"node\":\"" + node + "\",\"number\":" + number + ",\"time\":\"" + written
				+ "\",\"kind\":\"" + kind + "\",\"prev\":\"" + previous + "\",\"alg\":\"" + key.algorithm() + "\""
				+ named + rest + "}";
		return new SealedLine(node, number, written, kind, previous, key.algorithm(), key.id(), hash.of(body), body);
	}

	/** Read a line; {@code null} if it is none of ours. */
	static @Nullable SealedLine read(String line) {
		if (line.length() <= TAIL_LENGTH) {
			return null;
		}
		int end = line.length() - TAIL_LENGTH;
		Matcher tail = TAIL.matcher(line).region(end, line.length());
		String body = line.substring(0, end) + "}";
		Matcher head = HEAD.matcher(body);
		if (!tail.matches() || !head.lookingAt()) {
			return null;
		}
		return new SealedLine(head.group(1), Long.parseLong(head.group(2)), head.group(3), head.group(4), head.group(5),
				head.group(6), head.group(7), tail.group(1), body);
	}

	boolean isAnchor() {
		return this.kind.equals(ANCHOR);
	}

	/** Whether its time is in a period, of which {@code null} leaves an end open. */
	boolean isWithin(@Nullable Instant from, @Nullable Instant until) {
		try {
			Instant written = Instant.parse(this.time);
			return (from == null || !written.isBefore(from)) && (until == null || written.isBefore(until));
		}
		catch (DateTimeParseException ex) {
			return false;
		}
	}

	boolean isKeyed() {
		return this.algorithm.equals(AuditKey.HMAC);
	}

	String line() {
		return this.body.substring(0, this.body.length() - 1) + ",\"hash\":\"" + this.hash + "\"}";
	}

	boolean hasHashOf(AuditKey key) {
		AuditKey.Hash hash = (isAnchor()) ? key.anchor() : key.chain();
		return this.algorithm.equals(key.algorithm()) && hash.of(this.body).equals(this.hash);
	}

	/** Where it belongs, without what it tells. */
	@Override
	public String toString() {
		return "SealedLine[node=%s, number=%d, kind=%s]".formatted(this.node, this.number, this.kind);
	}

}
