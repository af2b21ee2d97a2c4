package io.agenthooks.spring.langchain4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.caller.TokenLogins;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who asks an AI service, in which conversation and run, as all hooks see it:
 * on whatever thread the model speaks and the tools run.
 */
class AiServiceWhoAsksTests {

	private static final String SESSION = "conversation-1";

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	static Stream<Arguments> everything() {
		List<Set<With>> variants = List.of(EnumSet.noneOf(With.class), EnumSet.of(With.RUN_HOOKS),
				EnumSet.of(With.MODEL_HOOKS), EnumSet.of(With.INNER_AGENT), EnumSet.of(With.UNKNOWN_TOOL),
				EnumSet.of(With.RUN_HOOKS, With.INNER_AGENT), EnumSet.allOf(With.class));
		return Arrays.stream(Way.values())
			.flatMap((way) -> variants.stream()
				.flatMap((with) -> Arrays.stream(Who.values()).map((who) -> Arguments.of(way, with, who))));
	}

	@ParameterizedTest
	@MethodSource("everything")
	void allHooksLearnWhoAsks(Way way, Set<With> with, Who who) {
		run(with, way, (seen, context) -> {
			SecurityContextHolder.getContext().setAuthentication(who.authentication());
			way.ask(service(way, context), SESSION);
			int runs = (with.contains(With.INNER_AGENT)) ? 2 : 1;
			assertThat(seen.contexts("tool")).hasSize(2 * runs - 1 + ((with.contains(With.UNKNOWN_TOOL)) ? 1 : 0));
			assertThat(seen.contexts("run")).hasSize((with.contains(With.RUN_HOOKS)) ? runs : 0);
			assertThat(seen.contexts("model")).hasSize((with.contains(With.MODEL_HOOKS)) ? 2 * runs : 0);
			assertThat(seen.all()).extracting(CallContext::user).containsOnly((who == Who.USER) ? "alice" : null);
			assertThat(seen.all()).allSatisfy((each) -> assertThat(each)
				.isEqualTo((who == Who.USER) ? TokenLogins.in(each, "alice") : each.withUser(null)));
			assertThat(seen.all()).extracting(CallContext::sessionId).containsOnly(SESSION);
			assertThat(seen.runs("tool")).hasSize(runs).doesNotContain("null");
			Stream.of("run", "model")
				.map(seen::runs)
				.filter((ids) -> !ids.isEmpty())
				.forEach((ids) -> assertThat(ids).isEqualTo(seen.runs("tool")));
		});
	}

	@ParameterizedTest
	@MethodSource("everything")
	void nothingIsLeftForWhoAsksNext(Way way, Set<With> with, Who who) {
		run(with, way, (seen, context) -> {
			SecurityContextHolder.getContext().setAuthentication(who.authentication());
			way.ask(service(way, context), SESSION);
			SecurityContextHolder.clearContext();
			seen.clear();
			way.ask(service(way, context), "conversation-2");
			assertThat(seen.all()).isNotEmpty().extracting(CallContext::user).containsOnlyNulls();
			assertThat(seen.all()).extracting(CallContext::sessionId).containsOnly("conversation-2");
			seen.clear();
			context.getBean(PlainModel.class).chat("Go");
			assertThat(seen.all())
				.isEqualTo((with.contains(With.MODEL_HOOKS)) ? List.of(CallContext.empty()) : List.of());
		});
	}

	@Test
	void streamWorksForWhoAskedForItOnWhateverThreadItIsStarted() {
		run(EnumSet.allOf(With.class), Way.STREAMING, (seen, context) -> {
			SecurityContextHolder.getContext().setAuthentication(Who.USER.authentication());
			TokenStream stream = service(Way.STREAMING, context).stream(SESSION, "Go");
			SecurityContextHolder.clearContext();
			CompletableFuture<Object> answer = new CompletableFuture<>();
			stream.onPartialResponse((text) -> {
			}).onCompleteResponse(answer::complete).onError(answer::completeExceptionally);
			CompletableFuture.runAsync(stream::start).orTimeout(1, TimeUnit.MINUTES).join();
			answer.orTimeout(1, TimeUnit.MINUTES).join();
			assertThat(seen.contexts("tool")).hasSizeGreaterThan(2);
			assertThat(seen.all()).allSatisfy((each) -> assertThat(each).isEqualTo(TokenLogins.in(each, "alice")));
		});
	}

