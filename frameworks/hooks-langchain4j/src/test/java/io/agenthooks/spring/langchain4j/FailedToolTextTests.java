package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for what the model reads of a tool that throws: it passes the result hooks first.
 */
class FailedToolTextTests {

	private static final String MASKED = "no entry with token=[redacted:password]";

	@ParameterizedTest
	@EnumSource
	void textOfAnExceptionIsRedacted(Way way) {
		runner().run((context) -> {
			ScriptedModel model = leak();
			way.ask(way.service(model).tools(new Leaky()).build(), "s");
			assertThat(model.results()).singleElement().satisfies((result) -> {
				assertThat(result.text()).isEqualTo(MASKED);
				assertThat(result.isError()).isTrue();
			});
			ToolOutcome outcome = context.getBean(Journal.class).outcome();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.FAILED);
			assertThat(outcome.failure()).hasRootCauseMessage("no entry with token=hunter2hunter2");
		});
	}

	@ParameterizedTest
	@EnumSource
	void textOfAnOwnHandlerIsRedacted(Way way) {
		runner().run((context) -> {
			ScriptedModel model = leak();
			List<Throwable> handled = new CopyOnWriteArrayList<>();
			way.ask(way.service(model).tools(new Leaky()).toolExecutionErrorHandler((error, about) -> {
				handled.add(error);
				return ToolErrorHandlerResult.text("Sorry: " + error.getMessage());
			}).build(), "s");
			assertThat(model.results().get(0).text()).isEqualTo("Sorry: " + MASKED);
			assertThat(handled).singleElement().isInstanceOf(IllegalStateException.class);
		});
	}

	@ParameterizedTest
	@EnumSource
	void applicationGetsWhatItsHandlerThrows(Way way) {
		runner().run((context) -> {
			ScriptedModel model = leak();
			List<Throwable> handled = new CopyOnWriteArrayList<>();
			IllegalArgumentException thrown = new IllegalArgumentException("of the application");
			assertThatIllegalArgumentException().isThrownBy(
					() -> way.ask(way.service(model).tools(new Leaky()).toolExecutionErrorHandler((error, about) -> {
						handled.add(error);
						throw thrown;
					}).build(), "s"))
				.isSameAs(thrown);
			assertThat(handled).hasSize(1);
			assertThat(context.getBean(Journal.class).outcome().failure())
				.hasRootCauseMessage("no entry with token=hunter2hunter2");
		});
	}

	private static ScriptedModel leak() {
		return ScriptedModel.thatCalls(ScriptedModel.call("leak", Map.of("path", "a")));
	}

	private static ApplicationContextRunner runner() {
		return GuardedApplication.runner()
			.withBean("redact", ToolResultHook.class, () -> new RedactToolHook(RedactConfig.defaults()));
	}

	/**
	 * A tool whose exception holds a secret.
	 */
	static final class Leaky {

		@Tool
		String leak(String path) {
			if (path.equals("a")) {
				throw new IllegalStateException("no entry with token=hunter2hunter2");
			}
			return path;
		}

	}

}
