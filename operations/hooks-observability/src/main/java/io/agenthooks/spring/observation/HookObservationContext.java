package io.agenthooks.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall.HookPart;

/**
 * The context of an observed hook.
 *
 * @since 0.1.0
 */
public final class HookObservationContext extends Observation.Context {

	private final HookedCall call;

	private final String hook;

	private final String type;

	private final HookPart part;

	private @Nullable HookDecision decision;

	HookObservationContext(HookedCall call, String hook, String type, HookPart part) {
		this.call = call;
		this.hook = hook;
		this.type = type;
		this.part = part;
	}

	void end(@Nullable HookDecision decision) {
		this.decision = decision;
	}

	/**
	 * The call that the hook was asked about, as it was made.
	 * @return the call
	 */
	public HookedCall getCall() {
		return this.call;
	}

	/**
	 * The name of the hook.
	 * @return the name
	 */
	public String getHook() {
		return this.hook;
	}

	/**
	 * The type of the hook.
	 * @return the type; {@code bean} for a bean
	 */
	public String getType() {
		return this.type;
	}

	/**
	 * Return the question to the hook.
	 * @return the part that it has in the call
	 */
	public HookPart getPart() {
		return this.part;
	}

	/**
	 * Return the decision of the hook itself; a hook that only observes decides nothing
	 * about the call.
	 * @return the decision, or {@code null} if there is none, or not yet
	 */
	public @Nullable HookDecision getDecision() {
		return this.decision;
	}

}
