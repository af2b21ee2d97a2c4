package io.agenthooks.spring.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.util.StringUtils;

/**
 * The place in a file of a character of a text that is written there. It compares what is
 * visible, and says nothing rather than something wrong.
 */
final class PlaceInText {

	private PlaceInText() {
	}

	/**
	 * Find the place, such as {@code application.yaml:6:23}; {@code null} if it is not
	 * certain.
	 */
	static @Nullable String find(Origin origin, String text, int position) {
		if (!(origin instanceof TextResourceOrigin written) || written.getLocation() == null
				|| written.getResource() == null || position > text.length()) {
			return null;
		}
		try {
			List<String> lines = written.getResource().getContentAsString(StandardCharsets.UTF_8).lines().toList();
			int[] place = find(lines, written.getLocation(), text, position);
			return (place != null) ? "%s:%d:%d".formatted(ConfigProblem.file(written.getResource()), place[0] + 1,
					lines.get(place[0]).codePointCount(0, place[1]) + 1) : null;
		}
		catch (IOException | IndexOutOfBoundsException ex) {
			// The file is another one by now.
			return null;
		}
	}

	private static int @Nullable [] find(List<String> lines, TextResourceOrigin.Location start, String text,
			int position) {
		int line = start.getLine();
		int at = lines.get(line).offsetByCodePoints(0, start.getColumn());
		char sign = lines.get(line).charAt(at);
		if (sign == '|' || sign == '>') {
			line++;
			at = 0;
		}
		else if (sign == '\'' || sign == '"') {
			at++;
		}
		for (int i = 0; i < text.length(); i++) {
			boolean visible = !Character.isWhitespace(text.charAt(i));
			if (visible) {
				while (!StringUtils.hasText(lines.get(line).substring(at))) {
					line++;
					at = 0;
				}
				at = indexOf(lines.get(line), at, text.charAt(i));
			}
			if (at < 0 || i == position) {
				return (at >= 0) ? new int[] { line, at } : null;
			}
			at += (visible) ? 1 : 0;
		}
		return new int[] { line, at };
	}

	/**
	 * The next visible character, if it is this one, perhaps behind a sign that YAML
	 * wants before it in quotes.
	 */
	private static int indexOf(String line, int from, char ch) {
		int at = visible(line, from);
		if (line.charAt(at) != ch && (line.charAt(at) == '\\' || line.charAt(at) == '\'')) {
			at = visible(line, at + 1);
		}
		return (line.charAt(at) == ch) ? at : -1;
	}

	private static int visible(String line, int from) {
		int at = from;
		while (Character.isWhitespace(line.charAt(at))) {
			at++;
		}
		return at;
	}

}
