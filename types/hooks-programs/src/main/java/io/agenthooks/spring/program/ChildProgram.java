package io.agenthooks.spring.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.InvalidHookConfigException.Problem;

/**
 * A program with everything that it is started with. It gets a small environment, not
 * that of the application, which is full of secrets.
 *
 * @param words the program, with its full path, and its arguments
 * @param dir where it runs
 * @param environment all its variables
 * @since 0.1.0
 */
public record ChildProgram(List<String> words, Path dir, Map<String, String> environment) {

	/**
	 * The variables that a program inherits in any case.
	 */
	public static final List<String> INHERITED = List.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR",
			"TZ");

	/** E2BIG, EAGAIN, ENOMEM, ENFILE and EMFILE, as Java writes them. */
	private static final List<String> OVERLOAD = List.of("error=7,", "error=11,", "error=12,", "error=23,", "error=24,",
			"Too many open files");

	/** Such a word of a line for the shell can be looked up. */
	private static final String PLAIN_WORD = "[A-Za-z0-9_./+-]+";

	/** Where programs find the files of the project, as Claude Code and AgentPool say. */
	private static final List<String> PROJECT_DIRS = List.of("CLAUDE_PROJECT_DIR", "PROJECT_DIR");

	public ChildProgram {
		words = List.copyOf(words);
		environment = Map.copyOf(environment);
	}

	/**
	 * Whether a program could not be started because too much runs at once, or because
	 * what it is given is too long: too many processes or open files, or no memory.
	 * @param failure what the operating system says
	 * @return whether that is not the fault of the program
	 */
	public static boolean isOverload(IOException failure) {
		String message = String.valueOf(failure.getMessage());
		return OVERLOAD.stream().anyMatch(message::contains);
	}

	/**
	 * Check what the options of a hook say about its program.
	 * @param command the program, or {@code null} if that is missing
	 * @param dir where it runs, or {@code null} for where the application runs
	 * @param env variables to set, or {@code null}
	 * @param inheritEnv names of more variables to inherit, or {@code null}
	 * @param problems gets everything that is wrong
	 * @return the program, which is of use only if nothing is wrong, or {@code null}
	 */
	public static @Nullable ChildProgram of(@Nullable CommandLine command, @Nullable String dir,
			@Nullable Map<String, String> env, @Nullable List<String> inheritEnv, List<Problem> problems) {
		Path place = dir(dir, problems);
		Map<String, String> environment = environment(place, env, inheritEnv, problems);
		List<String> words = (command != null) ? command.words() : List.of();
		if (command == null || words.isEmpty() || words.stream().anyMatch((word) -> word.indexOf('\0') >= 0)) {
			problems.add(new Problem(List.of("command"), "The command is missing.",
					"Write a line for the shell, like 'python3 check.py', or a program and its arguments as a list."));
			return null;
		}
		if (!problems.isEmpty()) {
			return null;
		}
		return new ChildProgram(words, place, environment).lookedUp(command.isForShell(), problems);
	}

	private static Path dir(@Nullable String text, List<Problem> problems) {
		Path here = Path.of("").toAbsolutePath();
		if (text == null) {
			return here;
		}
		boolean isThere = false;
		try {
			Path dir = here.resolve(text);
			if (Files.isDirectory(dir)) {
				return dir;
			}
			isThere = Files.exists(dir);
		}
		catch (InvalidPathException ex) {
			// Then it is not a directory either.
		}
		problems.add(new Problem(List.of("dir"),
				(isThere) ? "The dir is a file, not a directory." : "The dir does not exist.",
				"Write the path of the directory that the program runs in."
						+ (text.startsWith("/") ? "" : " It is seen from " + here + ", where the application runs.")));
		return here;
	}

	private static Map<String, String> environment(Path dir, @Nullable Map<String, String> env,
			@Nullable List<String> inheritEnv, List<Problem> problems) {
		Map<String, String> environment = new HashMap<>();
		String project = PROJECT_DIRS.stream()
			.map(System::getenv)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(dir.toString());
		PROJECT_DIRS.forEach((name) -> environment.put(name, project));
		List<String> listed = (inheritEnv != null) ? inheritEnv : List.of();
		if (!listed.stream().allMatch(ChildProgram::isName)) {
			problems.add(new Problem(List.of("inherit_env"), "The inherit_env has something that is not a name.",
					"List names of environment variables, without '=' and without wildcards."));
		}
		Stream.concat(INHERITED.stream(), listed.stream()).forEach((name) -> {
			String value = System.getenv(name);
			if (value != null) {
				environment.put(name, value);
			}
		});
		if (env != null) {
			if (!env.keySet().stream().allMatch(ChildProgram::isName)
					|| env.values().stream().anyMatch((value) -> value.indexOf('\0') >= 0)) {
				problems.add(new Problem(List.of("env"), "The env has something that is not a variable.",
						"Write names of environment variables with their values below it."));
			}
			environment.putAll(env);
		}
		return environment;
	}

	private static boolean isName(String name) {
		return name.matches("[A-Za-z_][A-Za-z0-9_.-]*");
	}

	/** The program that is there now is what runs later. */
	private ChildProgram lookedUp(boolean shell, List<Problem> problems) {
		if (shell) {
			String first = withProjectDir(this.words.get(2).strip().split("\\s", 2)[0].replace("\"", ""));
			if (!Files.isExecutable(Path.of(CommandLine.SHELL))) {
				problems.add(ProgramFile.notFound(CommandLine.SHELL, this.dir));
			}
			else if (first.matches(PLAIN_WORD)) {
				checkFirstWord(first, problems);
			}
			return this;
		}
		List<String> words = this.words.stream().map(this::withProjectDir).toList();
		Path program = find(words.get(0));
		if (program == null) {
			problems.add((words.size() == 1 && words.get(0).strip().contains(" ")) ? ProgramFile.allInOneWord()
					: ProgramFile.notFound(words.get(0), this.dir));
			return this;
		}
		new ProgramFile(program).check(this::find, problems);
		return new ChildProgram(Stream.concat(Stream.of(program.toString()), words.stream().skip(1)).toList(), this.dir,
				this.environment);
	}

	private void checkFirstWord(String word, List<Problem> problems) {
		Path file = (word.contains("/")) ? find(word) : null;
		if (file != null) {
			new ProgramFile(file).check(this::find, problems);
		}
		else if (word.contains("/") || !isKnownToShell(word)) {
			problems.add(ProgramFile.notFound(word, this.dir));
		}
	}

	/** No shell does it for a program that is run without one. */
	private String withProjectDir(String word) {
		String replaced = word;
		for (String name : PROJECT_DIRS) {
			String project = Objects.requireNonNull(this.environment.get(name));
			replaced = replaced.replace("${" + name + "}", project).replace("$" + name, project);
		}
		return replaced;
	}

	private @Nullable Path find(String program) {
		try {
			Stream<Path> places = (program.contains("/")) ? Stream.of(this.dir)
					: Stream.of(this.environment.getOrDefault("PATH", "").split(":")).map(this.dir::resolve);
			return places.map((place) -> place.resolve(program))
				.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file))
				.findFirst()
				.orElse(null);
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Only the shell knows what it has built in. If it cannot be asked, calls will tell.
	 */
	private boolean isKnownToShell(String word) {
		try {
			Process shell = builder(List.of(CommandLine.SHELL, "-c", "command -v \"$1\"", CommandLine.SHELL, word))
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			shell.getOutputStream().close();
			if (!shell.waitFor(5, TimeUnit.SECONDS)) {
				shell.destroyForcibly();
				return true;
			}
			return shell.exitValue() == 0;
		}
		catch (IOException ex) {
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	/**
	 * Start the program.
	 * @param mark tells this child and all that it starts from everything else
	 * @param stderr what becomes of what it writes as errors
	 * @return the child
	 * @throws IOException if it cannot be started
	 */
	public Child start(String mark, ProcessBuilder.Redirect stderr) throws IOException {
		ProcessBuilder builder = builder(this.words).redirectError(stderr);
		builder.environment().put(Child.MARK, mark);
		try {
			return new Child(builder.start(), mark);
		}
		catch (OutOfMemoryError ex) {
			// If there is no thread to watch it, the process is there all the same.
			Child.killMarked(mark);
			throw ex;
		}
	}

	private ProcessBuilder builder(List<String> words) {
		ProcessBuilder builder = new ProcessBuilder(words).directory(this.dir.toFile());
		builder.environment().clear();
		builder.environment().putAll(this.environment);
		return builder;
	}

	@Override
	public String toString() {
		return "ChildProgram[words=%d, environment=%s]".formatted(this.words.size(), this.environment.keySet());
	}

}
