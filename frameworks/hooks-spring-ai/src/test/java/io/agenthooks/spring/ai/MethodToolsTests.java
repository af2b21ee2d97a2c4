package io.agenthooks.spring.ai;

import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.augment.AugmentedToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

import io.agenthooks.spring.WrapsTool;
import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link MethodTools}: Spring AI reads a text once more as JSON if a parameter
 * is none, and gives the method what no hook has seen.
 */
class MethodToolsTests {

	/** Is <code>http://localhost</code> if it is read as JSON. */
	private static final String ENCODED = "\"http:\\u002f\\u002flocalhost\"";

	static final List<UnaryOperator<ToolCallback>> wrappers = List.of(UnaryOperator.identity(), Wrapper::new, Said::new,
			(tool) -> new Said(new AugmentedToolCallback<>(tool, Thought.class, (event) -> {
			}, true)), (tool) -> new AugmentedToolCallback<>(tool, Thought.class, (event) -> {
			}, true));

	private final Pages pages = new Pages();

	@ParameterizedTest
	@FieldSource("wrappers")
	void textThatAMethodWouldReadAsJsonDoesNotReachIt(UnaryOperator<ToolCallback> wrapper) {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			application.model().calls("open", json("page", ENCODED)).calls("open", json("page", "http://example.com"));
			application.client().prompt("Go").tools(wrapper.apply(tool("open"))).call().content();
			assertThat(this.pages.got).containsExactly(URI.create("http://example.com"));
			assertThat(application.outcomes())
				.extracting((outcome) -> outcome.status(), (outcome) -> outcome.decidedBy())
				.containsExactly(tuple(ToolCallStatus.DENIED, "arguments"), tuple(ToolCallStatus.SUCCEEDED, null));
			assertThat(Objects.requireNonNull(application.outcomes().get(0).result()).content())
				.contains("/page: a text that is JSON itself")
				.doesNotContain("localhost");
		});
	}

	@Test
	void hookCannotSendAMethodSuchATextEither() {
		Application.run(Application.runner((call) -> ToolDecision.modify(Map.of("page", ENCODED))), (application) -> {
			application.model().calls("open", json("page", "http://example.com"));
			application.client().prompt("Go").tools(tool("open")).call().content();
			assertThat(this.pages.got).isEmpty();
			assertThat(application.outcome().decidedBy()).isEqualTo("arguments");
		});
	}

	@Test
	void textForAVariableOfATypeDoesNotReachItEither() {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			application.model()
				.calls("any", json("value", " {\"a\": \"r\\u006d\"}"))
				.calls("any", json("value", " null"))
				.calls("any", json("value", "null and void"))
				.calls("any", json("value", "nullable"))
				.calls("any", json("value", "rm"));
			application.client().prompt("Go").tools(tool("any")).call().content();
			assertThat(this.pages.got).containsExactly("nullable", "rm");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "5 minutes", " -1.5e1\tminutes", "0 PT1H" })
	void textOfWhichAMethodWouldReadTheBeginningOnlyDoesNotReachIt(String text) {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			application.model()
				.calls("sleep", json("time", text))
				.calls("any", json("value", text))
				.calls("any", json("value", "true.or.not"));
			application.client().prompt("Go").tools(tool("sleep"), tool("any")).call().content();
			assertThat(this.pages.got).isEmpty();
			assertThat(application.outcomes()).hasSize(3)
				.allSatisfy((outcome) -> assertThat(outcome.decidedBy()).isEqualTo("arguments"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "12", " true ", "12th", "2026-01-01 10:00", "5minutes more", "nullable", "12 \n" })
	void textThatHasTheSameMeaningAsJsonOrNoneReachesAMethod(String text) {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			application.model().calls("any", json("value", text));
			application.client().prompt("Go").tools(tool("any")).call().content();
			assertThat(this.pages.got).singleElement().hasToString(text.strip());
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { ENCODED, "{\"a\": 1}", "[1]", "\"", "null", "5 minutes" })
	void parameterThatIsATextGetsItAsItIs(String text) {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			application.model().calls("write", json("text", text)).calls("object", json("value", text));
			application.client().prompt("Go").tools(tool("write"), tool("object")).call().content();
			assertThat(this.pages.got).containsExactly(text, text);
		});
	}

	@Test
	void toolThatSaysThatItWrapsNoneGetsATextAsItIs() {
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			application.model().calls("write", json("text", ENCODED)).calls("write", json("text", "plain"));
			application.client()
				.prompt("Go")
				.tools(new Own(this.pages, tool("write").getToolDefinition()))
				.call()
				.content();
			assertThat(this.pages.got).containsExactly(json("text", ENCODED), json("text", "plain"));
		});
	}

	@Test
	void toolThatDoesNotSayWhatItWrapsGetsTextsWhoseLettersHooksSee() {
		List<String> texts = List.of("100 Main Street", "[draft] hello", "{\"to\": \"/etc\"}", "null", "42");
		Application.run(Application.runner((call) -> ToolDecision.approve()), (application) -> {
			texts.forEach((text) -> application.model().calls("write", json("text", text)));
			application.model().calls("write", json("text", "{\"to\": \"\\u002fetc\"}"));
			application.client().prompt("Go").tools(new Wrapper(tool("write"))).call().content();
			assertThat(this.pages.got).containsExactlyElementsOf(texts);
		});
	}

	private ToolCallback tool(String name) {
		return Stream.of(ToolCallbacks.from(this.pages))
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private static String json(String name, String text) {
		return ToolArguments.write(Map.of(name, text));
	}

	record Thought(String thought) {
	}

	/**
	 * What the methods got.
	 */
	static final class Pages {

		private final List<Object> got = new CopyOnWriteArrayList<>();

		@Tool
		String open(URI page) {
			return get(page);
		}

		@Tool
		String sleep(Duration time) {
			return get(time);
		}

		@Tool
		<T> String any(T value) {
			return get(value);
		}

		@Tool
		String write(String text) {
			return get(text);
		}

		@Tool
		String object(Object value) {
			return get(value);
		}

		private String get(Object value) {
			this.got.add(value);
			return "Done";
		}

	}

	/**
	 * A tool of the application that wraps no other.
	 *
	 * @param pages get its arguments
	 * @param getToolDefinition what the model is told
	 */
	private record Own(Pages pages, ToolDefinition getToolDefinition) implements ToolCallback, WrapsTool {

		@Override
		public Collection<?> wrappedTools() {
			return List.of();
		}

		@Override
		public String call(String toolInput) {
			return this.pages.get(toolInput);
		}

	}

	/**
	 * A tool of the application around another one, which it names.
	 */
	private record Said(ToolCallback tool) implements ToolCallback, WrapsTool {

		@Override
		public Collection<?> wrappedTools() {
			return List.of(this.tool);
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return this.tool.getToolDefinition();
		}

		@Override
		public String call(String toolInput) {
			return this.tool.call(toolInput);
		}

	}

	/**
	 * A tool of the application around another one, which it does not name.
	 */
	private record Wrapper(ToolCallback tool) implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return this.tool.getToolDefinition();
		}

		@Override
		public String call(String toolInput) {
			return this.tool.call(toolInput);
		}

	}

}
