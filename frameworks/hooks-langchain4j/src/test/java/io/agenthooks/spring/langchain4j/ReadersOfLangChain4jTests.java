package io.agenthooks.spring.langchain4j;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.i18n.LocaleContextHolder;

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
import io.agenthooks.spring.langchain4j.GuardedApplication.Journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the model, the person and operators read of a refusal in an application with
 * LangChain4j.
 */
class ReadersOfLangChain4jTests {

	private static final Map<String, String> PARIS = Map.of("city", "Paris");

	private final List<LlmOutcome> modelCalls = new CopyOnWriteArrayList<>();

	@AfterEach
	void resetLanguage() {
		LocaleContextHolder.resetLocaleContext();
	}

	static Stream<Arguments> toolRefusals() {
		return Stream.of(Way.values())
			.flatMap((way) -> Stream.of(ToolRefusal.values())
				.flatMap((refusal) -> Stream.of("weather", "report").map((tool) -> Arguments.of(way, refusal, tool))));
	}

	@ParameterizedTest
	@MethodSource("toolRefusals")
	void modelReadsWhyAlsoIfTheToolReturnsDirectlyAndThePersonReadsTheModel(Way way, ToolRefusal refusal, String tool) {
		refusal.in(GuardedApplication.withoutHook()).run((context) -> {
			assertThat(context).hasNotFailed();
			ScriptedModel model = ScriptedModel.thatCalls(ScriptedModel.call(tool, PARIS));
			assertThat(way.ask(way.service(model).tools(new WeatherTools()).build(), "s")).isEqualTo("Done");
			assertThat(model.results()).singleElement()
				.extracting(ToolExecutionResultMessage::text)
				.asString()
				.matches(refusal::isForModel);
			assertThat(context.getBean(Journal.class).outcome()).matches(refusal::isOnRecord);
		});
	}

	static Stream<Arguments> modelRefusals() {
		PreLlmHook broken = (call) -> {
			throw new IllegalStateException("list B");
		};
		return Stream.of(Way.SYNC, Way.STREAMING)
			.flatMap((way) -> Stream.of(Arguments.of(way, with((call) -> LlmDecision.deny("list B")), "list B"),
					Arguments.of(way, with((call) -> LlmDecision.abortTurn("list B")), "list B"),
					Arguments.of(way, with(broken), "The hook failed"),
					Arguments.of(way, withPolicy("pre_call", "G[o]"), "G[o]"),
					Arguments.of(way, withPolicy("post_call", "D[o]ne"), "D[o]ne"),
					Arguments.of(way, after((call, response) -> LlmDecision.deny("list B")), "list B"),
					Arguments.of(way, after((call, response) -> LlmDecision.abortTurn("list B")), "list B")));
	}

	private static ApplicationContextRunner models() {
		return GuardedApplication.withoutHook()
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class))
			.withBean("model", ChatModel.class, ScriptedModel::thatCalls)
			.withBean("streaming", StreamingChatModel.class, () -> ScriptedModel.thatCalls().streaming());
	}

	private static ApplicationContextRunner with(PreLlmHook hook) {
		return models().withBean("hook", PreLlmHook.class, () -> hook);
	}

	private static ApplicationContextRunner after(LlmResponseHook hook) {
		return models().withBean("hook", LlmResponseHook.class, () -> hook);
	}

	private static ApplicationContextRunner withPolicy(String list, String pattern) {
		return ToolRefusal.withYaml(models(), """
				hooks:
				  llm_call:
				    %s:
				      - {type: policy, name: hook, config: {deny_patterns: ['%s']}}
				""".formatted(list, pattern));
	}

	@ParameterizedTest
	@MethodSource("modelRefusals")
	void personReadsNoReasonOfARefusedModelCall(Way way, ApplicationContextRunner runner, String onRecord) {
		runner.withBean("journal", PostLlmHook.class, () -> this.modelCalls::add).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(
					way.ask(way
						.service(context.getBean("model", ChatModel.class),
								context.getBean("streaming", StreamingChatModel.class))
						.build(), "s"))
				.isEqualTo(RefusalText.DEFAULT);
			assertThat(this.modelCalls).singleElement()
				.satisfies((outcome) -> assertThat(
						outcome.decision().reason() + " " + outcome.rule() + " " + outcome.withheld())
					.contains(onRecord));
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void textIsInTheLanguageOfThePerson(Way way) {
		after((call, response) -> LlmDecision.deny("list B"))
			.withBean(RefusalText.class, () -> (locale) -> (locale.equals(Locale.GERMAN)) ? "Das geht nicht." : "No.")
			.run((context) -> {
				LocaleContextHolder.setLocale(Locale.GERMAN);
				assertThat(
						way.ask(way
							.service(context.getBean("model", ChatModel.class),
									context.getBean("streaming", StreamingChatModel.class))
							.build(), "s"))
					.isEqualTo("Das geht nicht.");
			});
	}

	@ParameterizedTest
	@EnumSource(names = { "SYNC", "STREAMING" })
	void refusedRunIsAnExceptionForTheApplication(Way way) {
		PreRunHook hook = (run) -> RunDecision.deny("list B");
		models().withBean("hook", PreRunHook.class, () -> hook)
			.run((context) -> assertThatExceptionOfType(RunBlockedException.class)
				.isThrownBy(() -> way.ask(way.service(ScriptedModel.thatCalls()).build(), "s"))
				.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo("list B")));
	}

	static final class WeatherTools {

		@Tool
		String weather(String city) {
			return "Sunny in " + city;
		}

		@Tool(returnBehavior = ReturnBehavior.IMMEDIATE)
		String report(String city) {
			return "Report for " + city;
		}

	}

}
