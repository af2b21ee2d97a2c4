package io.agenthooks.spring.langchain4j;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.UserMessage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallContext;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ContinuedTurn;
import io.agenthooks.spring.suspend.ContinuedTurn.Status;
import io.agenthooks.spring.suspend.ContinuedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LangChain4jContinuation}, in whole applications whose turns go on by
 * themselves.
 */
@ExtendWith(OutputCaptureExtension.class)
class AiServiceContinuationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@TempDir
	private Path folder;

	private final List<CallContext> callers = new CopyOnWriteArrayList<>();

	private volatile String workspace = "shop";

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	private ApplicationContextRunner byItself(ApplicationContextRunner runner) {
		return runner.withPropertyValues("hooks.approval.resume=auto")
			.withBean("noted", PreToolHook.class, () -> (call) -> {
				this.callers.add(call.context());
				return ToolDecision.approve();
			})
			.withBean("roles", CallContextCustomizer.class,
					() -> (context, attributes) -> (attributes.get("role") instanceof String role)
							? context.withRole(role).withWorkspace(this.workspace) : context);
	}

	private static ContinuedTurn end(ApplicationContext context, String id) {
		return Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> context.getBean(ContinuedTurns.class).find(id).orElseThrow(), (turn) -> turn.status().isEnd());
	}

	private static void isRefused(ApplicationContext context, String id, String reason) {
		ResumingApplication.approve(context, id);
		ContinuedTurn turn = end(context, id);
		assertThat(turn.status()).isEqualTo(Status.REFUSED);
		assertThat(turn.reason()).contains(reason);
		assertThat(context.getBean(ToolApprovals.class).find(id).orElseThrow().state())
			.isEqualTo(ApprovalState.APPROVED);
	}

	private static String pending(Supplier<?> asking) {
		return ResumingApplication.pending(asking::get).get(0);
	}

	@ParameterizedTest
	@EnumSource
	void agentGoesOnWithTheConversationForTheUserOfTheRequest(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel
			.inRounds(List.of(List.of(ResumingApplication.read("a"), ResumingApplication.send("bob")),
					List.of(ResumingApplication.read("b"))));
		byItself(application.with(model)).run((context) -> {
			SecurityContextHolder.getContext()
				.setAuthentication(new TestingAuthenticationToken("carol", "secret", "ROLE_CLERK"));
			String id = application.askInVain(context).get(0);
			SecurityContextHolder.getContext()
				.setAuthentication(new TestingAuthenticationToken("alice", "secret", "ROLE_APPROVER"));
			ResumingApplication.approve(context, id);
			assertThat(end(context, id)).isEqualTo(new ContinuedTurn(Status.ANSWERED, "Done", null, List.of()));
			assertThat(application.sent).containsExactly("bob");
			assertThat(this.callers).hasSize(4).allSatisfy((caller) -> {
				assertThat(caller.user()).isEqualTo("carol");
				assertThat(caller.authorities()).containsExactly("ROLE_CLERK");
				assertThat(caller.sessionId()).isEqualTo("s");
				assertThat(caller.agent()).isEqualTo("Assistant");
			});
			assertThat(types(model.requests().get(1).messages())).containsExactly("UserMessage", "AiMessage",
					"ToolExecutionResultMessage", "ToolExecutionResultMessage");
			assertThat(model.results()).extracting(ToolExecutionResultMessage::text)
				.containsExactly("Content of a", "Sent to bob", "Content of b");
			assertThat(types(application.memory("s").messages())).containsExactly("UserMessage", "AiMessage",
					"ToolExecutionResultMessage", "ToolExecutionResultMessage", "AiMessage",
					"ToolExecutionResultMessage", "AiMessage");
		});
	}

	private static List<String> types(List<ChatMessage> messages) {
		return messages.stream().map((message) -> message.getClass().getSimpleName()).toList();
	}

	@ParameterizedTest
	@EnumSource
	void agentThatAsksAgainGoesOnAgain(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel
			.inRounds(List.of(List.of(ResumingApplication.send("bob")), List.of(ResumingApplication.send("eve"))));
		byItself(application.with(model)).run((context) -> {
			String id = application.askInVain(context).get(0);
			ResumingApplication.approve(context, id);
			ContinuedTurn first = end(context, id);
			assertThat(first.status()).isEqualTo(Status.PENDING);
			ResumingApplication.approve(context, first.approvals().get(0));
			assertThat(end(context, first.approvals().get(0)).answer()).isEqualTo("Done");
			assertThat(application.sent).containsExactly("bob", "eve");
		});
	}

	@ParameterizedTest
	@EnumSource
	void turnThatIsLeftIsTakenUpByTheNextApplication(Way way) {
		ResumingApplication application = new ResumingApplication(this.folder, way);
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		List<String> ids = new ArrayList<>();
		byItself(application.with(model)).run((context) -> {
			ids.addAll(application.askInVain(context));
			context.getBean("hooksTurnContinuations", SmartLifecycle.class).stop();
			ResumingApplication.approve(context, ids.get(0));
		});
		assertThat(application.sent).isEmpty();
		byItself(application.with(model)).run((context) -> {
			assertThat(end(context, ids.get(0)).answer()).isEqualTo("Done");
			assertThat(application.sent).containsExactly("bob");
		});
	}

	@Test
	void emptyMemoryGetsTheWholeConversation() {
		Clerks clerks = new Clerks();
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		List<String> ids = new ArrayList<>();
		clerks.with(model).run((context) -> {
			ids.add(pending(
					() -> context.getBean(Clerk.class).chat(7L, "Go", InvocationParameters.from("role", "buyer"))));
			context.getBean("hooksTurnContinuations", SmartLifecycle.class).stop();
			ResumingApplication.approve(context, ids.get(0));
		});
		clerks.memories.clear();
		clerks.with(model).run((context) -> {
			assertThat(end(context, ids.get(0)).answer()).isEqualTo("Done");
			assertThat(types(Objects.requireNonNull(clerks.memories.get(7L)).messages())).containsExactly(
					"SystemMessage", "UserMessage", "AiMessage", "ToolExecutionResultMessage", "AiMessage");
			assertThat(this.callers).hasSize(2).allSatisfy((caller) -> assertThat(caller.role()).isEqualTo("buyer"));
		});
	}

	@Test
	void conversationThatWentOnMeanwhileGetsTheAnswerAtItsEnd() {
		Clerks clerks = new Clerks();
		ScriptedModel model = new ScriptedModel(List.of(AiMessage.from(List.of(ResumingApplication.send("bob"))),
				AiMessage.from("It rains"), AiMessage.from("I wrote to bob")));
		clerks.with(model).run((context) -> {
			Clerk clerk = context.getBean(Clerk.class);
			String id = pending(() -> clerk.chat(7L, "Write to bob", new InvocationParameters()));
			assertThat(clerk.chat(7L, "The weather?", new InvocationParameters())).isEqualTo("It rains");
			ResumingApplication.approve(context, id);
			assertThat(end(context, id).answer()).isEqualTo("I wrote to bob");
			assertThat(types(model.requests().get(2).messages())).containsExactly("SystemMessage", "UserMessage",
					"AiMessage", "ToolExecutionResultMessage");
			List<ChatMessage> remembered = Objects.requireNonNull(clerks.memories.get(7L)).messages();
			assertThat(types(remembered)).containsExactly("SystemMessage", "UserMessage", "AiMessage",
					"ToolExecutionResultMessage", "UserMessage", "AiMessage", "AiMessage");
			assertThat(((ToolExecutionResultMessage) remembered.get(3)).text()).isEqualTo("Sent to bob");
		});
	}

	@Test
	void modelThatWasAwayIsAskedAgainWithTheSameConversation() {
		Clerks clerks = new Clerks();
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		boolean[] away = { false };
		clerks.with(model).withBean("outage", CallContextCustomizer.class, () -> (context, attributes) -> {
			if (away[0] && context.runId() != null) {
				away[0] = false;
				throw new IllegalStateException("away");
			}
			return context;
		}).run((context) -> {
			String id = pending(() -> context.getBean(Clerk.class).chat(7L, "Go", new InvocationParameters()));
			away[0] = true;
			ResumingApplication.approve(context, id);
			assertThat(end(context, id).answer()).isEqualTo("Done");
			assertThat(away[0]).isFalse();
			assertThat(clerks.sent).containsExactly("bob");
			assertThat(types(Objects.requireNonNull(clerks.memories.get(7L)).messages())).containsExactly(
					"SystemMessage", "UserMessage", "AiMessage", "ToolExecutionResultMessage", "AiMessage");
		});
	}

	@Test
	void eachTurnGoesOnWithItsOwnService() {
		Clerks clerks = new Clerks();
		ScriptedModel sales = ScriptedModel.thatCalls(ResumingApplication.send("eve"));
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		clerks.with(model)
			.withBean("sales", Seller.class, () -> clerks.service(Seller.class, sales).tools(clerks.mails()).build())
			.run((context) -> {
				String second = pending(() -> context.getBean(Seller.class).sell(8L, "Go"));
				String first = pending(() -> context.getBean(Clerk.class).chat(7L, "Go", new InvocationParameters()));
				ResumingApplication.approve(context, first);
				assertThat(end(context, first).answer()).isEqualTo("Done");
				assertThat(model.timesAsked()).isEqualTo(2);
				assertThat(sales.timesAsked()).isOne();
				ResumingApplication.approve(context, second);
				assertThat(end(context, second).answer()).isEqualTo("Done");
				assertThat(sales.timesAsked()).isEqualTo(2);
				assertThat(clerks.sent).containsExactly("bob", "eve");
			});
	}

	@Test
	void agentInsideOfAToolIsNotGoneOnWith() {
		Clerks clerks = new Clerks();
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		clerks.with(model)
			.withBean("outer", Seller.class,
					() -> clerks
						.service(Seller.class, ScriptedModel.thatCalls(ScriptedModel.call("ask", Map.of("text", "Go"))))
						.tools(new Asking(clerks))
						.build())
			.run((context) -> {
				clerks.inner = context.getBean(Clerk.class);
				isRefused(context, pending(() -> context.getBean(Seller.class).sell(8L, "Go")), "inside of a tool");
				assertThat(clerks.sent).isEmpty();
			});
	}

	@Test
	void agentInsideOfAToolOfOneThatGoesOnIsNotGoneOnWith() {
		Clerks clerks = new Clerks();
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		clerks.with(model)
			.withBean("outer", Seller.class,
					() -> clerks
						.service(Seller.class,
								ScriptedModel.inRounds(List.of(List.of(ResumingApplication.send("eve")),
										List.of(ScriptedModel.call("ask", Map.of("text", "Go"))))))
						.tools(clerks.mails(), new Asking(clerks))
						.build())
			.run((context) -> {
				clerks.inner = context.getBean(Clerk.class);
				String id = pending(() -> context.getBean(Seller.class).sell(8L, "Go"));
				ResumingApplication.approve(context, id);
				ContinuedTurn first = end(context, id);
				assertThat(first.status()).isEqualTo(Status.PENDING);
				isRefused(context, first.approvals().get(0), "inside of a tool");
				assertThat(clerks.sent).containsExactly("eve");
			});
	}

	@Test
	void serviceThatIsMadeLaterIsNotGoneOnWith() {
		Clerks clerks = new Clerks();
		clerks.with(ScriptedModel.thatCalls()).run((context) -> {
			Clerk later = clerks.clerk(ScriptedModel.thatCalls(ResumingApplication.send("bob")), clerks.mails());
			ToolApprovals approvals = context.getBean(ToolApprovals.class);
			// The call is denied at once if it could be that of the bean.
			later.chat(7L, "Go", new InvocationParameters());
			assertThat(approvals.pending(1)).isEmpty();
			Seller other = clerks.service(Seller.class, ScriptedModel.thatCalls(ResumingApplication.send("bob")))
				.tools(clerks.mails())
				.build();
			isRefused(context, pending(() -> other.sell(7L, "Go")), "made after the start");
			assertThat(clerks.sent).isEmpty();
		});
	}

	@Test
	void argumentThatIsNoPlainValueIsNotKept() {
		Clerks clerks = new Clerks();
		clerks.with(ScriptedModel.thatCalls(ResumingApplication.send("bob"))).run((context) -> {
			InvocationParameters parameters = InvocationParameters.from("password", List.of("secret"));
			String id = pending(() -> context.getBean(Clerk.class).chat(7L, "Go", parameters));
			isRefused(context, id, "Argument 3 of its method is no text");
			assertThat(end(context, id).reason()).doesNotContain("secret");
			assertThat(clerks.sent).isEmpty();
		});
	}

	@Test
	void workspaceThatIsNotThatOfTheRequestAnyMoreIsNotGoneOnWith() {
		Clerks clerks = new Clerks();
		clerks.with(ScriptedModel.thatCalls(ResumingApplication.send("bob"))).run((context) -> {
			String id = pending(
					() -> context.getBean(Clerk.class).chat(7L, "Go", InvocationParameters.from("role", "buyer")));
			this.workspace = "other";
			isRefused(context, id, "The role or the workspace");
			assertThat(clerks.sent).isEmpty();
		});
	}

	@Test
	void memoryThatHasForgottenTheCallsIsNotGoneOnWith() {
		Clerks clerks = new Clerks();
		ScriptedModel model = new ScriptedModel(List.of(AiMessage.from(List.of(ResumingApplication.send("bob")))));
		clerks.with(model).run((context) -> {
			String id = pending(() -> context.getBean(Clerk.class).chat(7L, "Go", new InvocationParameters()));
			Objects.requireNonNull(clerks.memories.get(7L)).set(SystemMessage.from("Something else"));
			isRefused(context, id, "has forgotten the calls");
			assertThat(clerks.sent).isEmpty();
		});
	}

	@Test
	void methodWhoseResultIsNoTextIsNotGoneOnWith() {
		Clerks clerks = new Clerks();
		clerks.with(ScriptedModel.thatCalls(ResumingApplication.send("bob"))).run((context) -> {
			isRefused(context, pending(() -> context.getBean(Clerk.class).count(7L, "Go")),
					"something else than a String");
			assertThat(clerks.sent).isEmpty();
		});
	}

	@Test
	void resultWithATextIsTheAnswer() {
		Clerks clerks = new Clerks();
		clerks.with(ScriptedModel.thatCalls(ResumingApplication.send("bob"))).run((context) -> {
			String id = pending(() -> context.getBean(Clerk.class).result(7L, "Go"));
			ResumingApplication.approve(context, id);
			assertThat(end(context, id).answer()).isEqualTo("Done");
		});
	}

	@Test
	void resultOfAToolThatReturnsImmediatelyIsTheAnswer() {
		Clerks clerks = new Clerks();
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		clerks.with(model, new ImmediateMails()).run((context) -> {
			String id = pending(() -> context.getBean(Clerk.class).chat(7L, "Go", new InvocationParameters()));
			ResumingApplication.approve(context, id);
			assertThat(end(context, id).answer()).isEqualTo("Sent at once to bob");
			assertThat(model.timesAsked()).isOne();
		});
	}

	@Test
	void severalServicesOfOneInterfaceAreToldAtTheStartAndRefused(CapturedOutput output) {
		Clerks clerks = new Clerks();
		ScriptedModel model = ScriptedModel.thatCalls(ResumingApplication.send("bob"));
		clerks.with(ScriptedModel.thatCalls())
			.withBean("first", Seller.class, () -> clerks.service(Seller.class, model).tools(clerks.mails()).build())
			.withBean("second", Seller.class,
					() -> clerks.service(Seller.class, ScriptedModel.thatCalls()).tools(new ImmediateMails()).build())
			.run((context) -> {
				assertThat(output).contains("Turns that wait for people do not go on by themselves: There are several")
					.contains(Seller.class.getName());
				isRefused(context, pending(() -> context.getBean("first", Seller.class).sell(8L, "Go")),
						"several AI services");
				assertThat(clerks.sent).isEmpty();
			});
	}

	@Test
	void serviceWithoutMemoryStopsTheStart() {
		Clerks clerks = new Clerks();
		clerks.without()
			.withBean(Plain.class,
					() -> AiServices.builder(Plain.class)
						.chatModel(ScriptedModel.thatCalls())
						.tools(clerks.mails())
						.build())
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("has no chat memory")
				.hasStackTraceContaining("chatMemoryProvider"));
	}

	@Test
	void noServiceStopsTheStart() {
		new Clerks().without()
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("There is no bean of an AI service."));
	}

	/** An application with a clerk, whose conversations are forgotten when it ends. */
	private final class Clerks {

		final List<String> sent = new CopyOnWriteArrayList<>();

		final Map<Object, ChatMemory> memories = new java.util.concurrent.ConcurrentHashMap<>();

		volatile @Nullable Clerk inner;

		private final ResumingApplication application = new ResumingApplication(AiServiceContinuationTests.this.folder,
				Way.SYNC);

		ApplicationContextRunner without() {
			return byItself(this.application.withoutAgent());
		}

		ApplicationContextRunner with(ScriptedModel model) {
			return with(model, mails());
		}

		ApplicationContextRunner with(ScriptedModel model, Object tools) {
			return without().withBean(Clerk.class, () -> clerk(model, tools));
		}

		Clerk clerk(ScriptedModel model, Object tools) {
			return service(Clerk.class, model).tools(tools).build();
		}

		<T> AiServices<T> service(Class<T> type, ScriptedModel model) {
			return AiServices.builder(type)
				.chatModel(model)
				.chatMemoryProvider((id) -> this.memories.computeIfAbsent(id,
						(any) -> MessageWindowChatMemory.withMaxMessages(100)));
		}

		ResumingApplication.Mails mails() {
			return new ResumingApplication.Mails(this.sent);
		}

	}

	interface Clerk {

		@dev.langchain4j.service.SystemMessage("You write letters")
		String chat(@MemoryId long conversation, @UserMessage String text, InvocationParameters parameters);

		Result<String> result(@MemoryId long conversation, @UserMessage String text);

		int count(@MemoryId long conversation, @UserMessage String text);

	}

	interface Seller {

		String sell(@MemoryId long conversation, @UserMessage String text);

	}

	interface Plain {

		String ask(String text);

	}

	record Asking(Clerks clerks) {

		@Tool("Asks another agent")
		String ask(String text) {
			return Objects.requireNonNull(this.clerks.inner).chat(7L, text, new InvocationParameters());
		}

	}

	static class ImmediateMails {

		@Tool(value = "Sends a mail", returnBehavior = ReturnBehavior.IMMEDIATE)
		String send(String to) {
			return "Sent at once to " + to;
		}

	}

}
