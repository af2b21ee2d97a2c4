package io.agenthooks.chain;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortedRuns;
import io.agenthooks.HookListener;
import io.agenthooks.WarningThrottle;

/**
 * Where the calls of a chain enter: what all of them share.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public final class Gate<C extends HookedCall, D extends HookDecision, E> {

	private static final Logger logger = LoggerFactory.getLogger(Gate.class);

	private final ChainKind<C, D, E> kind;

	private final @Nullable HookListener<E> listener;

	private final AbortedRuns abortedRuns;

	private final Map<String, WarningThrottle> warnings = new ConcurrentHashMap<>();

	/**
	 * Create a gate.
	 * @param kind what is particular to its calls
	 * @param listener who hears of everything that happens, or {@code null} for nobody
	 * @param abortedRuns the runs that hooks have aborted
	 */
	public Gate(ChainKind<C, D, E> kind, @Nullable HookListener<E> listener, AbortedRuns abortedRuns) {
		this.kind = kind;
		this.listener = listener;
		this.abortedRuns = Objects.requireNonNull(abortedRuns, "'abortedRuns' must not be null");
	}

	/**
	 * Let a call enter.
	 * @param call the call
	 * @return its way through the hooks
	 */
	public Passage<C, D, E> enter(C call) {
		return new Passage<>(this, call);
	}

	ChainKind<C, D, E> kind() {
		return this.kind;
	}

	AbortedRuns abortedRuns() {
		return this.abortedRuns;
	}

	void warn(String hook, String warning) {
		this.warnings.computeIfAbsent(hook, (name) -> new WarningThrottle(logger)).warn(warning);
	}

	/**
	 * Who hears of a call that begins now.
	 */
	@Nullable HookListener<E> whoListens() {
		try {
			return (this.listener != null && this.listener.isListening()) ? this.listener : null;
		}
		catch (RuntimeException ex) {
			return this.listener;
		}
	}

}
