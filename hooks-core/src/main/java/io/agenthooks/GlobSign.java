package io.agenthooks;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A sign that a glob is mistaken: what it holds that its author may mean as something
 * else.
 *
 * @param what what is wrong, as the rest of a sentence that begins with the glob
 * @param next what is one step nearer to what may be meant; may have further mistakes
 * @param meaning what that is
 */
record GlobSign(String what, List<String> next, Meaning meaning) {

	/** Stands for a character inside of brackets, where it means itself. */
	private static final char INSIDE = '\uE000';

	private static final Map<String, String> POSIX = Map.of("[:alpha:]", "A-Za-z", "[:digit:]", "0-9", "[:alnum:]",
			"A-Za-z0-9", "[:lower:]", "a-z", "[:upper:]", "A-Z", "[:word:]", "A-Za-z0-9_");

	private static final Pattern EXTENDED = Pattern.compile("([!?*+@])\\((?!\\?).*\\)");

	/** What no shell knows. */
	private static final Pattern REGEX = Pattern.compile("^\\^|\\$$|\\\\|\\.[*+]|\\(\\?|[)" + INSIDE + "]\\+");

	private static final Pattern RANGE = Pattern.compile("(?s).-.");

	private static final Pattern BRACES = Pattern.compile("\\{([^{}]*)\\}");

	private static final int MAX_LENGTH = 1_000;

	GlobSign(String what, List<String> next) {
		this(what, next, Meaning.STEP);
	}

	private static GlobSign of(String what) {
		return new GlobSign(what, List.of());
	}

	/**
	 * The first sign of a mistake, or {@code null}.
	 */
	static @Nullable GlobSign find(String glob, NameKind kind) {
		if (glob.isEmpty()) {
			return (kind.isStrict()) ? GlobSign.of("is empty") : null;
		}
		if (glob.length() > MAX_LENGTH) {
			return GlobSign.of("is longer than %d characters".formatted(MAX_LENGTH));
		}
		GlobSign sign = invisible(glob);
		if (sign == null) {
			String outside = outside(glob);
			sign = firstOf(() -> around(glob, outside, kind), () -> braces(glob, outside, kind),
					() -> separators(glob, outside, kind), () -> regex(glob, outside, kind), () -> brackets(glob, kind),
					() -> wildcards(glob, outside, kind), () -> neverHeld(outside, kind));
		}
		return sign;
	}

	@SafeVarargs
	private static @Nullable GlobSign firstOf(Supplier<@Nullable GlobSign>... signs) {
		for (Supplier<@Nullable GlobSign> each : signs) {
			GlobSign sign = each.get();
			if (sign != null) {
				return sign;
			}
		}
		return null;
	}

	private static @Nullable GlobSign invisible(String glob) {
		String stripped = glob.replaceAll("^[\\s\\p{Z}\\p{Cc}]+|[\\s\\p{Z}\\p{Cc}]+$", "");
		if (!stripped.equals(glob)) {
			return new GlobSign("has white space around it", List.of(stripped));
		}
		int unseen = glob.codePoints()
			.filter((character) -> Character.isISOControl(character) || Character.getType(character) == Character.FORMAT
					|| Character.getType(character) == Character.SURROGATE)
			.findFirst()
			.orElse(-1);
		if (unseen >= 0) {
			return new GlobSign("holds U+%04X, which is invisible".formatted(unseen),
					List.of(glob.replace(Character.toString(unseen), "")));
		}
		return null;
	}

	private static @Nullable GlobSign around(String glob, String outside, NameKind kind) {
		if (kind.isStrict() && glob.matches("(?s)(['\"`]).+\\1")) {
			return new GlobSign("has quotes in it", List.of(glob.substring(1, glob.length() - 1)));
		}
		if (outside.startsWith("!") && !outside.startsWith("!(")) {
			return new GlobSign("begins with '!', which excludes nothing here", List.of(glob.substring(1)),
					Meaning.EXCLUDED);
		}
		Matcher extended = EXTENDED.matcher(outside);
		if (extended.find() && !REGEX.matcher(outside).find()) {
			String group = glob.substring(0, extended.start()) + glob.substring(extended.start() + 1);
			return new GlobSign("looks like an extended glob of a shell",
					("@+".contains(extended.group(1))) ? List.of(group) : List.of());
		}
		return null;
	}

	private static @Nullable GlobSign braces(String glob, String outside, NameKind kind) {
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
		return new GlobSign("has braces, which are no list of choices here",
				parts.stream().map((part) -> before + part.strip() + glob.substring(braces.end())).toList());
	}

