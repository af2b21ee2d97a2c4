package io.agenthooks.spring.process;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.BrokenJson;

/**
 * A denial in a line of a child that is not as it should be, or has no end. It is one
 * however broken it is: the call whose id it names must not pass because it got no reply.
 */
final class BrokenDenial {

	/** An id, as a number or as a text. */
	private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"?([0-9]{1,18})(?![0-9])");

	private BrokenDenial() {
	}

	/**
	 * The ids of the calls that a line denies.
	 * @return the ids; none if the line is no denial, but a question of the child, say
	 */
	static Set<Long> idsIn(byte[] line) {
		if (!BrokenJson.hasMember(line, Objection::mayHold,
				(name, value) -> Objection.of(name, value) != Objection.NONE)
				|| BrokenJson.hasMember(line, (name) -> false, (name, value) -> name.equals("method"))) {
			return Set.of();
		}
		return ID.matcher(new String(line, StandardCharsets.ISO_8859_1))
			.results()
			.map((id) -> Long.valueOf(id.group(1)))
			.collect(Collectors.toSet());
	}

}
