package io.agenthooks.sample.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.agenthooks.sample.SampleProperties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Workspace}.
 */
class WorkspaceTests {

	@TempDir
	private Path directory;

	private Workspace workspace;

	@BeforeEach
	void openWorkspace() throws IOException {
		this.workspace = TestTools.workspace(this.directory.resolve("workspace"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a.txt", "./a.txt", "x/y/a.txt", "a..b", "...", ".", "" })
	void resolveWhenPathIsInsideGivesPlaceInWorkspace(String path) throws Exception {
		assertThat(this.workspace.resolve(path)).startsWithRaw(this.workspace.root());
	}

	@ParameterizedTest
	@ValueSource(strings = { "..", "../a.txt", "x/../../a.txt", "x/../a.txt", "x/..", "/", "/etc/passwd",
			"//etc/passwd", "a\0b" })
	void resolveWhenPathLeadsOutIsRefused(String path) {
		assertThatExceptionOfType(ToolFailedException.class).isThrownBy(() -> this.workspace.resolve(path))
			.withMessageStartingWith("The path");
	}

	@ParameterizedTest
	@ValueSource(strings = { "link", "link/", "link/secret.txt", "link/new.txt", "inner/link", "dangling", "./link" })
	void resolveWhenPathGoesThroughSymbolicLinkIsRefused(String path) throws IOException {
		Path outside = Files.createDirectory(this.directory.resolve("outside"));
		Files.writeString(outside.resolve("secret.txt"), "secret");
		Path root = this.workspace.root();
		Files.createDirectory(root.resolve("inner"));
		Files.createSymbolicLink(root.resolve("link"), outside);
		Files.createSymbolicLink(root.resolve("inner/link"), root);
		Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("new.txt"));
		assertThatExceptionOfType(ToolFailedException.class).isThrownBy(() -> this.workspace.resolve(path))
			.withMessage("The path must not go through a symbolic link");
	}

	@Test
	void createWhenWorkspaceIsSymbolicLinkWorksInItsTarget() throws Exception {
		Path target = Files.createDirectory(this.directory.resolve("target"));
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), target);
		assertThat(TestTools.workspace(link).resolve("a.txt")).isEqualTo(target.toRealPath().resolve("a.txt"));
	}

	@Test
	void temporaryWorkspaceIsDeletedWithTheApplication() throws IOException {
		Path outside = Files.writeString(this.directory.resolve("outside.txt"), "kept");
		Path root;
		try (AnnotationConfigApplicationContext context = application("")) {
			root = context.getBean(Workspace.class).root();
			Files.createDirectory(root.resolve("inner"));
			Files.writeString(root.resolve("inner/a.txt"), "a");
			Files.createSymbolicLink(root.resolve("inner/link"), outside.getParent());
		}
		assertThat(root).doesNotExist();
		assertThat(outside).exists();
	}

	@Test
	void workspaceThatIsConfiguredStays() throws IOException {
		Path root;
		try (AnnotationConfigApplicationContext context = application(this.directory.toString())) {
			root = context.getBean(Workspace.class).root();
		}
		assertThat(root).exists();
	}

	private static AnnotationConfigApplicationContext application(String workspace) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.registerBean(SampleProperties.class, workspace, false, Duration.ZERO,
				new SampleProperties.Approvals("", "example.com"));
		context.register(Workspace.class);
		context.refresh();
		return context;
	}

	@Test
	void resolveFileWhenThereIsDirectoryIsRefused() throws IOException {
		Files.createDirectory(this.workspace.root().resolve("inner"));
		assertThatExceptionOfType(ToolFailedException.class).isThrownBy(() -> this.workspace.resolveFile("inner"));
	}

}
