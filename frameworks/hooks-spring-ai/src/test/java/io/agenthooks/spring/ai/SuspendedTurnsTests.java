package io.agenthooks.spring.ai;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.content.Media;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.MimeTypeUtils;

import io.agenthooks.RefusalText;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.RunStatus;
import io.agenthooks.spring.ai.ConversationJson.Conversation;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.suspend.ApprovalPendingException;
import io.agenthooks.spring.suspend.SuspendedTurn;
import io.agenthooks.spring.suspend.SuspendedTurn.Reply;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the end of a turn in which calls wait for people: what runs, what is kept,
 * and what the client gets.
 */
class SuspendedTurnsTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final String ROME = "{\"city\": \"Rome\"}";

	private static final String OSLO = "{\"city\": \"Oslo\"}";

	/** People have to approve of Paris and Rome, and nobody may know of Bonn. */
	private static final PreToolHook PEOPLE = (call) -> switch (String.valueOf(call.arguments().get("city"))) {
		case "Paris", "Rome" -> ToolDecision.ask("Really?");
		case "Bonn" -> ToolDecision.deny("Not Bonn");
		default -> ToolDecision.approve();
	};

	/** A question has the name of the city. */
	private static final ToolApprover LATER = (call, question) -> question
		.pendingAs("q-" + call.arguments().get("city"));

	private final WeatherTools tools = new WeatherTools();

	private final KeptTurns kept = new KeptTurns();

	private ApplicationContextRunner runner(PreToolHook hook) {
		return Application.runner(hook)
			.withBean("later", ToolApprover.class, () -> LATER)
			.withBean("kept", SuspendedTurns.class, () -> this.kept);
	}

	private void run(Consumer<Application> test) {
		Application.run(runner(PEOPLE), test);
	}

	private List<String> pendingAfter(Way way, Application application) {
		ChatClient.ChatClientRequestSpec question = application.client()
			.prompt()
			.system("Be brief")
			.user("Weather?")
			.tools(this.tools);
		return pending(() -> way.ask(question));
	}

	private static List<String> pending(Runnable question) {
		try {
			question.run();
		}
		catch (ApprovalPendingException ex) {
			return ex.approvalIds();
		}
		throw new AssertionError("The turn does not wait");
	}

	@ParameterizedTest
	@EnumSource
	void otherCallsOfTheMessageAreDecidedAndRun(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", "{\"city\": \"Bonn\"}"), model.call("weather", PARIS),
					model.call("weather", OSLO), model.call("nonsense", "{}"));
			assertThat(pendingAfter(way, application)).containsExactly("q-Paris");
			assertThat(this.tools.cities).containsExactly("Oslo");
			assertThat(model.prompts()).hasSize(1);
			assertThat(application.outcomes()).extracting(ToolOutcome::status)
				.containsExactly(ToolCallStatus.DENIED, ToolCallStatus.PENDING, ToolCallStatus.SUCCEEDED,
						ToolCallStatus.DENIED);
			List<Reply> replies = this.kept.turn().replies();
			assertThat(replies).extracting(Reply::callId).containsExactly("call-1", "call-2", "call-3", "call-4");
			assertThat(replies).extracting(Reply::approvalId).containsExactly(null, "q-Paris", null, null);
			assertThat(replies).extracting(Reply::failed).containsExactly(true, false, false, true);
			assertThat(replies.get(0).text()).contains("Not Bonn");
			assertThat(replies.get(1).text()).isNull();
			assertThat(replies.get(2).text()).isEqualTo("\"sunny in Oslo\"");
			assertThat(this.kept.cancelled).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void conversationIsKeptUpToTheCalls(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls("weather", OSLO).calls("weather", PARIS);
			assertThat(pendingAfter(way, application)).containsExactly("q-Paris");
			SuspendedTurn turn = this.kept.turn();
			assertThat(turn.format()).isEqualTo(ConversationJson.FORMAT);
			Conversation conversation = ConversationJson.read(turn.messages());
			assertThat(conversation.messages()).extracting(Message::getMessageType)
				.containsExactly(MessageType.SYSTEM, MessageType.USER, MessageType.ASSISTANT, MessageType.TOOL,
						MessageType.ASSISTANT);
			assertThat(conversation.messages().get(1).getText()).isEqualTo("Weather?");
			assertThat(((ToolResponseMessage) conversation.messages().get(3)).getResponses().get(0).responseData())
				.isEqualTo("\"sunny in Oslo\"");
			assertThat(((AssistantMessage) conversation.messages().get(4)).getToolCalls())
				.containsExactly(new AssistantMessage.ToolCall("call-2", "function", "weather", PARIS));
			assertThat(conversation.returnDirect()).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource
	void severalCallsWaitInOneTurn(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", ROME), model.call("weather", PARIS));
			assertThat(pendingAfter(way, application)).containsExactly("q-Rome", "q-Paris");
			assertThat(this.kept.turn().replies()).extracting(Reply::approvalId).containsExactly("q-Rome", "q-Paris");
		});
	}

	@Test
	void secondCallThatIsTheSameQuestionIsDenied() {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", PARIS));
			assertThat(pendingAfter(Way.CALL, application)).containsExactly("q-Paris");
			List<Reply> replies = this.kept.turn().replies();
			assertThat(replies).extracting(Reply::approvalId).containsExactly("q-Paris", null);
			assertThat(replies.get(1).text()).contains("denied: the very same call");
			assertThat(replies.get(1).failed()).isTrue();
		});
	}

	@Test
	void callsWithoutIdsAreKeptInTheirOrder() {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(new AssistantMessage.ToolCall("", "function", "weather", OSLO),
					new AssistantMessage.ToolCall("", "function", "weather", PARIS));
			assertThat(pendingAfter(Way.CALL, application)).containsExactly("q-Paris");
			List<Reply> replies = this.kept.turn().replies();
			assertThat(replies).extracting(Reply::callId).containsExactly("", "");
			assertThat(replies).extracting(Reply::approvalId).containsExactly(null, "q-Paris");
		});
	}

	@Test
	void textOfAFailedToolIsKept() {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("broken", OSLO), model.call("weather", PARIS));
			assertThat(pendingAfter(Way.CALL, application)).containsExactly("q-Paris");
			Reply reply = this.kept.turn().replies().get(0);
			assertThat(reply.text()).isEqualTo("no network in Oslo");
			assertThat(reply.failed()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolThatReturnsDirectlyWaits(Way way) {
		run((application) -> {
			application.model().calls("report", PARIS);
			assertThat(pendingAfter(way, application)).containsExactly("q-Paris");
			assertThat(ConversationJson.read(this.kept.turn().messages()).returnDirect()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void runOfAPendingTurnIsPending(Way way) {
		List<RunStatus> runs = new CopyOnWriteArrayList<>();
		PostRunHook hook = (outcome) -> runs.add(outcome.status());
		Application.run(runner(PEOPLE).withBean("runs", PostRunHook.class, () -> hook)
			.withConfiguration(
					AutoConfigurations.of(RunHooksAutoConfiguration.class, SpringAiModelCallsAutoConfiguration.class)),
				(application) -> {
					application.model().calls("weather", PARIS);
					assertThat(pendingAfter(way, application)).containsExactly("q-Paris");
					assertThat(runs).containsExactly(RunStatus.PENDING);
				});
	}

	@ParameterizedTest
	@EnumSource
	void turnThatAHookEndsLaterLeavesNoQuestion(Way way) {
		PreToolHook hook = (call) -> ("Oslo".equals(call.arguments().get("city"))) ? ToolDecision.abortTurn("Enough")
				: PEOPLE.preCall(call);
		Application.run(runner(hook), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", OSLO));
			assertThat(way.ask(application.client().prompt("Weather?").tools(this.tools)).text())
				.isEqualTo(RefusalText.DEFAULT);
			assertThat(this.kept.cancelled).containsExactly("q-Paris");
			assertThat(this.kept.turns).isEmpty();
		});
	}

	@Test
	void turnThatAHookEndsLaterEndsSoEvenIfTheStoreIsAway() {
		this.kept.cancelFailure = new IllegalStateException("No row with {\"password\":\"hunter2\"}");
		turnThatAHookEndsLaterLeavesNoQuestion(Way.CALL);
	}

	@ParameterizedTest
	@EnumSource
	void runThatAHookEndsLaterLeavesNoQuestion(Way way) {
		PreToolHook hook = (call) -> ("Oslo".equals(call.arguments().get("city"))) ? ToolDecision.abortRun("Enough")
				: PEOPLE.preCall(call);
		Application.run(runner(hook), (application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", OSLO));
			assertThatExceptionOfType(RunAbortedException.class)
				.isThrownBy(() -> way.ask(application.client().prompt("Weather?").tools(this.tools)));
			assertThat(this.kept.cancelled).containsExactly("q-Paris");
			assertThat(this.kept.turns).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void callWhoseConversationHoldsMediaIsDeniedInItsPlace(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("weather", PARIS), model.call("weather", OSLO));
			Media picture = new Media(MimeTypeUtils.IMAGE_PNG, URI.create("https://example.com/a.png"));
			way.ask(application.client().prompt().user((user) -> user.text("Look").media(picture)).tools(this.tools));
			assertThat(model.replies()).hasSize(2)
				.element(0)
				.isEqualTo(
						"Tool call denied: it needs the approval of a person, and this conversation cannot be kept until "
								+ "then, because it holds media");
			assertThat(model.replies()).element(1).isEqualTo("\"sunny in Oslo\"");
			assertThat(this.kept.cancelled).containsExactly("q-Paris");
			assertThat(this.tools.cities).containsExactly("Oslo");
		});
	}

	@ParameterizedTest
	@EnumSource
	void callWhoseTurnCannotBeKeptIsDeniedInItsPlace(Way way) {
		this.kept.failure = new IllegalStateException("No row with {\"password\":\"hunter2\"}");
		run((application) -> {
			application.model().calls("weather", PARIS);
			way.ask(application.client().prompt("Weather?").tools(this.tools));
			assertThat(application.model().replies()).singleElement()
				.asString()
				.contains("it is too long or the store is away")
				.doesNotContain("hunter2");
			assertThat(this.kept.cancelled).containsExactly("q-Paris");
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void turnOfTheOuterAgentEndsWithThatOfTheInnerOne(Way way) {
		run((application) -> {
			ScriptedChatModel model = application.model();
			model.calls(model.call("ask_expert", "{}"), model.call("weather", OSLO)).calls("weather", PARIS);
			Expert expert = new Expert(application.client(), this.tools);
			assertThat(pending(() -> way.ask(application.client().prompt("Weather?").tools(expert, this.tools))))
				.containsExactly("q-Paris");
			assertThat(ConversationJson.read(this.kept.turn().messages()).messages().get(0).getText())
				.isEqualTo("What do you say?");
			assertThat(this.tools.cities).isEmpty();
		});
	}

	@Test
	void toolThatIsCalledOutsideOfAConversationWaits() {
		run((application) -> {
			SpringAiToolHooks hooks = application.context().getBean(SpringAiToolHooks.class);
			assertThat(pending(() -> hooks.wrap(this.tools.callback()).call(PARIS))).containsExactly("q-Paris");
			assertThat(this.kept.turns).isEmpty();
			assertThat(this.kept.cancelled).isEmpty();
		});
	}

	@Test
	void turnWaitsEvenIfNothingKeepsIt() {
		Application.run(Application.runner(PEOPLE).withBean("later", ToolApprover.class, () -> LATER),
				(application) -> {
					application.model().calls("weather", PARIS);
					assertThat(pendingAfter(Way.CALL, application)).containsExactly("q-Paris");
					assertThat(this.tools.cities).isEmpty();
				});
	}

	/**
	 * A tool that has begun cannot be made again as another call.
	 */
	@ParameterizedTest
	@EnumSource
	void callInsideAToolIsNotTheCallOfTheTool(Way way) {
		run((application) -> {
			application.model().calls("forecast", OSLO);
			ChatClient.ChatClientRequestSpec question = application.client()
				.prompt("Weather?")
				.tools(new Forecast(application.context().getBean(ToolHookChain.class)));
			assertThat(pending(() -> way.ask(question))).containsExactly("q-Paris");
			assertThat(this.kept.turns).isEmpty();
		});
	}

	/**
	 * A tool that makes calls by itself.
	 */
	record Forecast(ToolHookChain chain) {

		@Tool(description = "Looks at the weather elsewhere")
		String forecast(String city) {
			return this.chain
				.execute(ToolCall.of("weather", Map.of("city", "Paris")), (call) -> ToolResult.success("sunny"))
				.forModel();
		}

	}

	/**
	 * An agent inside of a tool.
	 */
	record Expert(ChatClient client, WeatherTools tools) {

		@Tool(description = "Asks an expert", name = "ask_expert")
		String askExpert() {
			return Objects.requireNonNull(this.client.prompt("What do you say?").tools(this.tools).call().content());
		}

	}

}
