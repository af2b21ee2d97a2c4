package io.agenthooks.spring.ai;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.ai.chat.observation.ChatModelObservationContext;

import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.spring.external.AskedByHook;
import io.agenthooks.spring.guard.UnguardedConsequence;

/**
 * Reports questions to models that pass no hooks, or forbids them. Those that are no
 * beans are found by what Spring AI observes: what is thrown keeps the model from being
 * asked.
 */
final class UnguardedModels implements ObservationHandler<ChatModelObservationContext> {

	private static final Logger logger = LoggerFactory.getLogger(UnguardedModels.class);

	private static final String MESSAGE = "A model that is no bean is asked without passing the hooks of "
			+ "'hooks.llm_call'. Make the model a bean, or its ChatClient with the ChatClient.Builder bean; "
			+ UnguardedConsequence.HOW_TO_ALLOW + ".";

	private final UnguardedConsequence consequence;

	private final BooleanSupplier wanted;

	private final Supplier<LlmHookChain> chain;

	private final AtomicBoolean warned = new AtomicBoolean();

	UnguardedModels(UnguardedConsequence consequence, BooleanSupplier wanted, Supplier<LlmHookChain> chain) {
		this.consequence = consequence;
		this.wanted = wanted;
		this.chain = chain;
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return !this.consequence.isNothing() && context instanceof ChatModelObservationContext
				&& this.wanted.getAsBoolean();
	}

	@Override
	public void onStart(ChatModelObservationContext context) {
		if (DecidedPrompt.isBeingAsked(context.getRequest()) || AskedByHook.isActive() || this.chain.get().isIdle()) {
			return;
		}
		if (this.consequence.isDenial()) {
			throw new UnguardedModelException(MESSAGE);
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(MESSAGE);
		}
	}

}
