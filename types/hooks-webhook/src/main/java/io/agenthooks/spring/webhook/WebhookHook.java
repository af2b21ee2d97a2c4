package io.agenthooks.spring.webhook;

import java.util.List;

import io.agenthooks.ExternalHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.PreCallWarnings;

/**
 * The common part of hooks of every kind that talk to an {@linkplain WebhookEndpoint
 * endpoint}.
 */
abstract class WebhookHook implements ExternalHook, PreCallWarnings, HookCounts, HookHealth, AutoCloseable {

	private final WebhookEndpoint endpoint;

	WebhookHook(WebhookEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	final WebhookEndpoint endpoint() {
		return this.endpoint;
	}

	@Override
	public final String name() {
		return this.endpoint.name();
	}

	@Override
	public final List<String> preCallWarnings(HookOptions options) {
		return this.endpoint.preCallWarnings();
	}

	@Override
	public final long droppedNotifications() {
		return this.endpoint.dropped();
	}

	@Override
	public final long failedNotifications() {
		return this.endpoint.failed();
	}

	@Override
	public final Report health() {
		return this.endpoint.health();
	}

	@Override
	public final void close() {
		this.endpoint.close();
	}

}
