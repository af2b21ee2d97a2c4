package io.agenthooks.spring.binding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.Sources;

/**
 * What the Javadoc of the sources says of a type and of its {@code @param}s: read with
 * the compiler's own parser, so that a description is written once.
 */
final class SourceComments {

	private static final List<Path> ROOTS = Sources.modules().map((module) -> module.resolve("src/main/java")).toList();

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	private final Map<String, Map<String, String>> types = new HashMap<>();

	/**
	 * The first sentence about a type.
	 */
	@Nullable String of(Class<?> type) {
		return comments(type).get("");
	}

	/**
	 * What is said of a parameter.
	 * @param uniformName its name without case and dashes
	 */
	@Nullable String of(Class<?> type, String uniformName) {
		return comments(type).get(uniformName);
	}

	private Map<String, String> comments(Class<?> type) {
		if (!this.types.containsKey(type.getName())) {
			parse(type.getName().replaceFirst("\\$.*", ""));
		}
		return this.types.getOrDefault(type.getName(), Map.of());
	}

	private void parse(String type) {
		for (Path root : ROOTS) {
			Path file = root.resolve(type.replace('.', '/') + ".java");
			if (Files.exists(file)) {
				parse(file, type);
			}
		}
	}

	private void parse(Path file, String type) {
		try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) COMPILER.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjects(file));
			DocTrees docs = DocTrees.instance(task);
			for (CompilationUnitTree unit : task.parse()) {
				new TypeScanner(docs, type).scan(new TreePath(unit), null);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(List<? extends DocTree> trees) {
		return trees.stream()
			.map(Object::toString)
			.collect(Collectors.joining())
			.replaceAll("\\{@(?:code|literal)\\s+([^}]*)}", "'$1'")
			.replaceAll("\\{@(?:link|linkplain)\\s+\\S+\\s+([^}]*)}", "$1")
			.replaceAll("\\{@(?:link|linkplain)\\s+([^}]*)}", "$1")
			.replaceAll("<[^>]*>", "")
			.replaceAll("\\s+", " ")
			.strip();
	}

	/**
	 * Remembers the comments of a type and of those inside it.
	 */
	private final class TypeScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {

		private final DocTrees docs;

		private String name;

		TypeScanner(DocTrees docs, String type) {
			this.docs = docs;
			this.name = type;
		}

		@Override
		public @Nullable Void visitClass(ClassTree tree, @Nullable Void unused) {
			String outer = this.name;
			String simpleName = tree.getSimpleName().toString();
			this.name = (outer.endsWith("." + simpleName)) ? outer : outer + "$" + simpleName;
			DocCommentTree comment = this.docs.getDocCommentTree(getCurrentPath());
			if (comment != null) {
				Map<String, String> comments = SourceComments.this.types.computeIfAbsent(this.name,
						(name) -> new HashMap<>());
				comments.put("", text(comment.getFirstSentence()));
				for (DocTree tag : comment.getBlockTags()) {
					if (tag instanceof ParamTree parameter) {
						comments.put(PropertyNode.uniform(parameter.getName().toString()),
								text(Objects.requireNonNull(parameter.getDescription())));
					}
				}
			}
			super.visitClass(tree, null);
			this.name = outer;
			return null;
		}

	}

}
