package io.agenthooks.spring.langchain4j;

import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.spring.WrapsNoTool;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What a model may send as arguments.
 */
class AiServiceArgumentsTests {

	/** Is {@code rm} if it is read as JSON. */
	private static final String ENCODED = "\"r\\u006d\"";

	private final Mail mail = new Mail();

	@ParameterizedTest
	@MethodSource
	void argumentsThatTheToolDoesNotAcceptAreDenied(Way way, String arguments, String reason) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(send(arguments));
			ask(way, model);
			assertThat(this.mail.sent).isEmpty();
			assertThat(model.results()).singleElement().satisfies((result) -> {
				assertThat(result.isError()).isTrue();
				assertThat(result.text()).startsWith("Tool call denied by hook 'arguments': ").contains(reason);
			});
			ToolOutcome outcome = context.getBean(Journal.class).outcome();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
			assertThat(outcome.decidedBy()).isEqualTo("arguments");
		});
	}

	static Stream<Arguments> argumentsThatTheToolDoesNotAcceptAreDenied() {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(Arguments.of(way, "[\"a@b.c\"]", "must be one JSON object"),
					Arguments.of(way, "\"{}\"", "must be one JSON object"), Arguments.of(way, "null", "JSON object"),
					Arguments.of(way, "{\"to\":\"a\",\"to\":\"b\"}", "twice"),
					Arguments.of(way, "{\"to\":\"a\"} {}", "goes on after its end"),
					Arguments.of(way, "{\"to\":\"a\"} and more", "not valid JSON"),
					Arguments.of(way, "{\"to\":\"a\",}", "not valid JSON"), Arguments.of(way, "{\"to\":", "too early"),
					Arguments.of(way, "{}", "required property 'to' not found"),
					Arguments.of(way, "{\"to\":{\" curl x?\":\"| sh\"}}", "/to: object found, string expected"),
					Arguments.of(way, "{\"to\":[\"a\",\"b\"]}", "/to: array found, string expected"),
					Arguments.of(way, "{\"to\":\"" + "a".repeat(9_000_000) + "\"}", "too large"),
					Arguments.of(way, "{\"to\":null}", "/to: null found, string expected"),
					Arguments.of(way, "{\"to\":\"a\",\"copies\":\"two\"}", "/copies: string found"),
					Arguments.of(way, "{\"to\":\"a\",\"priority\":\"MIDDLING\"}", "/priority"), Arguments.of(way,
							"{\"to\":\"a\",\"files\":[{\"size\":1}]}", "/files/0: required property 'name'")));
	}

	@ParameterizedTest
	@EnumSource
	void optionalArgumentsMayBeNullOrAbsent(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(send("{\"to\":\"a\"}"),
					send("{\"to\":\"b\",\"copies\":null,\"priority\":null,\"files\":null,\"subject\":null}"),
					send("{\"to\":\"c\",\"copies\":2,\"priority\":\"HIGH\",\"files\":[{\"name\":\"x\",\"size\":null}]}"));
			ask(way, model);
			assertThat(this.mail.sent).containsExactlyInAnyOrder("a", "b", "c");
			assertThat(model.results()).extracting(ToolExecutionResultMessage::isError)
				.containsExactly(false, false, false);
		});
	}

	@Test
	void toolWithoutParametersAcceptsNoText() {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("1", "count", ""),
					ScriptedModel.call("2", "count", "{}"),
					ToolExecutionRequest.builder().id("3").name("count").build());
			ask(Way.SYNC, model);
			assertThat(model.results()).extracting(ToolExecutionResultMessage::text).containsExactly("0", "0", "0");
			context.getBean(Journal.class).assertEachCallEndedOnce();
		});
	}

	@ParameterizedTest
	@EnumSource
	void hooksSeeACallOfAnUnknownToolAndItEndsTheTurnAsWithoutHooks(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("1", "invented", "{\"path\":\"x\"}"));
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> ask(way, model))
				.withMessageContaining("no such tool exists");
			assertUnknownToolSeen(context.getBean(Journal.class));
		});
	}

	@ParameterizedTest
	@EnumSource
	void applicationSaysWhatTheModelReadsOfAnUnknownTool(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("1", "invented", "{\"path\":\"x\"}"),
					send("{\"to\":\"a\"}"));
			way.ask(way.service(model)
				.tools(this.mail)
				.hallucinatedToolNameStrategy((call) -> ToolExecutionResultMessage.from(call, "No " + call.name()))
				.build(), "session");
			assertThat(model.results()).extracting(ToolExecutionResultMessage::text)
				.containsExactly("No invented", "Sent to a");
			assertUnknownToolSeen(context.getBean(Journal.class));
		});
	}

	@ParameterizedTest
	@EnumSource
	@SuppressWarnings("NullAway") // what a provider left out
	void callWithoutANameIsOneOfAnUnknownToolAndTheOthersGoOn(Way way) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("1", null, "{}"), send("{\"to\":\"a\"}"));
			way.ask(way.service(model)
				.tools(this.mail)
				.hallucinatedToolNameStrategy((call) -> ToolExecutionResultMessage.from("1", "none", "No such tool"))
				.build(), "session");
			assertThat(model.results()).extracting(ToolExecutionResultMessage::text)
				.containsExactly("No such tool", "Sent to a");
			Journal journal = context.getBean(Journal.class);
			journal.assertEachCallEndedOnce();
			assertThat(journal.outcomes())
				.extracting((outcome) -> outcome.requested().tool(), (outcome) -> outcome.decidedBy())
				.containsExactlyInAnyOrder(tuple("", "unknown-tool"), tuple("send", null));
		});
	}

	@ParameterizedTest
	@MethodSource
	void textThatAMethodWouldReadAsJsonDoesNotReachIt(String tool, String text) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call(tool, Map.of("text", text)));
			Texts texts = new Texts();
			Way.SYNC.ask(Way.SYNC.service(model).tools(texts).tools(texts.ofExecutors()).build(), "session");
			assertThat(texts.got).isEmpty();
			assertThat(model.results()).singleElement()
				.satisfies((result) -> assertThat(result.text()).contains("/text: a text that is JSON itself")
					.doesNotContain("u006d"));
			assertThat(context.getBean(Journal.class).outcome().decidedBy()).isEqualTo("arguments");
		});
	}

	static Stream<Arguments> textThatAMethodWouldReadAsJsonDoesNotReachIt() {
		Stream<Arguments> ofMethods = Stream.of("sequence", "optionalSequence", "own")
			.flatMap((tool) -> Stream
				.of(ENCODED, " [1]", "{}", "null", " null ", "null.void", "12 Main Street", "true or not")
				.map((text) -> Arguments.of(tool, text)));
		// It does not say that a method is behind it: only letters must not be hidden.
		return Stream.concat(ofMethods,
				Stream.of(ENCODED, " [\"r\\u006d\"]").map((text) -> Arguments.of("wrapped", text)));
	}

	@Test
	void lambdaThatWrapsNoToolGetsATextAsItIs() {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("leaf", Map.of("text", ENCODED)));
			List<String> got = new ArrayList<>();
			ToolExecutor leaf = (ToolExecutor & WrapsNoTool) (request, memoryId) -> {
				got.add(request.arguments());
				return "Done";
			};
			Way.SYNC.ask(Way.SYNC.service(model).tools(Map.of(Texts.specification("leaf"), leaf)).build(), "session");
			assertThat(got).hasSize(1);
		});
	}

	@Test
	void hookCannotSendAMethodSuchATextEither() {
		GuardedApplication.withoutHook()
			.withBean(PreToolHook.class, () -> (call) -> ToolDecision.modify(Map.of("text", ENCODED)))
			.run((context) -> {
				ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("own", Map.of("text", "a:b")));
				Texts texts = new Texts();
				Way.SYNC.ask(Way.SYNC.service(model).tools(texts.ofExecutors()).build(), "session");
				assertThat(texts.got).isEmpty();
				assertThat(context.getBean(Journal.class).outcome().decidedBy()).isEqualTo("arguments");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { ENCODED, "{}", "null" })
	void parameterThatIsATextGetsItAsItIs(String text) {
		GuardedApplication.runner().run((context) -> {
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call("write", Map.of("text", text)),
					ScriptedModel.call("optional", Map.of("text", text)),
					ScriptedModel.call("list", Map.of("text", List.of(text))),
					ScriptedModel.call("map", Map.of("text", Map.of("key", text))));
			Texts texts = new Texts();
			Way.SYNC.ask(Way.SYNC.service(model).tools(texts).build(), "session");
			assertThat(texts.got).containsExactly(text, Optional.of(text), List.of(text), Map.of("key", text));
		});
	}

	private static void assertUnknownToolSeen(Journal journal) {
		journal.assertEachCallEndedOnce();
		assertThat(journal.outcomes()).filteredOn((outcome) -> outcome.requested().tool().equals("invented"))
			.singleElement()
			.satisfies((outcome) -> {
				assertThat(outcome.status()).isEqualTo(ToolCallStatus.DENIED);
				assertThat(outcome.decidedBy()).isEqualTo("unknown-tool");
				assertThat(outcome.requested().arguments()).containsEntry("path", "x");
				assertThat(outcome.requested().context().sessionId()).isEqualTo("session");
				assertThat(outcome.requested().context().agent()).isEqualTo("Assistant");
			});
	}

	private void ask(Way way, ScriptedModel model) {
		way.ask(way.service(model).tools(this.mail).build(), "session");
	}

	private static ToolExecutionRequest send(String arguments) {
		return ScriptedModel.call("call-" + arguments, "send", arguments);
	}

	enum Priority {

		HIGH, LOW

	}

	record Attachment(String name, @JsonProperty(required = false) @Nullable Integer size) {
	}

	static final class Mail {

		final List<String> sent = new CopyOnWriteArrayList<>();

		@Tool
		String send(String to, @P(required = false) @Nullable Integer copies,
				@P(required = false) @Nullable Priority priority, @P(required = false) @Nullable List<Attachment> files,
				Optional<String> subject) {
			this.sent.add(to);
			return "Sent to " + to;
		}

		@Tool
		int count() {
			return this.sent.size();
		}

	}

	/**
	 * What the methods got.
	 */
	static final class Texts {

		final List<Object> got = new CopyOnWriteArrayList<>();

		@Tool
		String sequence(CharSequence text) {
			return get(text);
		}

		@Tool
		String optionalSequence(@P(name = "text", value = "text") Optional<CharSequence> given) {
			return get(given);
		}

		@Tool
		String write(String text) {
			return get(text);
		}

		@Tool
		String optional(Optional<String> text) {
			return get(text);
		}

		@Tool
		String list(List<CharSequence> text) {
			return get(text);
		}

		@Tool
		String map(Map<String, Object> text) {
			return get(text);
		}

		String open(URI text) {
			return get(text);
		}

		/**
		 * Tools that say more about their arguments than the method behind them.
		 */
		Map<ToolSpecification, ToolExecutor> ofExecutors() throws NoSuchMethodException {
			Method method = Texts.class.getDeclaredMethod("open", URI.class);
			method.setAccessible(true);
			ToolExecutor executor = new DefaultToolExecutor(this, method);
			return Map.of(specification("own"), executor, specification("wrapped"),
					(request, memoryId) -> executor.execute(request, memoryId));
		}

		private static ToolSpecification specification(String name) {
			return ToolSpecification.builder()
				.name(name)
				.parameters(JsonObjectSchema.builder().addStringProperty("text").build())
				.build();
		}

		private String get(Object value) {
			this.got.add(value);
			return "Done";
		}

	}

}
