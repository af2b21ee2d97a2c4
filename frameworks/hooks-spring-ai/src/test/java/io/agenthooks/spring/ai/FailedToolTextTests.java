package io.agenthooks.spring.ai;

import java.util.Objects;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.execution.ToolExecutionExceptionProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.agenthooks.redact.RedactConfig;
import io.agenthooks.redact.RedactToolHook;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what the model reads of a tool that throws: it passes the result hooks first.
 */
class FailedToolTextTests {

	private static final String SECRET = "hunter2hunter2";

	private static final String MASKED = "no entry with token=[redacted:password]";

	@ParameterizedTest
	@EnumSource
	void textOfAnExceptionIsRedacted(Way way) {
		Application.run(runner(), (application) -> {
			application.model().calls("leak", "{}");
			ask(way, application);
			assertThat(application.model().replies()).containsExactly(MASKED);
			ToolOutcome outcome = application.outcome();
			assertThat(outcome.status()).isEqualTo(ToolCallStatus.FAILED);
			assertThat(outcome.failure()).isExactlyInstanceOf(ToolExecutionException.class)
				.hasMessageContaining(SECRET);
			assertThat(Objects.requireNonNull(outcome.result()).content()).isEqualTo(MASKED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void applicationGetsTheExceptionOfTheTool(Way way) {
		Application.run(runner().withPropertyValues("spring.ai.tools.throw-exception-on-error=true"), (application) -> {
			application.model().calls("leak", "{}");
			assertThatExceptionOfType(ToolExecutionException.class).isThrownBy(() -> ask(way, application))
				.isExactlyInstanceOf(ToolExecutionException.class)
				.isSameAs(application.outcome().failure());
		});
	}

	@ParameterizedTest
	@EnumSource
	void textOfAnOwnProcessorIsRedactedToo(Way way) {
		ToolExecutionExceptionProcessor processor = (ex) -> "Cause: "
				+ Objects.requireNonNull(ex.getCause()).getMessage();
		Application.run(runner().withBean(ToolExecutionExceptionProcessor.class, () -> processor), (application) -> {
			application.model()
				.calls(application.model().call("leak", "{}"), application.model().call("fine", "{}"),
						application.model().call("leak", "{}"));
			ask(way, application);
			assertThat(application.model().replies()).containsExactly("Cause: " + MASKED, "\"fine\"",
					"Cause: " + MASKED);
			assertThat(application.outcomes()).hasSize(3);
		});
	}

	@ParameterizedTest
	@EnumSource
	void textThatIsReturnedDirectlyIsRedactedToo(Way way) {
		Application.run(runner(), (application) -> {
			application.model().calls("leakDirectly", "{}");
			assertThat(way.ask(application.client().prompt().user("q").tools(new Tools())).text()).contains(MASKED)
				.doesNotContain(SECRET);
		});
	}

	@ParameterizedTest
	@EnumSource
	void hookThatDeniesWithholdsTheText(Way way) {
		ToolResultHook hook = (call, result) -> ToolDecision.deny("It may be secret");
		Application.run(Application.runner().withBean(ToolResultHook.class, () -> hook), (application) -> {
			application.model().calls("leak", "{}");
			ask(way, application);
			assertThat(application.model().replies()).singleElement()
				.asString()
				.contains("It may be secret")
				.doesNotContain(SECRET);
		});
	}

	@ParameterizedTest
	@EnumSource
	void hookMayMakeASuccessOfAFailure(Way way) {
		ToolResultHook hook = (call, result) -> ToolDecision.respond(ToolResult.success("Try later"));
		Application.run(Application.runner().withBean(ToolResultHook.class, () -> hook), (application) -> {
			application.model().calls("leak", "{}");
			ask(way, application);
			assertThat(application.model().replies()).containsExactly("Try later");
		});
	}

	private static ApplicationContextRunner runner() {
		return Application.runner()
			.withBean("redact", ToolResultHook.class, () -> new RedactToolHook(RedactConfig.defaults()));
	}

	private static void ask(Way way, Application application) {
		way.ask(application.client().prompt().user("q").tools(new Tools()));
	}

	/**
	 * Tools whose exceptions hold a secret.
	 */
	static final class Tools {

		private final boolean broken = true;

		@Tool
		String leak() {
			if (this.broken) {
				throw new IllegalStateException("no entry with token=" + SECRET);
			}
			return "";
		}

		@Tool(returnDirect = true)
		String leakDirectly() {
			return leak();
		}

		@Tool
		String fine() {
			return "fine";
		}

	}

}
