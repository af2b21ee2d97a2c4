package io.agenthooks.spring.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.external.Objection;
import io.agenthooks.spring.json.InvalidJsonException;
import io.agenthooks.spring.json.StrictJson;

/**
 * What a command wrote, as JSON. Claude Code's {@code hookSpecificOutput} is read before
 * what stands beside it, which may be spelled as any of the {@link ReplyNames}. If it
 * says several things, the strictest holds: what ends the turn, before what denies,
 * before what asks, before what allows. A denial is understood however it is spelled.
 * Otherwise what is spelled in another way is a mistake, and unknown members are ignored.
 */
final class CommandReply {

	static final String NO_REASON = "The command gave no reason";

	/** Arguments may stand in an object within the reply. */
	private static final StrictJson json = new StrictJson(3);

	/** As some shells write it before JSON. */
	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	/** The nested object, which may be empty, and the whole. */
	private final Map<String, @Nullable Object> nested;

	private final Map<String, @Nullable Object> whole;

	private final Objection objection;

	private CommandReply(Map<String, @Nullable Object> whole) {
		this.whole = whole;
		this.objection = Objection.of(whole);
		this.nested = (whole.get(ReplyNames.NESTED) instanceof Map<?, ?> members) ? opened(StrictJson.object(members))
				: Map.of();
	}

	/**
	 * The nested object as if its decision were no object of its own, which it is in the
	 * answer to Claude Code's permission requests.
	 */
	private static Map<String, @Nullable Object> opened(Map<String, @Nullable Object> nested) {
		if (nested.get(ReplyNames.DECISION) instanceof Map<?, ?> decision
				&& nested.keySet().stream().noneMatch(decision::containsKey)) {
			nested.remove(ReplyNames.DECISION);
			nested.putAll(StrictJson.object(decision));
		}
		return nested;
	}

	/**
	 * What a command that has denied by its exit code says about that, or {@code null}.
	 */
	static @Nullable String reasonOf(byte[] output) {
		try {
			return of(output).statedReason(ReplyNames.REASONS.stream());
		}
		catch (InvalidJsonException ex) {
			return null;
		}
	}

	/**
	 * Read an output about anything.
	 * @throws InvalidJsonException if it is not an object
	 */
	static CommandReply of(byte[] output) {
		return new CommandReply(json.readObject(withoutMark(output)));
	}

	private static byte[] withoutMark(byte[] output) {
		int length = BYTE_ORDER_MARK.length;
		return (output.length > length && Arrays.equals(output, 0, length, BYTE_ORDER_MARK, 0, length))
				? Arrays.copyOfRange(output, length, output.length) : output;
	}

	/**
	 * Whether the reply wants the agent to stop.
	 */
	boolean ends() {
		return this.objection.compareTo(Objection.ENDS_TURN) >= 0;
	}

	/**
	 * What the reply is against.
	 */
	Objection objection() {
		return this.objection;
	}

	String reasonOfEnd() {
		return reason(Stream.concat(Stream.of("stopReason"), ReplyNames.REASONS.stream()));
	}

	/**
	 * Whether the reply is against what it is about, however that is spelled.
	 */
	boolean denies() {
		return this.objection != Objection.NONE;
	}

	/**
	 * An object, and those in it that decide.
	 */
	private static List<Map<String, @Nullable Object>> withInner(Map<String, @Nullable Object> members) {
		List<Map<String, @Nullable Object>> found = new ArrayList<>(List.of(members));
		members.forEach((name, value) -> {
			if (value instanceof Map<?, ?> inner && (Objection.mayHold(name) || name.equals(ReplyNames.APPROVAL))) {
				found.addAll(withInner(StrictJson.object(inner)));
			}
		});
		return found;
	}

	/**
	 * What the reply decides about something that has no arguments and about which no
	 * person can be asked.
	 * @param events what the reply may be about
	 * @param noun what it is about, for messages
	 * @param changeable what it may change nevertheless
	 * @return whether it decides at all; then it does not object
	 */
	boolean allows(List<String> events, String noun, String... changeable) {
		check(events);
		Answer answer = answer();
		if (answer == Answer.ASK || answer == Answer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a " + noun);
		}
		if (!all(ReplyNames.CHANGES.stream().filter((name) -> !List.of(changeable).contains(name)).toList())
			.isEmpty()) {
			throw new InvalidJsonException("has a change that cannot be made to a " + noun);
		}
		return answer != null;
	}

	/**
	 * An object that must stand within {@code hookSpecificOutput}. Beside it, it is not
	 * read, which must not go unnoticed: it may be meant to take a secret out.
	 */
	@Nullable Map<String, @Nullable Object> nested(String name) {
		Object value = this.nested.get(name);
		if (value == null) {
			if (this.whole.get(name) != null) {
				throw new InvalidJsonException("has an " + name + " that is not in hookSpecificOutput");
			}
			return null;
		}
		if (!(value instanceof Map<?, ?> members)) {
			throw new InvalidJsonException("has an " + name + " that is not an object");
		}
		return StrictJson.object(members);
	}

