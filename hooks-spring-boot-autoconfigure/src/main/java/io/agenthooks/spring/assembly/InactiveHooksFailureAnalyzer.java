package io.agenthooks.spring.assembly;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import io.agenthooks.spring.assembly.ActiveHooksInitializer.InactiveHooksException;

/** Tells how to activate configured hooks. */
final class InactiveHooksFailureAnalyzer extends AbstractFailureAnalyzer<InactiveHooksException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InactiveHooksException cause) {
		return new FailureAnalysis(
				"There are hooks, but calls would not pass them, because these auto-configurations are not active:\n\n"
						+ "   " + String.join("\n   ", cause.getMissing()),
				"Do not exclude them, nor switch the hooks off when the application is processed ahead of time. To "
						+ "switch the hooks off, set 'bypass_hooks' below their key to true, as in "
						+ "'hooks.tool_call.bypass_hooks: true'. If it is only the calls of a framework that are not to pass "
						+ "them, set 'hooks.tool_call.unguarded' to 'warn'.",
				cause);
	}

}
