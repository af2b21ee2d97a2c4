package io.agenthooks.spring.webhook;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.toolcall.ToolCall;

/**
 * Makes webhooks from configuration as users write it.
 */
final class Webhooks {

	static final ToolCall CALL = ToolCall.of("run_command", Map.of("command", "ls -la"));

	private static WebhookConnections.Maker connections = NettyConnections::new;

	private Webhooks() {
	}

	/**
	 * Let the next webhooks use the client of the JDK, or Reactor Netty again.
	 */
	static void useJdk(boolean jdk) {
		connections = (jdk) ? (name, settings) -> new JdkConnections(settings) : NettyConnections::new;
	}

	/**
	 * A webhook, with options like {@code fail_open=false}.
	 */
	static WebhookToolHook hook(String url, String... options) {
		return hook(url, List.of(), options);
	}

	static WebhookToolHook hook(String url, List<WebhookClientCustomizer> customizers, String... options) {
		return (WebhookToolHook) new WebhookEndpoints(WebClient::builder, customizers, connections,
				WebhookBreaker.ofClassPath(Webhooks.class.getClassLoader()))
			.toolHooks()
			.create("guard", config(url, options));
	}

	static WebhookConfig config(String url, String... options) {
		Map<String, String> properties = new HashMap<>(Map.of("config.url", url));
		for (String option : options) {
			String[] parts = option.split("=", 2);
			properties.put("config." + parts[0], parts[1]);
		}
		return new Binder(new MapConfigurationPropertySource(properties)).bind("config", WebhookConfig.class).get();
	}

}
