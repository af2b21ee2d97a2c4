package io.agenthooks.spring.process;

import java.util.Map;

import io.agenthooks.CallContext;
import io.agenthooks.ExternalHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;

/**
 * The common part of hooks that ask or tell a program.
 */
abstract class ProcessHook implements ExternalHook, HookCounts, HookHealth, AutoCloseable {

	private final String name;

	private final ProcessSettings settings;

	private final ProcessClient client;

	ProcessHook(String name, ProcessSettings settings, ProcessClient client) {
		this.name = name;
		this.settings = settings;
		this.client = client;
	}

	@Override
	public String name() {
		return this.name;
	}

	ProcessSettings settings() {
		return this.settings;
	}

	ProcessClient client() {
		return this.client;
	}

	/**
	 * Tell the program of an event, if it wants to know.
	 */
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
