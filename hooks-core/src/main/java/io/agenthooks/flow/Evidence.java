package io.agenthooks.flow;

import org.jspecify.annotations.Nullable;

import io.agenthooks.SafeText;
import io.agenthooks.flow.FlowRules.Label;

/**
 * The knowledge at a call about who named values, and what was read before; the view is
 * {@code null} if nothing is remembered.
 */
record Evidence(Fingerprint fingerprint, FlowState.@Nullable View view, TextIndex words, TextIndex others,
		boolean untrusted, boolean secret) {

	@Nullable String trustedOrigin(Meaning value) {
		if (this.view == null || (this.secret && this.untrusted)) {
			return null;
		}
		for (FlowState.Seen seen : this.view.results()) {
			if (seen.names(value)) {
				return "the result of " + SafeText.name(seen.tool().modelName()) + ", call " + seen.call();
			}
		}
		return null;
	}

	String after() {
		if (this.view != null) {
			for (FlowState.Seen seen : this.view.results()) {
				if (seen.label() == Label.UNTRUSTED) {
					return "it comes after the result of %s, call %d, which is untrusted"
						.formatted(SafeText.name(seen.tool().modelName()), seen.call());
				}
			}
		}
		if (this.others.size() > 0) {
			return "it comes after what others wrote into the prompt";
		}
		return (this.untrusted) ? "it comes after untrusted data" : "every call of it is asked about";
	}

}
