package io.agenthooks.spring.guard;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.binding.InvalidFeatureException;

/**
 * Thrown at the start if the application has a library whose calls cannot be guarded: it
 * is too old, or its version is unknown.
 *
 * @since 0.1.0
 */
public final class UnsupportedLibraryException extends InvalidFeatureException {

	private static final long serialVersionUID = 1L;

	public UnsupportedLibraryException(String description, String action) {
		super(description, action, null);
	}

	/**
	 * The version of a library that Maven built.
	 * @param artifact its group, a slash, and its name
	 * @param classLoader finds the library
	 * @return the version, or "an unknown version" if the library does not tell it
	 */
	public static String versionOf(String artifact, @Nullable ClassLoader classLoader) {
		Properties properties = new Properties();
		String place = "META-INF/maven/" + artifact + "/pom.properties";
		try (InputStream file = (classLoader != null) ? classLoader.getResourceAsStream(place)
				: ClassLoader.getSystemResourceAsStream(place)) {
			if (file != null) {
				properties.load(file);
			}
		}
		catch (IOException ex) {
			// Nothing is known.
		}
		return properties.getProperty("version", "an unknown version");
	}

}
