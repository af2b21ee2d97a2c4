package io.agenthooks.sample.tools;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/** The tools that work on the files of the workspace. */
@Component
class FileTools {

	private static final int MAX_FILE_BYTES = 1024 * 1024;

	private static final String PATH = "The path of the file in the workspace";

	private final Workspace workspace;

	FileTools(Workspace workspace) {
		this.workspace = workspace;
	}

	@Tool(name = "read_file", description = "Read a text file", resultConverter = PlainText.class)
	String read(@ToolParam(description = PATH) String path) throws IOException {
		Path file = this.workspace.resolveFile(path);
		if (Files.size(file) > MAX_FILE_BYTES) {
			throw new ToolFailedException("The file is larger than %d bytes".formatted(MAX_FILE_BYTES));
		}
		try {
			return Files.readString(file);
		}
		catch (CharacterCodingException ex) {
			throw new ToolFailedException("The file is not text in UTF-8");
		}
	}

	@Tool(name = "write_file", description = "Write a text file, in place of the one that is there",
			resultConverter = PlainText.class)
	String write(@ToolParam(description = PATH) String path,
			@ToolParam(description = "All that the file is to hold") String content) throws IOException {
		Path file = this.workspace.resolve(path);
		if (Files.exists(file) && !Files.isRegularFile(file)) {
			throw new ToolFailedException("There is something at this path that is not a file");
		}
		PlainText.check("content", content);
		Files.createDirectories(file.getParent());
		Files.writeString(file, content);
		return "Wrote %d characters".formatted(content.length());
	}

	@Tool(name = "list_directory", description = "List the files of a directory", resultConverter = PlainText.class)
	String list(
			@ToolParam(required = false,
					description = "The path of the directory; without it, the whole workspace") @Nullable String path)
			throws IOException {
		Path directory = this.workspace.resolve(Objects.requireNonNullElse(path, "."));
		if (!Files.isDirectory(directory)) {
			throw new ToolFailedException("There is no such directory in the workspace");
		}
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.sorted().map(FileTools::describe).collect(Collectors.joining("\n"));
		}
	}

	@Tool(name = "delete_file", description = "Delete a file", resultConverter = PlainText.class)
	String delete(@ToolParam(description = PATH) String path) throws IOException {
		Files.delete(this.workspace.resolveFile(path));
		return "Deleted the file";
	}

	private static String describe(Path entry) {
		boolean directory = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
		return entry.getFileName() + ((directory) ? "/" : "");
	}

}
