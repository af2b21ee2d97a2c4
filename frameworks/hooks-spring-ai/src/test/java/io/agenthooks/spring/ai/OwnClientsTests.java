package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.DefaultChatClient;
import org.springframework.ai.chat.client.DefaultChatClient.DefaultChatClientRequestSpec;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.resolution.StaticToolCallbackResolver;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import io.agenthooks.CallAttributes;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.PreLlmHook;
import io.agenthooks.run.PreRunHook;
import io.agenthooks.run.RunDecision;
import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.SharedContexts;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.toolcall.ToolDecision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for clients and builders of clients that the application makes itself: whoever
 * made a bean, its calls of tools, its model calls and its runs are decided, once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnClientsTests {

	@RegisterExtension
	final SharedContexts contexts = new SharedContexts();

	private static final String PARIS = "{\"city\": \"Paris\"}";

	private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

	private final WeatherTools tools = new WeatherTools();

	/**
	 * How the application comes by its client.
	 */
	enum Variant {

		BUILDER(Builders.class, (context) -> context.getBean("singleton", ChatClient.Builder.class).build()),

		BUILDER_OF_A_CLIENT_THAT_WAS_MADE_LATER(Builders.class,
				(context) -> context.getBean("singleton", ChatClient.Builder.class).defaultSystem("Be brief").build()),

		PROTOTYPE_BUILDER(Builders.class, (context) -> context.getBean("prototype", ChatClient.Builder.class).build()),

		LAZY_BUILDER(Builders.class, (context) -> context.getBean("lazy", ChatClient.Builder.class).build()),

		BUILDER_OF_A_FACTORY(Builders.class, (context) -> context.getBean("factory", ChatClient.Builder.class).build()),

		CLONED_BUILDER(Builders.class,
				(context) -> context.getBean("singleton", ChatClient.Builder.class).clone().build()),

		BUILDER_WITH_AN_OWN_LOOP(Builders.class,
				(context) -> context.getBean("loop", ChatClient.Builder.class).build()),

		CREATED_CLIENT(Clients.class, (context) -> context.getBean("created", ChatClient.class)),

		PROTOTYPE_CLIENT(Clients.class, (context) -> context.getBean("prototype", ChatClient.class)),

		LAZY_CLIENT(Clients.class, (context) -> context.getBean("lazy", ChatClient.class)),

		SCOPED_CLIENT(Clients.class, (context) -> context.getBean("scoped", ChatClient.class)),

		CLIENT_OF_A_FACTORY(Clients.class, (context) -> context.getBean("factory", ChatClient.class)),

		CLIENT_WITH_DEFAULT_ADVISORS(Clients.class, (context) -> context.getBean("advised", ChatClient.class)),

		MUTATED_CLIENT(Clients.class,
				(context) -> context.getBean("created", ChatClient.class).mutate().defaultSystem("Be brief").build()),

		CLIENT_OF_A_MUTATED_QUESTION(Clients.class,
				(context) -> context.getBean("created", ChatClient.class).prompt("Hello").mutate().build()),

		CLIENT_OF_ITS_OWN_CLASS(Clients.class, (context) -> context.getBean("own", OwnClient.class)),

		MUTATED_CLIENT_OF_ITS_OWN_CLASS(Clients.class,
				(context) -> context.getBean("own", OwnClient.class).mutate().build()),

		CLIENT_OF_A_FINAL_CLASS(Clients.class, (context) -> context.getBean("final", ChatClient.class)),

		CLIENT_OF_A_SUBCLASS(Clients.class, (context) -> context.getBean("subclass", ChatClient.class)),

		CLIENT_AROUND_A_GUARDED_ONE(Clients.class, (context) -> context.getBean("around", ChatClient.class)),

		INJECTED_CLIENT(Clients.class, (context) -> context.getBean(Agent.class).client()),

		AUTO_CONFIGURED_BUILDER(Clients.class,
				(context) -> context.getBean("chatClientBuilder", ChatClient.Builder.class).build());

		private final Class<?> beans;

		@SuppressWarnings("ImmutableEnumChecker")
		private final Function<ApplicationContext, ChatClient> client;

		Variant(Class<?> beans, Function<ApplicationContext, ChatClient> client) {
			this.beans = beans;
			this.client = client;
		}

	}

	static Stream<Arguments> variants() {
		return Stream.of(Variant.values())
			.flatMap((variant) -> Stream.of(Way.values()).map((way) -> Arguments.of(variant, way)));
	}

	@BeforeEach
	void forget() {
		this.heard.clear();
		this.tools.cities.clear();
	}

	private void run(Variant variant, Consumer<Application> test) {
		test.accept(Application.shared(this.contexts, variant.beans, () -> runner(variant)));
	}

	private ApplicationContextRunner runner(Variant variant) {
		PreLlmHook beforeModel = (call) -> {
			this.heard.add("model call");
			return LlmDecision.approve();
		};
		PreRunHook beforeRun = (run) -> {
			this.heard.add("run");
			return RunDecision.approve();
		};
		return Application.runner((call) -> {
			this.heard.add(call.tool());
			return ToolDecision.deny("No");
		})
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
					SpringAiModelCallsAutoConfiguration.class))
			.withUserConfiguration(variant.beans)
			.withPropertyValues("hooks.tool_call.unguarded=deny")
			.withBean("beforeModel", PreLlmHook.class, () -> beforeModel)
			.withBean("beforeRun", PreRunHook.class, () -> beforeRun);
	}

	@ParameterizedTest
	@MethodSource("variants")
	void everythingIsDecidedOnce(Variant variant, Way way) {
		run(variant, (application) -> {
			application.model().calls("weather", PARIS);
			way.ask(variant.client.apply(application.context()).prompt("Weather?").tools(this.tools));
			assertThat(this.tools.cities).isEmpty();
			assertThat(this.heard).containsExactly("run", "model call", "weather", "model call");
			assertThat(application.model().replies()).singleElement().asString().contains("denied by hook 'hook'");
			assertThat(application.outcome().requested().context().attributes().get(CallAttributes.PROVIDER_CALL_ID))
				.isEqualTo("call-1");
		});
	}

	@ParameterizedTest
	@MethodSource("variants")
	void unknownToolIsRefusedAndTold(Variant variant, Way way) {
		run(variant, (application) -> {
			application.model().calls("hidden", PARIS).says("Sorry");
			assertThat(way.ask(variant.client.apply(application.context()).prompt("Weather?").tools(this.tools)).text())
				.isEqualTo("Sorry");
			assertThat(Builders.hidden.cities).isEmpty();
			assertThat(application.outcome().decidedBy()).isEqualTo("unknown-tool");
		});
	}

	@ParameterizedTest
	@MethodSource("variants")
	void blockedRunAsksNoModel(Variant variant, Way way) {
		Application blocked = Application.shared(this.contexts, "closed " + variant.beans,
				() -> runner(variant).withBean("closed", PreRunHook.class, () -> (run) -> RunDecision.deny("Closed")));
		ChatClient client = variant.client.apply(blocked.context());
		assertThatException().isThrownBy(() -> way.ask(client.prompt("Weather?"))).withMessageContaining("Closed");
		assertThat(blocked.model().prompts()).isEmpty();
	}

	@Test
	void clientsThatHaveTheAdvisorsStayWhatTheyAre() {
		Application.run(runner(Variant.CREATED_CLIENT), (application) -> {
			ApplicationContext context = application.context();
			assertThat(advisors(context.getBean("created", ChatClient.class))).hasSize(4);
			assertThat(context.getBean("created")).isExactlyInstanceOf(DefaultChatClient.class);
			assertThat(advisors(context.getBean("fromAutoConfigured", ChatClient.class))).hasSize(4);
			assertThat(context.getBean("fromAutoConfigured")).isSameAs(FromAutoConfigured.made);
			assertThat(advisors(application.client())).hasSize(4);
		});
	}

	@Test
	void startFailsWhenAClientWasRegisteredReadyMade() {
		runner(Variant.CREATED_CLIENT)
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("ready", ChatClient.create(new ScriptedChatModel())))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("would not pass the hooks")
				.hasMessageContaining("'ready'"));
	}

	@Test
	void startFailsWhenAModelWasRegisteredReadyMade() {
		runner(Variant.CREATED_CLIENT)
			.withInitializer((context) -> context.getBeanFactory().registerSingleton("ready", new ScriptedChatModel()))
			.withAllowBeanDefinitionOverriding(true)
			.withBean("scriptedChatModel", ScriptedChatModel.class, ScriptedChatModel::new,
					(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("would not pass the hooks")
				.hasMessageContaining("'ready'"));
	}

	@Test
	void clientsWithoutHooksAroundModelCallsHaveThoseOfToolsOnly() {
		Application.run(
				Application.runner((call) -> ToolDecision.approve())
					.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class,
							RunHooksAutoConfiguration.class, SpringAiModelCallsAutoConfiguration.class))
					.withUserConfiguration(Clients.class),
				(application) -> assertThat(advisors(application.context().getBean("created", ChatClient.class)))
					.hasSize(2)
					.hasOnlyElementsOfTypes(ToolHooksAdvisor.class, ClientRunAdvisor.class));
	}

	@Test
	void hookThatAsksAnOwnClientIsNotAskedAboutThat() {
		ApplicationContextRunner runner = Application.runner((call) -> ToolDecision.approve())
			.withConfiguration(HookTypes.with(LlmCallHooksAutoConfiguration.class, RunHooksAutoConfiguration.class,
					SpringAiModelCallsAutoConfiguration.class))
			.withUserConfiguration(Judge.class);
		Application.run(runner, (application) -> {
			application.model().says("yes").says("yes").says("Sunny");
			assertThat(Way.CALL.ask(application.client().prompt("Weather?")).text()).isEqualTo("Sunny");
			assertThat(application.model().prompts()).hasSize(3);
		});
	}

	@Test
	void aspectOfAClientLearnsNothingOfTheStart() {
		List<String> seen = new ArrayList<>();
		MethodInterceptor secured = (invocation) -> {
			seen.add(invocation.getMethod().getName());
			throw new IllegalStateException("Nobody is logged in");
		};
		Application.run(runner(Variant.CREATED_CLIENT)
			.withBean("aspect", BeanPostProcessor.class, () -> new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					if (!beanName.equals("secured")) {
						return bean;
					}
					ProxyFactory factory = new ProxyFactory(bean);
					factory.addAdvice(secured);
					return factory.getProxy();
				}

			})
			.withBean("secured", ChatClient.class, () -> ChatClient.create(new ScriptedChatModel())),
				(application) -> assertThat(seen).isEmpty());
	}

	@Test
	void mockedClientAnswersWhatTheTestSays() {
		ChatClient mock = Mockito.mock(ChatClient.class, Mockito.RETURNS_DEEP_STUBS);
		Mockito.when(mock.prompt().user("Weather?").call().content()).thenReturn("Sunny");
		Application.run(runner(Variant.CREATED_CLIENT).withBean("mock", ChatClient.class, () -> mock),
				(application) -> assertThat(application.context()
					.getBean("mock", ChatClient.class)
					.prompt()
					.user("Weather?")
					.call()
					.content()).isEqualTo("Sunny"));
	}

	private static List<Advisor> advisors(ChatClient client) {
		return ((DefaultChatClientRequestSpec) client.prompt()).getAdvisors();
	}

	@Configuration(proxyBeanMethods = false)
	static class Builders {

		static final WeatherTools hidden = new WeatherTools();

		@Bean
		ChatClient.Builder singleton(ChatModel model) {
			return ChatClient.builder(model);
		}

		@Bean
		@Scope("prototype")
		ChatClient.Builder prototype(ChatModel model) {
			return ChatClient.builder(model);
		}

		@Bean
		@Lazy
		ChatClient.Builder lazy(ChatModel model) {
			return ChatClient.builder(model);
		}

		@Bean
		FactoryBean<ChatClient.Builder> factory(ChatModel model) {
			return new Factory<>(ChatClient.Builder.class, () -> ChatClient.builder(model));
		}

		/**
		 * Its manager would find a tool that nobody offered.
		 */
		@Bean
		ChatClient.Builder loop(ChatModel model) {
			ToolCallback tool = ToolCallbacks.from(hidden)[0];
			ToolCallingManager manager = ToolCallingManager.builder()
				.resolutionFallbackEnabled(true)
				.toolCallbackResolver((name) -> (name.equals("hidden")) ? tool
						: new StaticToolCallbackResolver(List.of()).resolve(name))
				.build();
			return ChatClient.builder(model)
				.defaultAdvisors(ToolCallingAdvisor.builder().toolCallingManager(manager).build());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Clients {

		@Bean
		ChatClient created(ChatModel model) {
			return ChatClient.create(model);
		}

		@Bean
		@Scope("prototype")
		ChatClient prototype(ChatModel model) {
			return ChatClient.create(model);
		}

		@Bean
		@Lazy
		ChatClient lazy(ChatModel model) {
			return ChatClient.create(model);
		}

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.INTERFACES)
		ChatClient scoped(ChatModel model) {
			return ChatClient.create(model);
		}

		@Bean
		FactoryBean<ChatClient> factory(ChatModel model) {
			return new Factory<>(ChatClient.class, () -> ChatClient.create(model));
		}

		@Bean
		ChatClient advised(ChatModel model) {
			return ChatClient.builder(model)
				.defaultAdvisors(ToolCallingAdvisor.builder().build())
				.defaultUser("Hello")
				.build();
		}

		@Bean
		OwnClient own(ChatModel model) {
			return new OwnClient(ChatClient.create(model));
		}

		@Bean("final")
		ChatClient finalClient(ChatModel model) {
			return new FinalClient(ChatClient.create(model));
		}

		@Bean
		ChatClient subclass(ChatModel model) {
			return new Subclass((DefaultChatClientRequestSpec) ChatClient.create(model).prompt());
		}

		@Bean
		ChatClient around(ObjectProvider<ChatModel> model, ChatClient created) {
			return new FinalClient(created);
		}

		@Bean
		ChatClient fromAutoConfigured(ChatClient.Builder builder) {
			FromAutoConfigured.made = builder.build();
			return FromAutoConfigured.made;
		}

		@Bean
		Agent agent(ChatClient created) {
			return new Agent(created);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Judge {

		@Bean
		ChatClient judge(ChatModel model) {
			return ChatClient.create(model);
		}

		@Bean
		PreRunHook beforeRun(ChatClient judge) {
			return (run) -> ("yes".equals(judge.prompt("Run?").call().content())) ? RunDecision.approve()
					: RunDecision.deny("No");
		}

		@Bean
		PreLlmHook beforeModel(ChatClient judge) {
			return (call) -> ("yes".equals(judge.prompt("Model?").call().content())) ? LlmDecision.approve()
					: LlmDecision.deny("No");
		}

	}

	static final class FromAutoConfigured {

		static ChatClient made = ChatClient.create(new ScriptedChatModel());

		private FromAutoConfigured() {
		}

	}

	record Agent(ChatClient client) {
	}

	record Factory<T>(Class<?> type, Supplier<T> object) implements FactoryBean<T> {

		@Override
		public T getObject() {
			return this.object.get();
		}

		@Override
		public Class<?> getObjectType() {
			return this.type;
		}

	}

	/**
	 * Leads to another client.
	 */
	static class OwnClient implements ChatClient {

		private final ChatClient client;

		OwnClient(ChatClient client) {
			this.client = client;
		}

		@Override
		public ChatClientRequestSpec prompt() {
			return this.client.prompt();
		}

		@Override
		public ChatClientRequestSpec prompt(String content) {
			return this.client.prompt(content);
		}

		@Override
		public ChatClientRequestSpec prompt(Prompt prompt) {
			return this.client.prompt(prompt);
		}

		@Override
		public Builder mutate() {
			return this.client.mutate();
		}

	}

	static final class FinalClient extends OwnClient {

		FinalClient(ChatClient client) {
			super(client);
		}

	}

	static class Subclass extends DefaultChatClient {

		Subclass(DefaultChatClientRequestSpec question) {
			super(question);
		}

	}

}
