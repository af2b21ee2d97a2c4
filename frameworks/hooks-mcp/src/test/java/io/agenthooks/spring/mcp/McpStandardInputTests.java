package io.agenthooks.spring.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StandardInputGuard}: a client may have written its calls before the
 * server is made.
 */
class McpStandardInputTests {

	private static final String CALL = """
			{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
			"capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}
			{"jsonrpc":"2.0","method":"notifications/initialized"}
			{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"own","arguments":{"city":"London"}}}
			""";

	private static ApplicationContextRunner runner(Streams streams) {
		return new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, McpToolCallsAutoConfiguration.class))
			.withBean("hook", PreToolHook.class, () -> (call) -> ToolDecision.deny("Not today"))
			.withBean(Streams.class, () -> streams)
			.withBean(ServedTools.class, ServedTools::new)
			.withUserConfiguration(OwnServer.class);
	}

	@Test
	void callThatWaitsBeforeTheServerIsMadeIsReadWhenTheApplicationHasStarted() throws Exception {
		try (Streams streams = new Streams()) {
			runner(streams).run((context) -> {
				assertThat(streams.answered.get(1, TimeUnit.MINUTES)).contains("\"id\":2", "Not today",
						"\"isError\":true");
				assertThat(streams.begunTooEarly).isFalse();
				assertThat(context.getBean(ServedTools.class).runs()).isEmpty();
			});
		}
	}

	@Test
	void nothingIsReadIfTheStartFails() throws Exception {
		try (Streams streams = new Streams()) {
			runner(streams).withBean("broken", SmartInitializingSingleton.class, () -> () -> {
				throw new IllegalStateException("broken");
			}).run((context) -> {
				assertThat(context).hasFailed();
				assertThat(streams.begun).isFalse();
			});
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnServer {

		@Bean
		StdioServerTransportProvider transport(Streams streams) {
			return new StdioServerTransportProvider(McpJsonDefaults.getMapper(), streams.input(), streams.output());
		}

		@Bean
		McpSyncServer server(StdioServerTransportProvider transport, ServedTools tools) {
			return McpServer.sync(transport)
				.capabilities(ServerCapabilities.builder().tools(false).build())
				.tools(tools.sync("own"))
				.build();
		}

		@Bean
		SmartInitializingSingleton allAreMade(Streams streams) {
			return () -> streams.allAreMade.set(true);
		}

	}

	/**
	 * The input and output of the server.
	 */
	static final class Streams implements AutoCloseable {

		private final AtomicBoolean allAreMade = new AtomicBoolean();

		private final AtomicBoolean begun = new AtomicBoolean();

		private final AtomicBoolean begunTooEarly = new AtomicBoolean();

		private final CompletableFuture<String> answered = new CompletableFuture<>();

		private final PipedOutputStream client = new PipedOutputStream();

		private final InputStream input;

		Streams() throws IOException {
			this.input = new PipedInputStream(this.client, 10_000) {

				@Override
				public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
					if (Streams.this.begun.compareAndSet(false, true)) {
						Streams.this.begunTooEarly.set(!Streams.this.allAreMade.get());
					}
					return super.read(bytes, offset, length);
				}

			};
			this.client.write(CALL.getBytes(StandardCharsets.UTF_8));
		}

		InputStream input() {
			return this.input;
		}

		OutputStream output() {
			return new ByteArrayOutputStream() {

				@Override
				public synchronized void write(byte[] bytes, int offset, int length) {
					super.write(bytes, offset, length);
					String written = toString(StandardCharsets.UTF_8);
					int answer = written.indexOf("\"id\":2");
					if (answer >= 0 && written.endsWith("\n")) {
						Streams.this.answered.complete(written.substring(answer));
					}
				}

			};
		}

		@Override
		public void close() throws IOException {
			this.client.close();
		}

	}

}
