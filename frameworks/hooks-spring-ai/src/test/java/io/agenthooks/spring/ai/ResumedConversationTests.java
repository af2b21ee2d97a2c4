package io.agenthooks.spring.ai;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallContext;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for how a client goes on with a conversation whose calls waited for people.
 */
class ResumedConversationTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String OSLO = "{\"city\": \"Oslo\"}";

	private static final String SESSION = "conversation-1";

	private final WeatherTools tools = new WeatherTools();

	private final KeptTurns kept = new KeptTurns();

	private final ChatMemory memory = MessageWindowChatMemory.builder().build();

	/** Who made the calls that hooks saw. */
	private final List<CallContext> callers = new CopyOnWriteArrayList<>();

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	private void run(Consumer<Application> test) {
		PreToolHook hook = (call) -> {
			this.callers.add(call.context());
			return ("Paris".equals(call.arguments().get("city"))) ? ToolDecision.ask("Really?")
					: ToolDecision.approve();
		};
		ToolApprover later = (call, question) -> question.pendingAs("q-1");
		Application.run(Application.runner(hook)
			.withBean("later", ToolApprover.class, () -> later)
			.withBean("kept", SuspendedTurns.class, () -> this.kept), test);
	}

	/**
	 * Ask a question whose turn ends, and let its call have a result.
	 */
	private ResumedConversation suspended(ChatClient client, @Nullable String user) {
		this.kept.turns.clear();
		assertThatExceptionOfType(ApprovalPendingException.class).isThrownBy(() -> client.prompt("Weather?")
			.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION))
			.call()
			.content());
		return resumed(this.kept.turn(), "\"fog in Paris\"", user);
	}

	private static ResumedConversation resumed(SuspendedTurn turn, @Nullable String text, @Nullable String user) {
		List<Reply> replies = turn.replies()
			.stream()
			.map((reply) -> (reply.isWaiting())
					? new Reply(reply.callId(), reply.tool(), reply.approvalId(), text, false) : reply)
			.toList();
		Instant now = Instant.now();
		ApprovalRequest request = new ApprovalRequest("q-1", ApprovalState.CLAIMED, 3,
				ToolIdentity.ofApplication("weather"), PARIS, "f0", "call", SESSION, null, null, user, "hook", null,
				"Really?", List.of(), now, now.plusSeconds(60), 1, List.of());
		return new ResumedConversation(
				new ResumedTurn(request, new SuspendedTurn(turn.format(), turn.messages(), replies)),
				CurrentUser.ofSpringSecurity(), () -> "refused");
	}

	private static List<MessageType> types(List<Message> messages) {
		return messages.stream().map(Message::getMessageType).toList();
	}

	private static Prompt last(ScriptedChatModel model) {
		return model.prompts().get(model.prompts().size() - 1);
	}

	@ParameterizedTest
	@EnumSource
	void modelReadsTheWholeConversationOnce(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model().calls("weather", PARIS).says("Fog");
			ChatClient client = application.client()
				.mutate()
				.defaultSystem("Be brief")
				.defaultTools(this.tools)
				.build();
			ResumedConversation resumed = suspended(client, null);
			assertThat(way.ask(client.prompt().advisors(resumed.advisor())).text()).isEqualTo("Fog");
			assertThat(last(model).getInstructions()).isEqualTo(resumed.messages());
			assertThat(types(resumed.messages())).containsExactly(MessageType.SYSTEM, MessageType.USER,
					MessageType.ASSISTANT, MessageType.TOOL);
			assertThat(model.replies()).containsExactly("\"fog in Paris\"");
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@Test
	void messagesAreWhatAModelCanBeAskedWith() {
		run((application) -> {
			ScriptedChatModel model = application.model().calls("weather", PARIS).says("Fog");
			ChatClient client = application.client().mutate().defaultTools(this.tools).build();
			ResumedConversation resumed = suspended(client, null);
			model.call(new Prompt(resumed.messages()));
			assertThat(model.replies()).containsExactly("\"fog in Paris\"");
		});
	}

	@ParameterizedTest
	@EnumSource
	void memoryAroundTheCallsGetsTheAnswerAndNothingTwice(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model().says("Hello").calls("weather", PARIS).says("Fog");
			ChatClient client = application.client()
				.mutate()
				.defaultTools(this.tools)
				.defaultAdvisors(MessageChatMemoryAdvisor.builder(this.memory).build())
				.build();
			client.prompt("Hi")
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION))
				.call()
				.content();
			ResumedConversation resumed = suspended(client, null);
			assertThat(way.ask(client.prompt().advisors(resumed.advisor())).text()).isEqualTo("Fog");
			assertThat(last(model).getInstructions()).extracting(Message::getText)
				.containsExactly("Hi", "Hello", "Weather?", "", "");
			assertThat(this.memory.get(SESSION)).extracting(Message::getText)
				.containsExactly("Hi", "Hello", "Weather?", "Fog");
		});
	}

	@ParameterizedTest
	@EnumSource
	void memoryThatSeesEachCallOfTheModelGetsTheResultsAndTheAnswer(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model().says("Hello").calls("weather", PARIS).says("Fog");
			ChatClient client = application.client()
				.mutate()
				.defaultSystem("Be brief")
				.defaultTools(this.tools)
				.defaultAdvisors(MessageChatMemoryAdvisor.builder(this.memory)
					.order(ToolCallingAdvisor.DEFAULT_ORDER + 100)
					.build())
				.build();
			client.prompt("Hi")
				.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, SESSION))
				.call()
				.content();
			ResumedConversation resumed = suspended(client, null);
			assertThat(way.ask(client.prompt().advisors(resumed.advisor())).text()).isEqualTo("Fog");
			assertThat(types(last(model).getInstructions())).containsExactly(MessageType.SYSTEM, MessageType.USER,
					MessageType.ASSISTANT, MessageType.USER, MessageType.ASSISTANT, MessageType.TOOL);
			assertThat(model.replies()).containsExactly("\"fog in Paris\"");
			assertThat(types(this.memory.get(SESSION))).containsExactly(MessageType.USER, MessageType.ASSISTANT,
					MessageType.USER, MessageType.ASSISTANT, MessageType.TOOL, MessageType.ASSISTANT);
		});
	}

	@ParameterizedTest
	@EnumSource
	void furtherCallsAreForTheUserOfTheConversationWhoeverIsLoggedIn(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model().calls("weather", PARIS).calls("weather", OSLO).says("Done");
			ChatClient client = application.client().mutate().defaultTools(this.tools).build();
			ResumedConversation resumed = suspended(client, "carol");
			logIn("approver");
			way.ask(client.prompt().advisors(resumed.advisor()));
			CallContext caller = this.callers.get(this.callers.size() - 1);
			assertThat(caller.user()).isEqualTo("carol");
			assertThat(caller.authorities()).isEmpty();
			assertThat(caller.sessionId()).isEqualTo(SESSION);
			assertThat(model.replies()).containsExactly("\"sunny in Oslo\"");
		});
	}

	@ParameterizedTest
	@EnumSource
	void furtherCallsOfAGuestAreNotForWhoIsLoggedIn(Way way) {
		run((application) -> {
			application.model().calls("weather", PARIS).calls("weather", OSLO).says("Done");
			ChatClient client = application.client().mutate().defaultTools(this.tools).build();
			ResumedConversation resumed = suspended(client, null);
			logIn("approver");
			way.ask(client.prompt().advisors(resumed.advisor()));
			CallContext caller = this.callers.get(this.callers.size() - 1);
			assertThat(caller.user()).isNull();
			assertThat(caller.authorities()).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void userWhoIsLoggedInHasAllAuthorities(Way way) {
		run((application) -> {
			application.model().calls("weather", PARIS).calls("weather", OSLO).says("Done");
			ChatClient client = application.client().mutate().defaultTools(this.tools).build();
			ResumedConversation resumed = suspended(client, "carol");
			logIn("carol");
			way.ask(client.prompt().advisors(resumed.advisor()));
			assertThat(this.callers.get(this.callers.size() - 1).authorities()).containsExactly("ROLE_APPROVER");
		});
	}

	private static void logIn(String user) {
		SecurityContextHolder.getContext()
			.setAuthentication(new TestingAuthenticationToken(user, "secret", "ROLE_APPROVER"));
	}

	@Test
	void conversationMayWaitOnceMore() {
		run((application) -> {
			application.model().calls("weather", PARIS).calls("weather", PARIS).says("Done");
			ChatClient client = application.client().mutate().defaultTools(this.tools).build();
			ResumedConversation first = suspended(client, null);
			this.kept.turns.clear();
			assertThatExceptionOfType(ApprovalPendingException.class)
				.isThrownBy(() -> client.prompt().advisors(first.advisor()).call().content());
			ResumedConversation second = resumed(this.kept.turn(), "\"rain in Paris\"", null);
			assertThat(second.messages()).startsWith(first.messages().toArray(Message[]::new)).hasSize(5);
			assertThat(client.prompt().advisors(second.advisor()).call().content()).isEqualTo("Done");
		});
	}

	@Test
	void conversationWithACallThatStillWaitsCannotGoOn() {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", OSLO));
			suspended(application.client().mutate().defaultTools(this.tools).build(), null);
			ResumedConversation resumed = resumed(this.kept.turn(), null, null);
			assertThat(resumed.isComplete()).isFalse();
			assertThat(resumed.pending()).containsExactly("q-1");
			assertThat(resumed.results()).extracting(ToolResponse::responseData)
				.containsExactly("This call waits for the approval of a person (request q-1). It has not run.",
						"\"sunny in Oslo\"");
			assertThatIllegalStateException().isThrownBy(resumed::advisor)
				.withMessage("Calls still wait for people: [q-1]");
		});
	}

	@Test
	void callOutsideOfAConversationHasAResultOnly() {
		ResumedConversation resumed = resumed(
				new SuspendedTurn("", "", List.of(new Reply("", "weather", "q-1", "sunny", false))), null, null);
		assertThat(resumed.messages()).isEmpty();
		assertThat(resumed.isComplete()).isTrue();
		assertThat(resumed.results()).containsExactly(new ToolResponse("", "weather", "sunny"));
		assertThatIllegalStateException().isThrownBy(resumed::advisor);
	}

	@Test
	void conversationOfAnotherFrameworkIsRefused() {
		SuspendedTurn turn = new SuspendedTurn("langchain4j", "[]",
				List.of(new Reply("", "weather", "q-1", "sunny", false)));
		assertThatIllegalStateException().isThrownBy(() -> resumed(turn, null, null))
			.withMessage("The conversation was kept by another framework: 'langchain4j'");
	}

	@Test
	void toolThatReturnsDirectlySaysSo() {
		run((application) -> {
			application.model().calls("report", PARIS);
			ResumedConversation resumed = suspended(application.client().mutate().defaultTools(this.tools).build(),
					null);
			assertThat(resumed.isReturnDirect()).isTrue();
		});
	}

	@Test
	void textOfItsOwnSaysNothingOfTheConversation() {
		run((application) -> {
			application.model().calls("weather", PARIS);
			assertThat(suspended(application.client().mutate().defaultTools(this.tools).build(), "carol"))
				.hasToString("ResumedConversation[request=q-1, messages=2, pending=[]]");
		});
	}

}
