package io.agenthooks.spring.mcp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import io.agenthooks.CallContext;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.caller.TokenLogins;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who asks a tool that the application offers as an MCP server, on whatever
 * thread the tool and the hooks run, and for whom agents inside such a tool work.
 */
class McpWhoAsksTests {

	private static final Authentication ANNA = TokenLogins.opaque("anna");

	private static final Authentication GUEST = new AnonymousAuthenticationToken("key", "anonymousUser",
			AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

	private final List<CallContext> seen = new CopyOnWriteArrayList<>();

	private final ToolHookChain chain = new ToolHookChain(List.<PreToolHook>of((call) -> {
		this.seen.add(call.context());
		return ToolDecision.approve();
	}), List.of());

	private final McpToolHooks hooks = new McpToolHooks(this.chain);

	private final ToolCallback nested = new SpringAiToolHooks(this.chain)
		.wrap(FunctionToolCallback.builder("nested", () -> "nested").build());

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@EnumSource
	void userOfTheRequestIsKnownToEveryToolOfEveryServer(Kind kind) {
		AtomicReference<@Nullable Authentication> login = new AtomicReference<>();
		ApplicationContextRunner runner = ServingApplication.runner(kind, (call) -> ToolDecision.approve())
			.withPropertyValues("hooks.context.claims[0]=tenant")
			.withBean(Filter.class, () -> (request, response, chain) -> {
				SecurityContextHolder.getContext().setAuthentication(login.get());
				try {
					chain.doFilter(request, response);
				}
				finally {
					SecurityContextHolder.clearContext();
				}
			});
		ServingApplication.run(runner, (application) -> {
			List<String> tools = List.of(ServedTools.ANNOTATED, ServedTools.CALLBACK, ServedTools.SPECIFIED);
			try (McpSyncClient client = application.client("tester")) {
				for (Authentication next : new Authentication[] { ANNA, GUEST, null }) {
					login.set(next);
					tools.forEach((tool) -> ServingApplication.call(client, tool, ServingApplication.LONDON));
				}
			}
			assertThat(application.outcomes()).hasSize(9)
				.extracting((outcome) -> outcome.requested().context().user())
				.containsExactly("anna", "anna", "anna", null, null, null, null, null, null);
			assertThat(application.outcomes()).extracting((outcome) -> outcome.requested().context())
				.allSatisfy((context) -> assertThat(context)
					.isEqualTo((context.user() != null) ? TokenLogins.in(context, "anna") : context.withUser(null)));
		});
	}

	static Stream<Arguments> logins() {
		return Stream.of(Arguments.of(ANNA, Context.empty(), "anna"),
				Arguments.of(null, ReactiveSecurityContextHolder.withAuthentication(ANNA), "anna"),
				Arguments.of(new TestingAuthenticationToken("stale", "", "USER"),
						ReactiveSecurityContextHolder.withAuthentication(ANNA), "anna"),
				Arguments.of(ANNA, ReactiveSecurityContextHolder.withAuthentication(GUEST), null),
				Arguments.of(GUEST, Context.empty(), null), Arguments.of(null, Context.empty(), null));
	}

	@ParameterizedTest
	@MethodSource("logins")
	void agentInsideAToolWorksForTheUserOfTheClient(@Nullable Authentication thread, Context reactor,
			@Nullable String user) {
		SecurityContextHolder.getContext().setAuthentication(thread);
		McpStatelessServerFeatures.AsyncToolSpecification tool = this.hooks
			.wrap(new McpStatelessServerFeatures.AsyncToolSpecification(new ServedTools().statelessAsync("t").tool(),
					(client, call) -> Mono.fromCallable(() -> reply())));
		tool.callHandler().apply(McpTransportContext.EMPTY, london()).contextWrite(reactor).block();
		SecurityContextHolder.clearContext();
		assertThat(this.seen).hasSize(2).extracting(CallContext::user).containsOnly(user);
		assertThat(this.seen).allSatisfy((each) -> assertThat(each.authorities())
			.isEqualTo((user != null) ? Set.of("ROLE_USER", "ROLE_ANNA") : Set.of()));
		this.seen.clear();
		Mono.fromCallable(() -> this.nested.call("{}")).subscribeOn(Schedulers.boundedElastic()).block();
		assertThat(this.seen).hasSize(1).extracting(CallContext::user).containsOnlyNulls();
	}

	@Test
	void agentInsideAToolWorksForWhomACustomizerNamed() {
		McpToolHooks customized = new McpToolHooks(() -> this.chain,
				() -> List.of((context, given) -> context.withUser("ben")));
		SecurityContextHolder.getContext().setAuthentication(ANNA);
		McpStatelessServerFeatures.SyncToolSpecification tool = customized
			.wrap(new McpStatelessServerFeatures.SyncToolSpecification(new ServedTools().statelessSync("t").tool(),
					(client, call) -> reply()));
		CallToolResult result = tool.callHandler().apply(McpTransportContext.EMPTY, london());
		assertThat(ServingApplication.text(result)).contains("nested");
		assertThat(this.seen).hasSize(2).allSatisfy((each) -> {
			assertThat(each.user()).isEqualTo("ben");
			assertThat(each.authorities()).isEmpty();
		});
	}

	private CallToolResult reply() {
		return CallToolResult.builder().addTextContent(this.nested.call("{}")).build();
	}

	private static CallToolRequest london() {
		return CallToolRequest.builder("t").arguments(Map.of("city", "London")).build();
	}

}
