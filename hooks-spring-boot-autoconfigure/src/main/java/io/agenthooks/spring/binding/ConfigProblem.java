package io.agenthooks.spring.binding;

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
 * A mistake in the configuration: where it is, what is wrong, what to write instead.
 * Never quotes a value that may be secret.
 */
record ConfigProblem(String property, String place, String message, String action) {

	static ConfigProblem of(PropertyNode node, String message, String action) {
		return new ConfigProblem(node.path(), node.place(), message, action);
	}

	/** The problem of the property, as a sentence. */
	String sentence() {
		return (Character.isUpperCase(this.message.charAt(0))) ? "%s: %s".formatted(quoted(this.property), this.message)
				: "%s %s.".formatted(quoted(this.property), this.message);
	}

	/** A property in quotes, unless it has some itself: quotes within quotes mislead. */
	static String quoted(String property) {
		return (property.indexOf('\'') >= 0) ? property : "'" + property + "'";
	}

	/** The place of something that is written, such as {@code application.yaml:6:23}. */
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

}
