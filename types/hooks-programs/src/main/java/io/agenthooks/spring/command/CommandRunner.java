package io.agenthooks.spring.command;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.SafeText;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.QuestionsInFlight;
import io.agenthooks.spring.program.Child;
import io.agenthooks.spring.program.ChildProgram;
import io.agenthooks.spring.program.Watchdog;
import io.agenthooks.spring.threads.HooksThreads;

/**
 * Runs a command, bounded in time, output and number. The call waits for a slot. How many
 * calls there are is up to the agent: one that had to wait, or ran beside others, and is
 * not decided in time, is denied, whatever {@code fail_open} says. The command gets its
 * input. One that does not read it holds up nobody, and has not failed. The calling
 * thread takes what the command writes until it ends. A child that still holds its pipes
 * then is not waited for. From the wait for a slot on all of this has one timeout. When
 * it is over, or the output is too long, or the thread is interrupted, or the application
 * is shutting down, the command is killed with all that it has started.
 */
final class CommandRunner implements AutoCloseable {

	/** In bytes. */
	private static final int MAX_ERRORS = 16 * 1024;

	/** In milliseconds. Only a command that fills a pipe waits for that. */
	private static final int MAX_STEP = 16;

	/** In seconds, for commands that were just being started. */
	private static final int MAX_END = 5;

	private static final Logger logger = LoggerFactory.getLogger(CommandRunner.class);

	private final String name;

	private final CommandSettings settings;

	private final Watchdog watchdog = new Watchdog();

	/** Fair: who waits longest is next. */
	private final Semaphore slots;

	private final Set<Child> running = ConcurrentHashMap.newKeySet();

	private final ExecutorService threads;

	private final QuestionsInFlight inFlight = new QuestionsInFlight();

	private volatile boolean closed;

	CommandRunner(String name, CommandSettings settings) {
		this.name = name;
		this.settings = settings;
		this.slots = new Semaphore(settings.maxConcurrent(), true);
		this.threads = HooksThreads.unbounded("hooks-" + name + "-command");
	}

	EndedCommand run(byte[] input) throws NoVerdictException {
		long deadline = System.nanoTime() + this.settings.timeout().toNanos();
		boolean waited;
		try {
			waited = !this.slots.tryAcquire(0, TimeUnit.NANOSECONDS);
			if (waited && !this.slots.tryAcquire(this.settings.timeout().toNanos(), TimeUnit.NANOSECONDS)) {
				// How many calls there are is up to the agent.
				throw NoVerdictException.timeout("Other calls keep the command busy", false);
			}
		}
		catch (InterruptedException ex) {
			throw NoVerdictException.interrupted();
		}
		Child child = startOrRelease();
		CommandInput written = new CommandInput(child, input);
		boolean ended = false;
		try {
			if (this.closed) {
				throw NoVerdictException.shuttingDown();
			}
			written.write(this.threads);
			EndedCommand end = this.inFlight.ask(this.settings.timeout(), () -> awaitEnd(child, deadline, waited));
			written.end(this.threads);
			ended = true;
			if (this.closed) {
				throw NoVerdictException.shuttingDown();
			}
			return end;
		}
		finally {
			if (ended) {
				release(child);
			}
			else {
				killLater(child, written);
			}
		}
	}

	/** If it cannot be started, for whatever reason, its slot is free again. */
	private Child startOrRelease() throws NoVerdictException {
		boolean started = false;
		try {
			if (this.closed) {
				throw NoVerdictException.shuttingDown();
			}
			Child child = this.settings.program().start(this.watchdog.nextMark(), ProcessBuilder.Redirect.PIPE);
			this.running.add(child);
			started = true;
			return child;
		}
		catch (IOException ex) {
			logger.debug("Hook '{}': the command could not be started: {}", this.name,
					SafeText.reason(String.valueOf(ex.getMessage())));
			throw (ChildProgram.isOverload(ex))
					? NoVerdictException.refusal("The command could not be started: too much runs at once")
					: NoVerdictException.unreached("The command could not be started");
		}
		finally {
			if (!started) {
				this.slots.release();
			}
		}
	}

	private EndedCommand awaitEnd(Child child, long deadline, boolean waited) throws NoVerdictException {
		try {
			return awaitEnd(child.process(), deadline, waited);
		}
		catch (InterruptedException ex) {
			throw NoVerdictException.interrupted();
		}
	}

	private EndedCommand awaitEnd(Process process, long deadline, boolean waited)
			throws InterruptedException, NoVerdictException {
		PipeReader output = new PipeReader(process.getInputStream(), this.settings.outputLimit());
		PipeReader errors = new PipeReader(process.getErrorStream(), MAX_ERRORS);
		int step = 1;
		while (!process.waitFor(step, TimeUnit.MILLISECONDS)) {
			boolean took = output.take();
			took |= errors.take();
			checkSize(output);
			if (System.nanoTime() - deadline >= 0) {
				throw NoVerdictException.timeout("The command did not end in time",
						!waited && EndedCommand.isEmpty(output.bytes(), errors.bytes()));
			}
			step = (took) ? 1 : Math.min(2 * step, MAX_STEP);
		}
		while (output.take() && !output.isOver()) {
			// There may be more than fits in one buffer.
		}
		errors.take();
		checkSize(output);
		output.close();
		errors.close();
		return new EndedCommand(process.exitValue(), output.bytes(), errors.bytes());
	}

	private static void checkSize(PipeReader output) throws NoVerdictException {
		if (output.isOver()) {
			// It may repeat what the agent wrote.
			throw NoVerdictException.refusal("The command wrote more than it may");
		}
	}

	/**
	 * Without waiting, unless there is no thread for that. The slot is free when it is
	 * gone.
	 */
	private void killLater(Child child, CommandInput written) {
		boolean handedOver = false;
		try {
			this.threads.execute(() -> kill(child, written));
			handedOver = true;
		}
		catch (RejectedExecutionException ex) {
			// The application is shutting down.
		}
		finally {
			if (!handedOver) {
				kill(child, written);
			}
		}
	}

	private void kill(Child child, CommandInput written) {
		try {
			child.kill();
			written.end(this.threads);
		}
		finally {
			release(child);
		}
	}

	private void release(Child child) {
		this.running.remove(child);
		this.slots.release();
	}

	/**
	 * Let nothing start. What was just being started ends by itself, and gives its slot
	 * back; as long as one is missing, the watchdog is not let go.
	 */
	@Override
	public void close() {
		this.closed = true;
		Child.kill(List.copyOf(this.running));
		if (isNothingLeft()) {
			this.watchdog.close();
		}
		this.threads.shutdown();
	}

	private boolean isNothingLeft() {
		int all = this.settings.maxConcurrent();
		try {
			if (this.slots.tryAcquire(all, MAX_END, TimeUnit.SECONDS)) {
				this.slots.release(all);
				return true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return false;
	}

}
