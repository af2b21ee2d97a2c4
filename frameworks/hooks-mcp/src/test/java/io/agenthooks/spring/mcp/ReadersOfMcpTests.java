package io.agenthooks.spring.mcp;

import java.util.Map;
import java.util.stream.Stream;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.agenthooks.spring.ToolRefusal;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the model of a client reads of a refusal by an MCP server, and what operators of
 * the server read. No person reads the result of such a tool before a model does.
 */
class ReadersOfMcpTests {

	static Stream<Arguments> refusals() {
		return Stream.of(Kind.SYNC, Kind.ASYNC, Kind.STATELESS_SYNC)
			.flatMap((kind) -> Stream.of(ToolRefusal.values()).map((refusal) -> Arguments.of(kind, refusal)));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void modelOfTheClientReadsWhy(Kind kind, ToolRefusal refusal) {
		ServingApplication.run(refusal.in(ServingApplication.runner(kind)), (application) -> {
			CallToolResult result = application.call(ServedTools.CALLBACK, Map.of("city", "Paris"));
			assertThat(result.isError()).isTrue();
			assertThat(ServingApplication.text(result)).matches(refusal::isForModel);
			assertThat(application.outcome()).matches(refusal::isOnRecord);
		});
	}

}
