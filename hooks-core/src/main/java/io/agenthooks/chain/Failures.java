package io.agenthooks.chain;

import java.util.concurrent.CancellationException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.AgentAbortedException;

final class Failures {

	/** Exceptions may be the causes of each other. */
	private static final int MAX_CAUSES = 100;

	private Failures() {
	}

	/** A stack overflow is over when it is caught. */
	static boolean isFatal(@Nullable Throwable ex) {
		return ex instanceof VirtualMachineError && !(ex instanceof StackOverflowError);
	}

	/**
	 * Whether what was thrown says nothing about the hook: an error, an interruption, a
	 * cancellation, or the abort of a call that the hook made itself, also as a cause.
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

	static RuntimeException rethrow(Throwable ex) {
		throw Failures.<RuntimeException>unchecked(ex);
	}

	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	private static <X extends Throwable> X unchecked(Throwable ex) throws X {
		throw (X) ex;
	}

}
