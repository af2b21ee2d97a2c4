package io.agenthooks.test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.agenthooks.AbortScope;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunEvent;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RunHooksTester} and {@link TestedRunAssert}.
 */
class RunHooksTesterTests {

	private static final Map<String, Consumer<TestedRunAssert>> STATUS = new LinkedHashMap<>();
	static {
		STATUS.put("approve", TestedRunAssert::isApproved);
		STATUS.put("deny", TestedRunAssert::isDenied);
		STATUS.put("abort", TestedRunAssert::isAborted);
	}

	private final RunHooksTester hooks = RunHooksTester.ofHooks(new Deciding());

	@ParameterizedTest
	@ValueSource(strings = { "approve", "deny", "abort" })
	void runHasExactlyOneOfTheStatuses(String status) {
		TestedRun run = this.hooks.run(status);
		STATUS.forEach((name, assertion) -> {
			if (name.equals(status)) {
				assertThatCode(() -> assertion.accept(assertThat(run))).doesNotThrowAnyException();
			}
			else {
				fails(() -> assertion.accept(assertThat(run)), "Expecting the run to be ");
			}
		});
	}

	@Test
	void runThatIsDeniedDoesNotBegin() {
		assertThat(this.hooks.run("deny")).isDenied()
			.byHook("deciding")
			.withReason("100%s no")
			.exception()
			.hasMessageContaining("100%s no");
		assertThat(this.hooks.agent().runs()).isEmpty();
		assertThat(this.hooks.run("go on")).isApproved().hasSucceeded().withResult("answered");
		assertThat(this.hooks.agent().runs()).extracting(AgentRun::prompt).containsExactly("go on");
	}

	@Test
	void messageTellsWhatBecameOfTheRunAndNotWhatItSays() {
		this.hooks.agent().answering("s3cret");
		fails(() -> assertThat(this.hooks.run("s3cret")).isDenied(), """

				Expecting the run to be denied
				but it began and succeeded
				  events: Started, Ended""");
		fails(() -> assertThat(this.hooks.run("deny")).isApproved(), "the hook 'deciding' denied it: \"100%s no\"",
				"RunBlockedException");
		fails(() -> assertThat(this.hooks.run("abort")).isApproved(), "the hook 'deciding' aborted the run: \"over\"");
		fails(() -> assertThat(this.hooks.run("break")).isApproved(),
				"hooks that failed: deciding (java.lang.IllegalArgumentException)");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.hooks.run("s3cret")).byHook("nobody"))
			.withMessageNotContaining("s3cret");
		assertThat(this.hooks.run("s3cret").toString()).doesNotContain("s3cret");
	}

	@Test
	void resultIsThatOfTheAgent() {
		this.hooks.agent().running((run) -> "did " + run.prompt());
		assertThat(this.hooks.run("this")).withResult("did this").withResultContaining("this");
		fails(() -> assertThat(this.hooks.run("this")).withResult("other"), "result of the run", "did this");
		fails(() -> assertThat(this.hooks.run("deny")).result(), "to have a result\nbut the hook");
		this.hooks.agent().failing(new IllegalStateException("tired"));
		assertThat(this.hooks.run("this")).isApproved().hasFailed().exception().hasMessage("tired");
		fails(() -> assertThat(this.hooks.run("this")).hasSucceeded(), "it began and failed");
	}

	@Test
	void additionalContextIsWhatTheModelIsTold() {
		assertThat(this.hooks.run("tell")).hasAdditionalContextContaining("It is Monday");
		fails(() -> assertThat(this.hooks.run("tell")).hasAdditionalContextContaining("Sunday"),
				"to have an additional context");
		fails(() -> assertThat(this.hooks.run("go on")).hasAdditionalContextContaining(""), "additional context");
	}

	@Test
	void hooksOfAYamlTextDecide() {
		RunHooksTester hooks = RunHooksTester.ofYaml("""
				hooks:
				  run:
				    pre_run:
				      - {type: bean, name: trial, mode: observe, config: {bean: denying}}
				      - {type: bean, name: flaky, fail_open: true, config: {bean: broken}}
				""")
			.withBean("denying", (PreRunHook) (run) -> RunDecision.deny("no"))
			.withBean("broken", (PreRunHook) (run) -> {
				throw new IllegalStateException("broken");
			});
		assertThat(hooks.run("x")).isApproved().wouldBeDeniedBy("trial").hasFailedOpen("flaky");
	}

	@Test
	void eventsAreAllEventsInOrder() {
		assertThat(this.hooks.run("x")).hasEvents(RunEvent.Started.class, RunEvent.Ended.class);
		fails(() -> assertThat(this.hooks.run("x")).hasEvents(RunEvent.Started.class),
				"to have the events\n  Started\n");
	}

	@Test
	void runWithoutHooksBegins() {
		assertThat(this.hooks.withProperty("hooks.run.enabled", "false").run("deny")).isApproved()
			.hasSucceeded()
			.hasEvents();
	}

	@Test
	void callsOfARunPassTheHooksOfTheSameApplication() {
		RunHooksTester hooks = this.hooks.withBean("aborting", (PreToolHook) (call) -> ToolDecision.abortRun("enough"));
		hooks.agent().running((run) -> {
			ToolHooksTester tools = hooks.toolCalls().inContext(run.context());
			assertThat(tools.call("read_file", Map.of())).isAborted(AbortScope.RUN);
			assertThat(hooks.modelCalls().inContext(run.context()).call("more?")).isAborted(AbortScope.RUN);
			throw (RuntimeException) Objects.requireNonNull(tools.call("read_file", Map.of()).failure());
		});
		assertThat(hooks.run("x")).isAborted();
		assertThat(hooks.toolCalls().executor()).hasRunNothing();
		assertThat(hooks.modelCalls().model().calls()).isEmpty();
	}

	private static void fails(Runnable assertion, String... messages) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion::run)
			.satisfies((error) -> assertThat(error.getMessage()).contains(messages));
	}

	/**
	 * Decides what the prompt says.
	 */
	private static final class Deciding implements PreRunHook {

		@Override
		public RunDecision preRun(AgentRun run) {
			return switch (run.prompt()) {
				case "deny" -> RunDecision.deny("100%s no");
				case "abort" -> RunDecision.abortRun("over");
				case "break" -> throw new IllegalArgumentException("s3cret");
				case "tell" -> RunDecision.approve().withAdditionalContext("It is Monday");
				default -> RunDecision.approve();
			};
		}

	}

}