	@ParameterizedTest
	@EnumSource
	void toolOfSpringAiThatAToolCallsIsCalledByTheSameUser(Way way) {
		run(EnumSet.noneOf(With.class), way, (seen, context) -> {
			SecurityContextHolder.getContext().setAuthentication(Who.USER.authentication());
			ToolCallback callback = new SpringAiToolHooks(context.getBean(ToolHookChain.class))
				.wrap(FunctionToolCallback.builder("nested", () -> "nested").build());
			way.ask(way.service(ScriptedModel.thatCalls(ScriptedModel.call("search", Map.of("text", "a"))))
				.tools(new Searching(() -> callback.call("{}")))
				.build(), SESSION);
			assertThat(seen.contexts("tool")).hasSize(2).extracting(CallContext::user).containsOnly("alice");
			assertThat(seen.contexts("tool")).extracting(CallContext::sessionId).containsOnly(SESSION);
		});
	}

	@Test
	void modelThatIsAskedDirectlyKnowsWhoIsLoggedIn() {
		run(EnumSet.of(With.MODEL_HOOKS), Way.SYNC, (seen, context) -> {
			SecurityContextHolder.getContext().setAuthentication(Who.USER.authentication());
			context.getBean(PlainModel.class).chat("Go");
			assertThat(seen.contexts("model")).singleElement().isEqualTo(TokenLogins.in(CallContext.empty(), "alice"));
		});
	}

	private static Way.Assistant service(Way way, ApplicationContext context) {
		return way.service(context.getBean("model", ChatModel.class), context.getBean(StreamingChatModel.class))
			.tools(new Searching(() -> "found"), context.getBean(Expert.class))
			.hallucinatedToolNameStrategy((call) -> ToolExecutionResultMessage.from(call, "There is no such tool"))
			.build();
	}

	private void run(Set<With> with, Way way, Scenario scenario) {
		Seen seen = new Seen();
		AgentModel model = new AgentModel(with);
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(ToolCallHooksAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class,
							LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withPropertyValues("hooks.context.claims[0]=tenant")
			.withBean("model", ChatModel.class, () -> model)
			.withBean("streaming", StreamingChatModel.class, model::streaming)
			.withBean(PlainModel.class, PlainModel::new)
			.withBean(Expert.class, () -> new Expert(way))
			.withBean(PreToolHook.class, () -> (call) -> ToolDecision.approve())
			.withBean(PostToolHook.class, () -> (outcome) -> seen.add("tool", outcome.requested().context()));
		if (with.contains(With.RUN_HOOKS)) {
			runner = runner.withBean(PreRunHook.class, () -> (run) -> {
				seen.add("run", run.context());
				return RunDecision.approve();
			});
		}
		if (with.contains(With.MODEL_HOOKS)) {
			runner = runner.withBean(PreLlmHook.class, () -> (call) -> {
				seen.add("model", call.context());
				return LlmDecision.approve();
			});
		}
		runner.run((context) -> {
			context.getBean(Expert.class).context = context;
			scenario.run(seen, context);
		});
	}

	enum With {

		RUN_HOOKS, MODEL_HOOKS, INNER_AGENT, UNKNOWN_TOOL

	}

	enum Who {

		USER, GUEST, NOBODY;

		@Nullable Authentication authentication() {
			return switch (this) {
				case USER -> TokenLogins.jwt("alice");
				case GUEST -> new AnonymousAuthenticationToken("key", "anonymousUser",
						AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));
				case NOBODY -> null;
			};
		}

	}

