package io.agenthooks.spring.assembly;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.chain.HookAround;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.ToolDecision;

/** Puts the terms of an entry on what its hook asks people. */
record AskingAround(AskTerms terms) implements HookAround {

	static HookAround of(AskTerms terms) {
		return (terms.equals(AskTerms.ANY)) ? NOTHING : new AskingAround(terms);
	}

	@Override
	public <D extends HookDecision> @Nullable D ask(Supplier<@Nullable D> hook) {
		return narrowed(hook.get());
	}

	@Override
	public <D extends HookDecision> @Nullable D explain(Supplier<@Nullable D> hook) {
		return narrowed(hook.get());
	}

	@SuppressWarnings("unchecked") // a question for a question
	private <D extends HookDecision> @Nullable D narrowed(@Nullable D decision) {
		return (decision instanceof ToolDecision.Ask question) ? (D) question.on(this.terms) : decision;
	}

}