	private static @Nullable GlobSign separators(String glob, String outside, NameKind kind) {
		String signs = (kind.isStrict()) ? "[,;]" : ",(?!\\s)";
		Matcher separator = Pattern.compile(signs).matcher(outside);
		if (!separator.find() || outside.contains("{")) {
			return null;
		}
		return new GlobSign((glob.charAt(separator.start()) == ',') ? "has a comma" : "has a semicolon",
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

	private static @Nullable GlobSign regex(String glob, String outside, NameKind kind) {
		boolean grouped = outside.contains("(?")
				|| (outside.contains("(") && (kind.isStrict() || outside.matches("(?s).*\\([^)]*\\|.*")));
		boolean other = grouped || outside.startsWith("^") || outside.endsWith("$") || hasDotStar(outside, kind)
				|| outside.contains(".+") || outside.matches("(?s).*" + INSIDE + "\\+.*") || hasEscape(outside, kind);
		if (outside.contains("|") && !other) {
			return new GlobSign("has a bar", split(glob, outside, "\\|"));
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

	private static GlobSign regexSign() {
		return new GlobSign("looks like a regular expression, which a glob is not", List.of(), Meaning.REGEX);
	}

	/**
	 * What goes wrong inside of brackets.
	 */
	private static @Nullable GlobSign brackets(String glob, NameKind kind) {
		for (int i = 0; i < glob.length(); i++) {
			if (glob.charAt(i) != '[') {
				continue;
			}
			int end = Glob.endOfSeq(glob, i + 1);
			if (end < 0) {
				return (kind.isStrict()) ? new GlobSign("has a '[' without a ']'",
						List.of(glob.substring(0, i) + "[[]" + glob.substring(i + 1))) : null;
			}
			String inside = glob.substring(i + 1, end);
			String before = glob.substring(0, i + 1);
			Matcher posix = Pattern.compile("\\[:\\w+:\\]").matcher(glob);
			if (posix.find(i) && posix.start() <= end) {
				String set = POSIX.get(posix.group());
				return new GlobSign("has a class of POSIX in brackets",
						(set != null) ? List.of(glob.replace(posix.group(), set)) : List.of());
			}
			if (inside.length() > 1 && inside.startsWith("^")) {
				return new GlobSign("has '[^...]', which excludes nothing here",
						List.of(before + "!" + inside.substring(1) + glob.substring(end)));
			}
			Matcher ranges = RANGE.matcher((inside.startsWith("!")) ? inside.substring(1) : inside);
			while (ranges.find()) {
				char first = ranges.group().charAt(0);
				char last = ranges.group().charAt(2);
				if (first > last) {
					return new GlobSign("has the range '%s', which holds nothing".formatted(ranges.group()), List
						.of(before + inside.replace(ranges.group(), forwards(first, last)) + glob.substring(end)));
				}
			}
			List<String> parts = List.of(inside.split("[|,]", -1));
			if (kind.isStrict() && parts.size() > 1 && parts.stream().noneMatch(String::isEmpty)) {
				return new GlobSign("has a list of choices in brackets, which stand for one character",
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

	private static @Nullable GlobSign wildcards(String glob, String outside, NameKind kind) {
		int stars = outside.indexOf("**");
		boolean endsPath = kind.mayBePath() && stars > 0 && outside.length() == stars + 2
				&& "/\\".indexOf(outside.charAt(stars - 1)) >= 0;
		if (stars >= 0 && !endsPath) {
			String what = "has '**', but a single '*' matches slashes as well";
			String rest = glob.substring(Math.min(glob.length(), stars + 3));
			return new GlobSign(what,
					(outside.startsWith("**/", stars) && (stars == 0 || outside.charAt(stars - 1) == '/'))
							? List.of(glob.substring(0, stars) + rest, glob.substring(0, stars) + "*/" + rest)
							: List.of(glob.replaceAll("\\*{2,}", "*")));
		}
		if (kind.isStrict() && outside.contains("%")) {
			return new GlobSign("has '%', which stands for itself", List.of(glob.replace('%', '*')));
		}
		if (outside.indexOf('\uFF0A') >= 0 || outside.indexOf('\uFF1F') >= 0) {
			return new GlobSign("has a full-width '*' or '?', which stands for itself",
					List.of(glob.replace('\uFF0A', '*').replace('\uFF1F', '?')));
		}
		return null;
	}

	private static @Nullable GlobSign neverHeld(String outside, NameKind kind) {
		if (kind.isStrict() && outside.codePoints().anyMatch(GlobSign::isBlank)) {
			return GlobSign.of("has white space in it");
		}
		String plain = Normalizer.normalize(outside, Normalizer.Form.NFKC);
		if (kind == NameKind.TOOL && !plain.equals(outside)) {
			return new GlobSign("has a character that stands for another one, such as a full-width letter",
					(outside.indexOf(INSIDE) < 0) ? List.of(plain) : List.of());
		}
		int never = outside.codePoints().filter((character) -> !kind.mayHold(character)).findFirst().orElse(-1);
		return (never >= 0) ? GlobSign.of("has '%s' in it".formatted(Character.toString(never))) : null;
	}

	private static boolean isBlank(int character) {
		return Character.isWhitespace(character) || Character.isSpaceChar(character);
	}

	/**
	 * A glob without what stands in brackets, at the same length.
	 */
	static String outside(String glob) {
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

	/**
	 * What the globs of a sign are.
	 */
	enum Meaning {

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

}
