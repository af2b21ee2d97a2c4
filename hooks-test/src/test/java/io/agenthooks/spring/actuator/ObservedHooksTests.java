package io.agenthooks.spring.actuator;

import java.lang.reflect.Proxy;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.actuator.WebApplication.Stack;
import io.agenthooks.spring.assembly.CurrentConfiguration;
import io.agenthooks.spring.outcome.HookModes;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for hooks that an operator lets only observe for a while.
 */
class ObservedHooksTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final String EXPOSED = """
			management:
			  endpoints: {web: {exposure: {include: "*"}}}
			  endpoint: {hookmodes: {access: unrestricted}, toolhooks: {access: unrestricted}}
			""";

	private static final String YAML = """
			hooks:
			  tool_call:
			    pre_call:
			      - type: policy
			        name: house-rules
			        config: {deny_tools: ["delete_*"]}
			      - type: policy
			        name: only-looks
			        mode: observe
			        config: {deny_tools: ["read"]}
			      - type: policy
			        name: other-rules
			        config: {deny_tools: ["format_*"]}
			    post_call:
			      - type: redact
			        name: no-secrets
			""";

	private static final String BODY = """
			{"name": "house-rules", "mode": "observe", "duration": "1m"}""";

	private static WebApplication application;

	@BeforeAll
	static void start() {
		application = WebApplication.start(Stack.SERVLET, EXPOSED + YAML, Tools.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	private static WebEndpointResponse<Map<String, @Nullable Object>> change(@Nullable String user, String name,
			String mode, @Nullable String duration) {
		return change(application.bean(HookModesEndpoint.class), user, name, mode, duration);
	}

	private static WebEndpointResponse<Map<String, @Nullable Object>> change(HookModesEndpoint endpoint,
			@Nullable String user, String name, String mode, @Nullable String duration) {
		return endpoint.change(name, mode, duration, new SecurityContext() {

			@Override
			public @Nullable Principal getPrincipal() {
				return (user != null) ? () -> user : null;
			}

			@Override
			public boolean isUserInRole(String role) {
				return false;
			}

		});
	}

	private static boolean runs(String tool) {
		return application.bean(ToolExecutor.class).execute(ToolCall.of(tool, Map.of())).succeeded();
	}

	private static List<String> changes() {
		return application.bean(Tools.class).changes;
	}

	private static String mode(String hook) {
		for (var each : application.get("/actuator/toolhooks").json().at("/tool_call/pre_call")) {
			if (each.get("name").asString().equals(hook)) {
				return each.get("mode").asString();
			}
		}
		return "none";
	}

	@Test
	void hookObservesUntilItsTimeIsOverAndThatIsOnRecord() {
		changes().clear();
		assertThat(runs("delete_user")).isFalse();
		WebEndpointResponse<Map<String, @Nullable Object>> reply = change("ann", "house-rules", "observe", "3s");
		assertThat(reply.getStatus()).isEqualTo(200);
		assertThat(Objects.requireNonNull(reply.getBody()).get("until")).isNotNull();
		assertThat(runs("delete_user")).isTrue();
		assertThat(runs("format_disk")).isFalse();
		assertThat(mode("house-rules")).isEqualTo("observe");
		assertThat(application.get("/actuator/toolhooks").json().at("/observing_until/house-rules").asString())
			.isEqualTo(reply.getBody().get("until"));
		assertThat(changes()).containsExactly("house-rules observe PT3S ann");
		Awaitility.await().atMost(LONG).until(() -> !runs("delete_user"));
		Awaitility.await().atMost(LONG).until(() -> changes().size() == 2);
		assertThat(changes()).last().isEqualTo("house-rules enforce null null");
		assertThat(mode("house-rules")).isEqualTo("enforce");
		assertThat(application.get("/actuator/toolhooks").json().get("observing_until")).isEmpty();
	}

	@Test
	void hookDecidesAgainAsSoonAsSomebodyWantsThat() {
		changes().clear();
		change("ann", "other-rules", "observe", "4h");
		assertThat(runs("format_disk")).isTrue();
		assertThat(change("bob", "other-rules", "enforce", null).getStatus()).isEqualTo(200);
		assertThat(runs("format_disk")).isFalse();
		assertThat(changes()).containsExactly("other-rules observe PT4H ann", "other-rules enforce null bob");
		assertThat(change("bob", "other-rules", "enforce", null).getStatus()).isEqualTo(404);
	}

	@Test
	void laterTimeHoldsOverAnEarlierOne() {
		change("ann", "other-rules", "observe", "100ms");
		change("ann", "other-rules", "observe", "1h");
		changes().clear();
		change("ann", "house-rules", "observe", "200ms");
		Awaitility.await().atMost(LONG).until(() -> changes().contains("house-rules enforce null null"));
		assertThat(runs("format_disk")).isTrue();
		change("ann", "other-rules", "enforce", null);
		assertThat(runs("format_disk")).isFalse();
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "5h", "0s", "-1m", "30", "x", "", "9223372036854775807h", "PT5H" })
	void requestWithoutABoundIsRefused(@Nullable String duration) {
		assertThat(change("ann", "house-rules", "observe", duration).getStatus()).isEqualTo(400);
		assertThat(change("ann", "house-rules", "off", "1m").getStatus()).isEqualTo(400);
		assertThat(change("ann", "house-rules", "enforce", "1m").getStatus()).isEqualTo(400);
		assertThat(runs("delete_user")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "only-looks", "no-secrets-at-all" })
	void hookThatDoesNotDecideIsNotFound(String name) {
		assertThat(change("ann", name, "observe", "1m").getStatus()).isEqualTo(404);
	}

	@Test
	void nobodyWithoutALoginChangesAMode() {
		assertThat(change(null, "house-rules", "observe", "1m").getStatus()).isEqualTo(403);
		assertThat(application.post("/actuator/hookmodes", BODY).status()).isEqualTo(403);
		assertThat(runs("delete_user")).isFalse();
	}

	/**
	 * A hook of several chains, of which one cannot be changed, goes on deciding in all.
	 */
	@Test
	void hookObservesInAllChainsOrInNone() {
		changes().clear();
		LlmHooks fixed = (LlmHooks) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LlmHooks.class, HookModes.class }, (proxy, method, arguments) -> {
					throw new IllegalStateException("The hook cannot be changed");
				});
		ApplicationContext context = application.context();
		HookModesEndpoint endpoint = new HookModesEndpoint(
				new ToolHooksEndpoint.Chains(context.getBeanProvider(ToolHooks.class), provider(fixed),
						context.getBeanProvider(RunHooks.class), application.bean(CurrentConfiguration.class)),
				context.getBeanProvider(HookModes.Watch.class));
		assertThat(change(endpoint, "ann", "house-rules", "observe", "1m").getStatus()).isEqualTo(409);
		assertThat(runs("delete_user")).isFalse();
		assertThat(mode("house-rules")).isEqualTo("enforce");
		assertThat(changes()).isEmpty();
	}

	private static ObjectProvider<LlmHooks> provider(LlmHooks hooks) {
		return new ObjectProvider<>() {

			@Override
			public LlmHooks getIfAvailable() {
				return hooks;
			}

			@Override
			public Stream<LlmHooks> stream() {
				return Stream.of(hooks);
			}

		};
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/toolhooks", "/actuator/toolhooks/hookmodes", "/actuator/toolhooks/switch",
			"/actuator/hookmodes/house-rules", "/actuator/toolhooks?operation=hookmodes" })
	void modeIsChangedAtItsOwnPathAlone(String path) {
		assertThat(application.post(path, BODY).status()).isIn(400, 404);
		assertThat(runs("delete_user")).isFalse();
	}

	@Test
	void whoeverMayAskWhatWouldHappenMayNotChangeAMode() {
		String explainOnly = EXPOSED.replace("hookmodes: {access: unrestricted}, ", "");
		try (WebApplication other = WebApplication.start(Stack.SERVLET, explainOnly + YAML, Tools.class)) {
			assertThat(other.post("/actuator/toolhooks", "{\"tool_name\": \"delete_user\"}").text("/verdict"))
				.isEqualTo("deny");
			assertThat(other.post("/actuator/hookmodes", BODY).status()).isEqualTo(404);
			assertThat(other.context().getBeansOfType(HookModesEndpoint.class)).isEmpty();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Tools {

		final List<String> changes = new CopyOnWriteArrayList<>();

		@Bean
		ToolExecutor executor() {
			return (call) -> ToolResult.success("ran");
		}

		@Bean
		HookModes.Watch watch() {
			return (hook, observes, time, user) -> this.changes
				.add("%s %s %s %s".formatted(hook, (observes) ? "observe" : "enforce", time, user));
		}

	}

}
