package io.agenthooks;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
 * @param instead the globs to write instead, of which the action tells; none if that
 * cannot be known, or if they belong elsewhere
 * @since 0.1.0
 */
public record GlobMistake(String message, String action, List<String> instead) {

	/** Where to write what a glob is not for. */
	private static final Map<String, String> OPPOSITES = Map.of("match", "except", "except", "match", "allow_tools",
			"deny_tools", "deny_tools", "allow_tools");

	/** What these match passes, or is not looked at. */
	private static final Set<String> WIDENING = Set.of("allow_tools", "except");

	/** A name with an anchor of a regular expression at one end only. */
	private static final Pattern ANCHORED = Pattern.compile("\\^([\\w-]+)|([\\w-]+)\\$");

	/** A tool and what it is called with, as Claude Code's permissions have it. */
	private static final Pattern WITH_ARGUMENTS = Pattern.compile("([A-Za-z][\\w-]*)\\(.+\\)");

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
		GlobSign sign = GlobSign.find(glob, kind);
		return (sign != null) ? of(sign, option, glob, kind) : null;
	}

	private static List<String> corrected(List<String> globs, NameKind kind, boolean mayWiden, int steps) {
		Set<String> corrected = new LinkedHashSet<>();
		for (String glob : globs) {
			GlobSign sign = GlobSign.find(glob, kind);
			if (sign == null) {
				corrected.add(glob);
			}
			else if (glob.isEmpty()) {
				continue;
			}
			else if (sign.meaning() != GlobSign.Meaning.STEP || steps == 0) {
				List<String> last = (sign.meaning() == GlobSign.Meaning.REGEX)
						? RegexAsGlob.translate(glob, mayWiden).stream().filter((next) -> !next.isEmpty()).toList()
						: List.of();
				if (last.isEmpty() || last.stream().anyMatch((next) -> GlobSign.find(next, kind) != null)) {
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

	private static GlobMistake of(GlobSign sign, String option, String glob, NameKind kind) {
		// Whoever asked for less must not be told to allow more.
		boolean mayWiden = !WIDENING.contains(option);
		List<String> globs = corrected(List.of(glob), kind, mayWiden, MAX_STEPS);
		String noun = kind.noun();
		String message = "The glob '%s' %s; it would match no %s, or not the right ones.".formatted(SafeText.name(glob),
				sign.what(), noun);
		if (sign.meaning() == GlobSign.Meaning.EXCLUDED) {
			globs = corrected(sign.next(), kind, false, MAX_STEPS);
			return new GlobMistake(message, insteadOfExcluding(option, globs, noun), List.of());
		}
		Matcher call = WITH_ARGUMENTS.matcher(glob);
		if (globs.isEmpty() && kind == NameKind.TOOL && call.matches()) {
			return new GlobMistake(
					"The glob '%s' is another system's way to write a tool with its arguments, or one of a server; it would match no tool."
						.formatted(SafeText.name(glob)),
					"Write '%s', and patterns of its arguments in a policy, under 'deny_argument_patterns'; a tool of an MCP server is written 'server__tool'."
						.formatted(call.group(1)),
					List.of());
		}
		String action = (globs.isEmpty())
				? "Write a name, or a glob such as 'run_*': '*' is any text, '?' one character, '[a-z]' one of several."
				: "Write " + list(globs) + ".";
		return new GlobMistake(message, action + ((mayWiden) ? half(glob, noun) : "") + literally(glob, kind), globs);
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
			.map(GlobMistake::quoted)
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
		String outside = GlobSign.outside(glob);
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
		return (!text.equals(glob) && GlobSign.find(text, kind) == null)
				? " If the name really has such a character, write '%s'.".formatted(text) : "";
	}

}
