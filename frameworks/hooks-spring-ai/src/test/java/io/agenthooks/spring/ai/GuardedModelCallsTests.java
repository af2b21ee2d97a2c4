package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.DefaultChatClient.DefaultChatClientRequestSpec;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.AbortedRuns;
import io.agenthooks.CallContext;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallAbortedException;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SpringAiModelCallsAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class GuardedModelCallsTests {

	private static final String BLIND_SPOT = "No hook sees a question to a ChatModel of Spring AI that is no bean, unless "
			+ "a guarded ChatClient asks it";

	private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

	private final ApplicationContextRunner runner = Application.runner()
		.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
				SpringAiModelCallsAutoConfiguration.class));

	private final PreLlmHook beforeModel = (call) -> {
		this.heard.add("model call of run " + call.context().runId());
		return LlmDecision.approve();
	};

	private final PreRunHook beforeRun = (run) -> {
		this.heard.add("run " + run.id());
		return RunDecision.approve();
	};

	@ParameterizedTest
	@EnumSource
	void runThatAModelHookAbortedIsForgottenAlsoWithoutToolHooks(Way way) {
		PreLlmHook hook = (call) -> LlmDecision.abortRun("Stop");
		ApplicationContextRunner runner = this.runner.withPropertyValues("hooks.tool_call.enabled=false")
			.withBean("beforeModel", PreLlmHook.class, () -> hook);
		Application.run(runner, (application) -> {
			assertThatExceptionOfType(LlmCallAbortedException.class)
				.isThrownBy(() -> way.ask(application.client().prompt().user("Weather?")));
			assertThat(application.context().getBean(AbortedRuns.class).isEmpty()).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void clientOfTheBuilderAsksTheHooks(Way way) {
		Application.run(guarded(), (application) -> {
			application.model().calls("weather", "{\"city\": \"Paris\"}");
			way.ask(application.client().prompt().user("Weather?").tools(new WeatherTools()));
			assertThat(this.heard).hasSize(3).element(0).asString().startsWith("run ");
			assertThat(this.heard.subList(1, 3)).containsOnly("model call of " + this.heard.get(0));
		});
	}

	@ParameterizedTest
	@EnumSource
	void watchSeesModelCallsAndRunsWithoutAnyHook(Way way) {
		List<HookedCall> seen = Collections.synchronizedList(new ArrayList<>());
		CallWatch watch = (call) -> {
			seen.add(call);
			return null;
		};
		Application.run(this.runner.withBean(CallWatch.class, () -> watch), (application) -> {
			way.ask(application.client().prompt().user("Weather?"));
			assertThat(seen).hasSize(2)
				.hasAtLeastOneElementOfType(LlmCall.class)
				.hasAtLeastOneElementOfType(AgentRun.class);
		});
	}

	@ParameterizedTest
	@EnumSource
	void clientHasNoAdvisorOfModelCallsAndRunsForAWatchThatNeedsHooks(Way way) {
		List<HookedCall> seen = Collections.synchronizedList(new ArrayList<>());
		CallWatch watch = new CallWatch() {

			@Override
			public boolean needsHooks() {
				return true;
			}

			@Override
			public @Nullable WatchedCall begin(HookedCall call) {
				seen.add(call);
				return null;
			}

		};
		Application.run(this.runner.withBean(CallWatch.class, () -> watch), (application) -> {
			assertThat(advisors(application.client())).noneMatch(LlmHooksAdvisor.class::isInstance)
				.noneMatch(RunHooksAdvisor.class::isInstance);
			way.ask(application.client().prompt().user("Weather?"));
			assertThat(seen).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void customizersAddWhatTheyKnowAboutRunsAndModelCalls(Way way) {
		List<CallContext> contexts = Collections.synchronizedList(new ArrayList<>());
		ApplicationContextRunner customized = this.runner
			.withBean(CallContextCustomizer.class,
					() -> (context, given) -> context.withRole(String.valueOf(given.get("role")))
						.withWorkspace(String.valueOf(given.get("tenant"))))
			.withBean(PreLlmHook.class, () -> (call) -> {
				contexts.add(call.context());
				return LlmDecision.approve();
			})
			.withBean(PreRunHook.class, () -> (run) -> {
				contexts.add(run.context());
				return RunDecision.approve();
			});
		Application.run(customized, (application) -> {
			way.ask(application.client()
				.prompt("Weather?")
				.advisors((advisors) -> advisors.param("role", "traveller"))
				.toolContext(Map.of("tenant", "acme")));
			assertThat(contexts).hasSize(2).extracting(CallContext::role).containsOnly("traveller");
			assertThat(contexts).extracting(CallContext::workspace).containsOnly("acme");
		});
	}

	@ParameterizedTest
	@EnumSource
	void noModelIsAskedIfACustomizerFails(Way way) {
		ApplicationContextRunner failing = this.runner.withBean(CallContextCustomizer.class, () -> (context, given) -> {
			throw new IllegalStateException("No tenant");
		});
		for (ApplicationContextRunner guarded : List.of(failing.withBean(PreRunHook.class, () -> this.beforeRun),
				failing.withBean(PreLlmHook.class, () -> this.beforeModel))) {
			Application.run(guarded, (application) -> {
				assertThatIllegalStateException().isThrownBy(() -> way.ask(application.client().prompt("Weather?")))
					.withMessage("No tenant");
				assertThat(application.model().prompts()).isEmpty();
				assertThat(this.heard).isEmpty();
			});
		}
	}

	@Test
	void everyClientOfTheBuilderHasItsAdvisorsOnce() {
		Application.run(guarded(), (application) -> {
			ChatClient client = application.client();
			assertThat(advisors(client)).hasAtLeastOneElementOfType(LlmHooksAdvisor.class).hasSize(4);
			assertThat(advisors(application.client())).hasSize(4);
			assertThat(advisors(client.mutate().build())).hasSize(4);
		});
	}

	@Test
	void chainsWithoutHooksCostNothing() {
		Application.run(this.runner, (application) -> assertThat(advisors(application.client())).hasSize(2)
			.hasOnlyElementsOfTypes(ToolHooksAdvisor.class, ClientRunAdvisor.class));
	}

	@Test
	void applicationWithoutChainsStarts() {
		Application.run(guarded().withPropertyValues("hooks.llm_call.enabled=false", "hooks.run.enabled=false"),
				(application) -> assertThat(advisors(application.client())).hasSize(2));
	}

	@ParameterizedTest
	@EnumSource
	void configuredPolicyReadsWhatTheModelIsAsked(Way way) {
		ApplicationContextRunner configured = this.runner.withPropertyValues("hooks.llm_call.pre_call[0].type=policy",
				"hooks.llm_call.pre_call[0].config.deny_patterns[0]=password");
		Application.run(configured, (application) -> {
			assertThat(way.ask(application.client().prompt().user("My password?")).finishReason())
				.isEqualTo(LlmResponse.DENIED_BY_HOOK);
			assertThat(application.model().prompts()).isEmpty();
		});
	}

	@Test
	void applicationWithoutChatClientsStarts() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SpringAiModelCallsAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(ChatClient.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("hookedModelCalls")
				.doesNotHaveBean("modelCallsOfClientsGuard"));
	}

	@ParameterizedTest
	@EnumSource
	void clientThatIsMadeByHandHasNoRunsAndItsModelAsksTheHooks(Way way) {
		Application.run(guarded(), (application) -> {
			way.ask(ChatClient.create(application.model()).prompt().user("Weather?"));
			assertThat(this.heard).singleElement().asString().startsWith("model call of run ");
		});
	}

	@ParameterizedTest
	@EnumSource
	void modelThatNobodyGuardsIsNotAskedIfItIsObserved(Way way) {
		Application.run(guarded().withPropertyValues("hooks.tool_call.unguarded=deny"), (application) -> {
			ScriptedChatModel own = observed(application);
			assertThatExceptionOfType(UnguardedModelException.class)
				.isThrownBy(() -> way.ask(ChatClient.create(own).prompt().user("Weather?")))
				.withMessageContaining("hooks.llm_call");
			assertThat(own.prompts()).isEmpty();
			assertThat(this.heard).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void modelThatNobodyGuardsIsToldOnceIfThatIsAWarning(Way way, CapturedOutput output) {
		Application.run(guarded().withPropertyValues("hooks.tool_call.unguarded=warn"), (application) -> {
			ScriptedChatModel own = observed(application);
			way.ask(ChatClient.create(own).prompt().user("Weather?"));
			way.ask(ChatClient.create(own).prompt().user("Weather?"));
			assertThat(own.prompts()).hasSize(2);
			assertThat(output.toString().split("A model that is no bean is asked", -1)).hasSize(2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void observedModelThatIsGuardedOrHasNoHooksRaisesNoAlarm(Way way) {
		ApplicationContextRunner denying = this.runner.withPropertyValues("hooks.tool_call.unguarded=deny");
		Application.run(denying.withBean("beforeModel", PreLlmHook.class, () -> this.beforeModel)
			.withUserConfiguration(OwnClient.class), (application) -> {
				way.ask(application.client().prompt().user("Weather?"));
				way.ask(ChatClient.create(application.chatModel()).prompt().user("Weather?"));
				way.ask(application.context().getBean("own", ChatClient.class).prompt().user("Weather?"));
				assertThat(this.heard).hasSize(3);
			});
		Application.run(denying,
				(application) -> assertThat(
						way.ask(ChatClient.create(observed(application)).prompt().user("Weather?")).text())
					.isNotEmpty());
	}

	@ParameterizedTest
	@EnumSource
	void modelBehindAModelThatIsAskedOnAnotherThreadRaisesNoAlarm(Way way) {
		Application.run(this.runner.withPropertyValues("hooks.tool_call.unguarded=deny")
			.withBean("beforeModel", PreLlmHook.class, () -> this.beforeModel)
			.withUserConfiguration(FallBack.class), (application) -> {
				ChatModel model = application.context().getBean("fallBack", ChatModel.class);
				assertThat(way.ask(ChatClient.create(model).prompt().user("Weather?")).text()).isNotEmpty();
				assertThat(this.heard).hasSize(1);
			});
	}

	private static ScriptedChatModel observed(Application application) {
		ObservationRegistry registry = application.context().getBean(ObservationRegistry.class);
		return new ScriptedChatModel(() -> registry);
	}

	@ParameterizedTest
	@EnumSource
	void clientOfAModelThatIsNoBeanAndIsNotObservedAsksNoHooksAndTheStartSaysSo(Way way, CapturedOutput output) {
		Application.run(guarded(), (application) -> {
			way.ask(ChatClient.create(new ScriptedChatModel()).prompt().user("Weather?"));
			assertThat(this.heard).isEmpty();
			assertThat(output).containsOnlyOnce(BLIND_SPOT)
				.contains(
						"asks it or the model was made with the ObservationRegistry bean, by which it is found: make");
		});
	}

	@Test
	void startSaysThatNoOtherModelIsFoundIfNothingIsObserved(CapturedOutput output) {
		ApplicationContextRunner unobserved = new ApplicationContextRunner()
			.withConfiguration(
					HookTypes.with(LlmCallHooksAutoConfiguration.class, SpringAiModelCallsAutoConfiguration.class))
			.withBean("beforeModel", PreLlmHook.class, () -> this.beforeModel);
		unobserved.run((context) -> assertThat(output).containsOnlyOnce(BLIND_SPOT).contains("asks it: make"));
		unobserved.withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
			.run((context) -> assertThat(output.toString().split("asks it: make", -1)).hasSize(3));
	}

	@Test
	void startSaysNothingOfSuchModelsWithoutHooks(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output).doesNotContain("No hook sees"));
	}

	private ApplicationContextRunner guarded() {
		return this.runner.withBean("beforeModel", PreLlmHook.class, () -> this.beforeModel)
			.withBean("beforeRun", PreRunHook.class, () -> this.beforeRun);
	}

	private static List<Advisor> advisors(ChatClient client) {
		return ((DefaultChatClientRequestSpec) client.prompt()).getAdvisors();
	}

	/**
	 * A model that is a bean, and asks one that is none when it fails.
	 */
	@Configuration(proxyBeanMethods = false)
	static class FallBack {

		@Bean
		ChatModel fallBack(ObjectProvider<ObservationRegistry> observations) {
			ChatModel second = new ScriptedChatModel(observations::getObject);
			return new ChatModel() {

				@Override
				public ChatResponse call(Prompt prompt) {
					return second.call(prompt);
				}

				@Override
				public Flux<ChatResponse> stream(Prompt prompt) {
					return Flux.<ChatResponse>error(new IllegalStateException("away"))
						.publishOn(Schedulers.boundedElastic())
						.onErrorResume((failure) -> second.stream(prompt));
				}

			};
		}

	}

	/**
	 * A client that is a bean, of a model that is none.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		@Bean
		ChatClient own(ObjectProvider<ObservationRegistry> observations) {
			return ChatClient.create(new ScriptedChatModel(observations::getObject));
		}

	}

}
