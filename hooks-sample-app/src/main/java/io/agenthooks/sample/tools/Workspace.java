package io.agenthooks.sample.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.StringUtils;

import io.agenthooks.sample.SampleProperties;

/** The folder that the agent works in, and the only one that its file tools reach. */
@Component
class Workspace {

	private static final Logger logger = LoggerFactory.getLogger(Workspace.class);

	private static final Path PARENT = Path.of("..");

	private final Path root;

	private final boolean isTemporary;

	Workspace(SampleProperties properties) throws IOException {
		this.isTemporary = !StringUtils.hasText(properties.workspace());
		Path folder = (this.isTemporary) ? Files.createTempDirectory("agent-hooks-workspace-")
				: Files.createDirectories(Path.of(properties.workspace()));
		this.root = folder.toRealPath();
	}

	@PostConstruct
	void announce() {
		logger.info("The agent works in {}", this.root);
	}

	/** A temporary folder ends with the application. What links in it point to stays. */
	@PreDestroy
	void delete() {
		if (this.isTemporary) {
			try {
				FileSystemUtils.deleteRecursively(this.root);
			}
			catch (IOException ex) {
				logger.warn("{} could not be deleted: {}", this.root, ex.getClass().getName());
			}
		}
	}

	Path root() {
		return this.root;
	}

	/**
	 * The place of a path that the agent wrote. No path leads out of the workspace, and
	 * none goes through a symbolic link, wherever that points.
	 */
	Path resolve(String path) {
		Path relative = parse(path);
		if (relative.isAbsolute()) {
			throw new ToolFailedException("The path must be relative to the workspace");
		}
		Path place = this.root;
		for (Path name : relative) {
			place = place.resolve(name);
			if (name.equals(PARENT)) {
				throw new ToolFailedException("The path must not hold '..'");
			}
			if (Files.isSymbolicLink(place)) {
				throw new ToolFailedException("The path must not go through a symbolic link");
			}
		}
		return place.normalize();
	}

	/**
	 * The place of a file that is there. Pipes and devices are no files: reading one may
	 * never end.
	 */
	Path resolveFile(String path) {
		Path file = resolve(path);
		if (!Files.isRegularFile(file)) {
			throw new ToolFailedException("There is no such file in the workspace");
		}
		return file;
	}

	private static Path parse(String path) {
		try {
			return Path.of(path);
		}
		catch (InvalidPathException ex) {
			throw new ToolFailedException("The path is not one that this machine knows");
		}
	}

}
