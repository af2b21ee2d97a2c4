package io.agenthooks.spring.mcp;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.toolcall.ToolCallStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for tools that a policy hides from the clients of an MCP server.
 */
class McpHiddenToolsTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private static final List<String> ALL = List.of(ServedTools.ANNOTATED, ServedTools.CALLBACK, ServedTools.SPECIFIED);

	private static final List<String> SHOWN = List.of(ServedTools.ANNOTATED, ServedTools.CALLBACK);

	private static ApplicationContextRunner runner(Kind kind) {
		return ServingApplication.runner(kind)
			.withPropertyValues(ENTRY + "type=policy", ENTRY + "name=hidden",
					ENTRY + "config.deny_tools=" + ServedTools.SPECIFIED, ENTRY + "config.hide=true");
	}

	@ParameterizedTest
	@EnumSource
	void hiddenToolIsNotListedAndItsCallIsDenied(Kind kind) {
		ServingApplication.run(runner(kind), (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				assertListed(client, SHOWN);
				CallToolResult result = ServingApplication.call(client, ServedTools.SPECIFIED,
						ServingApplication.LONDON);
				assertThat(ServingApplication.text(result)).contains("The policy denies the tool");
			}
			assertThat(application.tools().runs()).isEmpty();
			assertThat(application.outcome().status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(application.outcome().decidedBy()).isEqualTo("hidden");
		});
	}

	@ParameterizedTest
	@EnumSource
	void entryOnTrialHidesNothing(Kind kind) {
		ServingApplication.run(runner(kind).withPropertyValues(ENTRY + "mode=observe"), (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				assertListed(client, ALL);
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void eachUserOfASessionIsListedHisOwnTools(Kind kind) {
		AtomicReference<@Nullable Authentication> login = new AtomicReference<>();
		CallContextCustomizer roles = (context, given) -> context
			.withRole("anna".equals(context.user()) ? "admin" : "user");
		ApplicationContextRunner runner = runner(kind).withPropertyValues(ENTRY + "roles=user")
			.withBean(CallContextCustomizer.class, () -> roles)
			.withBean(Filter.class, () -> logIn(login));
		ServingApplication.run(runner, (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				login.set(new TestingAuthenticationToken("anna", "", "USER"));
				assertListed(client, ALL);
				login.set(new TestingAuthenticationToken("ben", "", "USER"));
				assertListed(client, SHOWN);
				login.set(null);
				assertListed(client, SHOWN);
				login.set(new TestingAuthenticationToken("anna", "", "USER"));
				assertListed(client, ALL);
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void authoritiesOfTheUserCount(Kind kind) {
		AtomicReference<@Nullable Authentication> login = new AtomicReference<>();
		ApplicationContextRunner runner = runner(kind).withPropertyValues(ENTRY + "authorities=INTERN")
			.withBean(Filter.class, () -> logIn(login));
		ServingApplication.run(runner, (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				login.set(new TestingAuthenticationToken("anna", "", "STAFF"));
				assertListed(client, ALL);
				login.set(new TestingAuthenticationToken("ben", "", "INTERN"));
				assertListed(client, SHOWN);
			}
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "ASYNC" })
	void eachClientIsListedItsOwnTools(Kind kind) {
		ServingApplication.run(runner(kind).withPropertyValues(ENTRY + "agents=guest"), (application) -> {
			try (McpSyncClient guest = application.client("guest"); McpSyncClient other = application.client("other")) {
				assertListed(guest, SHOWN);
				assertListed(other, ALL);
				assertListed(guest, SHOWN);
			}
		});
	}

	@ParameterizedTest
	@EnumSource
	void contextThatFailsHidesAll(Kind kind) {
		ServingApplication.run(runner(kind).withBean(CallContextCustomizer.class, () -> (context, given) -> {
			throw new IllegalStateException("secret");
		}), (application) -> {
			try (McpSyncClient client = application.client("tester")) {
				assertListed(client, List.of());
			}
		});
	}

	private static Filter logIn(AtomicReference<@Nullable Authentication> login) {
		return (request, response, chain) -> {
			SecurityContextHolder.getContext().setAuthentication(login.get());
			try {
				chain.doFilter(request, response);
			}
			finally {
				SecurityContextHolder.clearContext();
			}
		};
	}

	private static void assertListed(McpSyncClient client, List<String> tools) {
		assertThat(client.listTools().tools()).extracting(McpSchema.Tool::name)
			.containsExactlyInAnyOrderElementsOf(tools);
	}

}
