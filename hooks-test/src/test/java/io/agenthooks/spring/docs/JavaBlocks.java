package io.agenthooks.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;

/**
 * Compiles all Java blocks at once, each page as a package of its own, so that the blocks
 * of a page may build on each other. Imports hold for the blocks after them, too. A block
 * may be a whole file, members of a class, or statements.
 * <p>
 * Comments before a block may add what nobody needs to see: {@code <!-- given: class
 * MyTools {} -->}, and {@code <!-- with: ToolHooks toolHooks -->} for what statements
 * use. {@code <!-- class: Beans -->} names the class of members.
 */
final class JavaBlocks {

	private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]+;\\R?");

	private static final JavaCompiler COMPILER = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(),
			"A JDK is needed");

	private final Path folder;

	private final ClassLoader classes;

	private final Set<Block> blocks = new LinkedHashSet<>();

	private final List<String> mistakes = new ArrayList<>();

	/**
	 * Compile what the pages show.
	 * @param pages the pages
	 * @param folder where the classes go
	 */
	JavaBlocks(List<Page> pages, Path folder) {
		this.folder = folder;
		List<Source> sources = new ArrayList<>();
		pages.forEach((page) -> addSources(page, sources));
		compile(sources);
		try {
			this.classes = new URLClassLoader(new URL[] { folder.toUri().toURL() }, getClass().getClassLoader());
		}
		catch (MalformedURLException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void addSources(Page page, List<Source> sources) {
		Set<String> imports = new LinkedHashSet<>();
		for (Block block : page.blocks()) {
			if (!block.is("java") || !block.isRun()) {
				continue;
			}
			String given = String.join("\n", block.notes("given:"));
			IMPORT.matcher(given).results().forEach((match) -> imports.add(match.group().strip()));
			IMPORT.matcher(block.text()).results().forEach((match) -> imports.add(match.group().strip()));
			String head = "package " + page.packageName() + "; " + String.join(" ", imports) + " ";
			// Lines stay, so that messages name those of the page
			String body = block.text().replaceAll("(?m)^(import |package )[^;]+;", "");
			String name = block.note("class:");
			name = (name != null) ? name : "Block" + block.line();
			if (!given.isEmpty()) {
				sources.add(new Source(block, page.packageName() + ".Given" + block.line(),
						head + IMPORT.matcher(given).replaceAll("")));
			}
			this.blocks.add(block);
			String with = block.note("with:");
			String members = "@org.springframework.context.annotation.Configuration(proxyBeanMethods = false) class "
					+ name + " { " + body + "}";
			String statements = "class " + name + " { void run(" + ((with != null) ? with : "")
					+ ") throws Exception { " + body + "} }";
			Source whole = new Source(block, page.packageName() + "." + name, head + body);
			if (with == null && whole.parses()) {
				sources.add(whole);
			}
			else {
				Source inside = new Source(block, page.packageName() + "." + name, head + members);
				sources.add((with == null && inside.parses()) ? inside
						: new Source(block, page.packageName() + "." + name, head + statements));
			}
		}
	}

	private void compile(List<Source> sources) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		List<String> options = List.of("-d", this.folder.toString(), "--release", "17", "-parameters", "-proc:none",
				"-nowarn", "-Xlint:none", "-Xmaxerrs", "1000", "-cp", System.getProperty("java.class.path"));
		try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null)) {
			COMPILER.getTask(Writer.nullWriter(), files, diagnostics, options, null, sources).call();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
			if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
				this.mistakes.add(place(diagnostic) + " " + diagnostic.getMessage(null));
			}
		}
	}

	private static String place(Diagnostic<? extends JavaFileObject> diagnostic) {
		return (diagnostic.getSource() instanceof Source source)
				? source.block.page() + ":" + (source.block.line() + diagnostic.getLineNumber()) : "";
	}

	List<String> mistakes() {
		return this.mistakes;
	}

	Set<Block> blocks() {
		return this.blocks;
	}

	/**
	 * Where classes are found, and files that tests put into the folder.
	 */
	ClassLoader classLoader() {
		return this.classes;
	}

	/**
	 * All classes that pages show.
	 */
	List<Class<?>> classes() {
		try (Stream<Path> files = Files.walk(this.folder)) {
			return files.map((file) -> this.folder.relativize(file).toString())
				.filter((file) -> file.endsWith(".class"))
				.sorted()
				.<Class<?>>map((file) -> load(file.replace(".class", "").replace('/', '.')))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A class that a page shows.
	 */
	Class<?> named(String packageName, String name) {
		return load(packageName + "." + name);
	}

	private Class<?> load(String name) {
		try {
			return this.classes.loadClass(name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("No page shows a class " + name, ex);
		}
	}

	/**
	 * A block as a file of Java. The head stands before the first line, so lines of the
	 * file are those of the block.
	 */
	private static final class Source extends SimpleJavaFileObject {

		private final Block block;

		private final String code;

		Source(Block block, String name, String code) {
			super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
			this.block = block;
			this.code = code;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.code;
		}

		boolean parses() {
			DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
			JavacTask task = (JavacTask) COMPILER.getTask(Writer.nullWriter(), null, diagnostics,
					List.of("--release", "17", "-proc:none"), null, List.of(this));
			try {
				task.parse();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return diagnostics.getDiagnostics()
				.stream()
				.noneMatch((diagnostic) -> diagnostic.getKind() == Diagnostic.Kind.ERROR);
		}

	}

}
