package org.springframework.samples.clinic;

import io.agenthooks.spring.annotation.BeforeToolCall;
import io.agenthooks.spring.annotation.ToolPolicy;
import io.agenthooks.toolcall.ToolDecision;

/** A hook of an application that is an example of Spring's, with a rule for no tool. */
@ToolPolicy(deny = "true")
public class ClinicGuard {

	/**
	 * Deny what is called.
	 * @return the denial
	 */
	@BeforeToolCall
	public ToolDecision check() {
		return ToolDecision.deny("no");
	}

}
