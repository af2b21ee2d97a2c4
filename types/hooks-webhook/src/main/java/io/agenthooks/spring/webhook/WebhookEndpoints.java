package io.agenthooks.spring.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.dialect.HookSystem;
import io.agenthooks.spring.dialect.HookSystem.Subject;
import io.agenthooks.spring.external.QuestionsInFlight;

/** Makes what asks HTTP endpoints, for webhooks of every kind. */
final class WebhookEndpoints {

	static final String TYPE = "webhook";

	private final Supplier<WebClient.Builder> clients;

	private final List<WebhookClientCustomizer> customizers;

	private final WebhookConnections.Maker connections;

	private final WebhookBreaker.Maker breakers;

	/** By its name and port. */
	private final Map<String, QuestionsInFlight> inFlight = new ConcurrentHashMap<>();

	/**
	 * Create endpoints.
	 * @param clients gives a new builder for the client of each webhook
	 * @param customizers change each of these builders, in order
	 */
	WebhookEndpoints(Supplier<WebClient.Builder> clients, List<WebhookClientCustomizer> customizers) {
		this(clients, customizers, WebhookConnections.ofClassPath(WebhookEndpoints.class.getClassLoader()),
				WebhookBreaker.ofClassPath(WebhookEndpoints.class.getClassLoader()));
	}

	/**
	 * Create endpoints.
	 * @param clients gives a new builder for the client of each webhook
	 * @param customizers change each of these builders, in order
	 * @param connections makes the connections of each webhook
	 * @param breakers makes the circuit breakers of those that want one
	 */
	WebhookEndpoints(Supplier<WebClient.Builder> clients, List<WebhookClientCustomizer> customizers,
			WebhookConnections.Maker connections, WebhookBreaker.Maker breakers) {
		this.connections = connections;
		this.breakers = breakers;
		this.clients = clients;
		this.customizers = List.copyOf(customizers);
	}

	/**
	 * A factory of webhooks around tool calls.
	 * @return the factory
	 */
	ToolHookFactory<WebhookConfig> toolHooks() {
		return ToolHookFactory.of(TYPE, WebhookConfig.class, (name, config) -> toolHook(name, config),
				(name, config) -> new WebhookPostToolHook(openToTell(name, config)));
	}

	private WebhookToolHook toolHook(String name, WebhookConfig config) {
		boolean notifies = WebhookSettings.notifies(config);
		if (!notifies) {
			refuseUnasked(config, "has no meaning " + ((config.notifications() != null) ? "with 'notify: false'"
					: "with 'for', unless 'notify: true' is written"));
		}
		WebhookEndpoint endpoint = endpoint(name, config);
		return (notifies) ? new WebhookNotifyingToolHook(endpoint, Boolean.TRUE.equals(config.notifyUnaskedArguments()))
				: new WebhookToolHook(endpoint);
	}

	private static void refuseUnasked(WebhookConfig config, String message) {
		if (config.notifyUnaskedArguments() != null) {
			throw new InvalidHookConfigException(
					List.of(new Problem(List.of("notify_unasked_arguments"), message, "Remove it.")));
		}
	}

	/**
	 * A factory of webhooks around model calls.
	 * @return the factory
	 */
	LlmHookFactory<WebhookConfig> llmHooks() {
		return LlmHookFactory.of(TYPE, WebhookConfig.class,
				(name, config) -> new WebhookLlmHook(open(name, checked(config, Subject.LLM_CALL))),
				(name, config) -> new WebhookPostLlmHook(openToTell(name, checked(config, Subject.LLM_CALL))));
	}

	/**
	 * A factory of webhooks around runs of agents.
	 * @return the factory
	 */
	RunHookFactory<WebhookConfig> runHooks() {
		return RunHookFactory.of(TYPE, WebhookConfig.class,
				(name, config) -> new WebhookRunHook(open(name, checked(config, Subject.RUN))),
				(name, config) -> new WebhookPostRunHook(openToTell(name, checked(config, Subject.END_OF_RUN))));
	}

	private static WebhookConfig checked(WebhookConfig config, Subject subject) {
		List<Problem> problems = new ArrayList<>();
		HookSystem.check(config.system(), subject, problems);
		if (!problems.isEmpty()) {
			throw new InvalidHookConfigException(problems);
		}
		return config;
	}

	WebhookEndpoint open(String name, WebhookConfig config) {
		refuseUnasked(config, "has a meaning only under 'hooks.tool_call.pre_call'");
		return endpoint(name, config);
	}

	WebhookEndpoint endpoint(String name, WebhookConfig config) {
		return endpoint(name, WebhookSettings.of(config));
	}

	private WebhookEndpoint endpoint(String name, WebhookSettings settings) {
		return new WebhookEndpoint(name, settings,
				new WebhookClient(name, settings, this.connections.make(name, settings), this.clients.get(),
						this.customizers),
				(settings.breaker() != null) ? this.breakers.make(name, settings) : WebhookBreaker.NONE,
				this.inFlight
					.computeIfAbsent(String.valueOf(settings.url().getAuthority()).toLowerCase(Locale.ROOT),
							(server) -> new QuestionsInFlight())
					.ofSameDecider());
	}

	private WebhookEndpoint openToTell(String name, WebhookConfig config) {
		if (Boolean.FALSE.equals(config.notifications())) {
			throw new InvalidHookConfigException(List
				.of(new Problem(List.of("notify"), "is false, so the endpoint would learn nothing", "Remove it.")));
		}
		if (config.circuitBreaker() != null) {
			throw new InvalidHookConfigException(List.of(new Problem(List.of("circuit_breaker"),
					"has no meaning here: no call waits for an endpoint that is only notified", "Remove it.")));
		}
		refuseUnasked(config, "has a meaning only under 'hooks.tool_call.pre_call'");
		return endpoint(name, WebhookSettings.of(config, true));
	}

}
