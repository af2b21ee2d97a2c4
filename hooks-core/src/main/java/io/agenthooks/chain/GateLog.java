package io.agenthooks.chain;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.HookDecision;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;

/**
 * The log of calls that do not pass, and of those that pass although a hook failed; never
 * with arguments.
 */
final class GateLog<C extends HookedCall> {

	/** Of its own, so that an application can switch it off. */
	private static final Logger denials = LoggerFactory.getLogger("io.agenthooks.denials");

	private final ChainKind<C, ?, ?, ?> kind;

	private final Map<String, WarningThrottle> failedOpen = new ConcurrentHashMap<>();

	GateLog(ChainKind<C, ?, ?, ?> kind) {
		this.kind = kind;
	}

	void denied(C call, String decider, HookDecision denial) {
		refused("The ", call, "denied", decider, denial);
	}

	void aborted(C call, String decider, HookDecision abort) {
		refused("The ", call, "aborted", decider, abort);
	}

	void withheld(C call, String decider, HookDecision denial) {
		refused("The result of the ", call, "withheld", decider, denial);
	}

	private void refused(String what, C call, String how, String decider, HookDecision refusal) {
		if (denials.isInfoEnabled()) {
			HookRule rule = refusal.rule();
			denials.info("{}{} is {} by '{}': {}{}", what, this.kind.describe(call), how, SafeText.name(decider),
					HookDecision.reasonOf(refusal.reason()), (rule != null) ? " (" + rule.describe() + ")" : "");
		}
	}

	void failedOpen(C call, String hook, String failure) {
		this.failedOpen.computeIfAbsent(hook, (name) -> new WarningThrottle(this.kind.logger))
			.warn("The hook '" + hook + "' failed open on the " + this.kind.describe(call) + ": " + failure);
	}

}
