package io.agenthooks.spring.scope;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.agenthooks.CallContext;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.actuator.HooksEndpointsAutoConfiguration;
import io.agenthooks.spring.actuator.ToolHooksEndpoint;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.health.HealthHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnmatchedNames}.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnmatchedNamesTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private final UnmatchedNames names = new UnmatchedNames();

	@ParameterizedTest
	@MethodSource
	void callStrikesOutTheNamesThatItHas(Named kind, String name, UnaryOperator<CallContext> caller) {
		this.names.add(new Mention(kind, name, kind.option(), "guard", "here"));
		assertThat(this.names.isActive()).isTrue();
		this.names.begin(ToolCall.of("mail", Map.of()));
		assertThat(this.names.of("guard")).containsExactly(Map.entry(kind.option(), List.of(name)));
		this.names.begin(ToolCall.of("mail", Map.of(), caller.apply(CallContext.empty())));
		assertThat(this.names.of("guard")).isEmpty();
		assertThat(this.names.all()).isEmpty();
		assertThat(this.names.isActive()).isFalse();
	}

	static Stream<Arguments> callStrikesOutTheNamesThatItHas() {
		return Stream.of(arguments(Named.USER, "ann", (context) -> context.withUser("ann")),
				arguments(Named.USER, "*@partner.example", (context) -> context.withUser("b@partner.example")),
				arguments(Named.AUTHORITY, "ROLE_INTERN",
						(context) -> context.withUser("x").withAuthorities(Set.of("SCOPE_a", "ROLE_INTERN"))),
				arguments(Named.AGENT, "clerk*", (context) -> context.withAgent("clerk-1")),
				arguments(Named.ROLE, "staff", (context) -> context.withRole("staff")),
				arguments(Named.WORKSPACE, "prod", (context) -> context.withWorkspace("prod")));
	}

	private static Arguments arguments(Named kind, String name, UnaryOperator<CallContext> caller) {
		return Arguments.of(kind, name, caller);
	}

	@Test
	void eachNameOfAListIsStruckOutByItself() {
		this.names.add(new Mention(Named.USER, "ann", "users", "guard", "here"));
		this.names.add(new Mention(Named.USER, "Bob", "users", "guard", "here"));
		this.names.add(new Mention(Named.USER, "ann", "users", "other", "there"));
		this.names.begin(ToolCall.of("mail", Map.of(), CallContext.empty().withUser("ann")));
		assertThat(this.names.all()).containsExactly(Map.entry("guard", Map.of("users", List.of("Bob"))));
	}

	@Test
	void toolOfAServerStrikesOutAllItsNames() {
		this.names.add(new Mention(Named.TOOL, "github__create_*", "deny_tools", "guard", "here"));
		this.names.add(new Mention(Named.MCP_SERVER, "git*", "mcp_servers", "guard", "here"));
		this.names.know(ToolIdentity.onServer("github", "create_issue", "gh_create_issue"));
		assertThat(this.names.isActive()).isFalse();
	}

	@Test
	void somethingWithNearlyTheNameIsWarnedOfOnce(CapturedOutput output) {
		this.names.add(new Mention(Named.TOOL, "create_isue", "deny_tools", "guard", "application.yaml:6:9"));
		this.names.add(new Mention(Named.MCP_SERVER, "githib", "mcp_servers", "guard", "application.yaml:7:9"));
		this.names.add(new Mention(Named.USER, "Ann", "users", "guard", "application.yaml:8:9"));
		for (int i = 0; i < 3; i++) {
			this.names.know(ToolIdentity.onServer("github", "create_issue", "gh_create_issue"));
			this.names.know(ToolIdentity.onServer("github", "create_issues", "gh_create_issues"));
			this.names.begin(ToolCall.of("mail", Map.of(), CallContext.empty().withUser("ann")));
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("Nothing has had the name"))).hasSize(3)
			.anySatisfy((line) -> assertThat(line).contains("deny_tools of the hook 'guard'", "application.yaml:6:9",
					"'create_isue'", "Did you mean 'create_issue'?"))
			.anySatisfy((line) -> assertThat(line).contains("application.yaml:7:9", "Did you mean 'github'?"))
			.anySatisfy((line) -> assertThat(line).contains("application.yaml:8:9", "It is a user.")
				.doesNotContain("'ann'"));
		assertThat(this.names.of("guard")).containsOnlyKeys("deny_tools", "mcp_servers", "users");
	}

	@Test
	void endlessNamesAreNotKept() {
		this.names.add(new Mention(Named.AGENT, "clerk", "agents", "guard", "here"));
		for (int i = 0; i < 5_000; i++) {
			this.names.begin(ToolCall.of("mail", Map.of(), CallContext.empty().withAgent("bot" + i)));
		}
		assertThat(this.names.isActive()).isTrue();
		this.names.begin(ToolCall.of("mail", Map.of(), CallContext.empty().withAgent("clerk")));
		assertThat(this.names.isActive()).isFalse();
	}

	@Test
	void operatorsSeeWhatHasMatchedNothing() {
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, HealthHooksAutoConfiguration.class,
					HooksEndpointsAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=toolhooks", ENTRY + "type=policy",
					ENTRY + "users[0]=Ann", ENTRY + "users[1]=bob", ENTRY + "config.deny_tools[0]=drop_*",
					ENTRY + "config.deny_tools[1]=mail")
			.withBean(ToolExecutor.class, Mail::new)
			.run((context) -> {
				ToolExecutor executor = context.getBean(ToolExecutor.class);
				executor.execute(ToolCall.of("mail", Map.of(), CallContext.empty().withUser("bob")));
				Map<String, List<String>> expected = Map.of("users", List.of("Ann"), "deny_tools", List.of("drop_*"));
				assertThat(Objects.requireNonNull(context.getBean(HealthIndicator.class).health()).getDetails())
					.containsEntry("matched_nothing_so_far", Map.of("policy#0", expected));
				assertThat(String.valueOf(context.getBean(ToolHooksEndpoint.class).hooks().getBody()))
					.contains("matched_nothing_so_far={")
					.contains("users=[Ann]", "deny_tools=[drop_*]");
				executor.execute(ToolCall.of("drop_table", Map.of(), CallContext.empty().withUser("Ann")));
				assertThat(Objects.requireNonNull(context.getBean(HealthIndicator.class).health()).getDetails())
					.doesNotContainKey("matched_nothing_so_far");
				assertThat(String.valueOf(context.getBean(ToolHooksEndpoint.class).hooks().getBody()))
					.doesNotContain("matched_nothing_so_far");
			});
	}

	private static final class Mail implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("sent");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("mail");
		}

	}

}
