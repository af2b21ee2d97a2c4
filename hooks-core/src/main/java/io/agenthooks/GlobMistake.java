package io.agenthooks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A glob that cannot mean what its author means: a regular expression, a glob of another
 * dialect, or several globs in one. It would match nothing, or something else, without a
 * word; so whoever takes globs from a configuration looks for these mistakes.
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
 * @param instead the globs to write instead, of which the action tells; none if that
 * cannot be known, or if they belong elsewhere
 * @since 0.1.0
 */
public record GlobMistake(String message, String action, List<String> instead) {

	/** Stands for a character inside of brackets, where it means itself. */
	private static final char INSIDE = '\uE000';

	/** Where to write what a glob is not for. */
	private static final Map<String, String> OPPOSITES = Map.of("match", "except", "except", "match", "allow_tools",
			"deny_tools", "deny_tools", "allow_tools");

	/** What these match passes, or is not looked at. */
	private static final Set<String> WIDENING = Set.of("allow_tools", "except");

	private static final Map<String, String> POSIX = Map.of("[:alpha:]", "A-Za-z", "[:digit:]", "0-9", "[:alnum:]",
			"A-Za-z0-9", "[:lower:]", "a-z", "[:upper:]", "A-Z", "[:word:]", "A-Za-z0-9_");

	private static final Pattern EXTENDED = Pattern.compile("([!?*+@])\\((?!\\?).*\\)");

	/** What no shell knows. */
	private static final Pattern REGEX = Pattern.compile("^\\^|\\$$|\\\\|\\.[*+]|\\(\\?|[)" + INSIDE + "]\\+");

	private static final Pattern RANGE = Pattern.compile("(?s).-.");

