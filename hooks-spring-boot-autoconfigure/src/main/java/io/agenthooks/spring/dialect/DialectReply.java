package io.agenthooks.spring.dialect;

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
 * The answer of a decider in JSON. Claude Code's {@code hookSpecificOutput} is read
 * before what stands beside it, which may be spelled as any of the {@link ReplyNames}. If
 * it says several things, the strictest holds: what ends the turn, before what denies,
 * before what asks, before what allows. A denial is understood however it is spelled.
 * Otherwise what is spelled in another way is a mistake, and so is a member beside a
 * decision that no system has.
 *
 * @since 0.1.0
 */
public final class DialectReply {

	/** The reason of a command that gives none. */
	public static final String NO_REASON = "The command gave no reason";

	/** Arguments may stand in an object within the reply. */
	private static final StrictJson json = new StrictJson(3);

	/** As some shells write it before JSON. */
	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF };

	/** The nested object, which may be empty, and the whole. */
	private final Map<String, @Nullable Object> nested;

	private final Map<String, @Nullable Object> whole;

	private final Objection objection;

	private final String noReason;

	private DialectReply(Map<String, @Nullable Object> whole, String noReason) {
		this.noReason = noReason;
		this.objection = Objection.of(whole);
		this.whole = unwrapped(whole);
		this.nested = (this.whole.get(ReplyNames.NESTED) instanceof Map<?, ?> members)
				? opened(StrictJson.object(members)) : Map.of();
	}

	/** The Copilot SDK has an envelope. */
	private static Map<String, @Nullable Object> unwrapped(Map<String, @Nullable Object> whole) {
		return (whole.get(ReplyNames.OUTPUT) instanceof Map<?, ?> output
				&& whole.keySet().stream().noneMatch(ReplyNames::decides)) ? StrictJson.object(output) : whole;
	}

	/**
	 * The decision is an object of its own in the answer to Claude Code's permission
	 * requests.
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
	 * Read the reason of a command that has denied by its exit code.
	 * @param output what it wrote
	 * @return the reason, or {@code null}
	 */
	public static @Nullable String reasonOf(byte[] output) {
		try {
			return of(output).statedReason(ReplyNames.REASONS.stream());
		}
		catch (InvalidJsonException ex) {
			return null;
		}
	}

	/**
	 * Whether what a command wrote as errors is its reply.
	 * @param errors what it wrote
	 * @return whether it is
	 */
	public static boolean isReply(byte[] errors) {
		try {
			return of(errors).isNoLog();
		}
		catch (InvalidJsonException ex) {
			return false;
		}
	}

	/**
	 * Whether a text that is not the JSON that it should be has an objection in it.
	 * @param text the text
	 * @return whether it may be a denial
	 */
	public static boolean isObjection(String text) {
		return ReplyNames.objects(text);
	}

	/**
	 * Read an output of a command about anything.
	 * @param output what it wrote
	 * @return the reply
	 * @throws InvalidJsonException if it is not an object
	 */
	public static DialectReply of(byte[] output) {
		return of(output, NO_REASON);
	}

	/**
	 * Read a reply about anything.
	 * @param reply what was answered
	 * @param noReason the reason of a reply that gives none
	 * @return the reply
	 * @throws InvalidJsonException if it is not an object
	 */
	public static DialectReply of(byte[] reply, String noReason) {
		return new DialectReply(json.readObject(withoutMark(reply)), noReason);
	}

	private static byte[] withoutMark(byte[] output) {
		int length = BYTE_ORDER_MARK.length;
		return (output.length > length && Arrays.equals(output, 0, length, BYTE_ORDER_MARK, 0, length))
				? Arrays.copyOfRange(output, length, output.length) : output;
	}

	boolean ends() {
		return this.objection.compareTo(Objection.ENDS_TURN) >= 0;
	}

	Objection objection() {
		return this.objection;
	}

	String reasonOfEnd() {
		return reason(Stream.concat(Stream.of("stopReason"), ReplyNames.REASONS.stream()));
	}

	/**
	 * Whether the reply is against what it is about, however that is spelled.
	 * @return whether it is
	 */
	public boolean denies() {
		return this.objection != Objection.NONE;
	}

	private static List<Map<String, @Nullable Object>> withInner(Map<String, @Nullable Object> members) {
		List<Map<String, @Nullable Object>> found = new ArrayList<>(List.of(members));
		members.forEach((name, value) -> {
			if (value instanceof Map<?, ?> inner
					&& (Objection.mayHoldDecision(name) || name.equals(ReplyNames.APPROVAL))) {
				found.addAll(withInner(StrictJson.object(inner)));
			}
		});
		return found;
	}

	/** About something without arguments, and about which no person can be asked. */
	boolean allows(List<String> events, String noun, String... changeable) {
		check(events);
		DialectAnswer answer = answer();
		if (answer == DialectAnswer.ASK || answer == DialectAnswer.MODIFY) {
			throw new InvalidJsonException("has a decision that cannot be made about a " + noun);
		}
		refuse(ReplyNames.CHANGES.stream().filter((name) -> !List.of(changeable).contains(name)).toList(), noun);
		return answer != null;
	}

	/** Ignored, a change may leave a secret that was to be taken out. */
	void refuse(List<String> changes, String noun) {
		if (!all(changes).isEmpty()) {
			throw new InvalidJsonException("has a change that cannot be made to a " + noun);
		}
	}

	/**
	 * Beside {@code hookSpecificOutput} it is not read, which must not go unnoticed: it
	 * may be meant to take a secret out.
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

	@Nullable Object inner(String name) {
		return this.nested.get(name);
	}

	@Nullable Object outer(String name) {
		return this.whole.get(name);
	}

	boolean isTrue(String name) {
		return all(List.of(name)).contains(true);
	}

	/**
	 * A name spelled almost like one that decides is a mistake, too: it would silently
	 * decide nothing.
	 */
	void check(List<String> events) {
		Object inner = this.whole.get(ReplyNames.NESTED);
		if (inner != null && !(inner instanceof Map<?, ?>)) {
			throw new InvalidJsonException("has a hookSpecificOutput that is not an object");
		}
		Object about = this.nested.get(ReplyNames.EVENT);
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
		if (Stream.of("result", "response", ReplyNames.OUTPUT).anyMatch(this::holdsMore)) {
			throw new InvalidJsonException("has a decision within an object where it is not read");
		}
		ReplyWords.check(List.of(this.nested, this.whole));
	}

	private boolean holdsMore(String name) {
		if (!(this.whole.get(name) instanceof Map<?, ?> inner)) {
			return false;
		}
		DialectReply reply = new DialectReply(StrictJson.object(inner), this.noReason);
		return reply.asks() || !reply.all(ReplyNames.ARGUMENTS).isEmpty() || !reply.nested.isEmpty();
	}

	private boolean asks() {
		try {
			DialectAnswer answer = answer();
			return answer == DialectAnswer.ASK || answer == DialectAnswer.MODIFY;
		}
		catch (InvalidJsonException ex) {
			return false;
		}
	}

	/**
	 * A log may be written there, too: a reply wants more than to let pass, or has
	 * nothing that only a log has.
	 */
	private boolean isNoLog() {
		return denies() || asks() || this.whole.containsKey(ReplyNames.NESTED)
				|| ReplyWords.areThoseOfADecision(List.of(this.nested, this.whole));
	}

	@Nullable DialectAnswer answer() {
		return Stream
			.of(answers(ReplyNames.DECISIONS, DialectAnswer::of),
					answers(List.of(ReplyNames.ACTION), DialectAnswer::ofAction),
					answers(ReplyNames.ALLOWS, (value) -> Boolean.TRUE.equals(value) ? DialectAnswer.ALLOW : null),
					answers(List.of(ReplyNames.REVIEW, ReplyNames.APPROVAL),
							(value) -> Boolean.FALSE.equals(value) ? null : DialectAnswer.ASK))
			.flatMap(Function.identity())
			.max(Comparator.naturalOrder())
			.orElse(null);
	}

	private Stream<DialectAnswer> answers(List<String> names, Function<Object, @Nullable DialectAnswer> reading) {
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
		return (reason != null) ? reason : this.noReason;
	}

	private @Nullable String statedReason(Stream<String> names) {
		return names.map(this::text).filter((reason) -> reason != null && !reason.isBlank()).findFirst().orElse(null);
	}

	@Nullable String context() {
		List<String> contexts = ReplyNames.CONTEXTS.stream()
			.map(this::text)
			.filter((context) -> context != null && !context.isBlank())
			.toList();
		return (contexts.isEmpty()) ? null : String.join("\n", contexts);
	}

	/** There may be several values if they are the same. */
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

}
