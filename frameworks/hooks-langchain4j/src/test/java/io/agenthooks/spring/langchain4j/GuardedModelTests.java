package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.service.AiServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.agenthooks.CallContext;
import io.agenthooks.RefusalText;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmCallStatus;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.GuardedApplication.Files;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What hooks around model calls do to models of LangChain4j that are beans, asked by AI
 * services and directly.
 */
class GuardedModelTests {

	private final ScriptedModel model = ScriptedModel.thatCalls();

	private final List<LlmOutcome> outcomes = new CopyOnWriteArrayList<>();

	@ParameterizedTest
	@EnumSource
	void approvedCallAsksTheModelWhatItWasAskedAndHooksSeeIt(Way way) {
		ScriptedModel called = ScriptedModel.thatCalls(ScriptedModel.call("read", Map.of("path", "a")));
		application((call) -> LlmDecision.approve(), called).run((context) -> {
			assertThat(way.ask(service(way, context).tools(new Files()).build(), "s-1")).isEqualTo("Done");
			assertThat(called.timesAsked()).isEqualTo(2);
			assertThat(this.outcomes).hasSize(2).allSatisfy((outcome) -> {
				assertThat(outcome.status()).isEqualTo(LlmCallStatus.SUCCEEDED);
				assertThat(outcome.effective().tools()).containsExactly("read");
				assertThat(Objects.requireNonNull(outcome.response()).usage()).isEqualTo(new LlmUsage(1, 1));
				assertContext(outcome, context.getBean(Journal.class));
			});
			assertThat(texts(this.outcomes.get(0))).containsExactly("Go");
			assertThat(texts(this.outcomes.get(1))).containsExactly("Go", "", "Content of a");
		});
	}

	@ParameterizedTest
	@EnumSource
	void watchSeesModelCallsAndRunsWithoutAnyHook(Way way) {
		List<HookedCall> seen = new CopyOnWriteArrayList<>();
		CallWatch watch = (call) -> {
			seen.add(call);
			return null;
		};
		GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean("model", ChatModel.class, () -> this.model)
			.withBean("streaming", StreamingChatModel.class, this.model::streaming)
			.withBean("watch", CallWatch.class, () -> watch)
			.run((context) -> {
				assertThat(way.ask(service(way, context).build(), "s")).isEqualTo("Done");
				assertThat(seen).hasSize(2)
					.hasAtLeastOneElementOfType(LlmCall.class)
					.hasAtLeastOneElementOfType(AgentRun.class);
			});
	}

