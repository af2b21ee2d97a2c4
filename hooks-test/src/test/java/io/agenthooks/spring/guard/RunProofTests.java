package io.agenthooks.spring.guard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import io.agenthooks.AbortedRuns;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.ai.RunHooksAdvisor;
import io.agenthooks.spring.ai.SpringAiModelCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The start proves that runs of clients and AI services ask the hooks around runs.
 */
@ExtendWith(OutputCaptureExtension.class)
class RunProofTests {

	private static final String PROVED = "proved by a denied one through ";

	private final List<Object> seen = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RunHooksAutoConfiguration.class,
				SpringAiModelCallsAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class))
		.withBean(CallContextCustomizer.class, () -> (context, given) -> {
			this.seen.add(context);
			return context;
		})
		.withBean(Listener.class, () -> new Listener(this.seen));

	private final ApplicationContextRunner withHooks = this.contextRunner.withBean(PreRunHook.class, () -> (run) -> {
		this.seen.add(run);
		return RunDecision.approve();
	}).withBean(PostRunHook.class, () -> this.seen::add);

	/**
	 * With the hooks around tools switched off, missing, and on.
	 */
	static Stream<UnaryOperator<ApplicationContextRunner>> toolCalls() {
		AutoConfigurations tools = AutoConfigurations.of(ToolCallHooksAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class);
		return Stream.of(UnaryOperator.identity(), (runner) -> runner.withConfiguration(tools),
				(runner) -> runner.withConfiguration(tools).withPropertyValues("hooks.tool_call.enabled=false"));
	}

	private static ChatClient.Builder client(List<Object> seen) {
		return ChatClient.builder((prompt) -> {
			seen.add(prompt);
			return new ChatResponse(List.of());
		});
	}

	private static ChatClient withOtherHooks() {
		return client(List.of())
			.defaultAdvisors(new RunHooksAdvisor(new RunHookChain(List.of(), List.of()), new AbortedRuns()))
			.build();
	}

	@ParameterizedTest
	@MethodSource("toolCalls")
	void runsAreProvedAndNothingElseSeesIt(UnaryOperator<ApplicationContextRunner> toolCalls, CapturedOutput output) {
		toolCalls.apply(this.withHooks)
			.withBean("assistant", ChatClient.class, () -> client(this.seen).build())
			.withBean("builder", ChatClient.Builder.class, () -> client(this.seen))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).contains(PROVED + "AI services (runs): 1, ChatClient (runs): 2")
					.doesNotContain("probe");
				assertThat(this.seen).isEmpty();
				context.getBean("assistant", ChatClient.class).prompt("Weather?").call().content();
				assertThat(this.seen).as("a real run").hasSizeGreaterThan(3);
			});
	}

	@Test
	void nothingIsSaidOfRunsWithoutHooks(CapturedOutput output) {
		this.contextRunner.withBean("assistant", ChatClient.class, () -> client(this.seen).build())
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("bare", client(this.seen).build()))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).doesNotContain(PROVED);
			});
	}

	@ParameterizedTest
	@MethodSource("toolCalls")
	void startFailsIfRunsOfAClientPassAnotherChain(UnaryOperator<ApplicationContextRunner> toolCalls) {
		toolCalls.apply(this.withHooks)
			.withBean("assistant", ChatClient.class, RunProofTests::withOtherHooks)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnprovedGuardException.class)
				.hasMessageContaining("bean 'assistant'"));
	}

	@ParameterizedTest
	@MethodSource("toolCalls")
	void clientThatIsMadeLaterIsProvedThen(UnaryOperator<ApplicationContextRunner> toolCalls) {
		toolCalls.apply(this.withHooks)
			.withBean("assistant", ChatClient.class, RunProofTests::withOtherHooks,
					(definition) -> definition.setLazyInit(true))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> context.getBean("assistant"))
					.satisfies((ex) -> assertThat(ex).hasStackTraceContaining("bean 'assistant'"));
			});
	}

	@ParameterizedTest
	@MethodSource("toolCalls")
	void startFailsIfAClientEscaped(UnaryOperator<ApplicationContextRunner> toolCalls) {
		toolCalls.apply(this.withHooks)
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("assistant", client(this.seen).build()))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContaining("bean 'assistant'"));
	}

	@Test
	void prototypeThatTheStartMakesIsNoneThatEscapedIfThereAreNoHooks() {
		this.contextRunner
			.withBean("assistant", ChatClient.class, () -> client(this.seen).build(),
					(definition) -> definition.setScope("prototype"))
			.withBean("user", Object.class, () -> "user")
			.withInitializer((context) -> context.addBeanFactoryPostProcessor((beans) -> beans.getBean("assistant")))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	record Listener(List<Object> seen) {

		@EventListener
		void on(RunEvent event) {
			this.seen.add(event);
		}

	}

}
