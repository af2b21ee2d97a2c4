package io.agenthooks.spring.process;

import java.util.Map;

import io.agenthooks.CallContext;
import io.agenthooks.Hook;
import io.agenthooks.spring.HookCounts;

/**
 * What hooks have in common that ask or tell a program.
 */
abstract class ProcessHook implements Hook, HookCounts, AutoCloseable {

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
	void tell(String event, String id, CallContext context, Map<String, Object> payload) {
		if (this.settings.observe().contains(event)) {
			this.client.tell(ProcessMessage.event(event, id, context, payload));
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
	public void close() {
		this.client.close();
	}

}
