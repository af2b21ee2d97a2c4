package io.agenthooks.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Glob;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.pattern.Budget;

/**
 * Lists of hosts and paths: of all that arguments name, none may be denied, and each must
 * be allowed if there is a list of allowed ones. What cannot be read is denied.
 */
final class ThingLists {

	private static final String DENY_PATHS = "deny_paths";

	private static final String ALLOW_PATHS = "allow_paths";

	private static final String DENY_HOSTS = "deny_hosts";

	private static final String ALLOW_HOSTS = "allow_hosts";

	private static final int READING = 40;

	private static final int ONCE = 2_000;

	/** Beginnings of a path wherever it stands. */
	private static final Pattern PATH = Pattern
		.compile("(?s)\\s*(?:/|~|\\.{1,2}[/\\\\]|[A-Za-z]:[/\\\\]|\\\\|file:).*");

	/** A character that no usual name of an argument has. */
	private static final Pattern KEY = Pattern.compile("[^\\w -]");

	/** Signs between names of files. */
	private static final Pattern LISTED = Pattern.compile("[,;|]\\s*");

	private final Map<String, List<PathGlob>> paths = new LinkedHashMap<>();

	private final Map<String, List<Glob>> hosts = new LinkedHashMap<>();

	private final String base;

	private ThingLists(String base) {
		this.base = base;
	}

	static ThingLists read(PolicyConfig config, List<Problem> problems) {
		String base = config.basePath();
		if (base != null && !base.matches("/.*|[A-Za-z]:[/\\\\].*")) {
			problems.add(new Problem(List.of("base_path"), "It is no absolute path.",
					"Write the folder that relative paths begin at, such as '/data'."));
		}
		if (base != null && config.denyPaths() == null && config.allowPaths() == null) {
			problems.add(new Problem(List.of("base_path"), "There is neither 'deny_paths' nor 'allow_paths'.",
					"Write one of them, or remove it."));
		}
		ThingLists lists = new ThingLists((base != null) ? base : System.getProperty("user.dir", "/"));
		lists.addPaths(DENY_PATHS, config.denyPaths(), problems);
		lists.addPaths(ALLOW_PATHS, config.allowPaths(), problems);
		lists.addHosts(DENY_HOSTS, config.denyHosts(), problems);
		lists.addHosts(ALLOW_HOSTS, config.allowHosts(), problems);
		return lists;
	}

