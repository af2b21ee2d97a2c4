package io.agenthooks.sample.tools;

import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The tools that work on the files of the workspace.
 */
@Configuration(proxyBeanMethods = false)
class FileTools {

	private static final int MAX_FILE_BYTES = 1024 * 1024;

	@Bean
	Tool readFile(Workspace workspace) {
		return Tool.of("read_file", (arguments) -> {
			Path file = workspace.resolveFile(arguments.text("path"));
			if (Files.size(file) > MAX_FILE_BYTES) {
				throw new ToolFailedException("The file is larger than %d bytes".formatted(MAX_FILE_BYTES));
			}
			try {
				return Files.readString(file);
			}
			catch (CharacterCodingException ex) {
				throw new ToolFailedException("The file is not text in UTF-8");
			}
		});
	}

	@Bean
	Tool writeFile(Workspace workspace) {
		return Tool.of("write_file", (arguments) -> {
			Path file = workspace.resolve(arguments.text("path"));
			String content = arguments.text("content");
			if (Files.exists(file) && !Files.isRegularFile(file)) {
				throw new ToolFailedException("There is something at this path that is not a file");
			}
			Files.createDirectories(file.getParent());
			Files.writeString(file, content);
			return "Wrote %d characters".formatted(content.length());
		});
	}

	@Bean
	Tool listDirectory(Workspace workspace) {
		return Tool.of("list_directory", (arguments) -> {
			Path directory = workspace.resolve(arguments.text("path", "."));
			if (!Files.isDirectory(directory)) {
				throw new ToolFailedException("There is no such directory in the workspace");
			}
			try (Stream<Path> entries = Files.list(directory)) {
				return entries.sorted().map(FileTools::describe).collect(Collectors.joining("\n"));
			}
		});
	}

	@Bean
	Tool deleteFile(Workspace workspace) {
		return Tool.of("delete_file", (arguments) -> {
			Files.delete(workspace.resolveFile(arguments.text("path")));
			return "Deleted the file";
		});
	}

	private static String describe(Path entry) {
		boolean directory = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
		return entry.getFileName() + ((directory) ? "/" : "");
	}

}
