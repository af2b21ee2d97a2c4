package io.agenthooks.spring.webhook;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.web.reactive.function.client.WebClient;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WebhookHooksAutoConfiguration}.
 */
class WebhookHooksAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
		.withBean("tools", ToolExecutor.class, () -> (call) -> ToolResult.success(""));

	@Test
	void webhooksUseTheCustomizersButNotTheBuilderOfTheApplication() {
		List<WebClient.Builder> customized = new ArrayList<>();
		this.contextRunner
			.withBean(WebClient.Builder.class,
					() -> WebClient.builder().defaultHeader("Authorization", "for other hosts"))
			.withBean(WebClientCustomizer.class, () -> customized::add)
			.withPropertyValues("hooks.tool-call.pre-call[0].type=webhook",
					"hooks.tool-call.pre-call[0].config.url=http://localhost/hook")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(customized).singleElement()
					.satisfies(
							(builder) -> builder.defaultHeaders((headers) -> assertThat(headers.isEmpty()).isTrue()));
			});
	}

	@Test
	void startsWithoutWebClient() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(WebClient.class))
			.withPropertyValues("hooks.tool-call.pre-call[0].type=policy",
					"hooks.tool-call.pre-call[0].config.deny-tools[0]=run_command")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