	private void addPaths(String option, @Nullable List<String> written, List<Problem> problems) {
		if (!isFilled(option, written, problems) || written == null) {
			return;
		}
		List<PathGlob> globs = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			try {
				globs.add(PathGlob.of(String.valueOf(written.get(i))));
			}
			catch (UnreadableValueException | RuntimeException ex) {
				problems.add(new Problem(List.of(option, String.valueOf(i)),
						"It is no glob for paths: %s.".formatted(ex.getMessage()),
						"Write it like '/etc/**', '~/.ssh/**', '*.pem' or '.env'."));
			}
		}
		this.paths.put(option, globs);
	}

	private void addHosts(String option, @Nullable List<String> written, List<Problem> problems) {
		if (!isFilled(option, written, problems) || written == null) {
			return;
		}
		List<Glob> globs = new ArrayList<>();
		for (int i = 0; i < written.size(); i++) {
			String glob = String.valueOf(written.get(i)).strip().toLowerCase(Locale.ROOT);
			try {
				String domain = (glob.startsWith("*.")) ? glob.substring(2) : glob;
				globs.add(Glob.of((glob.equals("*")) ? glob
						: (domain.equals(glob)) ? HostName.of(glob) : "*." + HostName.of(domain)));
			}
			catch (UnreadableValueException ex) {
				problems.add(new Problem(List.of(option, String.valueOf(i)),
						"It is no host, and not '*.' and a domain: %s.".formatted(ex.reason()),
						"Write it like 'example.com', or '*.example.com' for all below it, without scheme, port and path."));
			}
		}
		this.hosts.put(option, globs);
	}

	private static boolean isFilled(String option, @Nullable List<String> list, List<Problem> problems) {
		if (list != null && list.isEmpty()) {
			problems
				.add(new Problem(List.of(option), "The list is empty, so it says nothing.", "Fill it, or remove it."));
		}
		return list != null && !list.isEmpty();
	}

	boolean isEmpty() {
		return this.paths.isEmpty() && this.hosts.isEmpty();
	}

	@Nullable Finding find(Map<String, @Nullable Object> arguments, Budget budget) {
		return (isEmpty()) ? null : members("", arguments, budget);
	}

	private @Nullable Finding members(String outer, Map<?, ?> map, Budget budget) {
		for (Map.Entry<?, ?> member : map.entrySet()) {
			String name = String.valueOf(member.getKey());
			Finding found = key(outer, name, budget);
			found = (found != null) ? found : value(name, ArgumentKind.of(outer, name), member.getValue(), budget);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	/** A name may be a path or a URL itself, such as those of the files to write. */
	private @Nullable Finding key(String outer, String name, Budget budget) {
		if (!KEY.matcher(name).find()) {
			return null;
		}
		ArgumentKind kind = ArgumentKind.of(outer);
		boolean isOfOuter = kind == ArgumentKind.PATH || kind == ArgumentKind.URL;
		return value((outer.isEmpty()) ? name : outer, (isOfOuter) ? kind : ArgumentKind.OTHER, name, budget);
	}

	private @Nullable Finding value(String name, ArgumentKind kind, @Nullable Object value, Budget budget) {
		budget.spend(READING);
		if (value instanceof Map<?, ?> map) {
			return members(name, map, budget);
		}
		if (value instanceof Collection<?> list) {
			for (Object each : list) {
				Finding found = value(name, kind, each, budget);
				if (found != null) {
					return found;
				}
			}
			return null;
		}
		if (!(value instanceof String text) || text.isBlank()) {
			return null;
		}
		Finding found = text(name, kind, text, budget);
		String clean = SearchText.clean(text, budget);
		return (found != null || clean.equals(text)) ? found : text(name, kind, clean, budget);
	}

	private @Nullable Finding text(String name, ArgumentKind kind, String text, Budget budget) {
		budget.spend(ONCE + (long) READING * text.length());
		Finding found = null;
		if (!this.hosts.isEmpty()) {
			found = (kind == ArgumentKind.URL) ? url(name, text, false) : urlsIn(name, text, false, budget);
		}
		if (found == null && !this.paths.isEmpty()) {
			String url = (kind == ArgumentKind.URL) ? UrlStart.asUrl(text).replaceFirst("(?i)^url:", "") : text;
			boolean isPath = switch (kind) {
				case PATH -> true;
				case OTHER -> PATH.matcher(text).matches();
				case URL -> url.regionMatches(true, 0, "file:", 0, 5);
				case MAIL, COMMAND -> false;
			};
			found = (isPath) ? argument(name, url, budget) : null;
		}
		return (found == null && kind == ArgumentKind.COMMAND) ? command(name, text, budget) : found;
	}

	/** Loosely, a URL that cannot be read passes. */
	private @Nullable Finding urlsIn(String name, String text, boolean loosely, Budget budget) {
		int sign = text.indexOf("://");
		while (sign >= 0) {
			budget.spend(ONCE);
			int end = UrlInText.end(text, sign);
			String url = UrlInText.read(text, sign, end);
			budget.spend((long) READING * url.length());
			Finding found = url(name, url, loosely);
			if (found != null) {
				return found;
			}
			sign = text.indexOf("://", end - 1);
		}
		return null;
	}

	private @Nullable Finding url(String name, String url, boolean loosely) {
		try {
			return host(name, UrlInText.host(url));
		}
		catch (UnreadableValueException ex) {
			return (loosely) ? null : unreadable(this.hosts.keySet(), name, ex);
		}
	}

	private @Nullable Finding host(String name, String host) {
		List<Glob> denied = this.hosts.getOrDefault(DENY_HOSTS, List.of());
		for (int i = 0; i < denied.size(); i++) {
			if (denied.get(i).test(host)) {
				return new Finding(DENY_HOSTS, String.valueOf(i), name, "it names a host that is denied");
			}
		}
		List<Glob> allowed = this.hosts.get(ALLOW_HOSTS);
		return (allowed == null || (!host.isEmpty() && allowed.stream().anyMatch((glob) -> glob.test(host)))) ? null
				: new Finding(ALLOW_HOSTS, null, name, "it names a host that is not allowed");
	}

	/** It is a path, or a list of names of files in one text. */
	private @Nullable Finding argument(String name, String text, Budget budget) {
		Finding found;
		try {
			found = path(name, FilePath.ofArgument(text, this.base), text, budget);
		}
		catch (UnreadableValueException ex) {
			found = unreadable(this.paths.keySet(), name, ex);
		}
		if (found == null && this.paths.containsKey(DENY_PATHS) && LISTED.matcher(text).find()) {
			for (String part : LISTED.split(text, -1)) {
				budget.spend(ONCE);
				found = (found != null || part.isBlank()) ? found : deniedPath(name, part, budget);
			}
		}
		return found;
	}

	private @Nullable Finding path(String name, String text, Budget budget) {
		try {
			return path(name, FilePath.of(text, this.base), text, budget);
		}
		catch (UnreadableValueException ex) {
			return unreadable(this.paths.keySet(), name, ex);
		}
	}

	private @Nullable Finding path(String name, FilePath path, String text, Budget budget)
			throws UnreadableValueException {
		List<PathGlob> denied = this.paths.getOrDefault(DENY_PATHS, List.of());
		for (int i = 0; i < denied.size(); i++) {
			budget.spend((long) READING * text.length() * (1 + path.readings().size() / 4));
			if (matches(path, denied.subList(i, i + 1))) {
				return new Finding(DENY_PATHS, String.valueOf(i), name, "it names a path that is denied");
			}
		}
		List<PathGlob> allowed = this.paths.get(ALLOW_PATHS);
		budget.spend((allowed != null) ? (long) READING * text.length() * allowed.size() : 0);
		return (allowed == null || matches(path, allowed)) ? null
				: new Finding(ALLOW_PATHS, null, name, "it names a path that is not allowed");
	}

	private static boolean matches(FilePath path, List<PathGlob> globs) throws UnreadableValueException {
		return path.agreed((reading) -> matches(reading, globs, true), (reading) -> matches(reading, globs, false));
	}

	private static boolean matches(String reading, List<PathGlob> globs, boolean exactly) {
		String path = FilePath.expanded(reading);
		return globs.stream().anyMatch((glob) -> glob.matches(path, exactly));
	}

	/** Words with a slash are paths, and any may be a file or a host that is denied. */
	private @Nullable Finding command(String name, String text, Budget budget) {
		for (String word : WordParts.ofCommand(text)) {
			Finding found = word(name, word, budget);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private @Nullable Finding word(String name, String word, Budget budget) {
		if (word.isBlank()) {
			return null;
		}
		budget.spend(ONCE);
		Finding found = (this.paths.isEmpty()) ? null : pathInWord(name, word, budget);
		if (found == null && !this.hosts.isEmpty()) {
			found = urlsIn(name, word, true, budget);
		}
		if (found == null && this.hosts.containsKey(DENY_HOSTS)) {
			budget.spend((long) READING * word.length());
			for (String part : WordParts.hosts(word)) {
				found = (found != null) ? found : deniedHost(name, part);
			}
		}
		return found;
	}

	private @Nullable Finding pathInWord(String name, String word, Budget budget) {
		String value = word.substring(word.indexOf('=') + 1);
		boolean isPath = (value.indexOf('/') >= 0 || value.indexOf('\\') >= 0 || value.startsWith("~"))
				&& !value.contains("://") && !value.startsWith("-");
		Finding found = (isPath) ? path(name, value, budget) : null;
		if (found != null || !this.paths.containsKey(DENY_PATHS)) {
			return found;
		}
		for (String part : WordParts.paths(word)) {
			budget.spend(ONCE);
			found = (found != null) ? found : deniedPath(name, part, budget);
		}
		return found;
	}

	/**
	 * Whether a part of a word, in which a shell may put names of files, may be denied.
	 */
	private @Nullable Finding deniedPath(String name, String part, Budget budget) {
		try {
			FilePath path = FilePath.of(part, this.base);
			List<PathGlob> denied = this.paths.getOrDefault(DENY_PATHS, List.of());
			for (int i = 0; i < denied.size(); i++) {
				PathGlob glob = denied.get(i);
				budget.spend((long) READING * part.length() * (1 + path.readings().size() / 4));
				if (path.readings().stream().anyMatch((reading) -> glob.mayMatch(FilePath.expanded(reading)))) {
					return new Finding(DENY_PATHS, String.valueOf(i), name, "it names a path that is denied");
				}
			}
		}
		catch (UnreadableValueException ex) {
			// Most words are no paths.
		}
		return null;
	}

	private @Nullable Finding deniedHost(String name, String word) {
		try {
			Finding found = host(name, HostName.of(word));
			return (found != null && found.option().equals(DENY_HOSTS)) ? found : null;
		}
		catch (UnreadableValueException ex) {
			return null;
		}
	}

	private static Finding unreadable(Set<String> options, String name, UnreadableValueException ex) {
		return new Finding(options.iterator().next(), null, name, "it cannot be read: " + ex.reason());
	}

	/** A position of {@code null} cannot be said; the reason is without the value. */
	record Finding(String option, @Nullable String position, String argument, String why) {
	}

}
