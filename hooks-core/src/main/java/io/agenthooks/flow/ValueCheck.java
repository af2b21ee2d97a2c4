package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.flow.FlowRules.Plain;
import io.agenthooks.flow.FlowRules.Source;
import io.agenthooks.flow.FlowRules.Tested;
import io.agenthooks.flow.FlowToolHook.Known;

/**
 * Looks for who named the values of an argument: each element of lists and maps, and of
 * texts that join several.
 */
final class ValueCheck {

	/** More values are not looked at, and so named by nobody. */
	private static final int MAX_VALUES = 1000;

	/** What a name within a map looks like, rather than a value. */
	private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");

	private static final String NOBODY = "from nobody who may name it";

	private final Known known;

	private int values;

	ValueCheck(Known known) {
		this.known = known;
	}

	/**
	 * The value of an argument, which may be one within others: {@code to.address}.
	 */
	static @Nullable Object find(Map<String, @Nullable Object> arguments, String name) {
		if (arguments.containsKey(name)) {
			return arguments.get(name);
		}
		int dot = name.indexOf('.');
		return (dot > 0 && arguments.get(name.substring(0, dot)) instanceof Map<?, ?> map)
				? find(strings(map), name.substring(dot + 1)) : null;
	}

	@SuppressWarnings("unchecked") // arguments are JSON values
	private static Map<String, @Nullable Object> strings(Map<?, ?> map) {
		return (Map<String, @Nullable Object>) map;
	}

	/**
	 * What is wrong with a value.
	 * @return where it comes from, or {@code null} if all of it is named
	 */
	@Nullable String problem(@Nullable Object value, List<Source> sources) {
		if (value == null) {
			return null;
		}
		if (++this.values > MAX_VALUES) {
			return "of too many values";
		}
		if (value instanceof List<?> list) {
			return firstProblem(list, sources);
		}
		if (value instanceof Map<?, ?> map) {
			List<@Nullable Object> all = new ArrayList<>(map.values());
			map.keySet().stream().filter((key) -> !NAME.matcher((String) key).matches()).forEach(all::add);
			return firstProblem(all, sources);
		}
		if (value instanceof Number number) {
			Meaning meaning = Meaning.ofNumber(number);
			return (meaning != null && isNamed(meaning, number.toString(), sources)) ? null : origin(meaning);
		}
		return problemOfText(value.toString(), sources);
	}

	private @Nullable String firstProblem(List<?> values, List<Source> sources) {
		for (Object value : values) {
			String problem = problem(value, sources);
			if (problem != null) {
				return problem;
			}
		}
		return null;
	}

	private @Nullable String problemOfText(String text, List<Source> sources) {
		if (text.isBlank()) {
			return null;
		}
		Meaning meaning = Meaning.ofText(text);
		if (meaning == null) {
			return "too long to look for";
		}
		if (isNamed(meaning, text.strip(), sources)) {
			return null;
		}
		List<String> parts = Tokens.parts(text);
		if (parts.isEmpty()) {
			return origin(meaning);
		}
		for (String part : parts) {
			Meaning single = (++this.values <= MAX_VALUES) ? Meaning.ofText(part) : null;
			if (single == null || !isNamed(single, part, sources)) {
				String origin = origin(meaning);
				return (origin.equals(NOBODY)) ? origin(single) : origin;
			}
		}
		return null;
	}

	private boolean isNamed(Meaning value, String text, List<Source> sources) {
		for (Source source : sources) {
			boolean named;
			if (source == Plain.USER) {
				named = this.known.view() != null && this.known.view().words().holds(value);
			}
			else if (source == Plain.TRUSTED) {
				named = this.known.isTrusted(value);
			}
			else {
				named = source instanceof Tested tested && tested.names(text);
			}
			if (named) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Where a value was seen first.
	 */
	private String origin(@Nullable Meaning value) {
		if (value != null && this.known.view() != null) {
			for (FlowState.Seen seen : this.known.view().results()) {
				if (seen.text().holds(value)) {
					return "first seen in the result of %s, call %d".formatted(SafeText.name(seen.tool().modelName()),
							seen.call());
				}
			}
		}
		return NOBODY;
	}

}