	/**
	 * A member of {@code hookSpecificOutput}, or {@code null}.
	 */
	@Nullable Object inner(String name) {
		return this.nested.get(name);
	}

	/**
	 * Check what does not object. A name that is spelled almost like one that would
	 * decide is a mistake, too: otherwise it would silently decide nothing.
	 */
	void check(List<String> events) {
		Object inner = this.whole.get(ReplyNames.NESTED);
		if (inner != null && !(inner instanceof Map<?, ?>)) {
			throw new InvalidJsonException("has a hookSpecificOutput that is not an object");
		}
		Object about = this.nested.get("hookEventName");
		if (about != null && !events.contains(about)) {
			throw new InvalidJsonException("has another hookEventName than " + events.get(0));
		}
		if (!all(ReplyNames.CONTINUES).stream().allMatch(Boolean.class::isInstance)) {
			throw new InvalidJsonException("has a continue that is neither true nor false");
		}
		if (!all(ReplyNames.FLAGS).stream().allMatch(Boolean.class::isInstance)) {
			throw new InvalidJsonException("has a decision that is neither true nor false");
		}
		if (!all(ReplyNames.CONTEXTS).stream().allMatch(String.class::isInstance)) {
			throw new InvalidJsonException("has an additionalContext that is not a string");
		}
		if (Stream.of(this.nested, this.whole)
			.flatMap((members) -> members.keySet().stream())
			.anyMatch(ReplyNames::isMisspelled)) {
			throw new InvalidJsonException("has a member whose name is misspelled");
		}
	}

	/**
	 * The strictest of all decisions that do not object, or {@code null} if there is
	 * none.
	 */
	@Nullable Answer answer() {
		return Stream
			.of(answers(ReplyNames.DECISIONS, Answer::of), answers(List.of(ReplyNames.ACTION), Answer::ofAction),
					answers(ReplyNames.ALLOWS, (value) -> Boolean.TRUE.equals(value) ? Answer.ALLOW : null),
					answers(List.of(ReplyNames.REVIEW, ReplyNames.APPROVAL),
							(value) -> Boolean.FALSE.equals(value) ? null : Answer.ASK))
			.flatMap(Function.identity())
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

	private Stream<Answer> answers(List<String> names, Function<Object, @Nullable Answer> reading) {
		return names.stream()
			.flatMap((name) -> all(List.of(name)).stream()
				.filter((value) -> Objection.of(name, value) == Objection.NONE)
				.map(reading))
			.filter(Objects::nonNull);
	}

	String reason() {
		return reason(ReplyNames.REASONS.stream());
	}

	private String reason(Stream<String> names) {
		String reason = statedReason(names);
		return (reason != null) ? reason : NO_REASON;
	}

	private @Nullable String statedReason(Stream<String> names) {
		return names.map(this::text).filter((reason) -> reason != null && !reason.isBlank()).findFirst().orElse(null);
	}

	/**
	 * The additional context for the model, or {@code null} if there is none.
	 */
	@Nullable String context() {
		List<String> contexts = ReplyNames.CONTEXTS.stream()
			.map(this::text)
			.filter((context) -> context != null && !context.isBlank())
			.toList();
		return (contexts.isEmpty()) ? null : String.join("\n", contexts);
	}

	/**
	 * The value that has one of some names, or {@code null}. There may be several if they
	 * are the same.
	 */
	@Nullable Object first(List<String> names) {
		List<Object> values = all(names);
		if (values.stream().distinct().count() > 1) {
			throw new InvalidJsonException("says two different things at once");
		}
		return (values.isEmpty()) ? null : values.get(0);
	}

	private List<Object> all(List<String> names) {
		List<Object> values = new ArrayList<>();
		for (Map<String, @Nullable Object> members : List.of(this.nested, this.whole)) {
			names.stream().map(members::get).filter(Objects::nonNull).forEach(values::add);
		}
		return values;
	}

	/**
	 * A text, or {@code null} if there is none.
	 */
	private @Nullable String text(String name) {
		List<Map<String, @Nullable Object>> innermostFirst = withInner(this.whole);
		Collections.reverse(innermostFirst);
		return innermostFirst.stream()
			.map((members) -> members.get(name))
			.filter(String.class::isInstance)
			.map(String.class::cast)
			.findFirst()
			.orElse(null);
	}

	/**
	 * What a command may decide that is not an objection, the strictest last.
	 */
	enum Answer {

		ALLOW, MODIFY, ASK;

		/**
		 * Read an answer. Claude Code's {@code defer} waits for a person, as asking does.
		 */
		static Answer of(Object value) {
			if (value instanceof String text) {
				switch (text) {
					case "allow", "approve" -> {
						return ALLOW;
					}
					case "modify" -> {
						return MODIFY;
					}
					case "ask", "defer" -> {
						return ASK;
					}
					default -> {
					}
				}
			}
			throw new InvalidJsonException("has a decision that is none of allow, approve, ask, block and deny");
		}

		static Answer ofAction(Object value) {
			return ("continue".equals(value)) ? ALLOW : of(value);
		}

	}

}