	private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)\\}");

	/** A name with an anchor of a regular expression at one end only. */
	private static final Pattern ANCHORED = Pattern.compile("\\^([\\w-]+)|([\\w-]+)\\$");

	private static final int MAX_LENGTH = 1_000;

	private static final int MAX_STEPS = 8;

	private static final int MAX_GLOBS = 16;

	/**
	 * Create a mistake.
	 */
	public GlobMistake {
		instead = List.copyOf(instead);
	}

	/**
	 * Look for a mistake in a glob.
	 * @param option the option in which the glob stands, as it is written in YAML, or
	 * {@code ""}
	 * @param glob the glob
	 * @param kind what it is to match the names of
	 * @return the mistake, or {@code null} if there is none for certain
	 */
	public static @Nullable GlobMistake find(String option, String glob, NameKind kind) {
		Sign sign = sign(glob, kind);
		return (sign != null) ? sign.toMistake(option, glob, kind) : null;
	}

	private static List<String> corrected(List<String> globs, NameKind kind, boolean mayWiden, int steps) {
		Set<String> corrected = new LinkedHashSet<>();
		for (String glob : globs) {
			Sign sign = sign(glob, kind);
			if (sign == null) {
				corrected.add(glob);
			}
			else if (glob.isEmpty()) {
				continue;
			}
			else if (sign.meaning() != Meaning.STEP || steps == 0) {
				List<String> last = (sign.meaning() == Meaning.REGEX)
						? RegexAsGlob.translate(glob, mayWiden).stream().filter((next) -> !next.isEmpty()).toList()
						: List.of();
				if (last.isEmpty() || last.stream().anyMatch((next) -> sign(next, kind) != null)) {
					return List.of();
				}
				corrected.addAll(last);
			}
			else {
				List<String> inner = corrected(sign.next(), kind, mayWiden, steps - 1);
				if (inner.isEmpty()) {
					return List.of();
				}
				corrected.addAll(inner);
			}
			if (corrected.size() > MAX_GLOBS) {
				return List.of();
			}
		}
		return List.copyOf(corrected);
	}

	/**
	 * The first sign of a mistake, or {@code null}.
	 */
	private static @Nullable Sign sign(String glob, NameKind kind) {
		if (glob.isEmpty()) {
			return (kind.isStrict()) ? Sign.of("is empty") : null;
		}
		if (glob.length() > MAX_LENGTH) {
			return Sign.of("is longer than %d characters".formatted(MAX_LENGTH));
		}
		Sign sign = invisible(glob);
		if (sign == null) {
			String outside = outside(glob);
			sign = firstOf(() -> around(glob, outside, kind), () -> braces(glob, outside, kind),
					() -> separators(glob, outside, kind), () -> regex(glob, outside, kind), () -> brackets(glob, kind),
					() -> wildcards(glob, outside, kind), () -> neverHeld(outside, kind));
		}
		return sign;
	}

	@SafeVarargs
	private static @Nullable Sign firstOf(Supplier<@Nullable Sign>... signs) {
		for (Supplier<@Nullable Sign> each : signs) {
			Sign sign = each.get();
			if (sign != null) {
				return sign;
			}
		}
		return null;
	}

	/**
	 * A glob without what stands in brackets, at the same length.
	 */
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

	private static @Nullable Sign invisible(String glob) {
		String stripped = glob.replaceAll("^[\\s\\p{Z}\\p{Cc}]+|[\\s\\p{Z}\\p{Cc}]+$", "");
		if (!stripped.equals(glob)) {
			return new Sign("has white space around it", List.of(stripped));
		}
		int unseen = glob.codePoints()
			.filter((character) -> Character.isISOControl(character) || Character.getType(character) == Character.FORMAT
					|| Character.getType(character) == Character.SURROGATE)
			.findFirst()
			.orElse(-1);
		if (unseen >= 0) {
			return new Sign("holds U+%04X, which nobody sees".formatted(unseen),
					List.of(glob.replace(Character.toString(unseen), "")));
		}
		return null;
	}

	private static boolean isBlank(int character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character);
	}

	private static @Nullable Sign around(String glob, String outside, NameKind kind) {
		if (kind.isStrict() && glob.matches("(?s)(['\"`]).+\\1")) {
			return new Sign("has quotes in it", List.of(glob.substring(1, glob.length() - 1)));
		}
		if (outside.startsWith("!") && !outside.startsWith("!(")) {
			return new Sign("begins with '!', which excludes nothing here", List.of(glob.substring(1)),
					Meaning.EXCLUDED);
		}
		Matcher extended = EXTENDED.matcher(outside);
		if (extended.find() && !REGEX.matcher(outside).find()) {
			String group = glob.substring(0, extended.start()) + glob.substring(extended.start() + 1);
			return new Sign("looks like an extended glob of a shell",
					("@+".contains(extended.group(1))) ? List.of(group) : List.of());
		}
		return null;
	}

	private static @Nullable Sign braces(String glob, String outside, NameKind kind) {
		Matcher braces = BRACES.matcher(outside);
		if (!braces.find() || glob.startsWith("$", braces.start() - 1)) {
			return null;
		}
		String inside = glob.substring(braces.start(1), braces.end(1));
		String before = glob.substring(0, braces.start());
		boolean counts = inside.matches("\\d{1,2}(,\\d{0,2})?")
				&& (!inside.contains(",") || before.matches("(?s).*([\\])]|\\\\[dwsS]|\\.)"));
		if (counts) {
			return regexSign();
		}
		Matcher range = Pattern.compile("(\\w)\\.\\.(\\w)").matcher(inside);
		List<String> parts = (range.matches()) ? List.of("[" + range.group(1) + "-" + range.group(2) + "]")
				: List.of(inside.split(",", -1));
		if (parts.size() == 1 && !range.matches() && !kind.isStrict()) {
			return null;
		}
		return new Sign("has braces, which are no list of choices here",
				parts.stream().map((part) -> before + part.strip() + glob.substring(braces.end())).toList());
	}

	private static @Nullable Sign separators(String glob, String outside, NameKind kind) {
		String signs = (kind.isStrict()) ? "[,;]" : ",(?!\\s)";
		Matcher separator = Pattern.compile(signs).matcher(outside);
		if (!separator.find() || outside.contains("{")) {
			return null;
		}
		return new Sign((glob.charAt(separator.start()) == ',') ? "has a comma" : "has a semicolon",
				split(glob, outside, signs));
	}

	private static List<String> split(String glob, String outside, String signs) {
		List<String> parts = new ArrayList<>();
		int start = 0;
		Matcher separator = Pattern.compile(signs).matcher(outside);
		while (separator.find()) {
			parts.add(glob.substring(start, separator.start()).strip());
			start = separator.end();
		}
		parts.add(glob.substring(start).strip());
		return parts;
	}

	private static @Nullable Sign regex(String glob, String outside, NameKind kind) {
		boolean grouped = outside.contains("(?")
				|| (outside.contains("(") && (kind.isStrict() || outside.matches("(?s).*\\([^)]*\\|.*")));
		boolean other = grouped || outside.startsWith("^") || outside.endsWith("$") || hasDotStar(outside, kind)
				|| outside.contains(".+") || outside.matches("(?s).*" + INSIDE + "\\+.*") || hasEscape(outside, kind);
		if (outside.contains("|") && !other) {
			return new Sign("has a bar", split(glob, outside, "\\|"));
		}
		return (other) ? regexSign() : null;
	}

	/**
	 * Whether there is any text as a regular expression writes it.
	 */
	private static boolean hasDotStar(String outside, NameKind kind) {
		for (int i = outside.indexOf(".*"); i >= 0; i = outside.indexOf(".*", i + 1)) {
			if (!kind.mayHoldDot(outside.substring(0, i))) {
				return true;
			}
		}
		return false;
	}

	private static Sign regexSign() {
		return new Sign("looks like a regular expression, which a glob is not", List.of(), Meaning.REGEX);
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

	/**
	 * What goes wrong inside of brackets.
	 */
	private static @Nullable Sign brackets(String glob, NameKind kind) {
		for (int i = 0; i < glob.length(); i++) {
			if (glob.charAt(i) != '[') {
				continue;
			}
			int end = Glob.endOfSeq(glob, i + 1);
			if (end < 0) {
				return (kind.isStrict()) ? new Sign("has a '[' that no ']' closes",
						List.of(glob.substring(0, i) + "[[]" + glob.substring(i + 1))) : null;
			}
			String inside = glob.substring(i + 1, end);
			String before = glob.substring(0, i + 1);
			Matcher posix = Pattern.compile("\\[:\\w+:\\]").matcher(glob);
			if (posix.find(i) && posix.start() <= end) {
				String set = POSIX.get(posix.group());
				return new Sign("has a class of POSIX in brackets",
						(set != null) ? List.of(glob.replace(posix.group(), set)) : List.of());
			}
			if (inside.length() > 1 && inside.startsWith("^")) {
				return new Sign("has '[^...]', which excludes nothing here",
						List.of(before + "!" + inside.substring(1) + glob.substring(end)));
			}
			Matcher ranges = RANGE.matcher((inside.startsWith("!")) ? inside.substring(1) : inside);
			while (ranges.find()) {
				char first = ranges.group().charAt(0);
				char last = ranges.group().charAt(2);
				if (first > last) {
					return new Sign("has the range '%s', which holds nothing".formatted(ranges.group()), List
						.of(before + inside.replace(ranges.group(), forwards(first, last)) + glob.substring(end)));
				}
			}
			List<String> parts = List.of(inside.split("[|,]", -1));
			if (kind.isStrict() && parts.size() > 1 && parts.stream().noneMatch(String::isEmpty)) {
				return new Sign("has a list of choices in brackets, which stand for one character",
						choices(before, parts, glob.substring(end)));
			}
			i = end;
		}
		return null;
	}

	private static String forwards(char first, char last) {
		return (Character.isLowerCase(first) && Character.isUpperCase(last)) ? first + "-zA-" + last
				: last + "-" + first;
	}

	private static List<String> choices(String before, List<String> parts, String rest) {
		if (parts.stream().allMatch((part) -> part.replace("!", "").length() == 1)) {
			return List.of(before + String.join("", parts) + rest);
		}
		return (parts.get(0).startsWith("!")) ? List.of()
				: parts.stream()
					.map((part) -> before.substring(0, before.length() - 1) + part + rest.substring(1))
					.toList();
	}

	private static @Nullable Sign wildcards(String glob, String outside, NameKind kind) {
		int stars = outside.indexOf("**");
		boolean endsPath = kind.mayBePath() && stars > 0 && outside.length() == stars + 2
				&& "/\\".indexOf(outside.charAt(stars - 1)) >= 0;
		if (stars >= 0 && !endsPath) {
			String what = "has '**', but a single '*' matches slashes as well";
			String rest = glob.substring(Math.min(glob.length(), stars + 3));
			return new Sign(what,
					(outside.startsWith("**/", stars) && (stars == 0 || outside.charAt(stars - 1) == '/'))
							? List.of(glob.substring(0, stars) + rest, glob.substring(0, stars) + "*/" + rest)
							: List.of(glob.replaceAll("\\*{2,}", "*")));
		}
		if (kind.isStrict() && outside.contains("%")) {
			return new Sign("has '%', which stands for itself", List.of(glob.replace('%', '*')));
		}
		if (outside.indexOf('\uFF0A') >= 0 || outside.indexOf('\uFF1F') >= 0) {
			return new Sign("has a full-width '*' or '?', which stands for itself",
					List.of(glob.replace('\uFF0A', '*').replace('\uFF1F', '?')));
		}
		return null;
	}

	private static @Nullable Sign neverHeld(String outside, NameKind kind) {
		if (kind.isStrict() && outside.codePoints().anyMatch(GlobMistake::isBlank)) {
			return Sign.of("has white space in it");
		}
		int never = outside.codePoints().filter((character) -> !kind.mayHold(character)).findFirst().orElse(-1);
		return (never >= 0) ? Sign.of("has '%s' in it".formatted(Character.toString(never))) : null;
	}

	/**
	 * What the globs of a sign are.
	 */
	private enum Meaning {

		/** Nearer to what is meant, with further mistakes perhaps. */
		STEP,

		/**
		 * None: the glob is a regular expression. A second reading of what it says would
		 * take that for something else.
		 */
		REGEX,

		/** What is not meant. */
		EXCLUDED

	}

	/**
	 * A sign of a mistake.
	 *
	 * @param what what is wrong, as the rest of a sentence that begins with the glob
	 * @param next what is one step nearer to what may be meant; may have further mistakes
	 * @param meaning what that is
	 */
	private record Sign(String what, List<String> next, Meaning meaning) {

		Sign(String what, List<String> next) {
			this(what, next, Meaning.STEP);
		}

		static Sign of(String what) {
			return new Sign(what, List.of());
		}

		GlobMistake toMistake(String option, String glob, NameKind kind) {
			// Whoever asked for less must not be told to allow more.
			boolean mayWiden = !WIDENING.contains(option);
			List<String> globs = corrected(List.of(glob), kind, mayWiden, MAX_STEPS);
			String noun = kind.noun();
			String message = "The glob '%s' %s; it would match no %s, or not the right ones."
				.formatted(SafeText.name(glob), this.what, noun);
			if (this.meaning == Meaning.EXCLUDED) {
				globs = corrected(this.next, kind, false, MAX_STEPS);
				return new GlobMistake(message, insteadOfExcluding(option, globs, noun), List.of());
			}
			String action = (globs.isEmpty())
					? "Write a name, or a glob such as 'run_*': '*' is any text, '?' one character, '[a-z]' one of several."
					: "Write " + list(globs) + ".";
			return new GlobMistake(message, action + ((mayWiden) ? half(glob, noun) : "") + literally(glob, kind),
					globs);
		}

		/**
		 * Who anchors one end of a name may mean all names with that end.
		 */
		private static String half(String glob, String noun) {
			Matcher anchored = ANCHORED.matcher(glob);
			if (!anchored.matches()) {
				return "";
			}
			return (anchored.group(1) != null)
					? " For each %s whose name begins so, write '%s*'.".formatted(noun, anchored.group(1))
					: " For each %s whose name ends so, write '*%s'.".formatted(noun, anchored.group(2));
		}

		private static String insteadOfExcluding(String option, List<String> globs, String noun) {
			String opposite = OPPOSITES.get(option);
			if (globs.isEmpty() || opposite == null) {
				return "Write each %s that is meant.".formatted(noun);
			}
			return "Remove it, and write %s under '%s'.".formatted(quoted(globs), opposite);
		}

		private static String list(List<String> globs) {
			return (globs.size() == 1) ? quoted(globs) : "%d entries: %s".formatted(globs.size(), quoted(globs));
		}

		private static String quoted(List<String> globs) {
			String first = globs.stream()
				.limit(Math.max(1, globs.size() - 1))
				.map(Sign::quoted)
				.collect(Collectors.joining(", "));
			return (globs.size() == 1) ? first : first + " and " + quoted(globs.get(globs.size() - 1));
		}

		private static String quoted(String glob) {
			return "'" + glob + "'";
		}

		/**
		 * How to write a glob whose sign is meant as it stands, if that is possible.
		 */
		private static String literally(String glob, NameKind kind) {
			String outside = outside(glob);
			StringBuilder literal = new StringBuilder();
			for (int i = 0; i < glob.length(); i++) {
				char character = glob.charAt(i);
				boolean dot = (outside.startsWith(".*", i) && !kind.mayHoldDot(outside.substring(0, i)))
						|| outside.startsWith(".+", i);
				boolean other = !kind.isStrict() && "|,{}\\^$!".indexOf(outside.charAt(i)) >= 0;
				boolean dollar = outside.charAt(i) == '$' && i == glob.length() - 1;
				literal.append((dot || other || dollar) ? "[" + character + "]" : String.valueOf(character));
			}
			String text = literal.toString();
			return (!text.equals(glob) && sign(text, kind) == null)
					? " If the name really has such a character, write '%s'.".formatted(text) : "";
		}

	}

}
