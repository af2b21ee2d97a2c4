package io.agenthooks.spring.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.reactive.function.client.WebClient;
import tools.jackson.databind.JsonNode;

import io.agenthooks.AbortScope;
import io.agenthooks.CallContext;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.LlmRole;
import io.agenthooks.llmcall.LlmUsage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WebhookLlmHook} and {@link WebhookRunHook}, against a real server.
 */
@Timeout(60)
class WebhookAgentHooksTests {

	private static final LlmMessage IMAGE = new LlmMessage(LlmRole.USER, "What is on it?", "an image");

	private static final LlmCall CALL = LlmCall.of(LlmMessage.system("Be kind."), IMAGE)
		.withModel("gpt-test")
		.withOptions(Map.of("temperature", 0.5, "handle", new Object()))
		.withTools(List.of("search"))
		.withContext(CallContext.ofSession("s1"));

	private final List<LlmCall> asked = new ArrayList<>();

	private final WebhookEndpoints endpoints = new WebhookEndpoints(WebClient::builder, List.of());

	private LlmResponse model(LlmCall call) {
		this.asked.add(call);
		return new LlmResponse("A cat", List.of(), "stop", new LlmUsage(7, 2), null, null);
	}

	private LlmResponse ask(FaultyServer server, String... options) {
		try (WebhookLlmHook hook = new WebhookLlmHook(this.endpoints.open("guard", config(server, options)))) {
			return new LlmHookChain(List.of(hook), List.of(), List.of()).execute(CALL, this::model);
		}
	}

	private static WebhookConfig config(FaultyServer server, String... options) {
		return Webhooks.config(server.url(), options);
	}

	private LlmResponse askWhenAnswered(String json) {
		try (FaultyServer server = new FaultyServer(FaultyServer.json(json))) {
			return ask(server);
		}
	}

	@Test
	void webhookIsAskedAboutACallAndToldHowItEnded() throws Exception {
		try (FaultyServer server = new FaultyServer(FaultyServer.APPROVE);
				WebhookLlmHook hook = new WebhookLlmHook(this.endpoints.open("guard", config(server)))) {
			new LlmHookChain(List.of(hook), List.of(), List.of(hook)).execute(CALL, this::model);
			JsonNode question = server.take().json();
			assertThat(question.get("event").asString()).isEqualTo("pre_llm_call");
			assertThat(question.get("call_id").asString()).isEqualTo(CALL.id());
			assertThat(question.get("session_id").asString()).isEqualTo("s1");
			assertThat(question.get("model").asString()).isEqualTo("gpt-test");
			assertThat(question.get("messages").toString()).contains("Be kind.", "What is on it?")
				.doesNotContain("an image");
			assertThat(question.get("options").toString()).isEqualTo("{\"temperature\":0.5}");
			JsonNode news = server.take().json();
			assertThat(news.get("event").asString()).isEqualTo("post_llm_call");
			assertThat(news.get("status").asString()).isEqualTo("succeeded");
			assertThat(news.get("content").asString()).isEqualTo("A cat");
			assertThat(news.get("usage").get("input_tokens").asInt()).isEqualTo(7);
		}
		assertThat(this.asked).containsExactly(CALL);
	}

	@Test
	void verdictsAreObeyed() {
		assertThat(askWhenAnswered("{\"verdict\":\"deny\",\"reasoning\":\"no cats\"}").text())
			.isEqualTo("Model call denied by hook 'guard': no cats");
		assertThat(askWhenAnswered("{\"verdict\":\"respond\",\"content\":\"A dog\"}").text()).isEqualTo("A dog");
		assertThatExceptionOfType(LlmCallAbortedException.class)
			.isThrownBy(() -> askWhenAnswered("{\"verdict\":\"abort\",\"scope\":\"run\"}"))
			.satisfies((ex) -> assertThat(ex.getScope()).isEqualTo(AbortScope.RUN));
		assertThat(this.asked).isEmpty();
	}

