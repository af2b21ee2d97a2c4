package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.CallResponseSpec;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.core.Ordered;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.AbortedRuns;
import io.agenthooks.RefusalText;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmCallStatus;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.LlmToolCall;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.redact.Redactor;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.ai.Way.Answer;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for model calls of a real {@code ChatClient}: what the model was asked, what the
 * agent got, and that each call ended once.
 */
class LlmHooksAdvisorTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private final GuardedAgent agent = new GuardedAgent();

	@ParameterizedTest
	@EnumSource
	void approvedCallAsksTheModel(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.approve()).model.says("It ", "is ", "sunny");
		assertThat(this.agent.ask(way, "Weather?").text()).isEqualTo("It is sunny");
		LlmOutcome outcome = this.agent.modelCall();
		assertThat(outcome.status()).isEqualTo(LlmCallStatus.SUCCEEDED);
		LlmCall call = outcome.requested();
		assertThat(call.messages()).extracting(LlmMessage::role).containsExactly(LlmRole.USER);
		assertThat(call.messages()).extracting(LlmMessage::text).containsExactly("Weather?");
		assertThat(call.model()).isEqualTo("speaking");
		assertThat(call.options()).isEqualTo(Map.of("temperature", 0.5));
		assertThat(call.tools()).containsExactlyInAnyOrder("weather", "report", "broken");
		assertThat(call.context().runId()).isEqualTo(this.agent.run().run().context().runId());
		LlmResponse response = Objects.requireNonNull(outcome.response());
		assertThat(response.text()).isEqualTo("It is sunny");
		assertThat(response.usage()).isEqualTo(new LlmUsage(10, 5));
		assertThat(response.model()).isEqualTo("speaking");
		assertThat(response.finishReason()).isEqualTo("stop");
	}

	@ParameterizedTest
	@EnumSource
	void hookChangesWhatTheModelIsAsked(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.modify(call.withMessages(call.messages()
			.stream()
			.map((message) -> message.withText(message.text().replace("Paris", "Rome")))
			.toList()).withModel("other").withOptions(Map.of("maxTokens", 7))));
		this.agent.ask(way, "Weather in Paris?");
		assertThat(this.agent.model.lastPrompt()).containsExactly("Weather in Rome?");
		OpenAiChatOptions options = (OpenAiChatOptions) Objects
			.requireNonNull(this.agent.model.prompts().get(0).getOptions());
		assertThat(options.getModel()).isEqualTo("other");
		assertThat(options.getMaxTokens()).isEqualTo(7);
		assertThat(options.getTemperature()).isNull();
		assertThat(options.getUser()).isEqualTo("somebody");
		assertThat(options.getToolCallbacks()).hasSize(3);
		assertThat(this.agent.modelCall().effective().model()).isEqualTo("other");
	}

	@ParameterizedTest
	@EnumSource
	void optionThatHooksCannotSetFailsTheCall(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.modify(call.withOptions(Map.of("seed", 1))));
		assertThatIllegalStateException().isThrownBy(() -> this.agent.ask(way, "Weather?"))
			.withMessageContaining("[seed]");
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.FAILED);
	}

	@ParameterizedTest
	@EnumSource
	void deniedCallTellsThePersonNoReason(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.deny("Too late"));
		Answer answer = this.agent.ask(way, "Weather?");
		assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
		assertThat(answer.finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.DENIED);
	}

	@ParameterizedTest
	@EnumSource
	void denialEndsTheLoopOfTools(Way way) {
		this.agent
			.beforeModel((call) -> (call.messages().stream().anyMatch((message) -> message.role() == LlmRole.TOOL))
					? LlmDecision.deny("Once is enough") : LlmDecision.approve()).model
			.calls("weather", PARIS);
		assertThat(this.agent.ask(way, "Weather?").text()).isEqualTo(RefusalText.DEFAULT);
		assertThat(this.agent.tools.cities).containsExactly("Paris");
		assertThat(this.agent.model.prompts()).hasSize(1);
		assertThat(this.agent.modelCalls()).extracting(LlmOutcome::status)
			.containsExactly(LlmCallStatus.SUCCEEDED, LlmCallStatus.DENIED);
	}

	@ParameterizedTest
	@EnumSource
	void answeredCallDoesNotAskTheModel(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.respond(LlmResponse.of("From the cache")));
		Answer answer = this.agent.ask(way, "Weather?");
		assertThat(answer.text()).isEqualTo("From the cache");
		assertThat(answer.finishReason()).isEqualTo(LlmResponse.ANSWERED_BY_HOOK);
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.ANSWERED);
	}

	@ParameterizedTest
	@EnumSource
	void answerOfAHookMayCallTools(Way way) {
		LlmResponse wish = new LlmResponse("", List.of(new LlmToolCall("wish-1", "weather", PARIS)), "tool_calls", null,
				null, null);
		this.agent
			.beforeModel((call) -> (call.messages().size() == 1) ? LlmDecision.respond(wish) : LlmDecision.approve());
		assertThat(this.agent.ask(way, "Weather?").text()).isEqualTo("done");
		assertThat(this.agent.tools.cities).containsExactly("Paris");
		assertThat(this.agent.modelCalls()).extracting(LlmOutcome::status)
			.containsExactly(LlmCallStatus.ANSWERED, LlmCallStatus.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource
	void abortedTurnEndsWithItsOwnFinishReason(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.abortTurn("Enough"));
		Answer answer = this.agent.ask(way, "Weather?");
		assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
		assertThat(answer.finishReason()).isEqualTo(LlmResponse.ABORTED_BY_HOOK);
		assertThat(answer.metadata().<String>get(AgentHooks.ABORTED_BY)).isEqualTo("hook");
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.ABORTED);
	}

	@ParameterizedTest
	@EnumSource
	void abortedRunThrows(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.abortRun("Stop it"));
		assertThatExceptionOfType(LlmCallAbortedException.class).isThrownBy(() -> this.agent.ask(way, "Weather?"))
			.withMessageContaining("Stop it");
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.ABORTED);
	}

	@ParameterizedTest
	@EnumSource
	void turnIsAbortedByTheResponse(Way way) {
		this.agent.afterModel((call, response) -> LlmDecision.abortTurn("Enough")).model.calls("weather", PARIS);
		Answer answer = this.agent.ask(way, "Weather?");
		assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
		assertThat(answer.finishReason()).isEqualTo(LlmResponse.ABORTED_BY_HOOK);
		assertThat(this.agent.tools.cities).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.ABORTED);
		assertThat(this.agent.run().usage()).isEqualTo(new LlmUsage(10, 5));
	}

	@ParameterizedTest
	@EnumSource
	void runAbortedAtAToolCallAsksNoModelUnderItsId(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.approve())
			.beforeTool((call) -> ToolDecision.abortRun("Stop it")).model.calls("weather", PARIS);
		var client = this.agent
			.with((builder) -> builder.defaultAdvisors((advisors) -> advisors.param(AgentHooks.RUN_ID, "run-1")))
			.client();
		assertThatExceptionOfType(RunAbortedException.class)
			.isThrownBy(() -> way.ask(client.prompt().user("Weather?")));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> way.ask(client.prompt().user("Once more?")))
			.withMessageContaining("Stop it");
		assertThat(this.agent.model.prompts()).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void responseIsReplacedBeforeTheAgentSeesIt(Way way) {
		this.agent.afterModel((call, response) -> LlmDecision
			.respond(response.withText(response.text().replace("sunny", "cloudy")))).model.says("It is sun", "ny");
		Answer answer = this.agent.ask(way, "Weather?");
		assertThat(answer.text()).isEqualTo("It is cloudy");
		assertThat(answer.finishReason()).isEqualTo("stop");
		assertThat(this.agent.modelCall().originalResponse()).extracting(LlmResponse::text).isEqualTo("It is sunny");
		assertThat(this.agent.run().usage()).isEqualTo(new LlmUsage(10, 5));
	}

	@ParameterizedTest
	@EnumSource
	void responseIsWithheld(Way way) {
		this.agent.afterModel((call, response) -> LlmDecision.deny("Not for you")).model.calls("weather", PARIS);
		Answer answer = this.agent.ask(way, "Weather?");
		assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
		assertThat(answer.finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		assertThat(this.agent.tools.cities).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource
	void responseThatHooksLeaveKeepsItsCallsOfTools(Way way) {
		this.agent.afterModel((call, response) -> LlmDecision.approve()).model.calls("weather", PARIS)
			.says("Sun", "ny");
		assertThat(this.agent.ask(way, "Weather?").text()).isEqualTo("Sunny");
		assertThat(this.agent.tools.cities).containsExactly("Paris");
	}

	@Test
	void untouchedStreamOfAResponseHookKeepsItsPieces() {
		this.agent.afterModel((call, response) -> LlmDecision.approve()).model.says("Sun", "ny");
		assertThat(this.agent.client().prompt("Weather?").stream().content().collectList().block())
			.containsExactly("Sun", "ny");
	}

	@ParameterizedTest
	@EnumSource
	void secretsAreTakenOutOfPromptAndResponse(Way way) {
		Redactor redactor = Redactor.ofDefaults();
		this.agent.beforeModel((call) -> LlmDecision.modify(call.withMessages(
				call.messages().stream().map((message) -> message.withText(redactor.redact(message.text()))).toList())))
			.afterModel(
					(call, response) -> LlmDecision.respond(response.withText(redactor.redact(response.text())))).model
			.says("Mail to bob@exa", "mple.com");
		assertThat(this.agent.ask(way, "I am ann@example.com").text()).doesNotContain("bob@example.com")
			.startsWith("Mail to");
		assertThat(this.agent.model.lastPrompt()).singleElement().asString().doesNotContain("ann@").startsWith("I am");
	}

	@ParameterizedTest
	@EnumSource
	void policySeesTextThatALaterHookWrote(Way way) {
		PreLlmHook policy = new PreLlmHook() {

			@Override
			public LlmDecision preCall(LlmCall call) {
				return (call.messages().stream().anyMatch((message) -> message.text().contains("bomb")))
						? LlmDecision.deny("No bombs") : LlmDecision.approve();
			}

			@Override
			public boolean isRepeatable() {
				return true;
			}

		};
		this.agent.beforeModel(policy)
			.beforeModel((call) -> LlmDecision.modify(call.withMessages(List.of(LlmMessage.user("A bomb, please")))));
		assertThat(this.agent.ask(way, "Hello").text()).isEqualTo(RefusalText.DEFAULT);
		assertThat(this.agent.modelCall().decision().reason()).isEqualTo("No bombs");
		assertThat(this.agent.model.prompts()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void contextThatAHookAddsIsReadByTheModel(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.approve().withAdditionalContext("It is 2026"));
		this.agent.ask(way, "Which year?");
		assertThat(this.agent.model.lastPrompt()).singleElement()
			.asString()
			.startsWith("Which year?")
			.contains("It is 2026", "<additional_context id=");
	}

	@ParameterizedTest
	@EnumSource
	void hooksAreAskedOncePerQuestionToTheModel(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.approve()).model.calls("weather", PARIS)
			.calls("weather", PARIS)
			.says("Sunny");
		this.agent.ask(way, "Weather?");
		assertThat(this.agent.modelCalls()).hasSize(3)
			.extracting((outcome) -> outcome.requested().messages().size())
			.containsExactly(1, 3, 5);
		assertThat(this.agent.modelCalls()).extracting((outcome) -> outcome.requested().context().runId())
			.containsOnly(this.agent.run().run().context().runId());
		assertThat(this.agent.model.prompts()).hasSize(3);
		assertThat(this.agent.events).filteredOn(LlmCallEvent.Started.class::isInstance).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource
	void hookChangesTheReplyOfAToolAndItsIdStays(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.modify(call.withMessages(call.messages()
			.stream()
			.map((message) -> (message.role() == LlmRole.TOOL) ? message.withText("rain") : message)
			.toList()))).model.calls("weather", PARIS);
		this.agent.ask(way, "Weather?");
		assertThat(this.agent.model.prompts().get(1).getInstructions()).last()
			.asString()
			.contains("rain", "call-1")
			.doesNotContain("sunny");
	}

	@ParameterizedTest
	@EnumSource
	void hooksSeeWhatTheClientRemembers(Way way) {
		ChatMemory memory = MessageWindowChatMemory.builder().build();
		var client = this.agent.beforeModel((call) -> LlmDecision.approve())
			.with((builder) -> builder.defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
				.defaultAdvisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "chat-1")))
			.client();
		way.ask(client.prompt().user("I am Ann"));
		way.ask(client.prompt().user("Who am I?"));
		LlmCall second = this.agent.modelCalls().get(1).requested();
		assertThat(second.messages()).extracting(LlmMessage::text).containsExactly("I am Ann", "done", "Who am I?");
		assertThat(second.context().sessionId()).isEqualTo("chat-1");
	}

	@ParameterizedTest
	@EnumSource
	void hookThatThrowsDenies(Way way) {
		this.agent.beforeModel((call) -> {
			throw new IllegalArgumentException("broken");
		});
		assertThat(this.agent.ask(way, "Weather?").finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.DENIED);
	}

	@ParameterizedTest
	@EnumSource
	void hookThatThrowsPassesIfItMayFail(Way way) {
		this.agent.beforeModel(HookEntry.<PreLlmHook>of((call) -> {
			throw new IllegalArgumentException("broken");
		}).failingOpen());
		assertThat(this.agent.ask(way, "Weather?").text()).isEqualTo("done");
		assertThat(this.agent.modelCall().failedOpen()).containsExactly("hook");
	}

	@ParameterizedTest
	@EnumSource
	void responseHookThatThrowsWithholds(Way way) {
		this.agent.afterModel((call, response) -> {
			throw new IllegalArgumentException("broken");
		}).model.says("secret");
		assertThat(this.agent.ask(way, "Weather?").text()).isEqualTo(RefusalText.DEFAULT);
	}

	@ParameterizedTest
	@EnumSource
	void failureOfTheModelReachesTheCaller(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.approve()).model
			.answers(Flux.error(new IllegalStateException("no network")));
		assertThatIllegalStateException().isThrownBy(() -> this.agent.ask(way, "Weather?")).withMessage("no network");
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.FAILED);
		assertThat(this.agent.modelCalls()).isEmpty();
	}

	@Test
	void streamIsShownAsItComesIfNoHookMayReplaceIt() throws Exception {
		CountDownLatch seen = new CountDownLatch(1);
		this.agent.beforeModel((call) -> LlmDecision.approve()).model
			.answers(Flux.concat(Flux.just(SpeakingChatModel.piece(message("Sun"), null)), Flux.defer(() -> {
				await(seen);
				return Flux.just(SpeakingChatModel.piece(message("ny"), "stop"));
			})));
		List<String> pieces = this.agent.client()
			.prompt("Weather?")
			.stream()
			.content()
			.doOnNext((piece) -> seen.countDown())
			.collectList()
			.block();
		assertThat(pieces).containsExactly("Sun", "ny");
		assertThat(this.agent.modelCall().response()).extracting(LlmResponse::text).isEqualTo("Sunny");
	}

	@Test
	void abortedStreamAsksNoModelHoweverOftenItIsTriedAgain() {
		this.agent.beforeModel((call) -> LlmDecision.abortRun("Stop it"));
		assertThatExceptionOfType(LlmCallAbortedException.class)
			.isThrownBy(() -> this.agent.client().prompt("Weather?").stream().content().retry(5).blockLast());
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.modelCalls()).hasSize(6);
	}

	@Test
	void everyReadingOfAResponseThatAsksTheModelPassesTheHooks() {
		this.agent.beforeModel((call) -> LlmDecision.deny("No"));
		CallResponseSpec response = this.agent.client().prompt("Weather?").call();
		for (int i = 0; i < 5; i++) {
			assertThat(response.content()).isEqualTo(RefusalText.DEFAULT);
		}
		assertThat(this.agent.model.prompts()).isEmpty();
	}

	@Test
	void advisorsOfTheSameOrderKeepTheirPlaces() {
		List<String> asked = new ArrayList<>();
		this.agent.with((client) -> client.defaultAdvisors(named("first", asked), named("second", asked)));
		this.agent.ask(Way.CALL, "Weather?");
		List<String> unguarded = new ArrayList<>();
		ChatClient.builder(this.agent.model)
			.defaultAdvisors(named("first", unguarded), named("second", unguarded))
			.build()
			.prompt("Weather?")
			.call()
			.content();
		assertThat(asked).isEqualTo(unguarded);
	}

	@Test
	void advisorThatTriesAgainMeetsTheHooksAgain() {
		List<Integer> attempts = new ArrayList<>();
		CallAdvisor again = new CallAdvisor() {

			@Override
			public String getName() {
				return "again";
			}

			@Override
			public int getOrder() {
				return Ordered.HIGHEST_PRECEDENCE;
			}

			@Override
			public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
				attempts.add(attempts.size());
				chain.nextCall(request);
				return chain.nextCall(request);
			}

		};
		this.agent.beforeModel((call) -> LlmDecision.approve()).with((client) -> client.defaultAdvisors(again));
		this.agent.ask(Way.CALL, "Weather?");
		assertThat(attempts).hasSize(1);
		assertThat(this.agent.runs()).hasSize(2);
		assertThat(this.agent.modelCalls()).hasSize(2);
		assertThat(this.agent.model.prompts()).hasSize(2);
	}

	@Test
	void cancelledStreamEndsItsCall() {
		this.agent.beforeModel((call) -> LlmDecision.approve()).model
			.answers(Flux.concat(Flux.just(SpeakingChatModel.piece(message("Sun"), null)), Flux.never()));
		assertThat(this.agent.client().prompt("Weather?").stream().content().blockFirst()).isEqualTo("Sun");
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.CANCELLED);
	}

	@Test
	void streamThatIsCancelledWhileHooksDecideEndsItsCallAndAsksNoModel() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch decided = new CountDownLatch(1);
		this.agent.beforeModel((call) -> {
			asked.countDown();
			await(decided);
			return LlmDecision.approve();
		});
		Disposable subscription = this.agent.client().prompt("Weather?").stream().content().subscribe();
		asked.await();
		subscription.dispose();
		decided.countDown();
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.CANCELLED);
		assertThat(this.agent.model.prompts()).isEmpty();
	}

	@Test
	void hooksOfAStreamMayBlock() {
		List<Boolean> nonBlocking = Collections.synchronizedList(new ArrayList<>());
		this.agent.beforeModel((call) -> {
			nonBlocking.add(Schedulers.isInNonBlockingThread());
			return LlmDecision.approve();
		}).afterModel((call, response) -> {
			nonBlocking.add(Schedulers.isInNonBlockingThread());
			return LlmDecision.approve();
		}).beforeRun((run) -> {
			nonBlocking.add(Schedulers.isInNonBlockingThread());
			return RunDecision.approve();
		});
		Flux.defer(() -> this.agent.client().prompt("Weather?").stream().content())
			.subscribeOn(Schedulers.parallel())
			.blockLast();
		assertThat(nonBlocking).containsExactly(false, false, false);
	}

	@ParameterizedTest
	@EnumSource
	void clientsHaveTheirOwnRuns(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.approve());
		this.agent.ask(way, "One");
		this.agent.ask(way, "Two");
		assertThat(this.agent.modelCalls()).extracting((outcome) -> outcome.requested().context().runId())
			.doesNotHaveDuplicates()
			.hasSize(2);
	}

	@Test
	void abortWithoutOtherAdvisorsEndsNoConversation() {
		LlmHookChain hooks = new LlmHookChain(
				List.of(HookEntry.<PreLlmHook>of((call) -> (call.messages().get(0).text().equals("Bad"))
						? LlmDecision.abortRun("Stop it") : LlmDecision.approve())),
				List.of(), List.of(), null, new AbortedRuns());
		ChatClient client = ChatClient.builder(this.agent.model)
			.defaultAdvisors(new LlmHooksAdvisor(hooks))
			.defaultAdvisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "chat-1"))
			.build();
		assertThatExceptionOfType(LlmCallAbortedException.class)
			.isThrownBy(() -> client.prompt("Bad").call().content());
		assertThat(client.prompt("Good").call().content()).isEqualTo("done");
	}

	private static BaseAdvisor named(String name, List<String> asked) {
		return new BaseAdvisor() {

			@Override
			public String getName() {
				return name;
			}

			@Override
			public int getOrder() {
				return 0;
			}

			@Override
			public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
				asked.add(name);
				return request;
			}

			@Override
			public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
				return response;
			}

		};
	}

	private static AssistantMessage message(String text) {
		return new AssistantMessage(text);
	}

	/**
	 * Wait, whoever wants this thread to stop.
	 */
	private static void await(CountDownLatch latch) {
		boolean interrupted = false;
		boolean open = false;
		while (!open) {
			try {
				open = latch.await(10, TimeUnit.SECONDS);
				if (!open) {
					throw new AssertionError("Waited for nothing");
				}
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
