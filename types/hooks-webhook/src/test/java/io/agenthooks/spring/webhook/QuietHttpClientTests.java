package io.agenthooks.spring.webhook;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a whole application logs when the connections of a webhook break.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class QuietHttpClientTests {

	private static final String NOISE = "The connection observed an error";

	@AfterEach
	void restoreLevel() {
		LoggingSystem.get(getClass().getClassLoader()).setLogLevel("reactor.netty.http.client.HttpClientConnect", null);
	}

	@Test
	void brokenConnectionsAreReportedInOneLine(CapturedOutput output) {
		callWithBrokenConnections();
		assertThat(output).containsOnlyOnce("Hook 'guard' (defaultProperties): The webhook cannot be reached")
			.doesNotContain(NOISE, "\tat ");
	}

	@Test
	void applicationMaySwitchTheLogOfTheClientOn(CapturedOutput output) {
		callWithBrokenConnections("--logging.level.reactor.netty.http.client.HttpClientConnect=warn");
		assertThat(output).contains(NOISE);
	}

	private static void callWithBrokenConnections(String... arguments) {
		try (FaultyServer server = new FaultyServer(FaultyServer.writeAndClose(""));
				ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
					.web(WebApplicationType.NONE)
					.properties("hooks.tool_call.pre_call[0].type=webhook", "hooks.tool_call.pre_call[0].name=guard",
							"hooks.tool_call.pre_call[0].config.url=" + server.url(),
							"hooks.tool_call.pre_call[0].config.fail_open=false")
					.run(arguments)) {
			for (int i = 0; i < 10; i++) {
				context.getBean(ToolExecutor.class).execute(ToolCall.of("t", Map.of()));
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		ToolExecutor tools() {
			return (call) -> ToolResult.success("ran");
		}

	}

}
