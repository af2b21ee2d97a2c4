package io.agenthooks.spring.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.Result;
import org.jspecify.annotations.Nullable;

import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.RunInProgress;

/** A run of an AI service. Whatever ends it, the first end counts. */
final class AiServiceInvocation {

	private final InvocationCaller caller;

	private final @Nullable RunInProgress run;

	private @Nullable LlmUsage usage;

	private String said = "";

	AiServiceInvocation(InvocationCaller caller, @Nullable RunInProgress run) {
		this.caller = caller;
		this.run = run;
	}

	InvocationCaller caller() {
		return this.caller;
	}

	synchronized void hear(ChatResponse response) {
		LlmUsage used = ChatResponses.usageOf(response.tokenUsage());
		if (used != null) {
			this.usage = (this.usage != null) ? this.usage.plus(used) : used;
		}
		this.said = ChatMessages.orEmpty(response.aiMessage().text());
	}

	void finish(@Nullable Object result) {
		if (this.run != null) {
			this.run.finish(textOf(result), usage());
		}
	}

	private synchronized String textOf(@Nullable Object result) {
		if (result instanceof String text) {
			return text;
		}
		if (result instanceof ChatResponse response) {
			return ChatMessages.orEmpty(response.aiMessage().text());
		}
		return (result instanceof Result<?> whole && whole.content() instanceof String text) ? text : this.said;
	}

	private synchronized @Nullable LlmUsage usage() {
		return this.usage;
	}

	void fail(Throwable failure) {
		if (this.run != null) {
			this.run.fail(failure);
		}
	}

	void cancel() {
		if (this.run != null) {
			this.run.cancel();
		}
	}

}
