package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.modelcontextprotocol.spec.McpSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.mcp.McpToolsChangedEvent;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.AgentHooks;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalLinksAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalNotifyAutoConfiguration;
import io.agenthooks.spring.console.ConsoleAutoConfiguration;
import io.agenthooks.spring.scope.UnmatchedNames;
import io.agenthooks.spring.security.SecurityHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for names in conditions and in other places than the scope of a hook, which are
 * verified as those of scopes are.
 */
@ExtendWith(OutputCaptureExtension.class)
class NamesInConditionsTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	/**
	 * Ann and the boss log in and nobody else, there is a clerk, and all tools are known.
	 */
	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(SecurityHooksAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class))
		.withBean("anyone", ChatClient.class, NamesInConditionsTests::client)
		.withBean(ToolExecutor.class, Mail::new)
		.withBean(UserDetailsService.class,
				() -> new InMemoryUserDetailsManager(user("ann", "INTERN"), user("boss", "ADMIN")))
		.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1",
				"hooks.context.claims=tenant");

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}" + name).roles(role).build();
	}

	private static ChatClient client() {
		return ChatClient.builder((prompt) -> {
			throw new IllegalStateException("Nobody asks");
		}).defaultAdvisors((advisors) -> advisors.param(AgentHooks.AGENT, "clerk")).build();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~', value = { "call.agent.startsWith('clrek') ~ 'clerk'",
			"call.agent.startsWith('clrk') ~ 'clerk'", "call.agent.endsWith('lrek') ~ '*lerk'",
			"call.agent.contains('clrek') ~ 'clerk'", "call.agent.matches('^clrek$') ~ 'clerk'",
			"call.agent.matches('^(boss|clrek)$') ~ 'clerk'", "call.agent.matches('clrek') ~ 'clerk'",
			"call.agent in ['boss', 'clrek'] ~ 'clerk'", "['boss', 'clrek'].exists(a, a == call.agent) ~ 'clerk'",
			"['boss', 'clrek'].exists(a, call.agent.startsWith(a)) ~ 'clerk'",
			"call.agent.lowerAscii() == 'clrek' ~ 'clerk'", "call.agent.lowerAscii().startsWith('clrek') ~ 'clerk'",
			"!call.agent.startsWith('clrek') && args.n > 5 ~ 'clerk'",
			"args.n > 5 ? call.agent == 'clrek' : false ~ 'clerk'", "user.name.startsWith('bosss') ~ 'boss'",
			"user.name.upperAscii() == 'BOSSS' ~ 'boss'",
			"user.authorities.exists(a, a.startsWith('ROLE_ADMN')) ~ 'ROLE_ADMI",
			"user.authorities.exists(a, a.startsWith('ADMIN')) ~ 'ROLE_ADMIN*'",
			"user.authorities.exists(a, a.matches('^(ADMIN|ROLE_INTERN)$')) ~ 'ROLE_ADMIN'",
			"user.authorities.exists(a, a.lowerAscii() == 'role_admn') ~ 'ROLE_ADMIN'",
			"user.authorities.filter(a, a.endsWith('INTREN')).size() > 0 ~ '*INTERN'",
			"['ADMIN'].exists(r, r in user.authorities) ~ 'ROLE_ADMIN'",
			"tool.mcp.server.startsWith('githib') ~ 'github'", "tool.mcp.server in ['gitub'] ~ 'github'",
			"user.claims.tennant.startsWith('a') ~ 'tenant'" })
	void nameThatIsSearchedAsTextStopsTheStartAsOneThatIsComparedDoes(String condition, String meant) {
		rule(condition).run((context) -> assertThat(ConditionPlacesTests.analysis(context.getStartupFailure()))
			.contains("rules[0].when of the hook 'policy#0'", meant));
	}

	@ParameterizedTest
	@ValueSource(strings = { "call.agent.startsWith('cle')", "call.agent.startsWith('clerk')",
			"call.agent.endsWith('rk')", "call.agent.contains('ler')", "call.agent.matches('^cl.*k$')",
			"call.agent.matches('^(boss|clerk)$')", "call.agent.lowerAscii() == 'clerk'",
			"call.agent.upperAscii().startsWith('CLE')", "call.agent == ''", "call.role.startsWith('ag')",
			"call.workspace.contains('ai')", "user.name.startsWith('bo')", "user.name.upperAscii() == 'BOSS'",
			"user.authorities.exists(a, a.startsWith('ROLE_'))", "user.authorities.exists(a, a.startsWith('RO'))",
			"user.authorities.exists(a, a.endsWith('ADMIN'))",
			"user.authorities.exists(a, a.lowerAscii() == 'role_admin')",
			"user.authorities.exists(a, a.contains('ADM'))", "tool.mcp.server.startsWith('git')",
			"user.claims.tenant.startsWith('a')", "tool.name == 'mail'", "tool.name.startsWith('mail_')",
			"tool.names.exists(n, n.endsWith('read'))", "tool.name in ['mail', 'mail_read']",
			"tool.name == 'github__create_issue'", "args.agent == 'clrek'", "['clrek'].exists(a, a == args.n)" })
	void nameThatIsKnownIsFine(String condition, CapturedOutput output) {
		rule(condition).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("ScopeVerifier").doesNotContain("RuleVerifier");
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '~',
			value = { "tool.name == 'maill' ~ 'mail'", "'mial' == tool.name ~ 'mail'",
					"tool.name in ['mail', 'mail_raed'] ~ 'mail_read'", "tool.name.startsWith('mial_') ~ 'mail'",
					"tool.names.exists(n, n == 'mail_reed') ~ 'mail_read'", "'mail_raed' in tool.names ~ 'mail_read'",
					"tool.name.matches('^(mail|mail_raed)$') ~ 'mail_read'",
					"tool.name != 'mail_raed' && args.n > 5 ~ 'mail_read'",
					"tool.name.lowerAscii() == 'mail_raed' ~ 'mail_read'" })
	void toolThatNothingIsCalledIsWarnedOfAndStopsAStrictStart(String condition, String meant, CapturedOutput output) {
		rule(condition).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("rules[0].when of the hook 'policy#0' (", "Did you mean " + meant);
		rule(condition).withPropertyValues("hooks.strict=true")
			.run((context) -> assertThat(ConditionPlacesTests.analysis(context.getStartupFailure())).contains(meant));
	}

	@ParameterizedTest
	@ValueSource(strings = { "tool.name == 'github/create_issue'", "tool.name == 'mcp__github'",
			"tool.name in ['functions.mail']" })
	void toolInTheFormOfAnotherSystemStopsTheStart(String condition) {
		rule(condition).run((context) -> assertThat(ConditionPlacesTests.analysis(context.getStartupFailure()))
			.contains("another system's way to write a tool"));
	}

	@ParameterizedTest
	@CsvSource({ "untrusted[0], untrusted", "trusted[0], trusted", "private[0], private",
			"sinks[0].tools[0], sinks[0]" })
	void serverOfARuleOnTheFlowOfDataIsVerified(String list, String option) {
		ApplicationContextRunner flow = APPLICATION.withPropertyValues(ENTRY + "type=flow",
				ENTRY + "config.untrusted[%d]=mail_read".formatted((list.startsWith("untrusted")) ? 1 : 0),
				ENTRY + "config.sinks[%d].tools[0]=mail".formatted((list.startsWith("sinks")) ? 1 : 0),
				ENTRY + "config.sinks[%d].named_by.n[0]=user".formatted((list.startsWith("sinks")) ? 1 : 0),
				ENTRY + "config.sinks[0].named_by.n[0]=user");
		String servers = ENTRY + "config." + list + ".mcp_servers[0]=";
		flow.withPropertyValues(servers + "git*").run((context) -> assertThat(context).hasNotFailed());
		flow.withPropertyValues(servers + "githib")
			.run((context) -> assertThat(ConditionPlacesTests.analysis(context.getStartupFailure()))
				.contains(option + " of the hook 'flow#0'", "MCP server 'githib'", "Did you mean 'github'?"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "APPROVER", "role_APPROVER", "hasRole('APPROVER')" })
	void authorityOfAPersonWhomAMessageIsForIsVerified(String authority) {
		ApplicationContextRunner application = APPLICATION
			.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class,
					ApprovalLinksAutoConfiguration.class, ApprovalNotifyAutoConfiguration.class))
			.withPropertyValues("hooks.approval.enabled=true",
					"hooks.approval.links.base_url=https://agent.example.org",
					"hooks.approval.links.secret=0123456789abcdefghijklmnopqrstuvwxyz",
					"hooks.approval.approvers[0]=ROLE_ADMIN", "hooks.approval.notify[0].as.authorities[0]=ROLE_ADMIN",
					"hooks.approval.notify[0].url=https://chat.example.org/x", "hooks.approval.notify[0].as.name=boss");
		application.withPropertyValues("hooks.approval.notify[0].as.authorities[1]=" + authority)
			.run((context) -> assertThat(ConditionPlacesTests.analysis(context.getStartupFailure()))
				.contains("'hooks.approval.notify[0].as.authorities'", "Write 'ROLE_APPROVER'"));
	}

	@ParameterizedTest
	@CsvSource({ "OPERATOR, ROLE_OPERATOR", "role_ADMIN, ROLE_ADMIN", "ROLE_ADMN, ROLE_ADMIN", "Admin, ROLE_ADMIN" })
	void authorityOfTheConsoleIsVerified(String authority, String meant) {
		WebApplicationContextRunner application = new WebApplicationContextRunner()
			.withConfiguration(HookTypes.with(SecurityHooksAutoConfiguration.class,
					ToolCallHooksAutoConfiguration.class, ConsoleAutoConfiguration.class))
			.withBean(UserDetailsService.class, () -> new InMemoryUserDetailsManager(user("boss", "ADMIN")))
			.withPropertyValues("hooks.console.enabled=true", "hooks.console.authority=" + authority);
		application.run((context) -> assertThat(ConditionPlacesTests.analysis(context.getStartupFailure()))
			.contains("hooks.console.authority", "'" + meant + "'"));
	}

	@Test
	void toolsThatAServerAnnouncesAreLookedAt(CapturedOutput output) {
		APPLICATION
			.withPropertyValues(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=github__delete_repository",
					ENTRY + "config.deny_tools[1]=github__force_pussh", ENTRY + "config.rules[0].then=deny",
					ENTRY + "config.rules[0].when=tool.name == 'github__merge'")
			.run((context) -> {
				UnmatchedNames unmatched = context.getBean(UnmatchedNames.class);
				assertThat(unmatched.of("policy#0")).containsOnly(
						Map.entry("deny_tools", List.of("github__delete_repository", "github__force_pussh")),
						Map.entry("rules[0].when", List.of("github__merge")));
				context.publishEvent(new McpToolsChangedEvent("github",
						List.of(tool("delete_repository"), tool("force_push"), tool("merge"), tool("\u200b"))));
				assertThat(unmatched.of("policy#0"))
					.containsOnly(Map.entry("deny_tools", List.of("github__force_pussh")));
				assertThat(output).contains("nearly this name now", "Did you mean 'github__force_push'?");
			});
	}

	private static McpSchema.Tool tool(String name) {
		return McpSchema.Tool.builder(name, Map.of("type", "object")).build();
	}

	private static ApplicationContextRunner rule(String condition) {
		return APPLICATION.withPropertyValues(ENTRY + "type=policy", ENTRY + "config.rules[0].when=" + condition,
				ENTRY + "config.rules[0].then=deny");
	}

	private static final class Mail implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("sent");
		}

		@Override
		public Set<String> toolNames() {
			return Set.of("mail", "mail_read");
		}

	}

}
