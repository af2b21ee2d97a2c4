package io.agenthooks.spring.cel;

import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.policy.ArgumentKind;

/**
 * The functions to write in place of looking at the text of an address, a URL or a path,
 * which is passed by what stands around it.
 */
final class SafeForms {

	private static final Map<String, ArgumentKind> FORMATS = Map.of("email", ArgumentKind.MAIL, "idn-email",
			ArgumentKind.MAIL, "uri", ArgumentKind.URL, "url", ArgumentKind.URL, "uri-reference", ArgumentKind.URL,
			"iri", ArgumentKind.URL, "hostname", ArgumentKind.URL, "path", ArgumentKind.PATH);

	private SafeForms() {
	}

	/**
	 * {@code null} if the text is no such thing, or all of it is looked at. The label, in
	 * words, and the format of its schema may be {@code null}.
	 */
	static @Nullable String instead(String function, @Nullable Object written, @Nullable String label,
			@Nullable String format) {
		if (label == null) {
			return null;
		}
		String argument = label.replaceAll("(?:\\.\\w+\\(\\))+$", "").replace("an element of ", "");
		int dot = argument.lastIndexOf('.');
		if (dot < 0) {
			return null;
		}
		ArgumentKind kind = (format != null) ? FORMATS.get(format.toLowerCase(Locale.ROOT)) : null;
		kind = (kind != null) ? kind : ArgumentKind.of(argument.substring(dot + 1));
		if (function.equals("matches") && written instanceof String regex && isAnchored(regex, kind)) {
			return null;
		}
		String name = SafeText.name(argument);
		return switch (kind) {
			case MAIL ->
				"Write mails(%s).all(m, m.domain == 'example.com'), which reads all addresses.".formatted(name);
			case URL -> "Write url(%s).host.under('example.com'), which reads the host.".formatted(name);
			case PATH -> "Write path(%s, '/folder').under('/folder'), or path(%s).name or .ext, which read the path."
				.formatted(name, name);
			case COMMAND, OTHER -> null;
		};
	}

	private static boolean isAnchored(String regex, ArgumentKind kind) {
		// Anything may be another address, or .., but not behind the host of a URL.
		String rest = (kind == ArgumentKind.URL) ? regex.replaceFirst("/\\.[*+]\\$$", "\\$") : regex;
		return (regex.startsWith("^") || regex.startsWith("\\A")) && (regex.endsWith("$") || regex.endsWith("\\z"))
				&& !regex.endsWith("\\$") && (regex.indexOf('|') < 0 || regex.matches("\\^\\([^()]*\\)\\$"))
				&& !rest.contains(".*") && !rest.contains(".+");
	}

}
