package io.agenthooks.chain;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What it means that a hook or an approver threw something.
 *
 * @since 0.1.0
 */
public final class Failures {

	private Failures() {
	}

	/**
	 * Whether the virtual machine itself failed. A stack overflow is over when it is
	 * caught.
	 * @param ex what was thrown, or {@code null}
	 * @return whether nothing can be relied on any more
	 */
	public static boolean isFatal(@Nullable Throwable ex) {
		return ex instanceof VirtualMachineError && !(ex instanceof StackOverflowError);
	}

	/**
	 * Whether it was thrown because somebody wants this thread to stop, which says
	 * nothing about the hook.
	 * @param ex what was thrown
	 * @return whether it is an interruption
	 */
	public static boolean isInterruption(Throwable ex) {
		return Thread.currentThread().isInterrupted() || ex instanceof InterruptedException
				|| ex.getCause() instanceof InterruptedException;
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
	public static void log(Logger logger, String who, Throwable ex, String consequence) {
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
