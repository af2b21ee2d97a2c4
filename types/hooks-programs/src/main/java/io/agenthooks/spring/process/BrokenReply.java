package io.agenthooks.spring.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * A line of a child that was to be a reply, but is not as it should be, or has no end. It
 * may be a denial: the call whose id it names must not pass because it got no reply.
 */
final class BrokenReply {

	/** An id, as a number or as a text. */
	private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"?([0-9]{1,18})(?![0-9])");

	/** A question may have that many levels around arguments. */
	private static final StrictJson json = new StrictJson(4);

	private BrokenReply() {
	}

	/**
	 * Whether a line is one, and not a question or an event of the child, or a text that
	 * a library prints. What breaks off is one.
	 */
	static boolean isOne(byte[] line) {
		int start = 0;
		while (start < line.length && line[start] != '{') {
			start++;
		}
		if (start == line.length) {
			return false;
		}
		try {
			return !json.readObject(Arrays.copyOfRange(line, start, line.length)).containsKey("method");
		}
		catch (InvalidJsonException ex) {
			return true;
		}
	}

	static Set<Long> idsIn(byte[] line) {
		return (!isOne(line)) ? Set.of()
				: ID.matcher(new String(line, StandardCharsets.ISO_8859_1))
					.results()
					.map((id) -> Long.valueOf(id.group(1)))
					.collect(Collectors.toSet());
	}

}
