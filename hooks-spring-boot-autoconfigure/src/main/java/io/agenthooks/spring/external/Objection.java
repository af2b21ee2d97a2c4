package io.agenthooks.spring.external;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The objection in the reply of a program, the strictest last. It counts however it is
 * spelled, and whatever else is wrong with the reply: a written denial means nothing
 * else.
 *
 * @since 0.1.0
 */
public enum Objection {

	/** Nothing. */
	NONE,

	/** An objection in a word that leaves a result alone which is there already. */
	BLOCKS,

	/** A plain objection. */
	DENIES,

	/** An objection to going on with the turn. */
	ENDS_TURN,

	/** An objection to going on with the run. */
	ENDS_RUN;

	/** The members that decide with a word. */
	private static final Set<String> DECISIONS = Set.of("permissiondecision", "decision", "permission", "verdict",
			"behavior", "action");

	/** The members that decide in some systems, and may say something else in others. */
	private static final Set<String> MAY_DECIDE = Set.of("result", "status", "outcome");

	/** Beside the words of a denial. */
	private static final Set<String> IF_TRUE = Set.of("blockaction", "halt");

	private static final Set<String> IF_FALSE = Set.of("allow", "allowed", "approve", "approved", "permit", "permitted",
			"ok", "result", "allowtool", "valid");

	private static final String CONTINUE = "continue";

	/** Of a policy server of the Agent Hooks Protocol. */
	private static final String EFFECTS = "effects";

	/** Antigravity's end of a turn. */
	private static final String TERMINATION = "terminationbehavior";

	/** The members that may be objects which decide. The last four are of servers. */
	private static final Set<String> OBJECTS = Set.of("hookspecificoutput", "decision", "verdict", "result", "response",
			"output", "data");

	private static final Pattern DENIAL = Pattern.compile(
			"block(ed)?|deny|denied|reject(ed)?|refused?|declined?|disallow(ed)?|forbid(den)?|prevent(ed)?|cancel|abort");

	/** A word that decides may go on, as in {@code deny_tool}. */
	private static final Pattern LONG_DENIAL = Pattern.compile("(" + DENIAL + ").*", Pattern.DOTALL);

	/**
	 * Find the strictest objection in a reply.
	 * @param reply its members
	 * @return the strictest of all that it says
	 */
	public static Objection of(Map<?, ?> reply) {
		Objection strictest = NONE;
		for (Map.Entry<?, ?> member : reply.entrySet()) {
			String name = String.valueOf(member.getKey());
			strictest = strictest.or(of(name, member.getValue()));
			if (member.getValue() instanceof Map<?, ?> inner && mayHoldDecision(name)) {
				strictest = strictest.or(of(inner));
			}
			if (member.getValue() instanceof List<?> effects && normalize(name).equals(EFFECTS)) {
				strictest = effects.stream().map(Objection::ofEffect).reduce(strictest, Objection::or);
			}
		}
		return strictest;
	}

	private static Objection ofEffect(@Nullable Object effect) {
		return (effect instanceof Map<?, ?> members && members.get("type") instanceof String type)
				? ofWord("decision", normalize(type)) : NONE;
	}

	/**
	 * Find the objection of a single member, apart from what is in it.
	 * @param name its name
	 * @param value its value, or {@code null}
	 * @return what it says
	 */
	public static Objection of(String name, @Nullable Object value) {
		String plainName = normalize(name);
		if (value instanceof String text) {
			return ofWord(plainName, normalize(text));
		}
		if (value instanceof List<?> words && DECISIONS.contains(plainName)) {
			return words.stream().map((word) -> of(name, word)).reduce(NONE, Objection::or);
		}
		if (value instanceof Number number) {
			return ofAnswer(plainName, number.doubleValue() == 1, number.doubleValue() == 0);
		}
		return ofFlag(plainName, Boolean.TRUE.equals(value), Boolean.FALSE.equals(value));
	}

	private static Objection ofFlag(String name, boolean yes, boolean no) {
		if (no && name.equals(CONTINUE)) {
			return ENDS_TURN;
		}
		String asked = (name.startsWith("is")) ? name.substring(2) : name;
		return ((yes && (IF_TRUE.contains(asked) || DENIAL.matcher(asked).matches()))
				|| (no && (IF_FALSE.contains(asked) || DECISIONS.contains(name)))) ? ofDenial(asked) : NONE;
	}

	/**
	 * Yes and no as some programs write them. A result may be such a word, or a number.
	 */
	private static Objection ofAnswer(String name, boolean yes, boolean no) {
		if (name.equals("result")) {
			return NONE;
		}
		return (no && name.equals(CONTINUE)) ? DENIES : ofFlag(name, yes, no);
	}

	private static Objection ofWord(String name, String word) {
		if (DECISIONS.contains(name)) {
			return switch (word) {
				case "abort", "abortturn" -> ENDS_TURN;
				case "hardabort" -> ENDS_RUN;
				case "no", "false" -> DENIES;
				default -> (LONG_DENIAL.matcher(word).matches()) ? ofDenial(word) : NONE;
			};
		}
		if (name.equals(TERMINATION) && word.equals("terminate")) {
			return ENDS_TURN;
		}
		if (MAY_DECIDE.contains(name) && DENIAL.matcher(word).matches()) {
			return ofDenial(word);
		}
		return (word.equals("true") || word.equals("false")) ? ofFlag(name, word.equals("true"), word.equals("false"))
				: ofAnswer(name, word.equals("yes") || word.equals("1"), word.equals("no") || word.equals("0"));
	}

	private static Objection ofDenial(String word) {
		return (word.startsWith("block")) ? BLOCKS : DENIES;
	}

	/**
	 * Whether a member of a reply may be an object that decides.
	 * @param name its name
	 * @return whether it may
	 */
	public static boolean mayHoldDecision(String name) {
		return OBJECTS.contains(normalize(name));
	}

	/**
	 * A name or a word in small letters, without underscores, dashes and white space.
	 * @param text the name or word
	 * @return what is left of it
	 */
	public static String normalize(String text) {
		return text.replaceAll("[_\\-\\s]", "").toLowerCase(Locale.ROOT);
	}

	private Objection or(Objection other) {
		return (compareTo(other) >= 0) ? this : other;
	}

}
