package io.agenthooks.spring.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The second place knows a later record than there is, or another one in place of the
 * last.
 */
record AuditCut(long found, long noted) {

	static final String KIND = "cut";

	/** No chain gets so far. Without a key, anybody can note such a number. */
	private static final long MAX_NUMBER = 100_000_000_000_000_000L;

	/** No note is as long. */
	private static final int MAX_LINE = 1024;

	private static final int MAX_DIGITS = 18;

	/**
	 * The last record is {@code null} if there is none; the result, if nothing is
	 * missing.
	 */
	static @Nullable AuditCut find(Path anchors, String node, @Nullable SealedLine last, List<AuditKey> keys)
			throws IOException {
		if (!Files.exists(anchors)) {
			return null;
		}
		long found = (last != null) ? last.number() : 0;
		long noted = Math.max(found, 1) - 1;
		String head = "{\"v\":1,\"node\":\"" + node + "\",\"number\":";
		try (BufferedReader lines = Files.newBufferedReader(anchors, StandardCharsets.ISO_8859_1)) {
			for (String line = nextLine(lines); line != null; line = nextLine(lines)) {
				// Nearly all notes are of earlier records: those cost no hash.
				long number = (line.startsWith(head)) ? numberAt(line, head.length()) : 0;
				if (number > noted && number < MAX_NUMBER && isOther(line, last, keys)) {
					noted = number;
				}
			}
		}
		return (noted >= Math.max(found, 1)) ? new AuditCut(found, noted) : null;
	}

	private static boolean isOther(String line, @Nullable SealedLine last, List<AuditKey> keys) {
		SealedLine note = SealedLine.read(line);
		return note != null && note.isAnchor() && keys.stream().anyMatch(note::hasHashOf)
				&& (last == null || last.number() != note.number() || !last.hash().equals(note.previous()));
	}

	private static long numberAt(String line, int start) {
		long number = 0;
		for (int i = start; i < line.length() && Character.isDigit(line.charAt(i)); i++) {
			if (i - start == MAX_DIGITS) {
				return 0;
			}
			number = 10 * number + Character.digit(line.charAt(i), 10);
		}
		return number;
	}

	/** The next line, cut where it is too long to be a note. */
	private static @Nullable String nextLine(BufferedReader lines) throws IOException {
		StringBuilder line = new StringBuilder();
		int next = lines.read();
		if (next == -1) {
			return null;
		}
		for (; next != -1 && next != '\n'; next = lines.read()) {
			if (line.length() < MAX_LINE) {
				line.append((char) next);
			}
		}
		return line.toString();
	}

	Map<String, @Nullable Object> members() {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		members.put("found", this.found);
		members.put("noted", this.noted);
		return members;
	}

}
