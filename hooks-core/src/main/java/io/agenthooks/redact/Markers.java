package io.agenthooks.redact;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.agenthooks.pattern.Budget;

/**
 * The marks in a text of what was taken out, here or by a redactor before. Only the names
 * that a redactor knows count, so that nothing can hide in what looks like a marker.
 */
final class Markers {

	private static final String ALGORITHM = "HmacSHA256";

	private static final int HASH_BYTES = 6;

	private static final String HASHED = ":hmac-";

	/** The cost of looking for a name, compared to searching a character. */
	private static final int NAME = 20;

	/** The most characters of a list of YAML that may be a marker. */
	private static final int MAX_MARKER = 1_000;

	private static final SecretKeySpec KEY = randomKey();

	/** Where the markers of a text are; those that touch are told apart by their ends. */
	private final BitSet inside = new BitSet();

	private final BitSet ends = new BitSet();

	Markers(String text, Names names, Budget budget) {
		for (int i = text.indexOf('['); i >= 0; i = text.indexOf('[', i + 1)) {
			budget.spend((long) NAME * names.size());
			int end = names.endOf(text, i);
			if (end > 0) {
				this.inside.set(i, end);
				this.ends.set(end);
			}
		}
	}

	/** Whether what looks like a list of YAML is a marker, of whichever name. */
	static boolean isAt(String text, int start) {
		String written = text.substring(start, Math.min(text.length(), start + MAX_MARKER));
		int end = written.indexOf(']');
		int colon = written.indexOf(':');
		return colon > 0 && colon < end && (written.startsWith("[redacted:") || written.startsWith(HASHED, colon));
	}

	private static boolean isHex(int character) {
		return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
	}

	boolean covers(int start, int end) {
		int position = start;
		while (position < end && this.inside.get(position)) {
			position++;
		}
		return end > start && position == end;
	}

	/**
	 * Leave out what is part of markers only; and what goes over the edge of one takes
	 * all of it.
	 */
	List<Hit> exclude(List<Hit> hits) {
		if (this.inside.isEmpty()) {
			return hits;
		}
		List<Hit> others = new ArrayList<>();
		for (Hit hit : hits) {
			if (!covers(hit.start(), hit.end())) {
				others.add(new Hit(hit.kind(), startOf(hit.start()), endOf(hit.end()), hit.self()));
			}
		}
		return others;
	}

	private int startOf(int position) {
		int start = position;
		while (start > 0 && this.inside.get(start) && this.inside.get(start - 1) && !this.ends.get(start)) {
			start--;
		}
		return start;
	}

	private int endOf(int position) {
		int end = position;
		while (this.inside.get(end) && this.inside.get(end - 1) && !this.ends.get(end)) {
			end++;
		}
		return end;
	}

	static String mask(String name) {
		return "[redacted:" + name + "]";
	}

	static String hash(String name, byte[] secret) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(KEY);
			return "[" + name + HASHED + HexFormat.of().formatHex(mac.doFinal(secret), 0, HASH_BYTES) + "]";
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("There is no " + ALGORITHM, ex);
		}
	}

	private static SecretKeySpec randomKey() {
		byte[] key = new byte[32];
		new SecureRandom().nextBytes(key);
		return new SecretKeySpec(key, ALGORITHM);
	}

	/** The names that may stand in markers. */
	static final class Names {

		private final List<String> masks;

		private final List<String> hashes;

		Names(List<String> names) {
			this.masks = names.stream().map(Markers::mask).toList();
			this.hashes = names.stream().map((name) -> "[" + name + HASHED).toList();
		}

		int size() {
			return this.masks.size();
		}

		/** The end of the marker that starts at a bracket, or -1. */
		int endOf(String text, int start) {
			for (int i = 0; i < size(); i++) {
				String mask = this.masks.get(i);
				if (text.startsWith(mask, start)) {
					return start + mask.length();
				}
				String hash = this.hashes.get(i);
				int end = start + hash.length() + 2 * HASH_BYTES;
				if (end < text.length() && text.charAt(end) == ']' && text.startsWith(hash, start)
						&& text.substring(start + hash.length(), end).chars().allMatch(Markers::isHex)) {
					return end + 1;
				}
			}
			return -1;
		}

	}

}
