package io.agenthooks.policy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A URL, as all clients read it. One of which they do not agree where its host begins and
 * ends is not read.
 *
 * @param scheme the scheme, in lower case
 * @param user the name before the host, or empty
 * @param host the host in its {@linkplain HostName one spelling}, or empty if the scheme
 * has none
 * @param port the port, that of the scheme if none is written, or -1
 * @param path the path without percent signs, {@code .} and {@code ..}, or {@code null}
 * if servers do not agree what it is
 * @since 0.1.0
 */
public record WebAddress(String scheme, String user, String host, int port, @Nullable String path) {

	private static final int MAX_LENGTH = 100_000;

	private static final int MAX_PORT = 65_535;

	private static final Map<String, Integer> PORTS = Map.of("http", 80, "https", 443, "ws", 80, "wss", 443, "ftp", 21);

	/** Another URL behind what some split a list at. */
	private static final Pattern ANOTHER = Pattern.compile("[\\s,;|][A-Za-z][A-Za-z0-9+.-]{0,31}:[/\\\\]{2}");

	/** Schemes of which nothing is behind slashes. */
	private static final Set<String> WITHOUT_HOST = Set.of("mailto", "data", "javascript", "tel", "sms", "urn",
			"about");

	/**
	 * Read a URL.
	 * @param written the URL as it is written
	 * @return what it is
	 * @throws UnreadableValueException if it is none, or clients do not agree which
	 */
	public static WebAddress of(String written) throws UnreadableValueException {
		if (written.length() > MAX_LENGTH) {
			throw new UnreadableValueException("it is too long for a URL");
		}
		String text = written.strip();
		int colon = 0;
		while (colon < text.length() && HostCharacters.isOfScheme(text.charAt(colon))) {
			colon++;
		}
		if (colon == 0 || colon == text.length() || text.charAt(colon) != ':'
				|| !HostCharacters.isLetter(text.charAt(0))) {
			throw new UnreadableValueException("it has no scheme such as https");
		}
		if (ANOTHER.matcher(text).find()) {
			throw new UnreadableValueException("it has several URLs");
		}
		String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
		if (text.startsWith("//", colon + 1)) {
			return behindSlashes(scheme, text.substring(colon + 3));
		}
		if (!WITHOUT_HOST.contains(scheme)) {
			throw new UnreadableValueException("there are no two slashes behind its scheme");
		}
		return new WebAddress(scheme, "", "", -1, null);
	}

	/** Whether another URL begins behind a sign. */
	static boolean isAnother(String text, int sign) {
		return ",;|".indexOf(text.charAt(sign)) >= 0
				&& ANOTHER.matcher(text).region(sign, Math.min(text.length(), sign + 40)).lookingAt();
	}

	private static WebAddress behindSlashes(String scheme, String rest) throws UnreadableValueException {
		int end = 0;
		while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
			end++;
		}
		String authority = rest.substring(0, end);
		if (!authority.chars().allMatch((character) -> isOfAuthority((char) character))) {
			throw new UnreadableValueException("clients do not agree where its host ends");
		}
		if (end < rest.length() && rest.charAt(end) != '/' && rest.startsWith("@", end + 1)) {
			throw new UnreadableValueException("clients do not agree where its host ends");
		}
		int at = authority.indexOf('@');
		if (at != authority.lastIndexOf('@')) {
			throw new UnreadableValueException("it has several signs @ before its path");
		}
		String user = (at >= 0) ? authority.substring(0, at) : "";
		int password = user.indexOf(':');
		String name = authority.substring(at + 1);
		int number = PORTS.getOrDefault(scheme, -1);
		int colon = name.indexOf(':', Math.max(0, name.lastIndexOf(']')));
		if (colon >= 0) {
			number = port(name.substring(colon + 1), number);
			name = name.substring(0, colon);
		}
		if (name.isEmpty() && (PORTS.containsKey(scheme) || !authority.isEmpty())) {
			throw new UnreadableValueException("it has no host");
		}
		return new WebAddress(scheme, (password >= 0) ? user.substring(0, password) : user,
				(name.isEmpty()) ? "" : HostName.of(name), number, path(rest.substring(end)));
	}

	private static boolean isOfAuthority(char character) {
		return character > ' ' && character != 0x7F && "\\\"'<>`|{}^,;()".indexOf(character) < 0
				&& !Character.isWhitespace(character) && !Character.isSpaceChar(character)
				// Signs that become one that ends a host in some clients.
				&& "\uFF0F\uFF1F\uFF03\uFF20\uFF3C\uFF1A\u2044\u2215\u2100\u2101\u2105\u2106\uFE5F\uFE6B\uFE68"
					.indexOf(character) < 0;
	}

	private static int port(String written, int usual) throws UnreadableValueException {
		if (written.isEmpty()) {
			return usual;
		}
		if (!written.matches("[0-9]{1,5}") || Integer.parseInt(written) > MAX_PORT) {
			throw new UnreadableValueException("its port is no number of a port");
		}
		return Integer.parseInt(written);
	}

	/**
	 * The path that is meant, or {@code null} if servers do not agree: some decode once
	 * more, or take a backslash for a slash.
	 */
	private static @Nullable String path(String rest) {
		int end = 0;
		while (end < rest.length() && "?#".indexOf(rest.charAt(end)) < 0) {
			end++;
		}
		String decoded = PercentEncoding.decode(rest.substring(0, end));
		String lower = rest.substring(0, end).toLowerCase(Locale.ROOT);
		if (lower.contains("%2f") || decoded.indexOf('\\') >= 0 || decoded.indexOf('%') >= 0
				|| decoded.indexOf(';') >= 0 || decoded.chars().anyMatch(Character::isISOControl)) {
			return null;
		}
		Deque<String> segments = new ArrayDeque<>();
		for (String segment : decoded.split("/", -1)) {
			if (segment.equals("..")) {
				segments.pollLast();
			}
			else if (!segment.equals(".") && !segment.isEmpty()) {
				segments.addLast(segment);
			}
		}
		boolean isFolder = decoded.endsWith("/") || decoded.endsWith("/.") || decoded.endsWith("/..");
		return "/" + String.join("/", segments) + ((isFolder && !segments.isEmpty()) ? "/" : "");
	}

	/**
	 * Whether it leads to the own machine or network, as far as that can be told from its
	 * text.
	 * @return whether it does
	 */
	public boolean isInternal() {
		return (this.host.isEmpty()) ? !WITHOUT_HOST.contains(this.scheme) : HostName.isInternal(this.host);
	}

}
