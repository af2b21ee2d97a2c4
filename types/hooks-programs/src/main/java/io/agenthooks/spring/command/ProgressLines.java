package io.agenthooks.spring.command;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * Lines that tell a user of Copilot how far a command is. Each is a whole JSON object,
 * {@code {"type":"progress",...}}, and none is the reply.
 */
final class ProgressLines {

	private static final String TYPE = "progress";

	private static final StrictJson json = new StrictJson(1);

	private ProgressLines() {
	}

	static byte[] without(byte[] output) {
		String text = new String(output, StandardCharsets.UTF_8);
		if (!text.contains('"' + TYPE + '"')) {
			return output;
		}
		List<String> lines = text.lines().toList();
		List<String> rest = lines.stream().filter((line) -> !isProgress(line)).toList();
		return (rest.size() == lines.size()) ? output : String.join("\n", rest).getBytes(StandardCharsets.UTF_8);
	}

	private static boolean isProgress(String line) {
		if (!line.contains('"' + TYPE + '"') || !line.strip().startsWith("{")) {
			return false;
		}
		try {
			Map<?, ?> members = json.readObject(line.getBytes(StandardCharsets.UTF_8));
			return TYPE.equals(members.get("type")) && Objection.of(members) == Objection.NONE;
		}
		catch (InvalidJsonException ex) {
			return false;
		}
	}

}
