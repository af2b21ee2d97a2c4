package io.agenthooks.spring.ai;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.memory.ChatMemory;

import io.agenthooks.spring.caller.Caller;

/**
 * The parameters of a call for advisors: the application's, and the run, which neither
 * responses nor the application get to see.
 */
record AdvisorParameters(Map<String, @Nullable Object> given) {

	private static final String RUN = ClientRun.class.getName();

	static AdvisorParameters of(ChatClientRequest request) {
		return new AdvisorParameters(request.context());
	}

	/**
	 * The run of the call, or of one with the same parameters before, or {@code null}.
	 */
	@Nullable ClientRun run() {
		return (this.given.get(RUN) instanceof ClientRun run) ? run : null;
	}

	/** Remember the run for a call that tries it again. */
	void remember(ClientRun run) {
		try {
			this.given.put(RUN, run);
		}
		catch (UnsupportedOperationException ex) {
			// A request of a chain that is not Spring AI's.
		}
	}

	Map<String, @Nullable Object> with(ClientRun run) {
		Map<String, @Nullable Object> known = new HashMap<>(this.given);
		known.put(RUN, run);
		known.put(AgentHooks.RUN_ID, run.context().runId());
		return known;
	}

	Map<String, @Nullable Object> withoutRun() {
		Map<String, @Nullable Object> others = new HashMap<>(this.given);
		others.remove(RUN);
		return others;
	}

	static ChatClientResponse withoutRun(ChatClientResponse response) {
		return (response.context().containsKey(RUN)) ? ChatClientResponse.builder()
			.chatResponse(response.chatResponse())
			.context(new AdvisorParameters(response.context()).withoutRun())
			.build() : response;
	}

	@Nullable String session(@Nullable Caller around) {
		return Caller.session(text(ChatMemory.CONVERSATION_ID), around);
	}

	@Nullable String text(String name) {
		Object value = this.given.get(name);
		return (value != null) ? value.toString() : null;
	}

	/** Nothing of it: it may be secret. */
	@Override
	public String toString() {
		return "AdvisorParameters";
	}

}
