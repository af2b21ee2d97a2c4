package io.agenthooks;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A glob that cannot mean what its author means: a regular expression, a glob of another
 * dialect, or several globs in one. It would match nothing, or something else, without a
 * word; so a reader of a configuration looks for these mistakes.
 * <p>
 * What is a mistake depends on the names. {@code delete.*} is one for tools, which have
 * no dot that is followed by anything. A dot may stand before a {@code *} for all other
 * names behind a digit ({@code gpt-4.*}), in a name with a dot or a slash before it
 * ({@code com.acme.*}, {@code /srv/app.*}); {@code **} may end a path ({@code /srv/**});
 * and a backslash may stand before a {@code *} in roles, agents and MCP servers
 * ({@code DOMAIN\*}).
 * <p>
 * A character that is really in a name is written in brackets: {@code files[.]*},
 * {@code a[|]b}.
 *
 * @param message what is wrong, as a sentence
 * @param action what to write instead, as a sentence
 * @since 0.1.0
 */
public record GlobMistake(String message, String action) {

	/** Stands for a character inside of brackets, where it means itself. */
	private static final char INSIDE = '\uE000';

	/** Signs of a regular expression that no glob has. */
	private static final Pattern REGEX = Pattern.compile(
			"(?s)^\\^.*|.*\\$$|.*(\\||\\(\\?|\\.\\+|[" + INSIDE + ")]\\+|\\{\\d{1,2}\\}|[" + INSIDE + ").]\\{\\d).*");

	/** Signs of other dialects, and of several globs in one. A path may end with "**". */
	private static final String FOREIGN = ",(?!\\s)|(?<!\\$)\\{[^{}]*(?:,|\\w\\.\\.\\w)[^{}]*\\}|[\uFF0A\uFF1F]"
			+ "|\\*\\*(?!\\z)|(?<![/\\\\])\\*\\*";

	private static final Pattern NEVER = Pattern.compile(FOREIGN);

	/** The same, and the signs that no model has in its name. */
	private static final Pattern NEVER_IN_MODELS = Pattern
		.compile(FOREIGN + "|[\\s\\p{Z}|,;\\\\^(){}%\"'`<>\u2018\u2019\u201C\u201D]");

	private static final Pattern NEVER_IN_TOOLS = Pattern.compile("\\*\\*|" + NEVER_IN_MODELS.pattern());

	private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}]");

	/** Signs in brackets that would be taken for something else. */
	private static final Pattern BRACKETS = Pattern.compile("(?s)\\^.+|\\[?:\\w+:.*");

	private static final Pattern RANGE = Pattern.compile("(?s)(.)-(.)");

	/** A tool and what it is called with, as Claude Code's permissions have it. */
	private static final Pattern WITH_ARGUMENTS = Pattern.compile("([A-Za-z][\\w-]*)\\(.+\\)");

	private static final Pattern AROUND = Pattern.compile("^[\\s\\p{Z}\\p{Cc}]|[\\s\\p{Z}\\p{Cc}]\\z");

	private static final int MAX_LENGTH = 1_000;

	/**
	 * Look for a mistake in a glob.
	 * @param glob the glob
	 * @param kind what it is to match the names of
	 * @return the mistake, or {@code null} if there is none for certain
	 */
	public static @Nullable GlobMistake find(String glob, NameKind kind) {
		if (glob.length() > MAX_LENGTH) {
			return of(glob, "is longer than %d characters".formatted(MAX_LENGTH), kind, "");
		}
		String outside = outside(glob);
		Matcher call = WITH_ARGUMENTS.matcher(glob);
		if (kind == NameKind.TOOL && call.matches()) {
			return of(glob, "is another system's way to write a tool with its arguments, or one of a server", kind,
					"Write '%s', and patterns of its arguments in a policy, under 'deny_argument_patterns'; a tool of an MCP server is written 'server__tool'."
						.formatted(call.group(1)));
		}
		if (isRegex(outside, kind)) {
			return of(glob, "looks like a regular expression, which a glob is not", kind,
					(kind == NameKind.TOOL) ? "Write a regular expression under 'matcher' of an entry." : "");
		}
		String sign = sign(glob, outside, kind);
		return (sign != null) ? of(glob, sign, kind, "") : null;
	}

	private static GlobMistake of(String glob, String what, NameKind kind, String instead) {
		return new GlobMistake(
				"The glob '%s' %s; it would match no %s, or not the right ones.".formatted(SafeText.name(glob), what,
						kind.noun()),
				("Write a name in each entry, or a glob such as 'run_*': '*' is any text, '?' one character, '[a-z]' one of "
						+ "several, '[.]' a sign that the name really has. " + instead)
					.strip());
	}

	private static boolean isRegex(String outside, NameKind kind) {
		return REGEX.matcher(outside).matches() || hasDotStar(outside, kind) || hasEscape(outside, kind);
	}

	private static boolean hasDotStar(String outside, NameKind kind) {
		for (int i = outside.indexOf(".*"); i >= 0; i = outside.indexOf(".*", i + 1)) {
			if (!kind.mayHoldDot(outside.substring(0, i))) {
				return true;
			}
		}
		return false;
	}

	private static boolean hasEscape(String outside, NameKind kind) {
		for (int i = outside.indexOf('\\'); i >= 0; i = outside.indexOf('\\', i + 2)) {
			int next = (i + 1 < outside.length()) ? outside.charAt(i + 1) : 0;
			int afterNext = (i + 2 < outside.length()) ? outside.charAt(i + 2) : 0;
			if (!kind.mayHoldBackslash(next, afterNext)) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable String sign(String glob, String outside, NameKind kind) {
		if (kind.isStrict() && glob.isEmpty()) {
			return "is empty";
		}
		if (AROUND.matcher(glob).find()) {
			return "has white space around it";
		}
		Matcher unseen = UNSEEN.matcher(glob);
		if (unseen.find()) {
			return "holds U+%04X, which is invisible".formatted(unseen.group().codePointAt(0));
		}
		if (outside.startsWith("!")) {
			return "begins with '!', which excludes nothing here";
		}
		Matcher never = neverIn(kind).matcher(outside);
		if (never.find()) {
			String sign = (never.group().startsWith("**")) ? "**" : never.group().substring(0, 1);
			return (sign.isBlank()) ? "has white space in it"
					: "has '%s' in it, which means nothing in a glob".formatted(sign);
		}
		if (kind == NameKind.TOOL && !Normalizer.isNormalized(outside, Normalizer.Form.NFKC)) {
			return "has a character that stands for another one, such as a full-width letter";
		}
		return (hasMistakenBrackets(glob, kind)) ? "has brackets that hold something else than single characters"
				: null;
	}

	private static boolean hasMistakenBrackets(String glob, NameKind kind) {
		for (int i = glob.indexOf('['); i >= 0; i = glob.indexOf('[', i)) {
			int end = Glob.endOfSeq(glob, i + 1);
			if (end < 0) {
				return kind.isStrict();
			}
			String inside = glob.substring(i + 1, end);
			boolean lists = kind.isStrict() && inside.matches("(?s).*[^|,][|,][^|,].*");
			if (BRACKETS.matcher(inside).matches() || lists
					|| RANGE.matcher((inside.startsWith("!")) ? inside.substring(1) : inside)
						.results()
						.anyMatch((range) -> range.group(1).charAt(0) > range.group(2).charAt(0))) {
				return true;
			}
			i = end;
		}
		return false;
	}

	private static Pattern neverIn(NameKind kind) {
		return switch (kind) {
			case TOOL -> NEVER_IN_TOOLS;
			case MODEL -> NEVER_IN_MODELS;
			default -> NEVER;
		};
	}

	/** A glob without what stands in brackets, at the same length. */
	private static String outside(String glob) {
		char[] outside = glob.toCharArray();
		for (int i = 0; i < outside.length; i++) {
			int end = (outside[i] == '[') ? Glob.endOfSeq(glob, i + 1) : -1;
			if (end >= 0) {
				Arrays.fill(outside, i, end + 1, INSIDE);
				i = end;
			}
		}
		return String.valueOf(outside);
	}

}
