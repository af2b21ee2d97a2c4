package io.agenthooks.spring.mcp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class McpToolHooksTests {

	private static final TestingAuthenticationToken ANNA = new TestingAuthenticationToken("anna", "", "USER");

	private final List<ToolOutcome> outcomes = new CopyOnWriteArrayList<>();

	private final ServedTools tools = new ServedTools();

	private final McpToolHooks hooks = hooks((call) -> ToolDecision.approve());

	private McpToolHooks hooks(PreToolHook hook) {
		return new McpToolHooks(new ToolHookChain(List.of(hook), List.of(this.outcomes::add)));
	}

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void userIsWhoIsLoggedIn() {
		SecurityContextHolder.getContext().setAuthentication(ANNA);
		call(this.hooks.wrap(this.tools.statelessSync("t")));
		assertThat(user()).isEqualTo("anna");
	}

	@Test
	void userOfAnAsynchronousCallIsKnownBeforeItHops() {
		SecurityContextHolder.getContext().setAuthentication(ANNA);
		call(this.hooks.wrap(this.tools.statelessAsync("t"))).block();
		assertThat(user()).isEqualTo("anna");
	}

	@Test
	void userOfAReactiveApplicationIsKnown() {
		call(this.hooks.wrap(this.tools.statelessAsync("t")))
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(ANNA))
			.block();
		assertThat(user()).isEqualTo("anna");
	}

	@Test
	void callThatAToolMakesOfItselfIsDecided() {
		AtomicReference<McpStatelessServerFeatures.SyncToolSpecification> itself = new AtomicReference<>();
		List<String> ran = new CopyOnWriteArrayList<>();
		McpToolHooks once = hooks(
				(call) -> (ran.isEmpty()) ? ToolDecision.approve() : ToolDecision.deny("Once is enough"));
		itself.set(once.wrap(new McpStatelessServerFeatures.SyncToolSpecification(this.tools.statelessSync("t").tool(),
				(client, call) -> {
					ran.add("t");
					return Objects.requireNonNull(itself.get()).callHandler().apply(client, call);
				})));
		assertThat(call(Objects.requireNonNull(itself.get())).content().toString()).contains("Once is enough");
		assertThat(ran).hasSize(1);
	}

	@Test
	void contextOfReactorReachesTheTool() {
		McpStatelessServerFeatures.AsyncToolSpecification tool = new McpStatelessServerFeatures.AsyncToolSpecification(
				this.tools.statelessAsync("t").tool(), (client, call) -> Mono.deferContextual((context) -> Mono
					.just(CallToolResult.builder().addTextContent(context.getOrDefault("key", "none")).build())));
		CallToolResult result = call(this.hooks.wrap(tool)).contextWrite((context) -> context.put("key", "value"))
			.block();
		assertThat(result).isNotNull();
		assertThat(ServingApplication.text(result)).isEqualTo("value");
	}

	@Test
	void callThatIsCancelledWhileItIsDecidedDoesNotRun() throws Exception {
		CountDownLatch reached = new CountDownLatch(1);
		CountDownLatch over = new CountDownLatch(1);
		McpToolHooks deaf = hooks((call) -> {
			reached.countDown();
			boolean waiting = true;
			while (waiting) {
				try {
					waiting = !over.await(10, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					// A hook need not care.
				}
			}
			return ToolDecision.approve();
		});
		Disposable call = call(deaf.wrap(this.tools.statelessAsync("t"))).subscribe();
		assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
		call.dispose();
		over.countDown();
		Awaitility.await().until(() -> this.outcomes.size() == 1);
		assertThat(this.tools.runs()).isEmpty();
		assertThat(this.outcomes.get(0).status()).isEqualTo(ToolCallStatus.FAILED);
	}

	@Test
	void serverWhoseToolsCannotBeFoundIsRefused() {
		McpSyncServer unlikeOthers = Mockito.mock();
		assertThatIllegalStateException().isThrownBy(() -> this.hooks.wrap(unlikeOthers))
			.withMessageContaining("this version of the MCP SDK is not known")
			.withMessageContaining("hooks.tool_call.bypass_hooks: true");
	}

	@Test
	void toolThatIsWrappedTwiceIsDecidedOnce() {
		McpStatelessServerFeatures.SyncToolSpecification once = this.hooks.wrap(this.tools.statelessSync("t"));
		assertThat(this.hooks.wrap(once)).isSameAs(once);
		call(this.hooks.wrap(new McpStatelessServerFeatures.SyncToolSpecification(once.tool(),
				(client, call) -> once.callHandler().apply(client, call))));
		assertThat(this.outcomes).hasSize(1);
		assertThat(this.tools.runs()).hasSize(1);
	}

	@Test
	void sameCallMadeAgainByTheToolIsDecidedAgain() {
		McpStatelessServerFeatures.SyncToolSpecification inner = this.hooks.wrap(this.tools.statelessSync("t"));
		call(this.hooks.wrap(
				new McpStatelessServerFeatures.SyncToolSpecification(inner.tool(), (client, call) -> inner.callHandler()
					.apply(client, new CallToolRequest(call.name(), call.arguments(), call.meta())))));
		assertThat(this.outcomes).hasSize(2);
	}

	@Test
	void requestThatAToolHandsOnTwiceIsDecidedAgain() {
		McpStatelessServerFeatures.SyncToolSpecification inner = this.hooks.wrap(this.tools.statelessSync("t"));
		call(this.hooks.wrap(new McpStatelessServerFeatures.SyncToolSpecification(inner.tool(), (client, call) -> {
			assertThat(inner.callHandler().apply(client, call)).isNotNull();
			return inner.callHandler().apply(client, call);
		})));
		assertThat(this.outcomes).hasSize(2);
	}

	@Test
	void asynchronousCallIsHandedOnOnceHoweverOftenItIsSubscribedTo() {
		McpStatelessServerFeatures.AsyncToolSpecification inner = this.hooks.wrap(this.tools.statelessAsync("t"));
		call(this.hooks.wrap(new McpStatelessServerFeatures.AsyncToolSpecification(inner.tool(), (client, call) -> {
			Mono<CallToolResult> result = inner.callHandler().apply(client, call);
			return result.then(result);
		}))).block();
		assertThat(this.outcomes).hasSize(2);
		assertThat(this.tools.runs()).hasSize(2);
	}

	@Test
	void requestWhoseArgumentsAToolChangesIsDecidedAgain() {
		McpStatelessServerFeatures.SyncToolSpecification inner = this.hooks.wrap(this.tools.statelessSync("t"));
		McpStatelessServerFeatures.SyncToolSpecification outer = this.hooks
			.wrap(new McpStatelessServerFeatures.SyncToolSpecification(inner.tool(), (client, call) -> {
				call.arguments().put("city", "Paris");
				return inner.callHandler().apply(client, call);
			}));
		assertThat(outer.callHandler()
			.apply(McpTransportContext.EMPTY,
					CallToolRequest.builder("t").arguments(new HashMap<>(ServingApplication.LONDON)).build()))
			.isNotNull();
		assertThat(this.outcomes).hasSize(2);
	}

	@Test
	void toolKnowsWhatTheTransportKnows() {
		McpStatelessServerFeatures.SyncToolSpecification tool = this.hooks
			.wrap(new McpStatelessServerFeatures.SyncToolSpecification(this.tools.statelessSync("t").tool(),
					(client, call) -> CallToolResult.builder().addTextContent("" + client.get("header")).build()));
		CallToolResult result = tool.callHandler()
			.apply(McpTransportContext.create(Map.of("header", "value")), london(tool.tool()));
		assertThat(ServingApplication.text(result)).isEqualTo("value");
	}

	@Test
	void callThatAToolHandsOnToAnotherIsDecidedAgain() {
		McpStatelessServerFeatures.SyncToolSpecification other = this.hooks.wrap(this.tools.statelessSync("other"));
		McpStatelessServerFeatures.AsyncToolSpecification async = this.hooks.wrap(this.tools.statelessAsync("async"));
		call(this.hooks.wrap(new McpStatelessServerFeatures.SyncToolSpecification(
				this.tools.statelessSync("router").tool(), (client, call) -> {
					async.callHandler().apply(client, call).block();
					return other.callHandler().apply(client, call);
				})));
		assertThat(this.outcomes).extracting((outcome) -> outcome.effective().tool())
			.containsExactly("async", "other", "router");
	}

	@Test
	void exceptionOfAToolReachesTheServerUnchanged() {
		IllegalStateException broken = new IllegalStateException("broken");
		McpSchema.Tool tool = this.tools.statelessSync("t").tool();
		assertThatIllegalStateException().isThrownBy(() -> call(
				this.hooks.wrap(new McpStatelessServerFeatures.SyncToolSpecification(tool, (client, call) -> {
					throw broken;
				}))))
			.isSameAs(broken);
		assertThatIllegalStateException()
			.isThrownBy(() -> call(this.hooks.wrap(
					new McpStatelessServerFeatures.AsyncToolSpecification(tool, (client, call) -> Mono.error(broken))))
				.block())
			.isSameAs(broken);
		assertThat(this.outcomes).hasSize(2);
	}

	@Test
	void argumentsThatAreNoneAreNone() {
		McpSchema.Tool tool = McpSchema.Tool.builder("t", Map.of("type", "object")).build();
		McpStatelessServerFeatures.SyncToolSpecification hooked = this.hooks
			.wrap(new McpStatelessServerFeatures.SyncToolSpecification(tool,
					(client, call) -> CallToolResult.builder().addTextContent("got " + call.arguments()).build()));
		CallToolResult result = hooked.callHandler()
			.apply(McpTransportContext.EMPTY, new CallToolRequest("t", null, null));
		assertThat(ServingApplication.text(result)).isEqualTo("got {}");
	}

	private CallToolResult call(McpStatelessServerFeatures.SyncToolSpecification tool) {
		return tool.callHandler().apply(McpTransportContext.EMPTY, london(tool.tool()));
	}

	private Mono<CallToolResult> call(McpStatelessServerFeatures.AsyncToolSpecification tool) {
		return tool.callHandler().apply(McpTransportContext.EMPTY, london(tool.tool()));
	}

	private static CallToolRequest london(McpSchema.Tool tool) {
		return CallToolRequest.builder(tool.name()).arguments(ServingApplication.LONDON).build();
	}

	private String user() {
		assertThat(this.outcomes).hasSize(1);
		return String.valueOf(this.outcomes.get(0).requested().context().user());
	}

}
