package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.AgentHooks;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.scope.NameSource;
import io.agenthooks.spring.scope.Named;
import io.agenthooks.spring.security.SecurityHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScopeVerifier}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ScopeVerifierTests {

	private static final String ENTRY = "hooks.tool_call.pre_call[0].";

	private static final ApplicationContextRunner APPLICATION = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(SecurityHooksAutoConfiguration.class, ToolCallHooksAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class))
		.withBean("anyone", ChatClient.class, () -> client("clerk"));

	/** An application that calls its tools itself. */
	private static final ApplicationContextRunner OWN_LOOP = APPLICATION.withBean(ToolExecutor.class, Mail::new);

	/** Two people log in, and nobody else can. */
	private static final ApplicationContextRunner WITH_USERS = APPLICATION.withBean(UserDetailsService.class,
			() -> new InMemoryUserDetailsManager(user("ann", "INTERN"), user("boss", "ADMIN")));

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}" + name).roles(role).build();
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			INTERN, ROLE_INTERN
			ADMIN, ROLE_ADMIN
			admin, ROLE_admin
			role_ADMIN, ROLE_ADMIN
			Role_ADMIN, ROLE_ADMIN
			scope_mail, SCOPE_mail
			ROLE_ROLE_ADMIN, ROLE_ADMIN
			hasRole('ADMIN'), ROLE_ADMIN
			hasAnyRole('ADMIN'), ROLE_ADMIN
			hasAuthority('SCOPE_mail'), SCOPE_mail
			""")
	void authorityInAFormThatNobodyGrantsStopsTheStart(String written, String instead) {
		deny(APPLICATION, "authorities[0]=" + written).run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains("authorities of the hook 'policy#0'", "No login grants the authority '" + written + "'",
					"Write '" + instead + "'", "hooks.context.authorities"));
		rule(APPLICATION, "!(%s in user.authorities)".formatted(quoted(written)))
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("rules[0].when",
					"Write '" + instead + "'"));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = { "authorities, ROLE_ANONYMOUS, 'ROLE_ANONYMOUS' in user.authorities",
			"authorities, ROLE_ANONYMOUS, hasRole('ANONYMOUS')", "users, anonymousUser, user.name == 'anonymousUser'" })
	void nameOfWhoHasNotLoggedInInAConditionStopsTheStart(String option, String written, String condition) {
		rule(APPLICATION, condition).run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains("rules[0].when", "'" + written + "'", "user.isAnonymous", "hooks.context." + option));
		rule(APPLICATION, condition).withPropertyValues("hooks.context." + option + "=" + written)
			.run((context) -> assertThat(context).hasNotFailed());
		deny(APPLICATION, option + "[0]=" + written).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "WRITE_PRIVILEGE, ROLE_WRITE_PRIVILEGE", "GROUP_staff, ROLE_GROUP_staff", "role:admin, ROLE_admin",
			"ROLE-ADMIN, ROLE_ADMIN", "ROLE:ADMIN, ROLE_ADMIN", "ROLE.ADMIN, ROLE_ADMIN", "SCOPE:mail, SCOPE_mail",
			"mail-sender, ROLE_mail-sender" })
	void authorityThatTheApplicationItselfMayGrantIsWarnedOf(String written, String instead, CapturedOutput output) {
		ApplicationContextRunner own = APPLICATION.withBean(UserDetailsService.class,
				() -> (name) -> User.withUsername(name).password("x").authorities(written).build());
		deny(own, "authorities[0]=" + written).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("WARN", "No login that is known grants the authority '" + written + "'",
				"Write '" + instead + "'");
		deny(own, "authorities[0]=" + written, "hooks.strict=true", "hooks.context.tools=mail")
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("Write '" + instead + "'",
					"hooks.context.authorities"));
		deny(own, "authorities[0]=" + written, "hooks.context.authorities=" + written)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "role:admin", "role.admin", "TEAM_A" })
	void authorityWhoseTwinAKnownUserHasStopsTheStart(String written) {
		ApplicationContextRunner twins = APPLICATION.withBean(UserDetailsService.class,
				() -> new InMemoryUserDetailsManager(user("ann", "ADMIN"), user("bob", "TEAM_A")));
		deny(twins, "authorities[0]=" + written)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("'" + written + "'"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ROLE_INTERN", "SCOPE_mail.send", "FACTOR_PASSWORD", "mail:send", "mail.send", "mail/send",
			"https://example.org/refund", "ROLE_*", "*", "*INTERN", "OIDC_USER" })
	void authorityThatMayBeGrantedIsFine(String authority, CapturedOutput output) {
		deny(APPLICATION, "authorities[0]=" + authority).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("ScopeVerifier");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hooks.context.authorities=INTERN", "hooks.context.authorities=INT*",
			"spring.security.oauth2.resourceserver.jwt.authority-prefix=" })
	void authorityThatTheApplicationSaysItGrantsIsFine(String declared) {
		deny(APPLICATION.withPropertyValues(declared), "authorities[0]=INTERN")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "'ADMIN' in user.authorities", "user.authorities.exists(a, a == 'ADMIN')",
			"user.authorities.all(a, a != 'ADMIN')", "['ADMIN'] == user.authorities",
			"args.n > 1 && !('ADMIN' in user.authorities)",
			"user.authorities.exists(a, 'x' == 'x' && a in ['ADMIN'])" })
	void authorityInAConditionIsFound(String condition) {
		rule(APPLICATION, condition)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("Write 'ROLE_ADMIN'"));
	}

	@ParameterizedTest
	@CsvSource({ "users, Ann, ann", "users, bos, boss", "authorities, ROLE_INTRN, ROLE_INTERN",
			"authorities, ROLE_intern, ROLE_INTERN", "authorities, INTERN, ROLE_INTERN" })
	void misspelledUserOrAuthorityOfAKnownUserStopsTheStart(String option, String written, String meant) {
		deny(WITH_USERS, option + "[0]=" + written).run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains(option + " of the hook", "'" + written + "'", "'" + meant + "'"));
		deny(WITH_USERS, option + "[0]=" + meant).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', delimiter = '|', value = { "user.name == 'Ann' | ann",
			"user.name in ['zoe@example.org', 'Ann'] | ann", "'Ann' == user.name | ann" })
	void misspelledUserInAConditionStopsTheStart(String condition, String meant) {
		rule(WITH_USERS, condition).run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains("rules[0].when", "'" + meant + "'"));
	}

	@Test
	void userWhoIsNotAmongAllKnownOnesIsWarnedOf(CapturedOutput output) {
		deny(WITH_USERS, "users[0]=zoe@example.org").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("zoe@example.org", "Known are ann, boss");
	}

	@Test
	void userIsNotKnownWhereOthersLogIn(CapturedOutput output) {
		deny(APPLICATION, "users[0]=zoe@example.org").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("ScopeVerifier");
	}

	@ParameterizedTest
	@CsvSource({ "ADMIN, ROLE_ADMIN", "ROLE_ADMIN, ROLE_ADMIN", "admin, ROLE_ADMIN", "hasRole('ADMIN'), ROLE_ADMIN" })
	void roleThatNothingGivesACallStopsTheStart(String role, String authority) {
		deny(WITH_USERS, "roles[0]=" + role)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("roles of the hook",
					"Nothing gives a call the role", "authorities: [" + authority + "]", "hooks.context.roles"));
		rule(WITH_USERS, "call.role == %s".formatted(quoted(role)))
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("rules[0].when",
					"authorities: [" + authority + "]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "roles[0]=agent", "roles[0]=*", "roles[0]=a*", "workspaces[0]=main", "workspaces[0]=m*" })
	void whatEachCallHasIsFine(String scope) {
		deny(APPLICATION, scope).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "workspaces[0]=prod", "workspaces[0]=Main" })
	void workspaceThatNothingSetsStopsTheStart(String scope) {
		deny(APPLICATION, scope).run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains("Nothing gives a call the workspace", "hooks.context.workspaces"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "roles[0]=clerk", "workspaces[0]=prod", "mcp_servers[0]=github" })
	void whatALoopOfTheApplicationMaySetIsWarnedOf(String scope, CapturedOutput output) {
		deny(OWN_LOOP, scope).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("WARN").contains("hooks.context.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "roles[0]=ADMIN", "roles[0]=ROLE_ADMIN" })
	void roleOfSpringSecurityStopsTheStartOfALoopOfTheApplication(String scope) {
		deny(OWN_LOOP, scope)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("authorities: [ROLE_ADMIN]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "roles[0]=clerk", "workspaces[0]=prod", "mcp_servers[0]=github", "agents[0]=clerk" })
	void whatACustomizerMaySetIsFine(String scope, CapturedOutput output) {
		deny(APPLICATION.withBean(CallContextCustomizer.class, () -> (context, given) -> context.withRole("clerk")),
				scope)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("ScopeVerifier");
	}

	@Test
	void roleOfSpringSecurityIsWarnedOfWhereACustomizerMaySetIt(CapturedOutput output) {
		deny(APPLICATION.withBean(CallContextCustomizer.class, () -> (context, given) -> context), "roles[0]=ADMIN")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("authorities: [ROLE_ADMIN]");
	}

	@ParameterizedTest
	@CsvSource({ "roles, ADMIN", "workspaces, prod", "mcp_servers, github", "agents, suport" })
	void whatTheConfigurationListsIsFine(String option, String name, CapturedOutput output) {
		deny(APPLICATION.withPropertyValues("hooks.context." + option + "=" + name), option + "[0]=" + name)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("ScopeVerifier");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void agentIsWarnedOfWhereNothingNamesAny(boolean loop, CapturedOutput output) {
		ApplicationContextRunner nobody = new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(SecurityHooksAutoConfiguration.class,
					ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class));
		ApplicationContextRunner application = (loop) ? nobody.withBean(ToolExecutor.class, Mail::new) : nobody;
		for (ApplicationContextRunner each : List.of(deny(application, "agents[0]=suport"),
				deny(application, "agents[0]=sup*"), rule(application, "call.agent == 'suport'"))) {
			int before = output.getAll().length();
			each.run((context) -> assertThat(context).hasNotFailed());
			assertThat(output.getAll().substring(before).lines().filter((line) -> line.contains("ScopeVerifier")))
				.singleElement()
				.asString()
				.contains("WARN", "No agent that is known has the name 'sup", "hooks.context.agents");
			each.withPropertyValues("hooks.strict=true", "hooks.context.tools=mail")
				.run((context) -> assertThat(failure(context.getStartupFailure())).contains("hooks.context.agents"));
		}
		int before = output.getAll().length();
		deny(application, "agents[0]=suport", "hooks.context.agents=suport")
			.run((context) -> assertThat(context).hasNotFailed());
		deny(application.withBean(CallContextCustomizer.class, () -> (context, given) -> context), "agents[0]=suport")
			.run((context) -> assertThat(context).hasNotFailed());
		deny(application, "agents[0]=*").run((context) -> assertThat(context).hasNotFailed());
		rule(application, "call.agent == ''").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getAll().substring(before)).doesNotContain("ScopeVerifier");
	}

	@Test
	void misspelledAgentOfAClientStopsTheStart() {
		ApplicationContextRunner application = APPLICATION.withUserConfiguration(Support.class);
		deny(application, "agents[0]=suport").run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains("agents of the hook", "Did you mean 'support'?"));
		rule(application, "call.agent == 'suport'")
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("Did you mean 'support'?"));
		deny(application, "agents[0]=support").run((context) -> assertThat(context).hasNotFailed());
		deny(application, "agents[0]=researcher").run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource({ "spring.ai.mcp.client.sse.connections.github.url=http://localhost:1, githib",
			"spring.ai.mcp.client.streamable-http.connections.github.url=http://localhost:1, github2x",
			"spring.ai.mcp.client.stdio.connections.github.command=x, Github" })
	void serverWithoutAConnectionStopsTheStart(String property, String server) {
		deny(APPLICATION.withPropertyValues(property), "mcp_servers[0]=" + server)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("mcp_servers of the hook",
					"There is no connection to an MCP server '" + server + "'"));
		rule(APPLICATION.withPropertyValues(property), "tool.mcp.server == '%s'".formatted(server))
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void serverStopsTheStartWhereNothingCanConnect(CapturedOutput output) {
		ApplicationContextRunner withoutClients = APPLICATION
			.withClassLoader(new FilteredClassLoader("io.modelcontextprotocol.client", "dev.langchain4j.mcp"));
		deny(withoutClients, "mcp_servers[0]=githib").run((context) -> assertThat(failure(context.getStartupFailure()))
			.contains("There is no connection to an MCP server 'githib'"));
		deny(APPLICATION, "mcp_servers[0]=githib").run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("WARN").contains("There is no connection to an MCP server 'githib'");
	}

	@Test
	void serverThatMayBeConnectedLaterIsWarnedOf(CapturedOutput output) {
		deny(APPLICATION.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1"),
				"mcp_servers[0]=jira")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("There is no connection to an MCP server 'jira'", "Known are github.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "github", "git*", "*" })
	void serverWithAConnectionIsFine(String server) {
		deny(APPLICATION.withPropertyValues("spring.ai.mcp.client.sse.connections.github.url=http://localhost:1"),
				"mcp_servers[0]=" + server)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "user.claims.tenant == 'a'", "user.claims['tenant'] == 'a'", "has(user.claims.tenant)",
			"'tenant' in user.claims", "has(user.claims.tenant) && user.claims.tenant.startsWith('a')" })
	void claimThatHooksDoNotGetStopsTheStart(String condition) {
		rule(APPLICATION.withPropertyValues("hooks.context.claims=tenat"), condition)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("the claim 'tenant'",
					"Did you mean 'tenat'?", "hooks.context.claims"));
		rule(APPLICATION, condition).run((context) -> assertThat(context).hasFailed());
		rule(APPLICATION.withPropertyValues("hooks.context.claims=tenant"), condition)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "APPROVER", "role_APPROVER" })
	void approverWhomNobodyCanBeStopsTheStart(String approver) {
		ApplicationContextRunner application = APPLICATION
			.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class))
			.withPropertyValues("hooks.approval.enabled=true");
		application.withPropertyValues("hooks.approval.approvers=" + approver)
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("hooks.approval.approvers",
					"Write 'ROLE_APPROVER'"));
		application.withPropertyValues("hooks.approval.approvers=ROLE_APPROVER")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "approvers[0]=", "config.rules[0].approvers[0]=" })
	void approverOfAnEntryOrARuleWhomNobodyCanBeStopsTheStart(String option) {
		ApplicationContextRunner application = APPLICATION
			.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class))
			.withBean(Answering.class)
			.withPropertyValues("hooks.approval.enabled=true", "hooks.approval.approvers=ROLE_APPROVER",
					ENTRY + "type=policy", ENTRY + "config.rules[0].tools[0]=refund",
					ENTRY + "config.rules[0].then=ask");
		application.withPropertyValues(ENTRY + option + "APPROVER")
			.run((context) -> assertThat(failure(context.getStartupFailure()))
				.contains("approvers of the hook 'policy#0'", "Write 'ROLE_APPROVER'"));
		application.withPropertyValues(ENTRY + option + "ROLE_APPROVER")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void allMistakesAreToldAtOnce() {
		deny(APPLICATION, "users[0]=a", ENTRY + "roles[0]=ADMIN", ENTRY + "workspaces[0]=prod",
				ENTRY + "authorities[0]=INTERN")
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("role 'ADMIN'",
					"workspace 'prod'", "authority 'INTERN'"));
	}

	@ParameterizedTest
	@CsvSource({ "hooks.llm_call.pre_call[0].", "hooks.run.pre_run[0]." })
	void hooksOfOtherKindsAreVerifiedToo(String entry) {
		new ApplicationContextRunner()
			.withConfiguration(HookTypes.with(SecurityHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
					RunHooksAutoConfiguration.class))
			.withPropertyValues(entry + "type=policy", entry + "authorities[0]=INTERN",
					entry + "config.rules[0].when='ADMIN' in user.authorities", entry + "config.rules[0].then=deny")
			.run((context) -> assertThat(failure(context.getStartupFailure())).contains("authority 'INTERN'",
					"authority 'ADMIN'"));
	}

	@Test
	void namesOfOtherSourcesAreKnown() {
		deny(APPLICATION.withBean(NameSource.class, () -> (names) -> names.add(Named.WORKSPACE, "prod")),
				"workspaces[0]=prod")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void startSaysForWhomEachHookIs(CapturedOutput output) {
		deny(APPLICATION, "users[0]=*@partner.example", ENTRY + "authorities[0]=ROLE_INTERN", ENTRY + "match[0]=mail",
				ENTRY + "except[0]=mail_read", ENTRY + "agents[0]=clerk*", ENTRY + "roles[0]=agent",
				ENTRY + "workspaces[0]=main", ENTRY + "mcp_servers[0]=*")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("1. policy#0 (type policy, from ",
				") for match [mail], except [mail_read], "
						+ "users [*@partner.example], authorities [ROLE_INTERN], agents [clerk*], roles [agent], "
						+ "workspaces [main], mcp_servers [*]");
	}

	private static ChatClient client(String agent) {
		return ChatClient.builder((prompt) -> {
			throw new IllegalStateException("Nobody asks");
		}).defaultAdvisors((advisors) -> advisors.param(AgentHooks.AGENT, agent)).build();
	}

	private static String quoted(String text) {
		return '"' + text + '"';
	}

	private static ApplicationContextRunner deny(ApplicationContextRunner application, String scope, String... more) {
		return application.withPropertyValues(ENTRY + "type=policy", ENTRY + "config.deny_tools[0]=mail", ENTRY + scope)
			.withPropertyValues(more);
	}

	private static ApplicationContextRunner rule(ApplicationContextRunner application, String condition) {
		return application.withPropertyValues(ENTRY + "type=policy", ENTRY + "config.rules[0].when=" + condition,
				ENTRY + "config.rules[0].then=deny");
	}

	/**
	 * What Spring Boot says about a failed start.
	 */
	private static String failure(@Nullable Throwable failure) {
		if (failure == null) {
			return "";
		}
		return SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, (type, analyzer, ex) -> {
			// One that needs the context.
		})
			.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.map(FailureAnalysis::getDescription)
			.findFirst()
			.orElseGet(failure::toString);
	}

	@Configuration(proxyBeanMethods = false)
	static class Support {

		@Bean
		ChatClient support() {
			return client("support");
		}

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

	record Answering(ObjectProvider<ToolApprovals> approvals) {
	}

}
