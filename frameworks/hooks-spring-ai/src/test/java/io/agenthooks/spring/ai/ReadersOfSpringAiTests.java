package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.support.StaticMessageSource;

import io.agenthooks.HookRule;
import io.agenthooks.RefusalText;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponseHook;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ToolRefusal;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.RunAbortedException;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolResultHook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the model, the person and operators read of a refusal in an application with
 * Spring AI.
 */
class ReadersOfSpringAiTests {

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private static final ApplicationContextRunner MODELS = Application.runner()
		.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				SpringAiModelCallsAutoConfiguration.class));

	private final List<LlmOutcome> modelCalls = new CopyOnWriteArrayList<>();

	@AfterEach
	void resetLanguage() {
		LocaleContextHolder.resetLocaleContext();
	}

	static Stream<Arguments> toolRefusals() {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(ToolRefusal.values()).map((refusal) -> Arguments.of(way, refusal)));
	}

	@ParameterizedTest
	@MethodSource("toolRefusals")
	void modelReadsWhyAndThePersonReadsTheModel(Way way, ToolRefusal refusal) {
		Application.run(refusal.in(Application.runner()), (application) -> {
			application.model().calls("weather", PARIS).says("Sorry");
			assertThat(ask(way, application).text()).isEqualTo("Sorry");
			assertThat(application.model().replies()).singleElement().matches(refusal::isForModel);
			assertThat(application.outcome()).matches(refusal::isOnRecord);
		});
	}

	@ParameterizedTest
	@MethodSource("toolRefusals")
	void personReadsNoReasonIfTheToolReturnsDirectly(Way way, ToolRefusal refusal) {
		Application.run(refusal.in(Application.runner()), (application) -> {
			application.model().calls("report", PARIS);
			Way.Answer answer = ask(way, application);
			assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
			assertThat(answer.finishReason()).isEqualTo("returnDirect");
			assertThat(application.outcome()).matches(refusal::isOnRecord);
		});
	}

	static Stream<Arguments> refusalsOfNoHook() {
		PreToolHook asking = (call) -> ToolDecision.ask("list B");
		ToolApprover expiring = (call, question) -> ToolDecision.deny("Nobody answered: list B");
		ApplicationContextRunner off = Application.runner().withPropertyValues("hooks.tool_call.kill_switch=true");
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(Arguments.of(way, Application.runner(asking), PARIS),
					Arguments.of(way, Application.runner(asking).withBean(ToolApprover.class, () -> expiring), PARIS),
					Arguments.of(way, off, PARIS), Arguments.of(way, Application.runner(), "{\"city\": \"list B"),
					Arguments.of(way, Application.runner(asking), "{\"city\": {\"list B\": 1}}")));
	}

	@ParameterizedTest
	@MethodSource("refusalsOfNoHook")
	void personReadsNothingOfOtherRefusalsIfTheToolReturnsDirectly(Way way, ApplicationContextRunner runner,
			String arguments) {
		Application.run(runner, (application) -> {
			application.model().calls("report", arguments);
			assertThat(ask(way, application).text()).isEqualTo(RefusalText.DEFAULT);
			assertThat(application.outcome().status()).isNotEqualTo(ToolCallStatus.SUCCEEDED);
		});
	}

	@ParameterizedTest
	@EnumSource
	void modelReadsWhyIfNotAllToolsReturnDirectly(Way way) {
		Application.run(ToolRefusal.DENIAL.in(Application.runner()), (application) -> {
			application.model()
				.calls(application.model().call("report", PARIS), application.model().call("weather", PARIS))
				.says("Sorry");
			assertThat(ask(way, application).text()).isEqualTo("Sorry");
			assertThat(application.model().replies()).hasSize(2).allMatch(ToolRefusal.DENIAL::isForModel);
		});
	}

	@ParameterizedTest
	@EnumSource
	void personReadsNothingThatHooksAddForModels(Way way) {
		PreToolHook hook = (call) -> ToolDecision.approve().withAdditionalContext("list B");
		Application.run(Application.runner(hook), (application) -> {
			application.model().calls("report", PARIS);
			assertThat(ask(way, application).text()).contains("Report for Paris").doesNotContain("list B", "context");
			application.model().calls("weather", PARIS).says("Sunny");
			ask(way, application);
			assertThat(application.model().replies()).singleElement().asString().contains("list B");
		});
	}

	@ParameterizedTest
	@EnumSource
	void personReadsNoReasonOfAnAbortedTurn(Way way) {
		PreToolHook before = (call) -> ToolDecision.abortTurn("list B");
		ToolResultHook after = (call, result) -> ToolDecision.abortTurn("list B");
		for (ApplicationContextRunner runner : List.of(Application.runner(before),
				Application.runner().withBean("hook", ToolResultHook.class, () -> after))) {
			Application.run(runner, (application) -> {
				application.model().calls("weather", PARIS);
				Way.Answer answer = ask(way, application);
				assertThat(answer.text()).isEqualTo(RefusalText.DEFAULT);
				assertThat(answer.finishReason()).isEqualTo(AgentHooks.FINISH_REASON);
				assertThat(application.outcome().decision().reason()).isEqualTo("list B");
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void abortedRunIsAnExceptionForTheApplication(Way way) {
		Application.run(Application.runner((call) -> ToolDecision.abortRun("list B")), (application) -> {
			application.model().calls("report", PARIS);
			assertThatExceptionOfType(RunAbortedException.class).isThrownBy(() -> ask(way, application))
				.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("list B"));
		});
	}

	@ParameterizedTest
	@EnumSource
	void textIsInTheLanguageOfThePersonAlsoOnOtherThreads(Way way) {
		StaticMessageSource messages = new StaticMessageSource();
		messages.addMessage("hooks.refusal.text", Locale.GERMAN, "Das geht nicht.");
		ApplicationContextRunner runner = MODELS.withBean("messageSource", MessageSource.class, () -> messages)
			.withPropertyValues("hooks.refusal.text=No.")
			.withBean("model", PreLlmHook.class, () -> (call) -> (call.messages().get(0).text().equals("No model"))
					? LlmDecision.deny("list B") : LlmDecision.approve());
		Application.run(ToolRefusal.DENIAL.in(runner), (application) -> {
			for (Locale language : List.of(Locale.GERMAN, Locale.FRENCH)) {
				String text = (language.equals(Locale.GERMAN)) ? "Das geht nicht." : "No.";
				LocaleContextHolder.setLocale(language);
				application.model().calls("report", PARIS);
				assertThat(ask(way, application).text()).isEqualTo(text);
				assertThat(way.ask(application.client().prompt("No model")).text()).isEqualTo(text);
			}
		});
	}

	static Stream<Arguments> modelRefusals() {
		PreLlmHook broken = (call) -> {
			throw new IllegalStateException("list B");
		};
		LlmResponseHook brokenAfterwards = (call, response) -> {
			throw new IllegalStateException("list B");
		};
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(Arguments.of(way, with((call) -> LlmDecision.deny("list B")), "list B"),
					Arguments.of(way, with((call) -> LlmDecision.abortTurn("list B")), "list B"),
					Arguments.of(way, with(broken), "The hook failed"),
					Arguments.of(way, withPolicy("pre_call", "Weath[e]r"), "Weath[e]r"),
					Arguments.of(way, withPolicy("post_call", "d[o]ne"), "d[o]ne"),
					Arguments.of(way, after((call, response) -> LlmDecision.deny("list B")), "list B"),
					Arguments.of(way, after((call, response) -> LlmDecision.abortTurn("list B")), "list B"),
					Arguments.of(way, after(brokenAfterwards), "The hook failed")));
	}

	private static ApplicationContextRunner with(PreLlmHook hook) {
		return MODELS.withBean("hook", PreLlmHook.class, () -> hook);
	}

	private static ApplicationContextRunner after(LlmResponseHook hook) {
		return MODELS.withBean("hook", LlmResponseHook.class, () -> hook);
	}

	private static ApplicationContextRunner withPolicy(String list, String pattern) {
		return ToolRefusal.withYaml(MODELS, """
				hooks:
				  llm_call:
				    %s:
				      - {type: policy, name: hook, config: {deny_patterns: ['%s']}}
				""".formatted(list, pattern));
	}

	@ParameterizedTest
	@MethodSource("modelRefusals")
	void personReadsNoReasonOfARefusedModelCall(Way way, ApplicationContextRunner runner, String onRecord) {
		Application.run(runner.withBean("journal", PostLlmHook.class, () -> this.modelCalls::add), (application) -> {
			assertThat(ask(way, application).text()).isEqualTo(RefusalText.DEFAULT);
			assertThat(this.modelCalls).singleElement()
				.extracting(ReadersOfSpringAiTests::recordOf)
				.asString()
				.contains(onRecord);
			this.modelCalls.clear();
			assertThat(application.chatModel().call("Weather?")).isEqualTo(RefusalText.DEFAULT);
		});
	}

	private static String recordOf(LlmOutcome outcome) {
		HookRule rule = outcome.rule();
		return outcome.decision().reason() + " " + outcome.withheld() + " "
				+ ((rule != null) ? Objects.requireNonNullElse(rule.detail(), "") : "");
	}

	@ParameterizedTest
	@EnumSource
	void refusedRunIsAnExceptionForTheApplication(Way way) {
		PreRunHook hook = (run) -> RunDecision.deny("list B");
		Application.run(MODELS.withBean("hook", PreRunHook.class, () -> hook),
				(application) -> assertThatExceptionOfType(RunBlockedException.class)
					.isThrownBy(() -> ask(way, application))
					.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("list B")));
	}

	private static Way.Answer ask(Way way, Application application) {
		return way.ask(application.client().prompt("Weather?").tools(new WeatherTools()));
	}

}
