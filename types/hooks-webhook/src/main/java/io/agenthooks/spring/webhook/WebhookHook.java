package io.agenthooks.spring.webhook;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.agenthooks.ExternalHook;
import io.agenthooks.Hook;
import io.agenthooks.LocatableHook;
import io.agenthooks.spring.HookCounts;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.PreCallWarnings;
import io.agenthooks.spring.external.NoVerdictMode;

abstract class WebhookHook
		implements ExternalHook, LocatableHook, PreCallWarnings, HookCounts, HookHealth, AutoCloseable {

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
	public final Hook writtenAt(Function<List<String>, @Nullable String> places) {
		NoVerdictMode<?, ?> failMode = failMode();
		if (failMode != null) {
			failMode.writtenAt(places.apply(List.of()));
		}
		return this;
	}

	@Nullable NoVerdictMode<?, ?> failMode() {
		return null;
	}

	@Override
	public final long callsWithoutObjection() {
		NoVerdictMode<?, ?> failMode = failMode();
		return (failMode != null) ? failMode.callsWithoutObjection() : -1;
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
