package io.agenthooks.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.FileSystemUtils;

/**
 * Makes a temporary folder for questions and the audit, which is deleted when the sample
 * has ended. With {@code sample.home} they stay.
 */
class SampleHome implements EnvironmentPostProcessor {

	private static final String PROPERTY = "sample.home";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		if (!environment.containsProperty(PROPERTY)) {
			Path folder = create();
			SpringApplication.getShutdownHandlers().add(() -> delete(folder));
			environment.getPropertySources()
				.addLast(new MapPropertySource("sample-home", Map.of(PROPERTY, folder.toString())));
		}
	}

	private static Path create() {
		try {
			return Files.createTempDirectory("agent-hooks-sample-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void delete(Path folder) {
		try {
			FileSystemUtils.deleteRecursively(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
