package io.agenthooks.spring.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
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

	/**
	 * The variable that marks children of hooks.
	 */
	static final String MARK = "AGENT_HOOKS_CHILD";

	/**
	 * How long processes may take to end by themselves.
	 */
	private static final Duration GRACE = Duration.ofSeconds(2);

	private static final Duration STEP = Duration.ofMillis(10);

	/**
	 * End the whole tree: ask it to, wait a moment, and kill what is left. The tree is
	 * looked at before anything ends, for the children of a process that is gone are
	 * nobody's.
	 */
	public void kill() {
		Set<ProcessHandle> tree = tree();
		tree.forEach(ProcessHandle::destroy);
		long deadline = System.nanoTime() + GRACE.toNanos();
		while (isAnyAlive(tree) && System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(STEP.toNanos());
		}
		tree.addAll(tree());
		tree.forEach(ProcessHandle::destroyForcibly);
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
		return tree().stream()
			.flatMap((handle) -> pipes(Long.toString(handle.pid()), PosixFilePermission.OWNER_READ))
			.filter((file) -> outputs.contains(target(file)))
			.toList();
	}

	/**
	 * The pipes that a process has open, for nothing but one purpose.
	 */
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

	/**
	 * Kill the processes with a mark, for which nobody has a {@link Process}.
	 */
	static void killMarked(String mark) {
		ProcessHandle.allProcesses().filter((handle) -> isMarked(handle, mark)).forEach(ProcessHandle::destroyForcibly);
	}

	private static boolean isAnyAlive(Set<ProcessHandle> tree) {
		return tree.stream().anyMatch(ProcessHandle::isAlive);
	}

	/**
	 * The processes of the tree that are there now.
	 */
	private Set<ProcessHandle> tree() {
		Set<ProcessHandle> tree = new HashSet<>();
		tree.add(this.process.toHandle());
		Stream
			.concat(this.process.descendants(),
					ProcessHandle.allProcesses().filter((handle) -> isMarked(handle, this.mark)))
			.forEach(tree::add);
		return tree;
	}

	private static boolean isMarked(ProcessHandle handle, String mark) {
		try {
			byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(handle.pid()), "environ"));
			return new String(environment, StandardCharsets.ISO_8859_1).contains(MARK + "=" + mark + "\0");
		}
		catch (IOException ex) {
			return false;
		}
	}

}
