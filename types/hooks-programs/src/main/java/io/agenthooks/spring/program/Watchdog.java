package io.agenthooks.spring.program;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kills the children of this application that outlive it, also if it is killed: a shell
 * that waits for the end of its input, which comes with the end of the application, and
 * then kills every process with the marks of the hook. Where there is no {@code /proc}, a
 * child has to end by itself when its input ends.
 *
 * @since 0.1.0
 */
public final class Watchdog implements AutoCloseable {

	/**
	 * A child that notices the end of its input has two seconds to end in order. Signals
	 * to a whole terminal are not for the watchdog.
	 */
	private static final String SCRIPT = """
			trap '' INT HUP TERM
			read -r line && exit 0
			sleep 2
			for file in $(grep -ls "$1" /proc/[0-9]*/environ); do
			  pid=${file#/proc/}
			  kill -KILL "${pid%/environ}"
			done
			""";

	private static final Logger logger = LoggerFactory.getLogger(Watchdog.class);

	private final String prefix = UUID.randomUUID() + ".";

	private final AtomicLong children = new AtomicLong();

	private final @Nullable Process shell;

	public Watchdog() {
		this.shell = start();
	}

	private @Nullable Process start() {
		ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "agent-hooks-watchdog",
				Child.MARK + "=" + this.prefix)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD);
		Map<String, String> environment = builder.environment();
		environment.keySet().removeIf((name) -> !name.equals("PATH"));
		try {
			return builder.start();
		}
		catch (IOException ex) {
			logger.warn("Children of hooks may outlive this application if it is killed: there is no watchdog ({})",
					ex.getClass().getName());
			return null;
		}
	}

	public String nextMark() {
		return this.prefix + this.children.incrementAndGet();
	}

	/** The children have been ended by then. */
	@Override
	public void close() {
		if (this.shell == null) {
			return;
		}
		try (var input = this.shell.getOutputStream()) {
			input.write('\n');
		}
		catch (IOException ex) {
			logger.debug("The watchdog is gone already", ex);
		}
	}

}
