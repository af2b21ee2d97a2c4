package io.agenthooks.spring.actuator;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

import io.agenthooks.spring.ended.HookModes;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * Asks to let a hook only observe for a while, or decide again.
 *
 * @param hook the name of the hook
 * @param time for how long it observes, or {@code null} if it is to decide again
 */
record ModeRequest(String hook, @Nullable Duration time) {

	private static final String MODE = "mode";

	private static final Set<String> MEMBERS = Set.of("name", MODE, "for");

	private static final int MAX_LENGTH = 40;

	private static final StrictJson json = new StrictJson(1);

	/**
	 * Read a request.
	 * @return the request, or {@code null} if it is another one
	 * @throws IllegalArgumentException if it has a mistake, which the message says
	 */
	static @Nullable ModeRequest read(String text) {
		Map<String, @Nullable Object> members;
		try {
			members = json.readObject(text.getBytes(StandardCharsets.UTF_8));
		}
		catch (InvalidJsonException ex) {
			return null;
		}
		if (!members.containsKey(MODE)) {
			return null;
		}
		if (!MEMBERS.containsAll(members.keySet()) || !(members.get("name") instanceof String hook)) {
			throw new IllegalArgumentException("'mode' is written with 'name', the name of a hook, and 'for' alone");
		}
		if ("enforce".equals(members.get(MODE)) && members.get("for") == null) {
			return new ModeRequest(hook, null);
		}
		if (!"observe".equals(members.get(MODE))) {
			throw new IllegalArgumentException("'mode' has to be 'observe', or 'enforce' without 'for'");
		}
		Duration time = (members.get("for") instanceof String written && written.length() <= MAX_LENGTH) ? time(written)
				: null;
		if (time == null || time.isNegative() || time.isZero() || time.compareTo(HookModes.LONGEST) > 0) {
			throw new IllegalArgumentException("'for' has to be a time of at most 4h, such as '30m'");
		}
		return new ModeRequest(hook, time);
	}

	private static @Nullable Duration time(String text) {
		try {
			return DurationStyle.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

}
