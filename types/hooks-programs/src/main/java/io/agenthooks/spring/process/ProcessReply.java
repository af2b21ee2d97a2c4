package io.agenthooks.spring.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.ForeignWords;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.json.StrictJson;

/**
 * An answer in either dialect of PicoClaw: with {@code action} or {@code decision}, with
 * {@code call} around {@code arguments} or with {@code args}. One that says nothing at
 * all is none.
 */
abstract class ProcessReply {

	private static final String NO_REASON = "The process gave no reason";

	private final Map<String, @Nullable Object> members;

	private final Map<String, @Nullable Object> decision;

	ProcessReply(Map<String, @Nullable Object> members) {
		this.members = members;
		this.decision = (members.get("decision") instanceof Map<?, ?> inner) ? StrictJson.object(inner) : Map.of();
	}

	final Map<String, @Nullable Object> members() {
		return this.members;
	}

	/**
	 * As in PicoClaw what comes back holds also without an action, and if it continues.
	 * Where it is not read, that must not go unnoticed: it may be meant to take a secret
	 * out.
	 */
	final boolean checkChange(String name, String... within) throws NoVerdictException {
		String action = action();
		boolean changed = this.members.get(name) != null;
		if (!changed && !all(this.members, within).isEmpty()) {
			throw invalid("has " + String.join(" or ", within) + " that are not in a " + name);
		}
		if (!changed && this.members.keySet().stream().anyMatch(name::equalsIgnoreCase)) {
			throw invalid("has a " + name + " whose name is misspelled");
		}
		if (action == null && !changed) {
			throw invalid("has no action");
		}
		if (action != null && !action.equals("continue") && !action.equals("modify")) {
			throw invalid("has an action that is unknown here", action);
		}
		if ("modify".equals(action) && !changed) {
			throw invalid("modifies something, but does not say to what");
		}
		return changed;
	}

	/** Nothing that is said in the words of another system may be passed over. */
	final void checkWords() throws NoVerdictException {
		String foreign = ForeignWords.find(this.members, Set.of());
		if (foreign != null) {
			throw invalid("has a change, or a question, in the words of another system, which are not read", foreign);
		}
	}

	final @Nullable String action() throws NoVerdictException {
		checkWords();
		object(this.members, "decision");
		return (String) only(String.class, actions(), "action");
	}

	private List<Object> actions() {
		List<Object> actions = new ArrayList<>(all(this.members, "action"));
		actions.addAll(all(this.decision, "action"));
		return actions;
	}

	final String reason() {
		return Stream.of(this.members, this.decision)
			.map((from) -> from.get("reason"))
			.filter((reason) -> reason instanceof String text && !text.isBlank())
			.map(String.class::cast)
			.findFirst()
			.orElse(NO_REASON);
	}

	static Map<String, @Nullable Object> object(Map<String, @Nullable Object> members, String name)
			throws NoVerdictException {
		Object value = members.get(name);
		if (value == null) {
			return Map.of();
		}
		if (!(value instanceof Map<?, ?> object)) {
			throw invalid("has a " + name + " that is not an object");
		}
		return StrictJson.object(object);
	}

	static List<Object> all(Map<String, @Nullable Object> members, String... names) {
		return List.of(names).stream().map(members::get).filter(Objects::nonNull).map(Object.class::cast).toList();
	}

	/** There may be several if they are the same. */
	static @Nullable Object only(Class<?> type, List<Object> values, String name) throws NoVerdictException {
		if (values.isEmpty()) {
			return null;
		}
		if (!type.isInstance(values.get(0)) || values.stream().distinct().count() > 1) {
			throw invalid("has a " + name + " that cannot be understood");
		}
		return values.get(0);
	}

	static NoVerdictException invalid(String what) {
		return invalid(what, null);
	}

	static NoVerdictException invalid(String what, @Nullable String word) {
		return NoVerdictException.refusal("The answer of the process " + what, word);
	}

}
