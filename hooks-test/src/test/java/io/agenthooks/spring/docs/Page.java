package io.agenthooks.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param file where it is
 * @param path its path in the repository
 * @param lines its lines
 * @param blocks its blocks of code
 */
record Page(Path file, String path, List<String> lines, List<Block> blocks) {

	private static final String FENCE = "```";

	/**
	 * The root of the repository, from whichever of its folders the tests run.
	 */
	static Path root() {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.isDirectory(folder.resolve("hooks-core"))) {
			folder = Objects.requireNonNull(folder.getParent(), "No folder of the project");
		}
		return folder;
	}

	/**
	 * The README, all pages of {@code docs}, and the README of the sample.
	 */
	static List<Page> all() {
		Path root = root();
		List<Path> files = new ArrayList<>(List.of(root.resolve("README.md")));
		try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
			docs.filter((file) -> file.toString().endsWith(".md")).sorted().forEach(files::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		files.add(root.resolve("hooks-sample-app/README.md"));
		return files.stream().map((file) -> read(root, file)).toList();
	}

	/**
	 * A page, or any other file of Markdown.
	 */
	static Page read(Path root, Path file) {
		String path = root.relativize(file).toString();
		try {
			List<String> lines = Files.readAllLines(file);
			return new Page(file, path, lines, blocks(path, lines));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Block> blocks(String path, List<String> lines) {
		List<Block> blocks = new ArrayList<>();
		List<String> notes = new ArrayList<>();
		for (int i = 0; i < lines.size(); i++) {
			String line = lines.get(i);
			if (line.startsWith("<!--")) {
				int last = i;
				while (!lines.get(last).endsWith("-->")) {
					last++;
				}
				String note = String.join("\n", lines.subList(i, last + 1));
				notes.add(note.substring("<!--".length(), note.length() - "-->".length()).strip());
				i = last;
			}
			else if (line.strip().startsWith(FENCE)) {
				int indent = line.indexOf(FENCE);
				int end = i + 1;
				StringBuilder text = new StringBuilder();
				while (!lines.get(end).strip().equals(FENCE)) {
					String within = lines.get(end++);
					text.append((within.isBlank()) ? "" : within.substring(indent)).append('\n');
				}
				blocks.add(new Block(path, i + 1, line.strip().substring(FENCE.length()), text.toString(),
						List.copyOf(notes)));
				notes.clear();
				i = end;
			}
			else if (!line.isBlank()) {
				notes.clear();
			}
		}
		return List.copyOf(blocks);
	}

	String fileName() {
		return Objects.requireNonNull(this.file.getFileName()).toString();
	}

	/**
	 * The name of the page as that of a Java package.
	 */
	String packageName() {
		String name = fileName().replace(".md", "");
		return ((this.path.contains("/")) ? "docs." : "") + name.toLowerCase(Locale.ROOT).replace('-', '_');
	}

	/**
	 * The lines outside of blocks and comments.
	 */
	List<String> prose() {
		List<String> prose = new ArrayList<>();
		boolean code = false;
		boolean comment = false;
		for (String line : this.lines) {
			comment |= line.startsWith("<!--");
			if (line.strip().startsWith(FENCE)) {
				code = !code;
			}
			else if (!code && !comment) {
				prose.add(line);
			}
			comment &= !line.endsWith("-->");
		}
		return prose;
	}

	/**
	 * What a link may have behind its {@code #}, as GitHub makes it of headings.
	 */
	List<String> anchors() {
		return prose().stream()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("^#+ ", "")
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\p{L}\\p{N} _-]", "")
				.replace(' ', '-'))
			.toList();
	}

	@Override
	public String toString() {
		return this.path;
	}

}