	interface Scenario {

		void run(Seen seen, ApplicationContext context);

	}

	/**
	 * What hooks saw.
	 */
	static final class Seen {

		private final List<Map.Entry<String, CallContext>> contexts = new ArrayList<>();

		synchronized void add(String hook, CallContext context) {
			this.contexts.add(Map.entry(hook, context));
		}

		synchronized void clear() {
			this.contexts.clear();
		}

		synchronized List<CallContext> all() {
			return this.contexts.stream().map(Map.Entry::getValue).toList();
		}

		synchronized List<CallContext> contexts(String hook) {
			return this.contexts.stream()
				.filter((seen) -> seen.getKey().equals(hook))
				.map(Map.Entry::getValue)
				.collect(Collectors.toUnmodifiableList());
		}

		Set<String> runs(String hook) {
			return contexts(hook).stream()
				.map((context) -> String.valueOf(context.runId()))
				.collect(Collectors.toUnmodifiableSet());
		}

	}

	/**
	 * A model of which nobody makes an agent.
	 */
	static class PlainModel extends ScriptedModel {

		PlainModel() {
			super(List.of(AiMessage.from("Done")));
		}

	}

	/**
	 * Calls tools once in each invocation: all of them if it is asked by a person, and
	 * only the search if it is asked by the agent that is a tool.
	 */
	static class AgentModel extends ScriptedModel {

		private final Set<With> with;

		AgentModel(Set<With> with) {
			super(List.of());
			this.with = with;
		}

		@Override
		public ChatResponse doChat(ChatRequest request) {
			return ChatResponse.builder().aiMessage(answer(request)).build();
		}

		private AiMessage answer(ChatRequest request) {
			if (request.messages().stream().anyMatch(ToolExecutionResultMessage.class::isInstance)) {
				return AiMessage.from("Done");
			}
			List<ToolExecutionRequest> calls = new ArrayList<>();
			calls.add(call("search", Map.of("text", "a")));
			if (request.toolSpecifications().stream().anyMatch((tool) -> tool.name().equals("expert"))) {
				if (this.with.contains(With.INNER_AGENT)) {
					calls.add(call("expert", Map.of("text", "b")));
				}
				if (this.with.contains(With.UNKNOWN_TOOL)) {
					calls.add(call("unknown", Map.of("text", "c")));
				}
			}
			return AiMessage.from(calls);
		}

		@Override
		StreamingChatModel streaming() {
			return new StreamingChatModel() {

				@Override
				public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
					new ScriptedModel(List.of(answer(request))).streaming().doChat(request, handler);
				}

			};
		}

	}

	record Searching(Supplier<String> search) {

		@Tool("Searches")
		String search(String text) {
			return this.search.get();
		}

	}

	/**
	 * A tool that is an agent itself.
	 */
	static class Expert {

		private final Way way;

		private @Nullable ApplicationContext context;

		Expert(Way way) {
			this.way = way;
		}

		@Tool("Knows all")
		String expert(String text) {
			ApplicationContext context = Objects.requireNonNull(this.context);
			Inner inner = AiServices.builder(Inner.class)
				.chatModel(context.getBean("model", ChatModel.class))
				.streamingChatModel(context.getBean(StreamingChatModel.class))
				.tools(new Searching(() -> "found"))
				.build();
			return (this.way == Way.SYNC || this.way == Way.CONCURRENT) ? inner.chat("Go") : join(inner.stream("Go"));
		}

		private static String join(TokenStream stream) {
			CompletableFuture<String> answer = new CompletableFuture<>();
			stream.onPartialResponse((text) -> {
			})
				.onCompleteResponse((response) -> answer.complete(response.aiMessage().text()))
				.onError(answer::completeExceptionally)
				.start();
			return answer.orTimeout(1, TimeUnit.MINUTES).join();
		}

	}

	interface Inner {

		String chat(@UserMessage String text);

		TokenStream stream(@UserMessage String text);

	}

}
