package io.agenthooks.spring.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.ForeignWords;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * A reply that is not as it should be, or has no end. It may be a denial: the call whose
 * id it names must not pass because it got no reply.
 */
final class BrokenReply {

	static final String BROKEN = "The answer of the process is broken";

	/** As a number or as a text. */
	private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"?([0-9]{1,18})(?![0-9])");

	/** A question may have that many levels around arguments. */
	private static final StrictJson json = new StrictJson(4);

	private BrokenReply() {
	}

	/**
	 * Not a question or an event of the child, or a text that a library prints. What
	 * breaks off is one.
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

	static NoVerdictException withoutVerdict(Map<String, @Nullable Object> message) {
		Object error = message.get("error");
		if (message.get("result") != null && error != null) {
			// The result may be a denial.
			return NoVerdictException.refusal("The process answered with a result and an error at once");
		}
		if (Objection.of(message) != Objection.NONE || ForeignWords.find(message, Set.of()) != null) {
			return NoVerdictException.refusal(BROKEN);
		}
		return (error != null) ? NoVerdictException.failure("The process answered with an error")
				: NoVerdictException.refusal("The process answered without a result");
	}

}
