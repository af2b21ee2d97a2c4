package io.agenthooks.spring.ai;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.content.Media;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.MimeTypeUtils;

import io.agenthooks.CallContext;
import io.agenthooks.spring.approval.ApprovalAutoConfiguration;
import io.agenthooks.spring.approval.ApprovalChangedEvent;
import io.agenthooks.spring.approval.ApprovalHooksAutoConfiguration;
import io.agenthooks.spring.approval.JdbcApprovalAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SpringAiApprovals} with a database in a file, which outlives the
 * application: each part of a test is an application of its own.
 */
class SpringAiApprovalsTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String ROME = "{\"city\": \"Rome\"}";

	private static final String OSLO = "{\"city\": \"Oslo\"}";

	private static final String SESSION = "conversation-1";

	private static final Person ALICE = new Person("alice", Set.of("ROLE_APPROVER"));

	@TempDir
	private Path folder;

	private final WeatherTools tools = new WeatherTools();

	/** Who made the calls that hooks saw. */
	private final List<CallContext> callers = new CopyOnWriteArrayList<>();

	private volatile @Nullable String forbidden;

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	private ApplicationContextRunner runner() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:file:" + this.folder.resolve("approvals") + ";DB_CLOSE_DELAY=2");
		PreToolHook hook = (call) -> {
			this.callers.add(call.context());
			String city = String.valueOf(call.arguments().get("city"));
			return (city.equals(this.forbidden)) ? ToolDecision.deny("Not any more")
					: (city.equals("Oslo")) ? ToolDecision.approve() : ToolDecision.ask("Really?");
		};
		return Application.runner(hook)
			.withConfiguration(AutoConfigurations.of(ApprovalAutoConfiguration.class,
					ApprovalHooksAutoConfiguration.class, JdbcApprovalAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> dataSource)
			.withPropertyValues("spring.application.name=shop", "hooks.approval.enabled=true",
					"hooks.approval.approvers=ROLE_APPROVER", "hooks.approval.mode=suspend",
					"hooks.approval.jdbc.initialize_schema=always");
	}

	private void run(Consumer<Application> test) {
		Application.run(runner(), test);
	}

	private ChatClient client(Application application) {
		return application.client().mutate().defaultTools(this.tools).build();
	}

	private static ChatClient.ChatClientRequestSpec question(ChatClient client) {
		return client.prompt("Weather?")
			.advisors(
					(advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION).param(AgentHooks.USER, "carol"));
	}

	/**
	 * Ask a question whose turn ends.
	 * @return the ids of the questions to people
	 */
	private List<String> suspend(Way way, String... calls) {
		List<String> ids = new ArrayList<>();
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(List.of(calls)
				.stream()
				.map((arguments) -> model.call("weather", arguments))
				.toArray(AssistantMessage.ToolCall[]::new));
			assertThatExceptionOfType(ApprovalPendingException.class)
				.isThrownBy(() -> way.ask(question(client(application))))
				.satisfies((ex) -> ids.addAll(ex.approvalIds()));
		});
		return ids;
	}

	private static ToolApprovals approvals(Application application) {
		return application.context().getBean(ToolApprovals.class);
	}

	private static ApprovalRequest find(Application application, String id) {
		return approvals(application).find(id).orElseThrow();
	}

	private static void answer(Application application, String id, Verdict verdict, @Nullable String arguments,
			@Nullable String reason) {
		approvals(application).answer(id, find(application, id).revision(),
				new ApprovalAnswer(ALICE, verdict, arguments, reason));
	}

	private static void approve(Application application, String id) {
		answer(application, id, Verdict.APPROVE, null, null);
	}

	private ResumedConversation resume(Application application, String id) {
		return application.context().getBean(SpringAiApprovals.class).resume(id, ToolCallbacks.from(this.tools));
	}

	private static List<String> texts(ResumedConversation resumed) {
		return resumed.results().stream().map(ToolResponse::responseData).toList();
	}

	@ParameterizedTest
	@EnumSource
	void approvedCallRunsAfterARestartAndTheModelGoesOn(Way way) {
		String id = suspend(way, PARIS).get(0);
		run((application) -> {
			assertThat(find(application, id).brief().description()).isEqualTo("Weather of a city");
			assertThat(find(application, id).brief().order()).containsExactly("city");
			approve(application, id);
			assertThat(this.tools.cities).isEmpty();
			ResumedConversation resumed = resume(application, id);
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(resumed.isComplete()).isTrue();
			assertThat(resumed.request().state()).isEqualTo(ApprovalState.CLAIMED);
			assertThat(resumed.messages()).extracting((message) -> message.getMessageType())
				.containsExactly(MessageType.USER, MessageType.ASSISTANT, MessageType.TOOL);
			ToolOutcome outcome = application.outcome();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.SUCCEEDED);
			assertThat(outcome.effective().context().user()).isEqualTo("carol");
			assertThat(outcome.effective().context().sessionId()).isEqualTo(SESSION);
			application.model().calls("weather", OSLO).says("Sunny");
			assertThat(way.ask(client(application).prompt().advisors(resumed.advisor())).text()).isEqualTo("Sunny");
			assertThat(application.model().prompts().get(0).getInstructions()).isEqualTo(resumed.messages());
			assertThat(this.callers).extracting(CallContext::user).containsOnly("carol");
			assertThat(this.callers).extracting(CallContext::sessionId).containsOnly(SESSION);
		});
	}

	@ParameterizedTest
	@EnumSource
	void everythingIsForTheUserOfTheTurnWhoeverIsLoggedIn(Way way) {
		List<String> ids = new ArrayList<>();
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("carol", "secret", "ROLE_CLERK"));
		run((application) -> {
			application.model().calls("weather", PARIS);
			assertThatExceptionOfType(ApprovalPendingException.class)
				.isThrownBy(() -> way.ask(client(application).prompt("Weather?")
					.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION))))
				.satisfies((ex) -> ids.addAll(ex.approvalIds()));
		});
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken("alice", "secret", "ROLE_APPROVER"));
		run((application) -> {
			approve(application, ids.get(0));
			ResumedConversation resumed = resume(application, ids.get(0));
			application.model().calls("weather", OSLO).says("Sunny");
			way.ask(client(application).prompt().advisors(resumed.advisor()));
			assertThat(this.callers).hasSizeGreaterThanOrEqualTo(3).extracting(CallContext::user).containsOnly("carol");
			assertThat(this.callers).extracting(CallContext::authorities).containsOnly(Set.of("ROLE_CLERK"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void otherCallOfTheMessageKeepsItsResult(Way way) {
		String id = suspend(way, OSLO, PARIS).get(0);
		assertThat(this.tools.cities).containsExactly("Oslo");
		run((application) -> {
			approve(application, id);
			assertThat(texts(resume(application, id))).containsExactly("\"sunny in Oslo\"", "\"sunny in Paris\"");
			assertThat(this.tools.cities).containsExactly("Oslo", "Paris");
		});
	}

	@Test
	void turnGoesOnWhenAllOfItsCallsAreResumed() {
		List<String> ids = suspend(Way.CALL, PARIS, ROME);
		assertThat(ids).hasSize(2);
		run((application) -> {
			approve(application, ids.get(1));
			ResumedConversation resumed = resume(application, ids.get(1));
			assertThat(resumed.isComplete()).isFalse();
			assertThat(resumed.pending()).containsExactly(ids.get(0));
			assertThat(this.tools.cities).containsExactly("Rome");
		});
		run((application) -> {
			approve(application, ids.get(0));
			ResumedConversation resumed = resume(application, ids.get(0));
			assertThat(resumed.isComplete()).isTrue();
			assertThat(texts(resumed)).containsExactly("\"sunny in Paris\"", "\"sunny in Rome\"");
			assertThat(this.tools.cities).containsExactly("Rome", "Paris");
		});
	}

	@Test
	void deniedCallDoesNotRunAndTheModelReadsWhy() {
		String id = suspend(Way.CALL, PARIS).get(0);
		run((application) -> {
			answer(application, id, Verdict.DENY, null, "Ask somebody else");
			ResumedConversation resumed = resume(application, id);
			assertThat(resumed.isComplete()).isTrue();
			assertThat(texts(resumed)).singleElement().asString().contains("Ask somebody else");
			assertThat(client(application).prompt().advisors(resumed.advisor()).call().content()).isEqualTo("done");
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@Test
	void editedCallRunsWithTheArgumentsOfThePerson() {
		String id = suspend(Way.CALL, PARIS).get(0);
		run((application) -> {
			answer(application, id, Verdict.EDIT, ROME, null);
			assertThat(texts(resume(application, id))).containsExactly("\"sunny in Rome\"");
			assertThat(this.tools.cities).containsExactly("Rome");
		});
	}

	@Test
	void callThatIsResumedAgainGivesTheSameConversationAndRunsOnce() {
		String id = suspend(Way.CALL, PARIS).get(0);
		List<ResumedConversation> resumed = new ArrayList<>();
		run((application) -> {
			approve(application, id);
			resumed.add(resume(application, id));
		});
		run((application) -> resumed.add(resume(application, id)));
		assertThat(resumed.get(1).messages()).isEqualTo(resumed.get(0).messages());
		assertThat(this.tools.cities).containsExactly("Paris");
	}

	@ParameterizedTest
	@EnumSource
	void callThatTheModelMakesAgainAfterTheApprovalRuns(Way way) {
		String id = suspend(way, PARIS).get(0);
		run((application) -> {
			approve(application, id);
			application.model().calls("weather", PARIS).says("Sunny");
			assertThat(way.ask(question(client(application))).text()).isEqualTo("Sunny");
			assertThat(this.tools.cities).containsExactly("Paris");
			assertThat(texts(resume(application, id))).singleElement().asString().isNotEqualTo("\"sunny in Paris\"");
			assertThat(this.tools.cities).containsExactly("Paris");
		});
	}

	@ParameterizedTest
	@EnumSource
	void sameCallIsAskedAboutWhileTheApprovedOneRuns(Way way) {
		String id = suspend(way, PARIS).get(0);
		run((application) -> {
			approve(application, id);
			SlowWeather slow = new SlowWeather();
			CompletableFuture<ResumedConversation> resumed = new CompletableFuture<>();
			new Thread(() -> resumed
				.complete(application.context().getBean(SpringAiApprovals.class).resume(id, ToolCallbacks.from(slow))))
				.start();
			SlowWeather.await(slow.running);
			application.model().calls("weather", PARIS);
			assertThatExceptionOfType(ApprovalPendingException.class)
				.isThrownBy(() -> way.ask(question(client(application))))
				.satisfies((ex) -> assertThat(ex.approvalIds()).hasSize(1).doesNotContain(id));
			slow.end.countDown();
			assertThat(texts(resumed.orTimeout(30, TimeUnit.SECONDS).join())).containsExactly("\"slow in Paris\"");
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@Test
	void undecidedCallIsRefused() {
		String id = suspend(Way.CALL, PARIS).get(0);
		run((application) -> assertThatExceptionOfType(ApprovalRefusedException.class)
			.isThrownBy(() -> resume(application, id))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NOT_DECIDED)));
		assertThat(this.tools.cities).isEmpty();
	}

	@Test
	void callWithoutItsToolIsRefusedUntilTheToolIsGiven() {
		String id = suspend(Way.CALL, PARIS).get(0);
		run((application) -> {
			approve(application, id);
			assertThatExceptionOfType(ApprovalRefusedException.class)
				.isThrownBy(() -> application.context().getBean(SpringAiApprovals.class).resume(id))
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.NO_TOOL));
			assertThat(texts(resume(application, id))).containsExactly("\"sunny in Paris\"");
		});
	}

	@Test
	void policyIsAskedAgainAndMayDeny() {
		String id = suspend(Way.CALL, PARIS).get(0);
		run((application) -> {
			approve(application, id);
			this.forbidden = "Paris";
			ResumedConversation resumed = resume(application, id);
			assertThat(texts(resumed)).singleElement().asString().contains("Not any more");
			assertThat(resumed.request().state()).isEqualTo(ApprovalState.CANCELLED);
			this.forbidden = null;
			assertThat(texts(resume(application, id))).isEqualTo(texts(resumed));
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@Test
	void toolWhoseSchemaChangedDoesNotRun() {
		String id = suspend(Way.CALL, PARIS).get(0);
		run((application) -> {
			approve(application, id);
			OtherWeather other = new OtherWeather();
			ResumedConversation resumed = application.context()
				.getBean(SpringAiApprovals.class)
				.resume(id, ToolCallbacks.from(other));
			assertThat(texts(resumed)).singleElement().asString().contains("denied");
			assertThat(resumed.request().state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(other.towns).isEmpty();
		});
	}

	@Test
	void toolThatIsABeanIsFoundAndItsSchemaIsPartOfTheApproval() {
		ApplicationContextRunner known = runner().withBean("weather", ToolCallback.class, this.tools::callback);
		List<String> ids = new ArrayList<>();
		Application.run(known, (application) -> {
			application.model().calls("weather", PARIS).calls("weather", ROME);
			ChatClient client = application.client()
				.mutate()
				.defaultTools(application.context().getBean(ToolCallback.class))
				.build();
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(ApprovalPendingException.class)
					.isThrownBy(() -> question(client).call().content())
					.satisfies((ex) -> ids.addAll(ex.approvalIds()));
			}
		});
		Application.run(known, (application) -> {
			approve(application, ids.get(0));
			assertThat(texts(application.context().getBean(SpringAiApprovals.class).resume(ids.get(0))))
				.containsExactly("\"sunny in Paris\"");
		});
		OtherWeather other = new OtherWeather();
		Application.run(runner().withBean("weather", ToolCallbackProvider.class,
				() -> ToolCallbackProvider.from(ToolCallbacks.from(other))), (application) -> {
					approve(application, ids.get(1));
					assertThat(texts(application.context().getBean(SpringAiApprovals.class).resume(ids.get(1))))
						.singleElement()
						.asString()
						.contains("is not this call any more");
					assertThat(other.towns).isEmpty();
				});
	}

	@Test
	void applicationResumesByItselfWhenPeopleHaveDecided() {
		String id = suspend(Way.CALL, PARIS).get(0);
		List<String> answers = new CopyOnWriteArrayList<>();
		Application.run(runner().withInitializer((context) -> context.addApplicationListener((event) -> {
			if (event instanceof PayloadApplicationEvent<?> payload
					&& payload.getPayload() instanceof ApprovalChangedEvent changed && changed.resumable()) {
				answers.addAll(texts(context.getBean(SpringAiApprovals.class)
					.resume(changed.request().id(), ToolCallbacks.from(this.tools))));
			}
		})), (application) -> approve(application, id));
		assertThat(answers).containsExactly("\"sunny in Paris\"");
	}

	@Test
	void conversationWithMediaLeavesNoQuestion() {
		run((application) -> {
			application.model().calls("weather", PARIS);
			Media picture = new Media(MimeTypeUtils.IMAGE_PNG, URI.create("https://example.com/a.png"));
			client(application).prompt().user((user) -> user.text("Look").media(picture)).call().content();
			assertThat(application.model().replies()).singleElement().asString().contains("it holds media");
			assertThat(approvals(application).pending(10)).isEmpty();
			assertThat(approvals(application).settled(10)).singleElement()
				.satisfies((request) -> assertThat(request.state()).isEqualTo(ApprovalState.CANCELLED));
		});
	}

	@Test
	void turnThatWasNotKeptHasAResultOnly() {
		List<String> ids = new ArrayList<>();
		run((application) -> assertThatExceptionOfType(ApprovalPendingException.class).isThrownBy(
				() -> application.context().getBean(SpringAiToolHooks.class).wrap(this.tools.callback()).call(PARIS))
			.satisfies((ex) -> ids.addAll(ex.approvalIds())));
		run((application) -> {
			approve(application, ids.get(0));
			ResumedConversation resumed = resume(application, ids.get(0));
			assertThat(resumed.messages()).isEmpty();
			assertThat(texts(resumed)).containsExactly("\"sunny in Paris\"");
		});
	}

	/**
	 * The same tool, which runs until the test lets it end.
	 */
	static final class SlowWeather {

		final CountDownLatch running = new CountDownLatch(1);

		final CountDownLatch end = new CountDownLatch(1);

		@Tool(description = "Weather of a city")
		String weather(String city) {
			this.running.countDown();
			await(this.end);
			return "slow in " + city;
		}

		static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	/**
	 * The same tool with other arguments.
	 */
	static final class OtherWeather {

		final List<String> towns = new CopyOnWriteArrayList<>();

		@Tool(description = "Weather of a city")
		String weather(String town) {
			this.towns.add(town);
			return "rain in " + town;
		}

	}

}
