package io.agenthooks.test;

import java.nio.charset.StandardCharsets;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * The file that the configuration comes from, so that Spring Boot reads it as that of an
 * application, with its documents, profiles and imports. A text is taken for a file, too.
 */
record ConfigFile(String location, ResourceLoader resources, boolean isBlank) {

	private static final String TEXT = "YAML text";

	private static final String TEXT_LOCATION = "classpath:/agent-hooks-yaml-text.yaml";

	static ConfigFile ofLocation(String location) {
		return new ConfigFile(location, new DefaultResourceLoader(), false);
	}

	static ConfigFile ofText(String yaml) {
		Resource text = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), TEXT) {

			@Override
			public String getDescription() {
				return TEXT;
			}

		};
		return new ConfigFile(TEXT_LOCATION, new DefaultResourceLoader() {

			@Override
			public Resource getResource(String location) {
				return (location.equals(TEXT_LOCATION)) ? text : super.getResource(location);
			}

		}, yaml.isBlank());
	}

	@Override
	public String toString() {
		return (this.location.equals(TEXT_LOCATION)) ? "The " + TEXT : "'" + this.location + "'";
	}

}
