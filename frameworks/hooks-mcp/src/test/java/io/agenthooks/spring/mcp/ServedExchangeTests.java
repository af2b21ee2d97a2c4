package io.agenthooks.spring.mcp;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.stream.Stream;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServedExchange}: whatever a tool asks of its client, it asks the
 * client.
 */
class ServedExchangeTests {

	private static final McpTransportContext TRANSPORT = McpTransportContext.create(Map.of());

	static Stream<Method> methodsOfAsync() {
		return methodsOf(McpAsyncServerExchange.class);
	}

	static Stream<Method> methodsOfSync() {
		return methodsOf(McpSyncServerExchange.class);
	}

	private static Stream<Method> methodsOf(Class<?> type) {
		return Stream.of(type.getDeclaredMethods())
			.filter((method) -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
					&& !method.getName().equals("transportContext"));
	}

	@ParameterizedTest
	@MethodSource("methodsOfAsync")
	void asynchronousOneLeadsToTheClient(Method method) throws Exception {
		McpAsyncServerExchange client = Mockito.mock();
		call(method, client, new ServedExchange.Async(client, TRANSPORT));
	}

	@ParameterizedTest
	@MethodSource("methodsOfSync")
	void waitingOneLeadsToTheClient(Method method) throws Exception {
		McpSyncServerExchange client = Mockito.mock();
		call(method, client, new ServedExchange.Sync(client, TRANSPORT));
	}

	private static void call(Method method, Object client, Object served) throws Exception {
		Object[] arguments = new Object[method.getParameterCount()];
		method.invoke(served, arguments);
		method.invoke(Mockito.verify(client, Mockito.atLeastOnce()), arguments);
	}

	@Test
	void whatIsKnownOfTheClientStaysKnown() {
		McpAsyncServerExchange client = new McpAsyncServerExchange("session", null,
				ClientCapabilities.builder().build(), Implementation.builder("client", "1").build(),
				McpTransportContext.EMPTY);
		McpAsyncServerExchange served = new ServedExchange.Async(client, TRANSPORT);
		assertThat(served.sessionId()).isEqualTo("session");
		assertThat(served.getClientInfo().name()).isEqualTo("client");
		assertThat(new McpSyncServerExchange(served).transportContext()).isSameAs(TRANSPORT);
	}

}
