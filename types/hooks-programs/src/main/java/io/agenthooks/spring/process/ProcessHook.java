package io.agenthooks.spring.process;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.HookDecision;
import io.agenthooks.LocatableHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.external.NoVerdictException;
import io.agenthooks.spring.external.NoVerdictMode;
import io.agenthooks.toolcall.PreToolHook;

/** Asks or tells a program. */
abstract class ProcessHook<C, D extends HookDecision>
		implements ExternalHook, LocatableHook, HookCounts, HookHealth, AutoCloseable {

	private final ProcessSettings settings;

	private final ProcessClient client;

	private final NoVerdictMode<C, D> failMode;

	ProcessHook(ProcessSettings settings, ProcessClient client, NoVerdictMode<C, D> failMode) {
		this.settings = settings;
		this.client = client;
		this.failMode = failMode;
	}

	@Override
	public String name() {
		return this.client.hook();
	}

	@Override
	public Hook writtenAt(Function<List<String>, @Nullable String> places) {
		this.failMode.writtenAt(places.apply(List.of()));
		return this;
	}

	NoVerdictMode<C, D> failMode() {
		return this.failMode;
	}

	/**
	 * One that is asked about results only, or learns of them, is not expected to object.
	 */
	@Override
	public long callsWithoutObjection() {
		return (this instanceof PreToolHook || this instanceof PreLlmHook) ? this.failMode.callsWithoutObjection() : -1;
	}

	Map<String, @Nullable Object> ask(String method, byte[] params) throws NoVerdictException {
		return this.client.ask(method, params, this.settings.timeout());
	}

	ProcessSettings settings() {
		return this.settings;
	}

	ProcessClient client() {
		return this.client;
	}

	void sendEvent(String event, String id, CallContext context, Map<String, Object> payload) {
		if (this.settings.observe().contains(event)) {
			this.client.sendEvent(ProcessMessage.event(event, id, context, payload, settings().sent()));
		}
	}

	@Override
	public long droppedNotifications() {
		return this.client.droppedEvents();
	}

	@Override
	public long droppedReplies() {
		return this.client.droppedReplies();
	}

	@Override
	public Report health() {
		ProcessState state = this.client.state();
		boolean isAsked = !this.settings.intercept().isEmpty();
		return switch (state) {
			case UP -> report(State.UP, "running", isAsked);
			case RESTARTING -> report(State.RECOVERING, "restarting", isAsked);
			case DOWN -> report(State.DOWN, "given_up", isAsked);
			case CLOSED -> report(State.UNKNOWN, "closed", isAsked);
		};
	}

	private Report report(State state, String process, boolean isAsked) {
		return new Report(state, this.settings.failOpen() || !isAsked, Map.of("process", process));
	}

	@Override
	public void close() {
		this.client.close();
	}

}