	@Test
	void modifiedMessagesKeepWhatWasNotSentAndThoseOfTheApplication() {
		askWhenAnswered("""
				{"verdict": "modify", "modified_messages": [
				  {"role": "system", "content": "Be rude."},
				  {"role": "user", "content": "Hello"},
				  {"role": "user", "content": "Is it a dog?", "index": 1},
				  {"role": "user", "content": "What is on it?"}]}""");
		assertThat(this.asked).singleElement()
			.satisfies((call) -> assertThat(call.messages()).containsExactly(LlmMessage.system("Be kind."),
					LlmMessage.user("Hello"), IMAGE.withText("Is it a dog?"), IMAGE));
	}

	@Test
	void additionalContextReachesTheModel() {
		askWhenAnswered("{\"verdict\":\"approve\",\"additional_context\":\"It is night.\"}");
		assertThat(this.asked.get(0).messages().get(1).text())
			.containsPattern("<additional_context id=\"[0-9a-f]{32}\">\nIt is night.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "{\"verdict\":\"ask\"}", "{\"verdict\":\"modify\"}", "{\"verdict\":\"respond\"}",
			"{\"verdict\":\"modify\",\"modified_messages\":[{\"role\":\"tool\",\"content\":\"new\"}]}",
			"{\"verdict\":\"modify\",\"modified_messages\":[{\"role\":\"user\",\"content\":\"x\",\"index\":0}]}",
			"{\"verdict\":\"modify\",\"modified_messages\":[{\"role\":\"user\",\"content\":\"x\",\"index\":9}]}",
			"{\"verdict\":\"modify\",\"modified_messages\":[1]}", "{\"verdict\":\"approve\",\"call_id\":\"other\"}" })
	void answerThatIsNoVerdictDenies(String json) {
		assertThat(askWhenAnswered(json).finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
		assertThat(this.asked).isEmpty();
	}

	@Test
	void outageDeniesUnlessTheWebhookFailsOpen() {
		try (FaultyServer server = new FaultyServer(FaultyServer.status(503, ""))) {
			assertThat(ask(server, "fail_open=false").finishReason()).isEqualTo(LlmResponse.DENIED_BY_HOOK);
			assertThat(ask(server, "fail_open=true").text()).isEqualTo("A cat");
		}
	}

	@Test
	void webhookIsAskedAboutARunAndToldHowItEnded() throws Exception {
		AgentRun run = AgentRun.of("Find the cat", CallContext.ofSession("s1"));
		FaultyServer.Behaviour behaviour = FaultyServer
			.json("{\"verdict\":\"approve\",\"additional_context\":\"It is night.\"}");
		try (FaultyServer server = new FaultyServer(behaviour);
				WebhookRunHook hook = new WebhookRunHook(this.endpoints.open("guard", config(server)))) {
			RunInProgress progress = new RunHookChain(List.of(hook), List.of(hook)).begin(run);
			assertThat(progress.additionalContext()).contains("It is night.");
			progress.finish("There", new LlmUsage(9, 1));
			JsonNode question = server.take().json();
			assertThat(question.get("event").asString()).isEqualTo("pre_run");
			assertThat(question.get("prompt").asString()).isEqualTo("Find the cat");
			assertThat(question.get("run_id").asString()).isEqualTo(run.id());
			JsonNode news = server.take().json();
			assertThat(news.get("event").asString()).isEqualTo("post_run");
			assertThat(news.get("result").asString()).isEqualTo("There");
			assertThat(news.get("usage").get("output_tokens").asInt()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"verdict\":\"deny\"}", "{\"verdict\":\"abort\"}", "{\"verdict\":\"modify\"}", "1" })
	void runIsBlockedByEveryVerdictButApproval(String json) {
		try (FaultyServer server = new FaultyServer(FaultyServer.json(json));
				WebhookRunHook hook = new WebhookRunHook(this.endpoints.open("guard", config(server)))) {
			RunHookChain chain = new RunHookChain(List.of(hook), List.of());
			assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> chain.begin(AgentRun.of("Find the cat", CallContext.empty())));
		}
	}

}