	/**
	 * LangChain4j shows such a question to nobody.
	 */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void modelThatIsNoBeanAndAskedDirectlyIsNotSeenAndTheStartSaysSo(CapturedOutput output) {
		application((call) -> LlmDecision.deny("No")).run((context) -> {
			ScriptedModel made = ScriptedModel.thatCalls();
			assertThat(made.chat("Go")).isEqualTo("Done");
			assertThat(this.outcomes).isEmpty();
			assertThat(output).containsOnlyOnce(
					"No hook sees a question to a ChatModel or StreamingChatModel of LangChain4j that is no bean, unless "
							+ "an AI service asks it");
		});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void startSaysNothingOfSuchModelsWithoutHooks(CapturedOutput output) {
		GuardedApplication.runner()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class))
			.run((context) -> assertThat(output).doesNotContain("No hook sees"));
	}

	private static void assertContext(LlmOutcome outcome, Journal journal) {
		CallContext context = outcome.effective().context();
		assertThat(context.sessionId()).isEqualTo("s-1");
		assertThat(context.agent()).isEqualTo("Assistant");
		assertThat(context.runId()).isNotNull().isEqualTo(journal.outcome().effective().context().runId());
	}

	private static List<String> texts(LlmOutcome outcome) {
		return outcome.effective().messages().stream().map(LlmMessage::text).toList();
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void modifiedCallAsksTheModelSomethingElse(Way way) {
		application((call) -> LlmDecision
			.modify(call.withMessages(List.of(LlmMessage.system("Be kind"), call.messages().get(0).withText("Went")))
				.withModel("other")
				.withOptions(Map.of("temperature", 1, "maxOutputTokens", 7, "stopSequences", List.of(".")))))
			.run((context) -> {
				assertThat(way.ask(service(way, context).build(), "s")).isEqualTo("Done");
				ChatRequest asked = this.model.requests().get(0);
				assertThat(asked.messages()).containsExactly(SystemMessage.from("Be kind"), UserMessage.from("Went"));
				assertThat(asked.modelName()).isEqualTo("other");
				assertThat(asked.temperature()).isEqualTo(1.0);
				assertThat(asked.maxOutputTokens()).isEqualTo(7);
				assertThat(asked.stopSequences()).containsExactly(".");
			});
	}

	@Test
	void changedTextKeepsTheImageOfItsMessage() {
		application((call) -> LlmDecision.modify(call.withMessages(List.of(call.messages().get(0).withText("new")))))
			.run((context) -> {
				context.getBean(ChatModel.class)
					.chat(UserMessage.from(TextContent.from("a"), ImageContent.from("http://localhost/x.png"),
							TextContent.from("b")));
				assertThat(texts(this.outcomes.get(0))).containsExactly("new");
				assertThat(this.model.requests().get(0).messages()).containsExactly(
						UserMessage.from(TextContent.from("new"), ImageContent.from("http://localhost/x.png")));
			});
	}

	@Test
	void optionThatDoesNotExistAsksTheModelNothing() {
		application((call) -> LlmDecision.modify(call.withOptions(Map.of("temprature", 1.0)))).run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(ChatModel.class).chat("Go"))
				.withMessageContaining("'temprature'");
			assertThat(this.model.timesAsked()).isZero();
			assertThat(this.outcomes).singleElement()
				.satisfies((outcome) -> assertThat(outcome.status()).isEqualTo(LlmCallStatus.FAILED));
		});
	}

	@ParameterizedTest
	@MethodSource
	void modelIsNotAsked(Way way, PreLlmHook hook, String answer, LlmCallStatus status) {
		application(hook).run((context) -> {
			assertThat(way.ask(service(way, context).build(), "s")).isEqualTo(answer);
			assertThat(this.model.timesAsked()).isZero();
			assertThat(this.outcomes).singleElement()
				.satisfies((outcome) -> assertThat(outcome.status()).isEqualTo(status));
		});
	}

	static Stream<Object[]> modelIsNotAsked() {
		PreLlmHook broken = (call) -> {
			throw new IllegalStateException("secret");
		};
		return Stream.of(Way.SYNC, Way.STREAMING)
			.flatMap((way) -> Stream.of(
					args(way, (call) -> LlmDecision.deny("No"), RefusalText.DEFAULT, LlmCallStatus.DENIED),
					args(way, broken, RefusalText.DEFAULT, LlmCallStatus.DENIED),
					args(way, (call) -> LlmDecision.respond(LlmResponse.of("By a hook")), "By a hook",
							LlmCallStatus.ANSWERED),
					args(way, (call) -> LlmDecision.abortTurn("Enough"), RefusalText.DEFAULT, LlmCallStatus.ABORTED)));
	}

	private static Object[] args(Way way, PreLlmHook hook, String answer, LlmCallStatus status) {
		return new Object[] { way, hook, answer, status };
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void abortedRunIsAnException(Way way) {
		application((call) -> LlmDecision.abortRun("Enough")).run((context) -> {
			assertThatExceptionOfType(LlmCallAbortedException.class)
				.isThrownBy(() -> way.ask(service(way, context).build(), "s"));
			assertThat(this.model.timesAsked()).isZero();
			assertThat(this.outcomes).hasSize(1);
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void replacedResponseIsAllThatAnybodySees(Way way) {
		application((call) -> LlmDecision.approve())
			.withBean(LlmResponseHook.class, () -> (call, response) -> LlmDecision.respond(response.withText("D***")))
			.run((context) -> {
				assertThat(way.ask(service(way, context).build(), "s")).isEqualTo("D***");
				assertThat(this.outcomes).singleElement()
					.satisfies((outcome) -> assertThat(outcome.replacedBy()).hasSize(1));
			});
	}

	@Test
	void streamIsCollectedWhereAResponseMayBeReplaced() {
		StreamingChatModel speaking = speaking("So", "me", "thing");
		application((call) -> LlmDecision.approve())
			.withBean(LlmResponseHook.class,
					() -> (call, response) -> LlmDecision.respond(response.withText(response.text().substring(0, 4))))
			.withBean("speaking", StreamingChatModel.class, () -> speaking)
			.run((context) -> {
				Listener listener = new Listener();
				context.getBean("speaking", StreamingChatModel.class).chat("Go", listener);
				assertThat(listener.heard).containsExactly("part Some", "whole Some");
			});
	}

	@Test
	void streamPassesAtOnceWhereHooksOnlyLearn() {
		application((call) -> LlmDecision.approve())
			.withBean("speaking", StreamingChatModel.class, () -> speaking("So", "me", "thing"))
			.run((context) -> {
				Listener listener = new Listener();
				context.getBean("speaking", StreamingChatModel.class).chat("Go", listener);
				assertThat(listener.heard).containsExactly("part So", "part me", "part thing", "whole Something");
				assertThat(this.outcomes).singleElement()
					.satisfies((outcome) -> assertThat(Objects.requireNonNull(outcome.response()).text())
						.isEqualTo("Something"));
			});
	}

	@Test
	void cancelledStreamIsACancelledCall() {
		application((call) -> LlmDecision.approve())
			.withBean("speaking", StreamingChatModel.class, () -> speaking("So", "me", "thing"))
			.run((context) -> {
				Listener listener = new Listener() {

					@Override
					public void onPartialResponse(PartialResponse part, PartialResponseContext stream) {
						super.onPartialResponse(part, stream);
						stream.streamingHandle().cancel();
					}

				};
				context.getBean("speaking", StreamingChatModel.class).chat("Go", listener);
				assertThat(listener.heard).containsExactly("part So");
				assertThat(this.outcomes).singleElement()
					.satisfies((outcome) -> assertThat(outcome.status()).isEqualTo(LlmCallStatus.CANCELLED));
			});
	}

	@Test
	void responseThatNoHookChangedIsTheModelsOwn() {
		ChatResponse own = ChatResponse.builder()
			.aiMessage(AiMessage.builder().text("Hi").thinking("Hm").build())
			.finishReason(FinishReason.STOP)
			.build();
		application((call) -> LlmDecision.approve(), answering((prompt) -> own)).run((context) -> {
			ChatRequest prompt = ChatRequest.builder().messages(UserMessage.from("Go")).build();
			assertThat(context.getBean(ChatModel.class).chat(prompt)).isSameAs(own);
		});
	}

	@Test
	void changedResponseTellsNothingElseThatTheModelSaid() {
		ChatResponse own = ChatResponse.builder()
			.aiMessage(AiMessage.builder()
				.text("secret")
				.thinking("The secret is secret")
				.attributes(Map.of("server_tool_results", List.of("secret"), "thinking_signature", "EqQB"))
				.build())
			.modelName("m")
			.finishReason(FinishReason.STOP)
			.build();
		application((call) -> LlmDecision.approve(), answering((prompt) -> own))
			.withBean(LlmResponseHook.class, () -> (call, response) -> LlmDecision.respond(response.withText("***")))
			.run((context) -> {
				ChatResponse seen = context.getBean(ChatModel.class).chat(UserMessage.from("Go"));
				assertThat(seen.aiMessage()).isEqualTo(
						AiMessage.builder().text("***").attributes(Map.of("thinking_signature", "EqQB")).build());
				assertThat(seen.modelName()).isEqualTo("m");
				assertThat(seen.finishReason()).isEqualTo(FinishReason.STOP);
			});
	}

	@Test
	void exceptionOfTheModelReachesTheCaller() {
		application((call) -> LlmDecision.approve(), answering((prompt) -> {
			throw new IllegalStateException("overloaded");
		})).run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(ChatModel.class).chat("Go"))
				.withMessage("overloaded");
			assertThat(this.outcomes).singleElement()
				.satisfies((outcome) -> assertThat(outcome.status()).isEqualTo(LlmCallStatus.FAILED));
		});
	}

	@Test
	void everyWayToAskPassesTheHooksOnce() {
		UserMessage go = UserMessage.from("Go");
		List<Function<ChatModel, Object>> ways = List.of((bean) -> bean.chat("Go"), (bean) -> bean.chat(go),
				(bean) -> bean.chat(List.of(go)), (bean) -> bean.chat(ChatRequest.builder().messages(go).build()),
				(bean) -> bean.doChat(ChatRequest.builder().messages(go).build()));
		application((call) -> LlmDecision.approve(), answering((prompt) -> response("Hi"))).run((context) -> {
			for (Function<ChatModel, Object> way : ways) {
				this.outcomes.clear();
				assertThat(way.apply(context.getBean(ChatModel.class))).isNotNull();
				assertThat(this.outcomes).hasSize(1);
			}
		});
	}

	@Test
	void modelCanBeInjectedByItsClassAndKeepsItsOwnMethods() {
		application((call) -> LlmDecision.deny("No")).withBean("named", NamedModel.class, () -> new NamedModel("n"))
			.run((context) -> {
				NamedModel named = context.getBean(NamedModel.class);
				assertThat(named.name()).isEqualTo("n");
				assertThat(named.chat("Go")).isEqualTo(RefusalText.DEFAULT);
			});
	}

	@ParameterizedTest
	@EnumSource
	void modelThatIsNoBeanIsGuardedWhereAnAiServiceAsksIt(Way way) {
		ScriptedModel own = ScriptedModel.thatCalls();
		application((call) -> LlmDecision.deny("No")).run((context) -> {
			Way.Assistant assistant = way.service(own).build();
			for (int i = 1; i <= 2; i++) {
				assertThat(way.ask(assistant, "s")).isEqualTo(RefusalText.DEFAULT);
				assertThat(this.outcomes).hasSize(i);
			}
			assertThat(own.timesAsked()).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void modelThatIsNoBeanAndLeadsToOneIsDecidedOnce(Way way) {
		application((call) -> LlmDecision.approve(), ScriptedModel.thatCalls()).run((context) -> {
			ChatModel bean = context.getBean("model", ChatModel.class);
			StreamingChatModel streaming = context.getBean("streaming", StreamingChatModel.class);
			StreamingChatModel leading = new StreamingChatModel() {

				@Override
				public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
					streaming.chat(request, handler);
				}

			};
			assertThat(way.ask(way.service(answering(bean::chat), leading).build(), "s")).isEqualTo("Done");
			assertThat(this.outcomes).hasSize(1);
		});
	}

	@Test
	void otherQuestionInsideOfAModelIsDecidedForItself() {
		application((call) -> LlmDecision.approve(), answering((prompt) -> response("Done"))).run((context) -> {
			ChatModel bean = context.getBean("model", ChatModel.class);
			ChatModel own = answering(
					(prompt) -> bean.chat(ChatRequest.builder().messages(UserMessage.from("Something else")).build()));
			Way.Assistant assistant = Way.SYNC.service(own, this.model.streaming()).build();
			assertThat(Way.SYNC.ask(assistant, "s")).isEqualTo("Done");
			assertThat(this.outcomes).hasSize(2);
		});
	}

	@Test
	void beanUnderTwoNamesPassesTheHooksOnce() {
		application((call) -> LlmDecision.approve()).withUserConfiguration(OtherName.class).run((context) -> {
			context.getBean("again", ChatModel.class).chat("Go");
			assertThat(this.outcomes).hasSize(1);
		});
	}

	@Test
	void withoutHooksTheModelIsAskedAsItIs() {
		List<ChatRequest> asked = new ArrayList<>();
		GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean(ChatModel.class, () -> new ChatModel() {

				@Override
				public ChatResponse chat(ChatRequest prompt) {
					asked.add(prompt);
					return response("Hi");
				}

			})
			.run((context) -> {
				ChatRequest prompt = ChatRequest.builder().messages(UserMessage.from("Go")).build();
				context.getBean(ChatModel.class).chat(prompt);
				assertThat(asked).singleElement().isSameAs(prompt);
			});
	}

	@Test
	void switchedOffHooksLeaveModelsAlone() {
		application((call) -> LlmDecision.deny("No")).withPropertyValues("hooks.llm_call.enabled=false")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(ModelGuard.class);
				assertThat(context.getBean("model")).isSameAs(this.model);
			});
	}

	@Test
	void withoutLangChain4jThereIsNoGuard() {
		GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("dev.langchain4j"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(LlmHookChain.class)
				.doesNotHaveBean(ModelGuard.class));
	}

	/**
	 * As a guardrail does that wants the same answer once more.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void questionThatAListenerAsksAgainIsDecidedAgain(boolean atOnce) {
		GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class))
			.withBean("streaming", StreamingChatModel.class, () -> speaking("Done"))
			.withBean("post", PostLlmHook.class, () -> this.outcomes::add)
			.run((context) -> {
				StreamingChatModel bean = context.getBean(StreamingChatModel.class);
				ChatRequest prompt = ChatRequest.builder().messages(UserMessage.from("Go")).build();
				Listener second = new Listener();
				bean.chat(prompt, new Listener() {

					@Override
					public void onPartialResponse(PartialResponse part, PartialResponseContext context) {
						if (atOnce) {
							bean.chat(prompt, second);
						}
					}

					@Override
					public void onCompleteResponse(ChatResponse response) {
						if (!atOnce) {
							bean.chat(prompt, second);
						}
					}

				});
				assertThat(second.heard).contains("whole Done");
				assertThat(this.outcomes).hasSize(2);
			});
	}

	private ApplicationContextRunner application(PreLlmHook hook) {
		return application(hook, this.model);
	}

	private ApplicationContextRunner application(PreLlmHook hook, ScriptedModel model) {
		return application(hook, (ChatModel) model).withBean("streaming", StreamingChatModel.class, model::streaming);
	}

	private ApplicationContextRunner application(PreLlmHook hook, ChatModel model) {
		return GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean("model", ChatModel.class, () -> model)
			.withBean("pre", PreLlmHook.class, () -> hook)
			.withBean("post", PostLlmHook.class, () -> this.outcomes::add);
	}

	private static AiServices<Way.Assistant> service(Way way, ApplicationContext context) {
		return way.service(context.getBean("model", ChatModel.class),
				context.getBean("streaming", StreamingChatModel.class));
	}

	private static ChatModel answering(Function<ChatRequest, ChatResponse> answer) {
		return new ChatModel() {

			@Override
			public ChatResponse doChat(ChatRequest prompt) {
				return answer.apply(prompt);
			}

		};
	}

	private static ChatResponse response(String text) {
		return ChatResponse.builder().aiMessage(AiMessage.from(text)).build();
	}

	/**
	 * A model that speaks in parts until it is cancelled.
	 */
	private static StreamingChatModel speaking(String... parts) {
		return new StreamingChatModel() {

			@Override
			public void doChat(ChatRequest prompt, StreamingChatResponseHandler listener) {
				Handle handle = new Handle();
				for (String part : parts) {
					listener.onPartialResponse(new PartialResponse(part), new PartialResponseContext(handle));
					if (handle.isCancelled()) {
						return;
					}
				}
				listener.onCompleteResponse(response(String.join("", parts)));
			}

		};
	}

	/**
	 * Cancels a stream.
	 */
	private static final class Handle implements StreamingHandle {

		private boolean cancelled;

		@Override
		public void cancel() {
			this.cancelled = true;
		}

		@Override
		public boolean isCancelled() {
			return this.cancelled;
		}

	}

	/**
	 * Writes down what it hears.
	 */
	private static class Listener implements StreamingChatResponseHandler {

		final List<String> heard = new ArrayList<>();

		@Override
		public void onPartialResponse(String part) {
			this.heard.add("part " + part);
		}

		@Override
		public void onCompleteResponse(ChatResponse response) {
			this.heard.add("whole " + response.aiMessage().text());
		}

		@Override
		public void onError(Throwable error) {
			this.heard.add("error " + error.getMessage());
		}

	}

	/**
	 * Gives a bean another name.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OtherName {

		@Bean
		ChatModel again(@Qualifier("model") ChatModel model) {
			return model;
		}

	}

	/**
	 * A model with something of its own, and no constructor without arguments.
	 */
	static class NamedModel implements ChatModel {

		private final String name;

		NamedModel(String name) {
			this.name = name;
		}

		String name() {
			return this.name;
		}

		@Override
		public ChatResponse doChat(ChatRequest prompt) {
			return response(this.name);
		}

	}

}
