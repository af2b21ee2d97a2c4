package io.agenthooks.flow;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.flow.FlowRules.Label;
import io.agenthooks.flow.FlowState.Seen;
import io.agenthooks.toolcall.ToolIdentity;

/** Results as nodes tell them to each other: the tool, and hashes. */
final class NoteText {

	private static final String VERSION = "n1";

	private static final int PARTS = 10;

	private NoteText() {
	}

	static String write(String by, Seen seen) {
		String tool = SafeText.name(seen.tool().modelName());
		return String.join(";", VERSION, by, seen.label().name(), String.valueOf(seen.secret()),
				String.valueOf(seen.call()), encode(tool.getBytes(StandardCharsets.UTF_8)),
				encode(seen.text().sequence()), encode(seen.text().forms()), encode(seen.asked().sequence()),
				encode(seen.asked().forms()));
	}

	/** The writer of a note; nothing if it cannot be read. */
	static String writer(String note) {
		String[] parts = note.split(";", 3);
		return (parts.length == 3 && parts[0].equals(VERSION)) ? parts[1] : "";
	}

	static @Nullable Seen read(String note) {
		String[] parts = note.split(";", -1);
		if (parts.length != PARTS || !parts[0].equals(VERSION)) {
			return null;
		}
		try {
			String tool = SafeText.name(new String(Base64.getDecoder().decode(parts[5]), StandardCharsets.UTF_8));
			TextIndex text = new TextIndex(decode(parts[6]), decode(parts[7]));
			TextIndex asked = new TextIndex(decode(parts[8]), decode(parts[9]));
			return new Seen(ToolIdentity.ofApplication(tool), Integer.parseInt(parts[4]), Label.valueOf(parts[2]),
					Boolean.parseBoolean(parts[3]), text, asked);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static String encode(long[] hashes) {
		ByteBuffer bytes = ByteBuffer.allocate(hashes.length * Long.BYTES);
		bytes.asLongBuffer().put(hashes);
		return encode(bytes.array());
	}

	private static String encode(byte[] bytes) {
		return Base64.getEncoder().withoutPadding().encodeToString(bytes);
	}

	private static long[] decode(String text) {
		byte[] bytes = Base64.getDecoder().decode(text);
		long[] hashes = new long[bytes.length / Long.BYTES];
		ByteBuffer.wrap(bytes).asLongBuffer().get(hashes);
		return hashes;
	}

}
