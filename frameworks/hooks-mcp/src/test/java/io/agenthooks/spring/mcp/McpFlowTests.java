package io.agenthooks.spring.mcp;

import java.util.Map;
import java.util.function.Consumer;

import io.modelcontextprotocol.client.McpSyncClient;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;

import io.agenthooks.spring.flow.FlowHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What rules on the flow of data say to the clients of a server: what one of them has
 * read counts for its session, and nobody tells what its user wrote.
 */
class McpFlowTests {

	private static final String BOB = "bob@example.com";

	private static void run(Kind kind, Consumer<ServingApplication> test) {
		String config = "hooks.tool_call.pre_call[0].config.";
		String city = config + "sinks[0].named_by.city";
		ServingApplication.run(ServingApplication.runner(kind)
			.withConfiguration(AutoConfigurations.of(FlowHooksAutoConfiguration.class))
			.withPropertyValues("hooks.tool_call.pre_call[0].type=flow", config + "then=deny",
					config + "untrusted[0]=" + ServedTools.ANNOTATED, config + "trusted[0]=" + ServedTools.CALLBACK,
					config + "sinks[0].tools[0]=" + ServedTools.SPECIFIED, city + "[0]=user", city + "[1]=trusted",
					city + "[2].list[0]=Par*"),
				test);
	}

	private static boolean passes(McpSyncClient client, String city) {
		return !Boolean.TRUE
			.equals(ServingApplication.call(client, ServedTools.SPECIFIED, Map.of("city", city)).isError());
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "ASYNC" })
	void sessionThatReadSomethingUntrustedIsKeptFromValuesThatNobodyNamed(Kind kind) {
		run(kind, (application) -> {
			try (McpSyncClient reading = application.client("reading");
					McpSyncClient other = application.client("other")) {
				ServingApplication.call(reading, ServedTools.CALLBACK, ServingApplication.LONDON);
				ServingApplication.call(reading, ServedTools.ANNOTATED, ServingApplication.LONDON);
				assertThat(passes(reading, "London")).as("in an untrusted result").isFalse();
				assertThat(passes(reading, BOB)).as("in the result of a trusted tool").isTrue();
				assertThat(passes(reading, "Paris")).as("in the list").isTrue();
				assertThat(passes(other, "London")).as("in another session").isTrue();
				assertThat(application.tools().runs()).containsExactly("callback London", "annotated London",
						"specified " + BOB, "specified Paris", "specified London");
			}
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "STATELESS_SYNC", "STATELESS_ASYNC" })
	void clientWithoutASessionCountsAsOneThatReadSomething(Kind kind) {
		run(kind, (application) -> {
			try (McpSyncClient client = application.client("stateless")) {
				ServingApplication.call(client, ServedTools.CALLBACK, ServingApplication.LONDON);
				assertThat(passes(client, "London")).isFalse();
				assertThat(passes(client, BOB)).as("nobody knows that it is the same client").isFalse();
				assertThat(passes(client, "Paris")).isTrue();
				assertThat(application.tools().runs()).containsExactly("callback London", "specified Paris");
			}
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "ASYNC" })
	void reasonNamesNeitherTheValueNorWhereItIsFrom(Kind kind) {
		run(kind, (application) -> {
			try (McpSyncClient client = application.client("reading")) {
				ServingApplication.call(client, ServedTools.ANNOTATED, ServingApplication.LONDON);
				assertThat(ServingApplication
					.text(ServingApplication.call(client, ServedTools.SPECIFIED, ServingApplication.LONDON)))
					.contains("nobody who may has named the values")
					.doesNotContain("London", ServedTools.ANNOTATED);
				assertThat(application.outcomes().get(1).rule()).isNotNull()
					.asString()
					.contains("'city' is first seen in the result of annotated, call 1");
			}
		});
	}

}
