package io.agenthooks.spring.webhook;

import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.spring.LlmHookFactory;
import io.agenthooks.spring.RunHookFactory;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;
import io.agenthooks.spring.external.WebhookSenders;

/**
 * Adds the type {@code webhook}, which asks an HTTP endpoint, where there is a client for
 * it.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class })
public final class WebhookHooksAutoConfiguration {

	@Bean
	WebhookSenders webhookSenders(ObjectProvider<WebClientCustomizer> everyClient,
			ObjectProvider<WebhookClientCustomizer> webhooks, ResourceLoader resources) {
		WebhookConnections.Maker connections = WebhookConnections.ofClassPath(resources.getClassLoader());
		return (name, label, target) -> {
			WebhookSettings settings = WebhookSettings.of(target);
			WebhookClientCustomizer headers = (hook, builder) -> target.headers().forEach(builder::defaultHeader);
			return WebhookNotifier.patient(
					name, label, new WebhookClient(name, settings, connections.make(name, settings),
							builder(everyClient), Stream.concat(Stream.of(headers), webhooks.orderedStream()).toList()),
					settings.timeout());
		};
	}

	/**
	 * Not the bean of the application: that may balance load between named services or
	 * carry credentials for other hosts.
	 */
	private static WebClient.Builder builder(ObjectProvider<WebClientCustomizer> everyClient) {
		WebClient.Builder builder = WebClient.builder();
		everyClient.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHookType("webhook")
	static class WebhookTypes {

		@Bean
		WebhookEndpoints webhookEndpoints(ObjectProvider<WebClientCustomizer> everyClient,
				ObjectProvider<WebhookClientCustomizer> webhooks, ResourceLoader resources) {
			return new WebhookEndpoints(() -> builder(everyClient), webhooks.orderedStream().toList(),
					WebhookConnections.ofClassPath(resources.getClassLoader()),
					WebhookBreaker.ofClassPath(resources.getClassLoader()));
		}

		@Bean
		@ConditionalOnMissingBean(name = "webhookToolHookFactory")
		ToolHookFactory<WebhookConfig> webhookToolHookFactory(WebhookEndpoints endpoints) {
			return endpoints.toolHooks();
		}

		@Bean
		@ConditionalOnMissingBean(name = "webhookLlmHookFactory")
		LlmHookFactory<WebhookConfig> webhookLlmHookFactory(WebhookEndpoints endpoints) {
			return endpoints.llmHooks();
		}

		@Bean
		@ConditionalOnMissingBean(name = "webhookRunHookFactory")
		RunHookFactory<WebhookConfig> webhookRunHookFactory(WebhookEndpoints endpoints) {
			return endpoints.runHooks();
		}

	}

}
