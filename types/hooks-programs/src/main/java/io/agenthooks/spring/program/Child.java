package io.agenthooks.spring.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A child process with all that it has started. A variable in its environment marks it,
 * and whatever it starts inherits the mark: so on Linux also a process is found whose
 * parent is gone, or that has left the session.
 *
 * @param process the process
 * @param mark the value of the variable
 * @since 0.1.0
 */
public record Child(Process process, String mark) {

	/** Marks children of hooks. */
	static final String MARK = "AGENT_HOOKS_CHILD";

	private static final String VARIABLE = "\0" + MARK + "=";

	/** So long processes may take to end by themselves. */
	private static final Duration GRACE = Duration.ofSeconds(2);

	private static final Duration STEP = Duration.ofMillis(10);

	/**
	 * End the whole tree: ask it to, wait a moment, and kill what is left.
	 */
	public void kill() {
		kill(List.of(this));
	}

	/**
	 * End several trees at once, which takes no longer than one. They are looked at
	 * before anything ends, for the children of a process that is gone are nobody's.
	 * @param children whose trees end
	 */
	public static void kill(Collection<Child> children) {
		Set<ProcessHandle> trees = trees(children);
		trees.forEach(ProcessHandle::destroy);
		long deadline = System.nanoTime() + GRACE.toNanos();
		while (isAnyAlive(trees) && System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(STEP.toNanos());
		}
		trees.addAll(trees(children));
		trees.forEach(ProcessHandle::destroyForcibly);
		// What they have started may stay listed until somebody else has buried it.
		long end = System.nanoTime() + GRACE.toNanos();
		while (children.stream().anyMatch((child) -> child.process.isAlive()) && System.nanoTime() < end
				&& !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(STEP.toNanos());
		}
	}

	/**
	 * The ends, at processes of the tree, of pipes that this application writes to. What
	 * is opened here takes from them what is in the pipe.
	 * @return the files that they are, of which there are none where there is no
	 * {@code /proc}
	 */
	public List<Path> inputs() {
		Set<String> outputs = pipes("self", PosixFilePermission.OWNER_WRITE).map(Child::target)
			.collect(Collectors.toSet());
		return trees(List.of(this)).stream()
			.flatMap((handle) -> pipes(Long.toString(handle.pid()), PosixFilePermission.OWNER_READ))
			.filter((file) -> outputs.contains(target(file)))
			.toList();
	}

	private static Stream<Path> pipes(String process, PosixFilePermission purpose) {
		try (Stream<Path> files = Files.list(Path.of("/proc", process, "fd"))) {
			return files.filter((file) -> target(file).startsWith("pipe:") && purposes(file).equals(Set.of(purpose)))
				.toList()
				.stream();
		}
		catch (IOException | UncheckedIOException ex) {
			return Stream.empty();
		}
	}

	private static String target(Path file) {
		try {
			return Files.readSymbolicLink(file).toString();
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static Set<PosixFilePermission> purposes(Path file) {
		try {
			Set<PosixFilePermission> purposes = new HashSet<>(
					Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
			purposes.remove(PosixFilePermission.OWNER_EXECUTE);
			return purposes;
		}
		catch (IOException ex) {
			return Set.of();
		}
	}

	/** Also those that have no {@link Process}. */
	static void killMarked(String mark) {
		marked(Set.of(mark)).forEach(ProcessHandle::destroyForcibly);
	}

	private static boolean isAnyAlive(Set<ProcessHandle> processes) {
		return processes.stream().anyMatch(ProcessHandle::isAlive);
	}

	private static Set<ProcessHandle> trees(Collection<Child> children) {
		Set<ProcessHandle> trees = new HashSet<>();
		children.forEach((child) -> {
			trees.add(child.process.toHandle());
			child.process.descendants().forEach(trees::add);
		});
		marked(children.stream().map(Child::mark).collect(Collectors.toSet())).forEach(trees::add);
		return trees;
	}

	private static Stream<ProcessHandle> marked(Set<String> marks) {
		return ProcessHandle.allProcesses().filter((handle) -> marks.contains(markOf(handle)));
	}

	/** Empty if it has none or is not ours to look at. */
	private static String markOf(ProcessHandle handle) {
		try {
			byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(handle.pid()), "environ"));
			String environment = "\0" + new String(bytes, StandardCharsets.ISO_8859_1);
			int begin = environment.indexOf(VARIABLE);
			int end = environment.indexOf('\0', begin + 1);
			return (begin >= 0 && end >= 0) ? environment.substring(begin + VARIABLE.length(), end) : "";
		}
		catch (IOException ex) {
			return "";
		}
	}

}
