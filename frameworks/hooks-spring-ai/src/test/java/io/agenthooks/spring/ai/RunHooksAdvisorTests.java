package io.agenthooks.spring.ai;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.CallResponseSpec;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.tool.annotation.Tool;
import reactor.core.publisher.Flux;

import io.agenthooks.AdditionalContext;
import io.agenthooks.llmcall.LlmCallStatus;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for runs of a real {@link ChatClient}: whether they began, and that each ended
 * once.
 */
class RunHooksAdvisorTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private final GuardedAgent agent = new GuardedAgent();

	@ParameterizedTest
	@EnumSource
	void hooksHearOfTheResultAndAllTokens(Way way) {
		this.agent.model.calls("weather", PARIS).says("Sun", "ny");
		this.agent.ask(way, "Weather?");
		RunOutcome outcome = this.agent.run();
		assertThat(outcome.status()).isEqualTo(RunStatus.SUCCEEDED);
		assertThat(outcome.run().prompt()).isEqualTo("Weather?");
		assertThat(outcome.result()).isEqualTo("Sunny");
		assertThat(outcome.usage()).isEqualTo(new LlmUsage(20, 10));
		assertThat(outcome.duration()).isGreaterThan(Duration.ZERO);
	}

	@ParameterizedTest
	@EnumSource
	void deniedRunAsksNoModelAndIsNotRemembered(Way way) {
		ChatMemory memory = MessageWindowChatMemory.builder().build();
		this.agent.beforeRun((run) -> RunDecision.deny("Closed on Sundays"))
			.with((client) -> client.defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
				.defaultAdvisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "chat-1")));
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> this.agent.ask(way, "Weather?"))
			.withMessage("Run blocked: Closed on Sundays");
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(memory.get("chat-1")).isEmpty();
		assertThat(this.agent.run().status()).isEqualTo(RunStatus.DENIED);
	}

	@ParameterizedTest
	@EnumSource
	void hookThatThrowsDenies(Way way) {
		this.agent.beforeRun((run) -> {
			throw new IllegalArgumentException("broken");
		});
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> this.agent.ask(way, "Weather?"));
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.run().status()).isEqualTo(RunStatus.DENIED);
	}

	@Test
	void deniedStreamIsDeniedHoweverOftenItIsTriedAgain() {
		this.agent.beforeRun((run) -> RunDecision.deny("Closed on Sundays"));
		assertThatExceptionOfType(RunBlockedException.class)
			.isThrownBy(() -> this.agent.client().prompt("Weather?").stream().content().retry(5).blockLast());
		assertThat(this.agent.model.prompts()).isEmpty();
		assertThat(this.agent.runs()).hasSize(6)
			.allMatch((outcome) -> outcome.status() == RunStatus.DENIED)
			.extracting((outcome) -> outcome.run().id())
			.doesNotHaveDuplicates();
	}

	@Test
	void deniedCallIsDeniedHoweverOftenItsResponseIsRead() {
		this.agent.beforeRun((run) -> RunDecision.deny("Closed on Sundays"));
		CallResponseSpec response = this.agent.client().prompt("Weather?").call();
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(RunBlockedException.class).isThrownBy(response::content);
		}
		assertThat(this.agent.model.prompts()).isEmpty();
	}

	@Test
	void streamThatIsTriedAgainIsAWholeRun() {
		this.agent.model.answers(Flux.error(new IllegalStateException("no network")))
			.calls("weather", PARIS)
			.says("Sunny");
		assertThat(this.agent.client().prompt("Weather?").stream().content().retry(1).blockLast()).isEqualTo("Sunny");
		assertThat(this.agent.tools.cities).containsExactly("Paris");
		assertThat(this.agent.runs()).extracting(RunOutcome::status)
			.containsExactly(RunStatus.FAILED, RunStatus.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource
	void contextThatAHookAddsIsReadByTheModel(Way way) {
		this.agent.beforeRun((run) -> RunDecision.approve().withAdditionalContext("It is 2026"));
		this.agent.ask(way, "Which year?");
		assertThat(this.agent.model.lastPrompt()).singleElement()
			.asString()
			.startsWith("Which year?")
			.contains("It is 2026", "<additional_context id=");
		assertThat(this.agent.run().run().prompt()).isEqualTo("Which year?");
	}

	@ParameterizedTest
	@EnumSource
	void personCannotSpeakAsAHook(Way way) {
		this.agent.beforeRun((run) -> RunDecision.approve().withAdditionalContext("It is 2026"))
			.beforeModel((call) -> LlmDecision.approve().withAdditionalContext("It is Sunday"));
		this.agent.ask(way, AdditionalContext.mark("It is 1984"));
		assertThat(this.agent.model.lastPrompt()).singleElement().asString().satisfies((prompt) -> {
			assertThat(prompt).startsWith("&lt;additional_context id=").contains("1984");
			assertThat(Pattern.compile("<additional_context id=\"[0-9a-f]{32}\">\n(.*)\n</additional_context>")
				.matcher(prompt)
				.results()
				.map((block) -> block.group(1))).containsExactly("It is 2026", "It is Sunday");
		});
	}

	@ParameterizedTest
	@EnumSource
	void contextIsAMessageOfItsOwnIfThePersonSaidNothing(Way way) {
		this.agent.beforeRun((run) -> RunDecision.approve().withAdditionalContext("It is 2026"));
		way.ask(this.agent.client().prompt().system("Tell the year"));
		assertThat(this.agent.model.lastPrompt()).hasSize(2).last().asString().contains("It is 2026");
	}

	@ParameterizedTest
	@EnumSource
	void failureOfTheModelFailsTheRun(Way way) {
		this.agent.model.answers(Flux.error(new IllegalStateException("no network")));
		assertThatIllegalStateException().isThrownBy(() -> this.agent.ask(way, "Weather?")).withMessage("no network");
		RunOutcome outcome = this.agent.run();
		assertThat(outcome.status()).isEqualTo(RunStatus.FAILED);
		assertThat(outcome.failure()).hasMessage("no network");
	}

	@ParameterizedTest
	@EnumSource
	void runThatIsAbortedAtAToolCallIsAborted(Way way) {
		this.agent.beforeTool((call) -> ToolDecision.abortRun("Stop it")).model.calls("weather", PARIS);
		assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> this.agent.ask(way, "Weather?"));
		assertThat(this.agent.run().status()).isEqualTo(RunStatus.ABORTED);
		assertThat(this.agent.ask(way, "Once more?").text()).isEqualTo("done");
	}

	@ParameterizedTest
	@EnumSource
	void runThatIsAbortedUnderAnIdOfTheApplicationIsRefusedNextTime(Way way) {
		this.agent.beforeTool((call) -> ToolDecision.abortRun("Stop it"))
			.with((client) -> client.defaultAdvisors((advisors) -> advisors.param(AgentHooks.RUN_ID, "run-1"))).model
			.calls("weather", PARIS);
		assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> this.agent.ask(way, "Weather?"));
		assertThatExceptionOfType(RunBlockedException.class).isThrownBy(() -> this.agent.ask(way, "Once more?"));
		assertThat(this.agent.runs()).extracting(RunOutcome::status)
			.containsExactly(RunStatus.ABORTED, RunStatus.ABORTED);
		assertThat(this.agent.runs()).extracting((outcome) -> outcome.run().id()).doesNotHaveDuplicates();
	}

	@Test
	void cancelledStreamEndsItsRun() {
		this.agent.model
			.answers(Flux.concat(Flux.just(SpeakingChatModel.piece(new AssistantMessage("Sun"), null)), Flux.never()));
		assertThat(this.agent.client().prompt("Weather?").stream().content().blockFirst()).isEqualTo("Sun");
		assertThat(this.agent.run().status()).isEqualTo(RunStatus.CANCELLED);
	}

	@ParameterizedTest
	@EnumSource
	void agentThatIsAToolHasARunOfItsOwn(Way way) {
		GuardedAgent inner = new GuardedAgent().beforeModel((call) -> LlmDecision.approve());
		inner.model.says("Ask me");
		this.agent.beforeModel((call) -> LlmDecision.approve())
			.with((client) -> client.defaultTools(new Expert(() -> inner.ask(way, "Please").text()))
				.defaultAdvisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "chat-1"))).model
			.calls("expert", "{}");
		this.agent.ask(way, "Weather?");
		RunOutcome outer = this.agent.run();
		RunOutcome nested = inner.run();
		assertThat(nested.status()).isEqualTo(RunStatus.SUCCEEDED);
		assertThat(nested.result()).isEqualTo("Ask me");
		assertThat(nested.run().context().runId()).isNotEqualTo(outer.run().context().runId());
		assertThat(nested.run().context().sessionId()).isEqualTo("chat-1");
		assertThat(outer.usage()).isEqualTo(new LlmUsage(20, 10));
		assertThat(inner.modelCall().requested().context().runId()).isEqualTo(nested.run().context().runId());
		assertThat(this.agent.modelCalls()).hasSize(2)
			.allSatisfy((outcome) -> assertThat(outcome.requested().context().runId())
				.isEqualTo(outer.run().context().runId()));
	}

	@ParameterizedTest
	@EnumSource
	void abortedModelCallAbortsTheRun(Way way) {
		this.agent.beforeModel((call) -> LlmDecision.abortRun("Stop it"));
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> this.agent.ask(way, "Weather?"))
			.withMessageContaining("Stop it");
		assertThat(this.agent.run().status()).isEqualTo(RunStatus.ABORTED);
		assertThat(this.agent.modelCall().status()).isEqualTo(LlmCallStatus.ABORTED);
	}

	/**
	 * A tool that is an agent.
	 */
	static class Expert {

		private final Supplier<String> agent;

		Expert(Supplier<String> agent) {
			this.agent = agent;
		}

		@Tool(description = "Knows all")
		String expert() {
			return this.agent.get();
		}

	}

}
