package io.agenthooks.chain;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * A call that is made only to see that a gate denies it. The gate answers before anything
 * else: no hook, tool, model or listener sees the call, and nothing is measured or
 * logged. It is what a thread is doing and not something in a call, so no agent can make
 * one.
 *
 * @since 0.1.0
 */
public final class Probe {

	private static final ThreadLocal<@Nullable Probe> ofThread = new ThreadLocal<>();

	/**
	 * How many threads send a probe. Written under a lock and read without: a thread that
	 * sends one has counted itself before, so it reads no zero; all others may read
	 * anything.
	 */
	private static int underWay;

	private final Object gate;

	private boolean denied;

	private Probe(Object gate) {
		this.gate = gate;
	}

	/**
	 * Send a probe.
	 * @param gate the gate that has to deny it
	 * @param call calls the object that is to ask the gate
	 * @return whether that gate denied it
	 * @throws IllegalStateException if it came back by an exception, without a denial
	 */
	public static boolean isDenied(Object gate, Callable<? extends @Nullable Object> call) {
		Probe outer = ofThread.get();
		Probe probe = new Probe(gate);
		count(1);
		ofThread.set(probe);
		try {
			call.call();
		}
		catch (Exception ex) {
			if (!probe.denied) {
				throw new IllegalStateException("A call that must be denied failed with " + ex.getClass().getName(),
						ex);
			}
		}
		finally {
			if (outer != null) {
				ofThread.set(outer);
			}
			else {
				ofThread.remove();
			}
			count(-1);
		}
		return probe.denied;
	}

	private static synchronized void count(int change) {
		underWay += change;
	}

	/**
	 * Whether this thread sends a probe, so that what stands before a gate leads it there
	 * without doing anything else.
	 * @return whether it does
	 */
	public static boolean isUnderWay() {
		return underWay != 0 && ofThread.get() != null;
	}

	/**
	 * Deny what this thread does if it sends a probe. A gate asks this first.
	 * @param gate the gate
	 * @return whether it is a probe, which the gate answers as denied
	 */
	@SuppressWarnings("ReferenceEquality") // of the very gate
	public static boolean deny(Object gate) {
		if (underWay == 0) {
			return false;
		}
		Probe probe = ofThread.get();
		if (probe == null) {
			return false;
		}
		probe.denied = probe.denied || probe.gate == gate;
		return true;
	}

}
