package io.agenthooks.flow;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.flow.FlowRules.Plain;
import io.agenthooks.flow.FlowRules.Source;
import io.agenthooks.flow.FlowRules.Tested;

/**
 * Looks for who named the values of an argument: each element of lists and maps, and of
 * texts that join several.
 */
final class ValueCheck {

	/** Values beyond this number are not looked at, and so named by nobody. */
	private static final int MAX_VALUES = 1000;

	private static final String NOBODY = "from nobody who may name it";

	private final Evidence evidence;

	private int values;

	private final Set<String> namedBy = new LinkedHashSet<>();

	ValueCheck(Evidence evidence) {
		this.evidence = evidence;
	}

	/**
	 * {@code null} if there is none. An argument may be within others and within lists:
	 * {@code to.address}. Where a value stands in the place of what has arguments of its
	 * own, it is one of them.
	 */
	static @Nullable Object find(Map<String, @Nullable Object> arguments, String name) {
		List<Object> found = new ArrayList<>(1);
		collect(arguments, name, found);
		return (found.isEmpty()) ? null : (found.size() == 1) ? found.get(0) : found;
	}

	private static void collect(Map<?, ?> map, String name, List<Object> found) {
		map.forEach((key, value) -> {
			if (value != null && isSame(key, name)) {
				found.add(value);
			}
			for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
				if (isSame(key, name.substring(0, dot))) {
					collectWithin(value, name.substring(dot + 1), found);
				}
			}
		});
	}

	private static void collectWithin(@Nullable Object value, String name, List<Object> found) {
		if (value instanceof Map<?, ?> map) {
			collect(map, name, found);
		}
		else if (value instanceof List<?> list) {
			list.forEach((element) -> collectWithin(element, name, found));
		}
		else if (value != null) {
			found.add(value);
		}
	}

	/**
	 * Whether a tool may take a key for an argument: many read names without regard to
	 * case, and {@code reply_to} as {@code replyTo}.
	 */
	private static boolean isSame(Object key, String name) {
		return key.equals(name) || plain(key.toString()).equals(plain(name));
	}

	private static String plain(String name) {
		return name.strip().toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
	}

	/**
	 * Of the argument that was looked at last; {@code null} stands for a value that is
	 * left out, and for no problem.
	 */
	String origin(@Nullable Object value, @Nullable String problem) {
		List<String> namedBy = List.copyOf(this.namedBy);
		this.namedBy.clear();
		if (problem != null) {
			return problem;
		}
		if (value == null) {
			return "not given";
		}
		return (namedBy.isEmpty()) ? "empty" : "named by " + String.join(" and ", namedBy);
	}

	/** Where a value comes from, or {@code null} if all of it is named. */
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
			all.addAll(map.keySet());
			return firstProblem(all, sources);
		}
		if (value instanceof Number number) {
			Meaning meaning = Meaning.ofNumber(this.evidence.fingerprint(), number);
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
		Meaning meaning = Meaning.ofText(this.evidence.fingerprint(), text);
		if (meaning == null) {
			return "too long to look for";
		}
		if (isNamed(meaning, text.strip(), sources)) {
			return null;
		}
		String clean = Tokens.clean(text);
		boolean single = clean == null || isNumberLike(clean);
		List<String> parts = (single) ? List.of() : Tokens.parts(text);
		if (parts.isEmpty()) {
			return origin(meaning);
		}
		for (String part : parts) {
			Meaning meant = (++this.values <= MAX_VALUES) ? Meaning.ofText(this.evidence.fingerprint(), part) : null;
			if (meant == null || !isNamed(meant, part, sources)) {
				String origin = origin(meaning);
				return (origin.equals(NOBODY)) ? origin(meant) : origin;
			}
		}
		return null;
	}

	private static boolean isNumberLike(String text) {
		return text.chars()
			.allMatch((character) -> Character.isDigit(character)
					|| Character.getType(character) == Character.CURRENCY_SYMBOL || "., +-'".indexOf(character) >= 0);
	}

	private boolean isNamed(Meaning value, String text, List<Source> sources) {
		for (Source source : sources) {
			@Nullable String named;
			if (source == Plain.USER) {
				named = (this.evidence.words().holds(value)) ? "the user" : null;
			}
			else if (source == Plain.TRUSTED) {
				named = this.evidence.trustedOrigin(value);
			}
			else {
				named = (source instanceof Tested tested && tested.names(text)) ? "the rule" : null;
			}
			if (named != null) {
				this.namedBy.add(named);
				return true;
			}
		}
		return false;
	}

	private String origin(@Nullable Meaning value) {
		if (value != null && this.evidence.view() != null) {
			for (FlowState.Seen seen : this.evidence.view().results()) {
				if (seen.text().holds(value)) {
					return "first seen in the result of " + SafeText.name(seen.tool().modelName()) + ", call "
							+ seen.call();
				}
			}
		}
		return (value != null && this.evidence.others().holds(value))
				? "first seen in what others wrote into the prompt" : NOBODY;
	}

}
