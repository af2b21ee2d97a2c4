package io.agenthooks.spring.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedResource;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;
import org.springframework.util.StringUtils;

/**
 * The place in a file of a character of a text on one line; nothing rather than something
 * wrong.
 */
final class PlaceInText {

	private PlaceInText() {
	}

	/** Null if the place is not certain. */
	static @Nullable String find(Origin origin, String text, int position) {
		if (!(origin instanceof TextResourceOrigin written) || written.getLocation() == null
				|| written.getResource() == null || position > text.length()) {
			return null;
		}
		try {
			List<String> lines = written.getResource().getContentAsString(StandardCharsets.UTF_8).lines().toList();
			int line = written.getLocation().getLine();
			int at = find(lines.get(line), written.getLocation().getColumn(), text, position);
			return (at >= 0) ? "%s:%d:%d".formatted(file(written.getResource()), line + 1,
					lines.get(line).codePointCount(0, at) + 1) : null;
		}
		catch (IOException | IndexOutOfBoundsException ex) {
			// The file is another one by now.
			return null;
		}
	}

	static String place(@Nullable Origin origin, String otherwise) {
		if (origin instanceof TextResourceOrigin text) {
			TextResourceOrigin.Location location = text.getLocation();
			String file = file(text.getResource());
			return (location != null) ? "%s:%d:%d".formatted(file, location.getLine() + 1, location.getColumn() + 1)
					: file;
		}
		return (origin != null) ? origin.toString() : otherwise;
	}

	static String file(@Nullable Resource resource) {
		Resource file = (resource instanceof OriginTrackedResource tracked) ? tracked.getResource() : resource;
		if (file instanceof ClassPathResource classPath) {
			return classPath.getPath();
		}
		if (file instanceof FileSystemResource fileSystem) {
			return fileSystem.getPath();
		}
		if (file instanceof UrlResource url && url.isFile()) {
			return StringUtils.cleanPath(url.getURL().getPath());
		}
		return (file != null) ? file.getDescription() : "configuration";
	}

	private static int find(String line, int column, String text, int position) {
		int at = line.offsetByCodePoints(0, column);
		at += (line.charAt(at) == '\'' || line.charAt(at) == '"') ? 1 : 0;
		for (int i = 0; i < text.length(); i++) {
			// YAML wants a sign before some others in quotes.
			at += (line.charAt(at) != text.charAt(i) && "\\'".indexOf(line.charAt(at)) >= 0) ? 1 : 0;
			if (i == position || line.charAt(at) != text.charAt(i)) {
				return (line.charAt(at) == text.charAt(i)) ? at : -1;
			}
			at++;
		}
		return at;
	}

}
