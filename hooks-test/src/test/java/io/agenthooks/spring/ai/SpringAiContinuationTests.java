package io.agenthooks.spring.ai;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.SimpleLoggerAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalHooksAutoConfiguration;
import io.agenthooks.spring.approval.JdbcApprovalAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link SpringAiContinuation}, in whole applications whose turns go on by
 * themselves.
 */
class SpringAiContinuationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String TO_EVE = "{\"to\": \"eve\"}";

	private static final String TO_ADA = "{\"to\": \"ada\"}";

	private static final String SESSION = "s1";

	@TempDir
	private Path folder;

	private final List<CallContext> callers = new CopyOnWriteArrayList<>();

	private final Desk desk = new Desk();

	private volatile String workspace = "shop";

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	private ApplicationContextRunner runner(Class<?> clients) {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:file:" + this.folder.resolve("approvals") + ";DB_CLOSE_DELAY=2");
		PreToolHook hook = (call) -> {
			this.callers.add(call.context());
			return ("ada".equals(call.arguments().get("to")) || call.tool().equals("ask")) ? ToolDecision.approve()
					: ToolDecision.ask("Really?");
		};
		return Application.runner(hook)
			.withUserConfiguration(clients)
			.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> dataSource)
			.withBean("desk", Desk.class, () -> this.desk)
			.withBean("roles", CallContextCustomizer.class,
					() -> (context, attributes) -> (attributes.get("role") instanceof String role)
							? context.withRole(role).withWorkspace(this.workspace) : context)
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.resume=auto",
					"hooks.approval.jdbc.initialize_schema=always");
	}

	private void run(TestOf test) {
		run(OneClient.class, test);
	}

	private void run(Class<?> clients, TestOf test) {
		Application.run(runner(clients), (application) -> test.run(application));
	}

	private static ChatClient client(Application application, String name) {
		return application.context().getBean(name, ChatClient.class);
	}

	private static ChatClientRequestSpec question(ChatClient client) {
		return client.prompt("Write to eve")
			.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION)
				.param(AgentHooks.AGENT, "clerk")
				.param("tenant", "north"))
			.toolContext(Map.of("role", "buyer", "count", 5));
	}

	private static String suspended(Application application, Way way, ChatClientRequestSpec question) {
		application.model().calls("send", TO_EVE);
		return pending(() -> way.ask(question));
	}

	private static String pending(Runnable question) {
		return Objects.requireNonNull(catchThrowableOfType(ApprovalPendingException.class, question::run))
			.approvalIds()
			.get(0);
	}

	private static void approve(Application application, String id) {
		ToolApprovals approvals = application.context().getBean(ToolApprovals.class);
		approvals.answer(id, 0,
				new ApprovalAnswer(new Person("alice", Set.of("ROLE_APPROVER")), Verdict.APPROVE, null, null));
	}

	private static ContinuedTurn end(Application application, String id) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> application.context().getBean(ContinuedTurns.class).find(id).orElseThrow(),
					(turn) -> turn.status().isEnd());
	}

	private void isRefused(Application application, String id, String reason) {
		approve(application, id);
		ContinuedTurn turn = end(application, id);
		assertThat(turn.status()).isEqualTo(Status.REFUSED);
		assertThat(turn.reason()).contains(reason);
		assertThat(this.desk.sent).isEmpty();
		assertThat(application.context().getBean(ToolApprovals.class).find(id).orElseThrow().state())
			.isEqualTo(ApprovalState.APPROVED);
	}

	@ParameterizedTest
	@EnumSource
	void agentGoesOnForTheUserOfTheRequestWithAllThatItWasGiven(Way way) {
		run((application) -> {
			SecurityContextHolder.getContext()
				.setAuthentication(new TestingAuthenticationToken("carol", "secret", "ROLE_CLERK"));
			String id = suspended(application, way, question(client(application, "support")));
			SecurityContextHolder.getContext()
				.setAuthentication(new TestingAuthenticationToken("alice", "secret", "ROLE_APPROVER"));
			application.model().calls("send", TO_ADA).says("I wrote to both");
			approve(application, id);
			assertThat(end(application, id).reason()).isNull();
			assertThat(end(application, id).answer()).isEqualTo("I wrote to both");
			assertThat(this.desk.sent).containsExactly("eve", "ada");
			assertThat(this.desk.contexts)
				.allSatisfy((given) -> assertThat(given).containsEntry("role", "buyer").containsEntry("count", 5));
			assertThat(this.callers).hasSize(3).allSatisfy((caller) -> {
				assertThat(caller.user()).isEqualTo("carol");
				assertThat(caller.authorities()).containsExactly("ROLE_CLERK");
				assertThat(caller.sessionId()).isEqualTo(SESSION);
				assertThat(caller.agent()).isEqualTo("clerk");
				assertThat(caller.role()).isEqualTo("buyer");
				assertThat(caller.workspace()).isEqualTo("shop");
			});
			assertThat(application.context().getBean(ChatMemory.class).get(SESSION)).extracting(Message::getText)
				.containsExactly("Write to eve", "I wrote to both");
		});
	}

	@Test
	void agentThatAsksAgainGoesOnAgain() {
		run((application) -> {
			String id = suspended(application, Way.CALL, question(client(application, "support")));
			application.model().calls("send", "{\"to\": \"bob\"}").says("I wrote to both");
			approve(application, id);
			ContinuedTurn first = end(application, id);
			assertThat(first.status()).isEqualTo(Status.PENDING);
			approve(application, first.approvals().get(0));
			assertThat(end(application, first.approvals().get(0)).answer()).isEqualTo("I wrote to both");
			assertThat(this.desk.sent).containsExactly("eve", "bob");
		});
	}

	@Test
	void turnThatIsLeftIsTakenUpByTheNextApplication() {
		List<String> ids = new ArrayList<>();
		Application.run(runner(OneClient.class), (application) -> {
			ids.add(suspended(application, Way.CALL, question(client(application, "support"))));
			application.context().getBean("hooksTurnContinuations", SmartLifecycle.class).stop();
			approve(application, ids.get(0));
		});
		assertThat(this.desk.sent).isEmpty();
		run((application) -> {
			assertThat(end(application, ids.get(0)).answer()).isEqualTo("done");
			assertThat(this.desk.sent).containsExactly("eve");
		});
	}

	@Test
	void eachTurnGoesOnWithItsOwnClient() {
		run(TwoClients.class, (application) -> {
			String support = suspended(application, Way.CALL, question(client(application, "support")));
			String sales = suspended(application, Way.CALL, question(client(application, "sales"))
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "s2")));
			approve(application, support);
			assertThat(end(application, support).status()).isEqualTo(Status.ANSWERED);
			approve(application, sales);
			assertThat(end(application, sales).status()).isEqualTo(Status.ANSWERED);
			assertThat(application.model().prompts()).extracting((prompt) -> prompt.getContents().contains("You sell"))
				.containsExactly(false, true, false, true);
		});
	}

	@Test
	void clientThatIsNoBeanIsNotGoneOnWith() {
		run((application) -> {
			ChatClient client = application.client().mutate().defaultTools(this.desk).build();
			isRefused(application, suspended(application, Way.CALL, question(client)), "not known which client");
		});
	}

	@Test
	void clientWithOtherToolsThanTheBeanIsNotGoneOnWith() {
		run((application) -> {
			ChatClient client = client(application, "support").mutate().defaultTools(new Other()).build();
			isRefused(application, suspended(application, Way.CALL, question(client)),
					"other tools, advisors or options");
		});
	}

	@Test
	void questionWithAnAdvisorOfItsOwnIsNotGoneOnWith() {
		run((application) -> isRefused(application,
				suspended(application, Way.CALL,
						question(client(application, "support")).advisors(new SimpleLoggerAdvisor())),
				"other tools, advisors or options"));
	}

	@Test
	void clientThatTheApplicationGoesOnWithIsNotGoneOnWithByAnother() {
		run(OwnContinuation.class, (application) -> {
			ChatClient client = application.client()
				.mutate()
				.defaultTools(this.desk)
				.defaultAdvisors((advisors) -> advisors.param(AgentHooks.CONTINUATION, "own"))
				.build();
			String id = suspended(application, Way.CALL, question(client));
			approve(application, id);
			assertThat(end(application, id).answer()).startsWith("own after ");
			assertThat(this.desk.sent).containsExactly("eve");
		});
	}

	@Test
	void objectInTheContextOfToolsIsNotKept() {
		run((application) -> {
			ChatClientRequestSpec question = question(client(application, "support"))
				.toolContext(Map.of("password", List.of("secret")));
			String id = suspended(application, Way.CALL, question);
			isRefused(application, id, "'password' is no text");
			assertThat(end(application, id).reason()).doesNotContain("secret");
		});
	}

	@Test
	void workspaceThatIsNotThatOfTheRequestAnyMoreIsNotGoneOnWith() {
		run((application) -> {
			String id = suspended(application, Way.CALL, question(client(application, "support")));
			this.workspace = "other";
			isRefused(application, id, "The role or the workspace");
		});
	}

	@Test
	void agentInsideOfAToolIsNotGoneOnWith() {
		run(Nested.class, (application) -> {
			application.model().calls("ask", "{}").calls("send", TO_EVE);
			String id = pending(() -> question(client(application, "outer")).call().content());
			isRefused(application, id, "inside of a tool");
		});
	}

	@Test
	void agentInsideOfAToolOfOneThatGoesOnIsNotGoneOnWith() {
		run(Nested.class, (application) -> {
			String id = suspended(application, Way.CALL, question(client(application, "outer")));
			application.model().calls("ask", "{}").calls("send", "{\"to\": \"bob\"}");
			approve(application, id);
			ContinuedTurn first = end(application, id);
			assertThat(first.status()).isEqualTo(Status.PENDING);
			approve(application, first.approvals().get(0));
			ContinuedTurn inner = end(application, first.approvals().get(0));
			assertThat(inner.status()).isEqualTo(Status.REFUSED);
			assertThat(inner.reason()).contains("inside of a tool");
			assertThat(this.desk.sent).containsExactly("eve");
		});
	}

	@Test
	void clientWithoutMemoryStopsTheStart() {
		runner(Forgetful.class).run((context) -> assertThat(context).getFailure()
			.hasStackTraceContaining("No ChatClient bean has a memory")
			.hasStackTraceContaining("MessageChatMemoryAdvisor.builder"));
	}

	@Test
	void noClientStopsTheStart() {
		runner(Object.class)
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("There is no ChatClient bean."));
	}

	/** A test of an application. */
	@FunctionalInterface
	private interface TestOf {

		void run(Application application);

	}

	static class Desk {

		final List<String> sent = new CopyOnWriteArrayList<>();

		final List<Map<String, Object>> contexts = new CopyOnWriteArrayList<>();

		@Tool(description = "Sends a mail")
		String send(String to, ToolContext context) {
			this.contexts.add(context.getContext());
			this.sent.add(to);
			return "sent to " + to;
		}

	}

	static class Other {

		@Tool(description = "Does something else")
		String other() {
			return "other";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneClient {

		@Bean
		ChatMemory memory() {
			return MessageWindowChatMemory.builder().build();
		}

		@Bean
		ChatClient support(ChatClient.Builder builder, ChatMemory memory, Desk desk) {
			return remembering(builder, memory, desk).build();
		}

		static ChatClient.Builder remembering(ChatClient.Builder builder, ChatMemory memory, Object... tools) {
			return builder.defaultTools(tools).defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoClients extends OneClient {

		@Bean
		ChatClient sales(ChatClient.Builder builder, ChatMemory memory, Desk desk) {
			return remembering(builder, memory, desk).defaultSystem("You sell").build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnContinuation extends OneClient {

		@Bean
		ConversationContinuation own(SpringAiApprovals approvals, Desk desk) {
			return new ConversationContinuation() {

				@Override
				public String goOn(ResumedTurn turn) {
					return "own after " + approvals.conversation(turn).results().get(0).responseData();
				}

				@Override
				public ResumableTools tools(SuspendedTurn turn) {
					return approvals.tools(Map.of("role", "buyer"), ToolCallbacks.from(desk));
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Nested extends OneClient {

		@Bean
		ChatClient outer(ChatClient.Builder builder, ChatMemory memory, ChatClient support, Desk desk) {
			return remembering(builder, memory, new Asking(support), desk).build();
		}

	}

	record Asking(ChatClient support) {

		@Tool(description = "Asks another agent")
		String ask() {
			return String.valueOf(question(this.support).call().content());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Forgetful {

		@Bean
		ChatClient support(ChatClient.Builder builder, Desk desk) {
			return builder.defaultTools(desk).build();
		}

	}

}
