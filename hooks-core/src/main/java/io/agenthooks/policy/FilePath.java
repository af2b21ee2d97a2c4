package io.agenthooks.policy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The path of a file in each of the ways in which systems and tools read it: with slashes
 * or backslashes, with percent signs decoded or not, with what stands at the end of a
 * name and is dropped by some. Where these differ, nothing is said. Links are not
 * followed unless {@linkplain #real() that is wanted}.
 *
 * @since 0.1.0
 */
public final class FilePath {

	private static final int MAX_LENGTH = 8_192;

	private static final int MAX_READINGS = 64;

	private static final String FILE = "file:";

	private static final String HOME = "~";

	/** Where a shell or a template puts something that is not known. */
	private static final Pattern VARIABLE = Pattern.compile("^\\$.*|.*(?:\\$[{(]|`).*|^%[A-Za-z_]\\w*%.*",
			Pattern.DOTALL);

	/** Links of the system that lead anywhere. */
	private static final Pattern LINK = Pattern
		.compile("/proc/[^/]+/(?:task/[^/]+/)?(?:root|cwd|fd|exe)(?:/.*)?|/dev/(?:fd|stdin|stdout)(?:/.*)?");

	/** Another path behind what some split a list at. */
	private static final Pattern ANOTHER = Pattern
		.compile("[,;|\\s](?:/|\\\\|~/|\\.{1,2}[/\\\\]|[A-Za-z]:[/\\\\]|(?i:file:))");

	private final Set<String> readings;

	private FilePath(Set<String> readings) {
		this.readings = readings;
	}

	/**
	 * Read a path.
	 * @param written the path as it is written
	 * @param base the absolute path of the folder that it is relative to, or {@code null}
	 * if that is not known
	 * @return the path
	 * @throws UnreadableValueException if it is none, or nobody knows where it leads
	 */
	public static FilePath of(String written, @Nullable String base) throws UnreadableValueException {
		if (written.isBlank() || written.length() > MAX_LENGTH) {
			throw new UnreadableValueException("it is blank or too long for a path");
		}
		if (written.chars().anyMatch(Character::isISOControl)) {
			throw new UnreadableValueException("a path has no line breaks and the like");
		}
		Set<String> spellings = new LinkedHashSet<>(List.of(written));
		addFileUrl(written, spellings);
		addDecoded(spellings);
		for (String spelling : List.copyOf(spellings)) {
			if (mayHaveVariable(spelling) && VARIABLE.matcher(spelling).matches()) {
				throw new UnreadableValueException("a shell puts something into it");
			}
			spellings.add(spelling.replace('\\', '/'));
		}
		for (String spelling : List.copyOf(spellings)) {
			if (spelling.startsWith("//?/") || spelling.startsWith("//./")) {
				spellings.add(spelling.substring(4));
			}
		}
		for (String spelling : List.copyOf(spellings)) {
			spellings.add(spelling.strip());
		}
		Set<String> readings = new LinkedHashSet<>();
		for (String spelling : spellings) {
			readings.add(normalize(spelling, base, false));
			readings.add(normalize(spelling, base, true));
		}
		if (readings.size() > MAX_READINGS || readings.stream().anyMatch(FilePath::isLink)) {
			throw new UnreadableValueException("it leads through a link of the system");
		}
		return new FilePath(readings);
	}

	private static boolean mayHaveVariable(String spelling) {
		return spelling.indexOf('$') >= 0 || spelling.indexOf('`') >= 0 || spelling.startsWith("%");
	}

	private static boolean isLink(String reading) {
		return (reading.startsWith("/proc/") || reading.startsWith("/dev/")) && LINK.matcher(reading).matches();
	}

	/**
	 * Read a path that is all of an argument.
	 * @param written the path as it is written
	 * @param base the absolute path of the folder that it is relative to, or {@code null}
	 * if that is not known
	 * @return the path
	 * @throws UnreadableValueException if it is none or may be several, or nobody knows
	 * where it leads
	 */
	public static FilePath ofArgument(String written, @Nullable String base) throws UnreadableValueException {
		if (ANOTHER.matcher(written.strip()).find()) {
			throw new UnreadableValueException("it may be several paths");
		}
		return of(written, base);
	}

	private static void addFileUrl(String written, Set<String> spellings) {
		String text = written.strip();
		if (text.regionMatches(true, 0, FILE, 0, FILE.length())) {
			String rest = text.substring(FILE.length()).replace('\\', '/');
			int end = 0;
			while (end < rest.length() && "?#".indexOf(rest.charAt(end)) < 0) {
				end++;
			}
			rest = rest.substring(0, end);
			if (rest.startsWith("//")) {
				int path = rest.indexOf('/', 2);
				rest = (path >= 0) ? rest.substring(path) : "/";
			}
			spellings.clear();
			spellings.add(rest.isEmpty() ? "/" : rest);
			if (rest.matches("/[A-Za-z]:.*")) {
				spellings.add(rest.substring(1));
			}
		}
	}

	private static void addDecoded(Set<String> spellings) throws UnreadableValueException {
		for (String spelling : List.copyOf(spellings)) {
			String decoded = spelling;
			for (int i = 0; i < PercentEncoding.MAX_ROUNDS && decoded.indexOf('%') >= 0; i++) {
				decoded = PercentEncoding.decode(decoded);
				if (decoded.chars().anyMatch(Character::isISOControl)) {
					throw new UnreadableValueException("a path has no line breaks and the like");
				}
				spellings.add(decoded);
			}
		}
	}

	/**
	 * Drop {@code .}, {@code ..} and empty names, and loosely what some systems drop at
	 * the end of names. A relative path begins with no slash.
	 */
	private static String normalize(String spelling, @Nullable String base, boolean loosely)
			throws UnreadableValueException {
		String text = Normalizer.normalize(spelling, Normalizer.Form.NFC);
		boolean hasDrive = text.length() > 1 && text.charAt(1) == ':' && HostCharacters.isLetter(text.charAt(0));
		if (hasDrive && text.length() > 2 && text.charAt(2) != '/' && text.charAt(2) != '\\') {
			if (loosely || text.length() == 2) {
				throw new UnreadableValueException("nobody knows where on its drive it begins");
			}
		}
		boolean isHome = text.startsWith(HOME);
		if (isHome && text.length() > 1 && text.charAt(1) != '/') {
			throw new UnreadableValueException("nobody knows the home folder of another user");
		}
		boolean isAbsolute = text.startsWith("/") || isHome || (hasDrive && text.length() > 2 && text.charAt(2) == '/');
		String whole = (isAbsolute || base == null) ? text : base + "/" + text;
		List<String> names = new ArrayList<>();
		int fixed = (isHome || hasDrive) ? 1 : 0;
		int outside = 0;
		for (String segment : whole.split("/", -1)) {
			String name = (loosely) ? loose(segment, names.isEmpty()) : segment;
			if (name.equals("..")) {
				if (names.size() > fixed) {
					names.remove(names.size() - 1);
				}
				else if (isHome) {
					throw new UnreadableValueException("it leads out of a home folder");
				}
				else {
					outside++;
				}
			}
			else if (!name.isEmpty() && !name.equals(".")) {
				names.add((hasDrive && names.isEmpty()) ? name.toLowerCase(Locale.ROOT) : name);
			}
		}
		String path = String.join("/", names);
		if (isHome) {
			return path;
		}
		boolean isRooted = whole.startsWith("/") || (hasDrive && isAbsolute);
		return (isRooted) ? "/" + path : "../".repeat(outside) + path;
	}

	/** Without dots, blanks and the name of a stream at its end, as Windows reads it. */
	private static String loose(String segment, boolean first) throws UnreadableValueException {
		if (segment.equals(".") || segment.equals("..") || segment.isEmpty()) {
			return segment;
		}
		int stream = segment.indexOf(':', (first) ? 2 : 0);
		String name = (stream > 0) ? segment.substring(0, stream) : segment;
		int end = name.length();
		while (end > 0 && (name.charAt(end - 1) == '.' || name.charAt(end - 1) == ' ')) {
			end--;
		}
		if (end == 0) {
			throw new UnreadableValueException("a name in it has dots and blanks only");
		}
		return name.substring(0, end);
	}

	/**
	 * This path with links followed, as far as it exists on this machine now.
	 * @return the path to which it leads
	 * @throws UnreadableValueException if that cannot be found out
	 */
	public FilePath real() throws UnreadableValueException {
		Set<String> real = new LinkedHashSet<>();
		for (String reading : this.readings) {
			try {
				Path path = Path.of(expanded(reading));
				Path there = path;
				while (there != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
					there = there.getParent();
				}
				if (there == null || !path.isAbsolute()) {
					throw new UnreadableValueException("it is not on this machine");
				}
				real.add(there.toRealPath().resolve(there.relativize(path)).normalize().toString().replace('\\', '/'));
			}
			catch (IOException | InvalidPathException ex) {
				throw new UnreadableValueException("it cannot be followed on this machine");
			}
		}
		return new FilePath(real);
	}

	static String expanded(String path) {
		return (path.equals(HOME) || path.startsWith(HOME + "/"))
				? System.getProperty("user.home", HOME) + path.substring(1) : path;
	}

	/**
	 * Whether the path is a folder or below it.
	 * @param folder the path of the folder
	 * @return whether it is
	 * @throws UnreadableValueException if that depends on who reads the path
	 */
	public boolean isUnder(String folder) throws UnreadableValueException {
		Set<String> folders = new LinkedHashSet<>();
		for (String reading : of(folder, null).readings) {
			folders.add(reading);
			folders.add(expanded(reading));
		}
		return agreed((path) -> isUnder(path, folders, true), (path) -> isUnder(path, folders, false));
	}

	private static boolean isUnder(String path, Set<String> folders, boolean exactly) {
		for (String folder : folders) {
			for (String each : List.of(path, expanded(path))) {
				String one = (exactly) ? each : fold(each);
				String other = (exactly) ? folder : fold(folder);
				if (one.equals(other) || one.startsWith((other.endsWith("/")) ? other : other + "/")) {
					return true;
				}
			}
		}
		return false;
	}

	/** Whether all readings agree, also where case makes no difference. */
	boolean agreed(Predicate<String> exactly, Predicate<String> loosely) throws UnreadableValueException {
		boolean all = true;
		boolean any = false;
		for (String reading : this.readings) {
			boolean one = exactly.test(reading);
			all &= one;
			any |= one || loosely.test(reading);
		}
		if (all != any) {
			throw new UnreadableValueException("systems read the path differently");
		}
		return all;
	}

	static String fold(String path) {
		return path.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
	}

	/**
	 * Whether nobody said what it is relative to.
	 * @return whether a reading is relative
	 */
	public boolean isRelative() {
		return this.readings.stream().anyMatch((each) -> !each.startsWith("/") && !each.startsWith(HOME));
	}

	/**
	 * The name of the file.
	 * @return the last part of the path
	 * @throws UnreadableValueException if it depends on who reads the path
	 */
	public String name() throws UnreadableValueException {
		Set<String> names = new LinkedHashSet<>();
		this.readings.forEach((each) -> names.add(each.substring(each.lastIndexOf('/') + 1)));
		if (names.size() > 1) {
			throw new UnreadableValueException("systems read the path differently");
		}
		return names.iterator().next();
	}

	/**
	 * The extension of the file.
	 * @return what stands behind the last dot of its name, in lower case, or an empty
	 * text
	 * @throws UnreadableValueException if it depends on who reads the path
	 */
	public String ext() throws UnreadableValueException {
		String name = name();
		int dot = name.lastIndexOf('.');
		return (dot > 0) ? name.substring(dot + 1).toLowerCase(Locale.ROOT) : "";
	}

	Set<String> readings() {
		return this.readings;
	}

	/**
	 * The path as most systems read it.
	 * @return the path
	 */
	@Override
	public String toString() {
		return this.readings.iterator().next();
	}

}
