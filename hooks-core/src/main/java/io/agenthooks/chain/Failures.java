package io.agenthooks.chain;

import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import io.agenthooks.AgentAbortedException;

/**
 * What it means that a hook or an approver threw something.
 */
final class Failures {

	/** Nobody wraps so often; exceptions may be the causes of each other. */
	private static final int MAX_CAUSES = 100;

	private Failures() {
	}

	/**
	 * Whether the virtual machine itself failed. A stack overflow is over when it is
	 * caught.
	 * @param ex what was thrown, or {@code null}
	 * @return whether nothing can be relied on any more
	 */
	static boolean isFatal(@Nullable Throwable ex) {
		return ex instanceof VirtualMachineError && !(ex instanceof StackOverflowError);
	}

	/**
	 * Whether what was thrown says nothing about the hook, however often it was put into
	 * another exception on its way: an error, an interruption, a cancellation, or the
	 * abort of a call that the hook made itself.
	 * @param ex what was thrown
	 * @return whether it is more than a failure of the hook
	 */
	static boolean isMoreThanAFailure(Throwable ex) {
		if (Thread.currentThread().isInterrupted()) {
			return true;
		}
		Throwable cause = ex;
		for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
			if (!(cause instanceof Exception) || cause instanceof InterruptedException
					|| cause instanceof CancellationException || cause instanceof AgentAbortedException) {
				return true;
			}
			cause = cause.getCause();
		}
		return cause != null;
	}

	/**
	 * Throw what was caught, also what the compiler forbids.
	 * @param ex what was caught
	 * @return never
	 */
	static RuntimeException rethrow(Throwable ex) {
		throw Failures.<RuntimeException>unchecked(ex);
	}

	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	private static <X extends Throwable> X unchecked(Throwable ex) throws X {
		throw (X) ex;
	}

	/**
	 * Log what was thrown, and keep the interruption that it may stand for. It may quote
	 * arguments, so the log at its usual level gets only its type.
	 * @param logger where to
	 * @param who who threw it, as the beginning of a sentence
	 * @param ex what was thrown
	 * @param consequence what happens now, as the end of the sentence
	 */
	static void log(Logger logger, String who, Throwable ex, String consequence) {
		if (ex instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		try {
			logger.warn("{} failed with {}; {} (stack trace at DEBUG)", who, ex.getClass().getName(), consequence);
			logger.debug("{} failed", who, ex);
		}
		catch (Throwable unprintable) {
			// An exception may throw when it is printed, which must not change the
			// consequence.
		}
	}

}
