package io.agenthooks.spring.assembly;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.langchain4j.service.AiServices;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import io.agenthooks.CallContext;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.llmcall.PostLlmHook;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.PostRunHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunBlockedException;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.ActiveHooks;
import io.agenthooks.spring.ActiveHooks.Listed;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.ActiveHooks.Registration;
import io.agenthooks.spring.HookOptions;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RunTimeHooks}: what holds for hooks of every kind that come and go
 * while the application runs. {@link ToolHookRegistryTests} has what is particular to
 * tool calls.
 */
@ExtendWith(OutputCaptureExtension.class)
class RunTimeHooksTests {

	private static final HookOptions ANY = HookOptions.defaults();

	private final ApplicationContextRunner withoutHooks = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.withoutHooks
		.withBean("tools", PreToolHook.class, () -> (call) -> ToolDecision.approve())
		.withBean("models", PreLlmHook.class, () -> (call) -> LlmDecision.approve())
		.withBean("runs", PreRunHook.class, () -> (run) -> RunDecision.approve());

	@ParameterizedTest
	@EnumSource
	void registeredHookIsAskedUntilItsRegistrationIsClosed(Kind kind) {
		this.runner.run((context) -> {
			assertThat(kind.passes(context)).isTrue();
			Registration registration = kind.deny(context, "mine", ANY, ActiveHooks.RUN_TIME);
			assertThat(kind.passes(context)).isFalse();
			registration.close();
			registration.close();
			assertThat(kind.passes(context)).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource
	void hooksAreListedInTheOrderInWhichTheyAreAsked(Kind kind) {
		this.runner.run((context) -> {
			kind.learn(context, "learning", ANY);
			kind.deny(context, "first", ANY.order(1), "plugin");
			assertThat(kind.hooks(context).list()).containsExactly(
					new Listed(Phase.PRE_CALL, "first", "registered", "plugin", ANY.order(1)),
					new Listed(Phase.PRE_CALL, kind.bean, "bean", "bean '" + kind.bean + "'", ANY),
					new Listed(Phase.POST_CALL, "learning", "registered", ActiveHooks.RUN_TIME, ANY));
		});
	}

	@ParameterizedTest
	@EnumSource
	void hooksOfAnOriginAreClearedTogetherAndBeansStay(Kind kind) {
		this.runner.run((context) -> {
			kind.deny(context, "a", ANY, "plugin");
			kind.learn(context, "b", ANY);
			assertThat(kind.hooks(context).clear("bean '" + kind.bean + "'")).isZero();
			assertThat(kind.hooks(context).clear("plugin")).isEqualTo(1);
			assertThat(kind.hooks(context).unregister("b")).isTrue();
			assertThat(kind.hooks(context).unregister("b")).isFalse();
			assertThat(kind.hooks(context).unregister(kind.bean)).isFalse();
			assertThat(kind.hooks(context).list()).extracting(Listed::name).containsExactly(kind.bean);
		});
	}

	@ParameterizedTest
	@EnumSource
	void nameThatIsTakenOrBlankIsRefused(Kind kind) {
		this.runner.run((context) -> {
			for (String name : List.of(kind.bean, " " + kind.bean + "\n", " ")) {
				assertThatIllegalArgumentException()
					.isThrownBy(() -> kind.deny(context, name, ANY, ActiveHooks.RUN_TIME));
			}
			assertThat(kind.hooks(context).list()).hasSize(1);
		});
	}

	@ParameterizedTest
	@EnumSource
	void optionsOfARegisteredHookHold(Kind kind) {
		this.runner.run((context) -> {
			kind.deny(context, "agents", ANY.agents("bot"), ActiveHooks.RUN_TIME);
			kind.deny(context, "dry", ANY.observe(), ActiveHooks.RUN_TIME);
			kind.fail(context, "careless", ANY.failOpen(true));
			assertThat(kind.passes(context)).isTrue();
			assertThat(kind.passes(context, "bot")).isFalse();
			kind.fail(context, "careful", ANY);
			assertThat(kind.passes(context)).isFalse();
		});
	}

	@ParameterizedTest
	@EnumSource
	void optionsThatCannotBeUsedAreRefusedAllAtOnce(Kind kind) {
		this.runner.run((context) -> {
			assertThatExceptionOfType(InvalidHookConfigException.class)
				.isThrownBy(() -> kind.deny(context, "mine", ANY.timeout(Duration.ZERO).agents(" x"), "test"))
				.satisfies((ex) -> assertThat(ex.getProblems()).hasSize(2));
			for (HookOptions options : List.of(ANY.observe(), ANY.failOpen(false))) {
				assertThatExceptionOfType(InvalidHookConfigException.class)
					.isThrownBy(() -> kind.learn(context, "mine", options))
					.withMessageContaining("only learns how calls ended");
			}
			assertThat(kind.hooks(context).list()).hasSize(1);
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "MODEL_CALL", "RUN" })
	void optionsThatChooseNothingOfTheKindAreRefused(Kind kind) {
		HookOptions chosen = (kind == Kind.RUN) ? ANY.match("a*").matcher("a").except("b").mcpServers("github", "x|y")
				: ANY.mcpServers("github");
		this.runner.run((context) -> assertThatExceptionOfType(InvalidHookConfigException.class)
			.isThrownBy(() -> kind.deny(context, "mine", chosen, ActiveHooks.RUN_TIME))
			.satisfies((ex) -> assertThat(ex.getProblems()).hasSize(chosen.scope().options().size())
				.allMatch((problem) -> problem.message().equals("has no meaning below hooks." + kind.key))));
	}

	@ParameterizedTest
	@EnumSource(names = { "MODEL_CALL", "RUN" })
	void hookIsRefusedWhereFrameworksMayHaveMadeClientsWithoutHooks(Kind kind) {
		this.withoutHooks.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> kind.deny(context, "mine", ANY, ActiveHooks.RUN_TIME))
				.withMessageContaining("'mine' would not be asked")
				.withMessageContaining("hooks." + kind.key);
			assertThat(kind.passes(context)).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "MODEL_CALL", "RUN" })
	void hookIsRefusedWhereTheOnlyOtherHooksAreThoseThatCount(Kind kind) {
		this.withoutHooks.withConfiguration(AutoConfigurations.of(LlmAndRunMetricsAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.run((context) -> {
				assertThat(kind.hooks(context).list()).isNotEmpty();
				assertThatIllegalStateException()
					.isThrownBy(() -> kind.deny(context, "mine", ANY, ActiveHooks.RUN_TIME))
					.withMessageContaining("'mine' would not be asked");
			});
	}

	@ParameterizedTest
	@EnumSource
	void hookIsTakenWithoutOthersWhereOnlyTheApplicationItselfAsksTheChain(Kind kind) {
		this.withoutHooks.withClassLoader(new FilteredClassLoader(ChatClient.class, AiServices.class))
			.run((context) -> {
				kind.deny(context, "mine", ANY, ActiveHooks.RUN_TIME);
				assertThat(kind.passes(context)).isFalse();
			});
	}

	@ParameterizedTest
	@EnumSource
	void hookIsRefusedWhereAChainOfTheApplicationIsInThePlaceOfTheStarters(Kind kind) {
		kind.withOwnChain(this.withoutHooks)
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> kind.deny(context, "mine", ANY, ActiveHooks.RUN_TIME))
				.withMessageContaining(kind.chain.getSimpleName() + " bean of the application"));
	}

	@ParameterizedTest
	@EnumSource
	void configuredHookThatAChainOfTheApplicationLeavesOutStopsTheStart(Kind kind) {
		kind.withOwnChain(this.runner)
			.withPropertyValues(kind.entry())
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasStackTraceContaining(kind.chain.getSimpleName() + " bean of the application")
				.hasStackTraceContaining("hooks." + kind.key)
				.hasStackTraceContaining("would not be asked"));
	}

	@ParameterizedTest
	@EnumSource
	void hooksAreLoggedAtTheStartWithTheirPlaces(Kind kind, CapturedOutput output) {
		this.runner.withPropertyValues(kind.entry())
			.run((context) -> assertThat(output).containsSubsequence(kind.title, "  before the " + kind.noun + ":"
					+ System.lineSeparator() + "    1. " + kind.bean + " (type bean, from test)",
					"  after the " + kind.noun + ": none"));
	}

	/**
	 * A kind of hooks.
	 */
	enum Kind {

		TOOL_CALL("tool_call", "pre-call", "tools", "call", "Hooks around calls of tools", ToolHookChain.class) {

			@Override
			ToolHooks hooks(ApplicationContext context) {
				return context.getBean(ToolHooks.class);
			}

			@Override
			Registration deny(ApplicationContext context, String name, HookOptions options, String origin) {
				PreToolHook hook = (call) -> ToolDecision.deny("registered");
				return hooks(context).register(name, hook, options, origin);
			}

			@Override
			void fail(ApplicationContext context, String name, HookOptions options) {
				PreToolHook hook = (call) -> {
					throw new IllegalStateException("broken");
				};
				hooks(context).register(name, hook, options);
			}

			@Override
			void learn(ApplicationContext context, String name, HookOptions options) {
				PostToolHook hook = (outcome) -> {
				};
				hooks(context).register(name, hook, options);
			}

			@Override
			boolean passes(ApplicationContext context, CallContext caller) {
				return context.getBean(ToolHookChain.class)
					.execute(ToolCall.of("t", Map.of(), caller), (call) -> ToolResult.success("ran"))
					.succeeded();
			}

			@Override
			ApplicationContextRunner withOwnChain(ApplicationContextRunner runner) {
				return runner.withBean(ToolHookChain.class, () -> new ToolHookChain(List.of(), List.of()));
			}

		},

		MODEL_CALL("llm_call", "pre-call", "models", "call", "Every call of a model passes these hooks:",
				LlmHookChain.class) {

			@Override
			LlmHooks hooks(ApplicationContext context) {
				return context.getBean(LlmHooks.class);
			}

			@Override
			Registration deny(ApplicationContext context, String name, HookOptions options, String origin) {
				PreLlmHook hook = (call) -> LlmDecision.deny("registered");
				return hooks(context).register(name, hook, options, origin);
			}

			@Override
			void fail(ApplicationContext context, String name, HookOptions options) {
				PreLlmHook hook = (call) -> {
					throw new IllegalStateException("broken");
				};
				hooks(context).register(name, hook, options);
			}

			@Override
			void learn(ApplicationContext context, String name, HookOptions options) {
				PostLlmHook hook = (outcome) -> {
				};
				hooks(context).register(name, hook, options);
			}

			@Override
			boolean passes(ApplicationContext context, CallContext caller) {
				LlmCall call = LlmCall.of(LlmMessage.user("Hi")).withContext(caller);
				return context.getBean(LlmHookChain.class)
					.execute(call, (made) -> LlmResponse.of("Hello"))
					.text()
					.equals("Hello");
			}

			@Override
			ApplicationContextRunner withOwnChain(ApplicationContextRunner runner) {
				return runner.withBean(LlmHookChain.class, () -> new LlmHookChain(List.of(), List.of(), List.of()));
			}

		},

		RUN("run", "pre-run", "runs", "run", "Every run of an agent passes these hooks:", RunHookChain.class) {

			@Override
			RunHooks hooks(ApplicationContext context) {
				return context.getBean(RunHooks.class);
			}

			@Override
			Registration deny(ApplicationContext context, String name, HookOptions options, String origin) {
				PreRunHook hook = (run) -> RunDecision.deny("registered");
				return hooks(context).register(name, hook, options, origin);
			}

			@Override
			void fail(ApplicationContext context, String name, HookOptions options) {
				PreRunHook hook = (run) -> {
					throw new IllegalStateException("broken");
				};
				hooks(context).register(name, hook, options);
			}

			@Override
			void learn(ApplicationContext context, String name, HookOptions options) {
				PostRunHook hook = (outcome) -> {
				};
				hooks(context).register(name, hook, options);
			}

			@Override
			boolean passes(ApplicationContext context, CallContext caller) {
				try {
					context.getBean(RunHookChain.class).begin(AgentRun.of("Hi", caller)).finish("Done", null);
					return true;
				}
				catch (RunBlockedException ex) {
					return false;
				}
			}

			@Override
			ApplicationContextRunner withOwnChain(ApplicationContextRunner runner) {
				return runner.withBean(RunHookChain.class, () -> new RunHookChain(List.of(), List.of()));
			}

		};

		final String key;

		final String list;

		final String bean;

		final String noun;

		final String title;

		final Class<?> chain;

		Kind(String key, String list, String bean, String noun, String title, Class<?> chain) {
			this.key = key;
			this.list = list;
			this.bean = bean;
			this.noun = noun;
			this.title = title;
			this.chain = chain;
		}

		abstract ActiveHooks<?> hooks(ApplicationContext context);

		abstract Registration deny(ApplicationContext context, String name, HookOptions options, String origin);

		abstract void fail(ApplicationContext context, String name, HookOptions options);

		abstract void learn(ApplicationContext context, String name, HookOptions options);

		abstract boolean passes(ApplicationContext context, CallContext caller);

		abstract ApplicationContextRunner withOwnChain(ApplicationContextRunner runner);

		boolean passes(ApplicationContext context) {
			return passes(context, CallContext.empty());
		}

		boolean passes(ApplicationContext context, String agent) {
			return passes(context, CallContext.empty().withAgent(agent));
		}

		/**
		 * An entry that puts the bean into its list.
		 */
		String[] entry() {
			String entry = "hooks.%s.%s[0].".formatted(this.key.replace('_', '-'), this.list);
			return new String[] { entry + "type=bean", entry + "config.bean=" + this.bean };
		}

	}

}
