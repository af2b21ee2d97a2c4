package io.agenthooks.spring.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.spec.McpSchema;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.Guards;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.ai.SpringAiToolHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.toolcall.HookedToolExecutor;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the start proves: a call that must be denied is sent through everything
 * that runs tools, and nobody sees it.
 */
@ExtendWith(OutputCaptureExtension.class)
class GuardProofTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class, ToolCallMetricsAutoConfiguration.class,
				SpringAiToolCallsAutoConfiguration.class, McpToolCallsAutoConfiguration.class,
				LangChain4jHooksAutoConfiguration.class));

	private final ApplicationContextRunner withHook = this.contextRunner.withBean("nothing", PreToolHook.class,
			() -> (call) -> ToolDecision.deny("nothing is allowed"));

	@Test
	void analyzerNamesTheExecutorsAndTheReasons() {
		UnguardedBeansException failure = new UnguardedBeansException(List.of("bean 'tools'"));
		assertThat(new UnguardedBeansFailureAnalyzer().analyze(failure, failure)).satisfies((analysis) -> {
			assertThat(analysis.getDescription()).contains("bean 'tools'");
			assertThat(analysis.getAction()).contains("parent context");
		});
	}

	@Test
	void everyWayIsProvedAndNobodySeesIt(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(EveryWay.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Seen.class).all).isEmpty();
			assertThat(context.getBean(SimpleMeterRegistry.class).getMeters()).allSatisfy(
					(meter) -> assertThat(meter.measure()).allMatch((measurement) -> measurement.getValue() == 0));
			assertThat(output).containsSubsequence("Every call of a tool passes these hooks:",
					"proved by a denied call", "AI services: 1", "MCP server: 1 (2 tools)", "MCP tool specification: 2",
					"ToolCallback and such: 1", "ToolCallingManager: 1", "ToolExecutor: 2");
			assertThat(output).doesNotContain("probe");
			context.getBean("tools", ToolExecutor.class).execute(ToolCall.of("t", Map.of()));
			assertThat(context.getBean(Seen.class).all).as("a real call").isNotEmpty();
		});
	}

	@Test
	void startSaysThatNothingIsProvedIfNothingRunsTools(CapturedOutput output) {
		new ApplicationContextRunner().withConfiguration(HookTypes.with(ToolCallHooksAutoConfiguration.class))
			.withBean("nothing", PreToolHook.class, () -> (call) -> ToolDecision.deny("no"))
			.run((context) -> assertThat(output).contains("nothing that makes such calls exists at the start")
				.doesNotContain("Every call of a tool"));
	}

	@Test
	void lazyExecutorStaysLazyAndIsProvedWhenItIsMade() {
		this.withHook.withUserConfiguration(LazyTools.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Made.class).names).isEmpty();
			assertThat(context.getBean("lazyTools", ToolExecutor.class).execute(ToolCall.of("t", Map.of())).succeeded())
				.isFalse();
			assertThat(
					context.getBean("scopedTools", ToolExecutor.class).execute(ToolCall.of("t", Map.of())).succeeded())
				.isFalse();
			assertThat(context.getBean(Made.class).names).containsExactly("lazy", "scoped");
		});
	}

	@Test
	void startFailsIfAnExecutorPassesAnotherChain() {
		ToolExecutor tools = new HookedToolExecutor((call) -> ToolResult.success("ran"),
				new ToolHookChain(List.of(), List.of()));
		this.withHook.withInitializer((context) -> context.getBeanFactory().registerSingleton("tools", tools))
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnprovedGuardException.class)
				.hasMessageContaining("bean 'tools'"));
	}

	@Test
	void startFailsIfAClientPassesAnotherChain() {
		SpringAiToolHooks others = new SpringAiToolHooks(new ToolHookChain(List.of(), List.of()));
		ChatClient client = ChatClient.builder((prompt) -> new ChatResponse(List.of()))
			.defaultAdvisors(Guards.ofTools(others, Ordered.HIGHEST_PRECEDENCE))
			.build();
		this.withHook.withBean("assistant", ChatClient.class, () -> client)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnprovedGuardException.class)
				.hasMessageContaining("bean 'assistant'"));
	}

	@Test
	void clientIsProvedAndItsModelDoesNotSeeIt(CapturedOutput output) {
		List<Prompt> asked = new ArrayList<>();
		ChatModel model = (prompt) -> {
			asked.add(prompt);
			return new ChatResponse(List.of());
		};
		this.withHook.withBean("assistant", ChatClient.class, () -> ChatClient.create(model))
			.withBean("builder", ChatClient.Builder.class, () -> ChatClient.builder(model))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(output).containsSubsequence("proved by a denied call", "ChatClient: 1",
						"ChatClient.Builder: 1");
				assertThat(asked).isEmpty();
			});
	}

	@Test
	void startFailsIfTheGuardIsTakenOffAgain() {
		this.withHook.withBean("tools", Tools.class)
			.withBean(TakingOff.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContaining("'tools'"));
	}

	@Test
	void startFailsIfAnExecutorOnlyLooksLikeAProxyOfSpring() {
		this.withHook.withBean("tools", Infrastructure.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(UnguardedBeansException.class)
				.hasMessageContaining("'tools'"));
	}

	@Test
	void aspectsOfTheApplicationDoNotSeeTheProof() {
		List<String> seen = new ArrayList<>();
		this.withHook.withBean("tools", Tools.class).withBean(Around.class, () -> new Around(seen)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(seen).isEmpty();
			context.getBean("tools", ToolExecutor.class).execute(ToolCall.of("t", Map.of()));
			assertThat(seen).containsExactly("execute");
		});
	}

	@Test
	void executorOfAGenericInterfaceIsGuardedByAllItsMethods() {
		this.withHook.withBean("tools", GenericTools.class, () -> new GenericTools("x")).run((context) -> {
			assertThat(context).hasNotFailed();
			@SuppressWarnings("unchecked")
			Runner<ToolCall, ToolResult> runner = (Runner<ToolCall, ToolResult>) context.getBean("tools");
			assertThat(runner.execute(ToolCall.of("t", Map.of())).succeeded()).isFalse();
		});
	}

	@Test
	void analyzerNamesTheBean() {
		UnprovedGuardException failure = new UnprovedGuardException("bean 'tools' of type x", null);
		assertThat(new UnprovedGuardFailureAnalyzer().analyze(failure, failure).getDescription())
			.contains("bean 'tools' of type x");
	}

	/**
	 * What must stay empty.
	 */
	static class Seen {

		private final List<Object> all = new CopyOnWriteArrayList<>();

		@EventListener
		void onEvent(ToolCallEvent event) {
			this.all.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EveryWay {

		@Bean
		Seen seen() {
			return new Seen();
		}

		@Bean
		SimpleMeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		ObservationRegistry observations(Seen seen) {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

				@Override
				public void onStart(Observation.Context context) {
					seen.all.add(context);
				}

				@Override
				public boolean supportsContext(Observation.Context context) {
					return true;
				}

			});
			return registry;
		}

		@Bean
		PreToolHook pre(Seen seen) {
			return (call) -> {
				seen.all.add(call);
				return ToolDecision.approve();
			};
		}

		@Bean
		PostToolHook post(Seen seen) {
			return seen.all::add;
		}

		@Bean
		CallContextCustomizer customizer(Seen seen) {
			return (context, attributes) -> {
				seen.all.add("customizer");
				return context;
			};
		}

		@Bean
		ToolExecutor tools(Seen seen) {
			return (call) -> {
				seen.all.add("executor");
				return ToolResult.success("ran");
			};
		}

		@Bean
		Tools openTools() {
			return new Tools();
		}

		@Bean
		ToolCallingManager manager(ObservationRegistry observations) {
			return ToolCallingManager.builder().observationRegistry(observations).build();
		}

		@Bean
		ToolCallback callback(Seen seen) {
			return new ToolCallback() {

				@Override
				public ToolDefinition getToolDefinition() {
					return ToolDefinition.builder().name("t").description("t").inputSchema("{}").build();
				}

				@Override
				public String call(String toolInput) {
					seen.all.add("callback");
					return "ran";
				}

			};
		}

		@Bean
		McpServerFeatures.SyncToolSpecification syncTool(Seen seen) {
			return new McpServerFeatures.SyncToolSpecification(McpSchema.Tool.builder("t", Map.of()).build(),
					(exchange, request) -> {
						seen.all.add("sync tool");
						return McpSchema.CallToolResult.builder().addTextContent("ran").build();
					});
		}

		@Bean
		List<McpServerFeatures.AsyncToolSpecification> asyncTools(Seen seen) {
			return List.of(new McpServerFeatures.AsyncToolSpecification(McpSchema.Tool.builder("t", Map.of()).build(),
					(exchange, request) -> reactor.core.publisher.Mono.fromSupplier(() -> {
						seen.all.add("async tool");
						return McpSchema.CallToolResult.builder().addTextContent("ran").build();
					})));
		}

		@Bean
		io.modelcontextprotocol.server.McpStatelessAsyncServer server(Seen seen) {
			return io.modelcontextprotocol.server.McpServer
				.async(io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport.builder()
					.messageEndpoint("/mcp")
					.build())
				.tools(served("one", seen), served("two", seen))
				.build();
		}

		private static io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification served(
				String name, Seen seen) {
			return new io.modelcontextprotocol.server.McpStatelessServerFeatures.AsyncToolSpecification(
					McpSchema.Tool.builder(name, Map.of()).build(),
					(context, request) -> reactor.core.publisher.Mono.fromSupplier(() -> {
						seen.all.add("served tool");
						return McpSchema.CallToolResult.builder().addTextContent("ran").build();
					}));
		}

	}

	static class Made {

		private final List<String> names = new ArrayList<>();

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyTools {

		@Bean
		Made made() {
			return new Made();
		}

		@Bean
		@Lazy
		ToolExecutor lazyTools(Made made) {
			made.names.add("lazy");
			return (call) -> ToolResult.success("ran");
		}

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Tools scopedTools(Made made) {
			made.names.add("scoped");
			return new Tools();
		}

	}

	static class Tools implements ToolExecutor {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	static class Infrastructure extends Tools implements AopInfrastructureBean {

	}

	interface Runner<C, R> {

		R execute(C call);

	}

	record GenericTools(String name) implements ToolExecutor, Runner<ToolCall, ToolResult> {

		@Override
		public ToolResult execute(ToolCall call) {
			return ToolResult.success("ran");
		}

	}

	/**
	 * Gives back what the guard was put around.
	 */
	static class TakingOff implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			try {
				Object target = (bean instanceof Tools && bean instanceof Advised advised)
						? advised.getTargetSource().getTarget() : null;
				return (target != null) ? target : bean;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	/**
	 * Puts an aspect around executors.
	 */
	record Around(List<String> seen) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!(bean instanceof ToolExecutor)) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.addAdvice((MethodInterceptor) (invocation) -> {
				if (invocation.getMethod().getName().equals("execute")) {
					this.seen.add(invocation.getMethod().getName());
				}
				return invocation.proceed();
			});
			return factory.getProxy();
		}

	}

}
