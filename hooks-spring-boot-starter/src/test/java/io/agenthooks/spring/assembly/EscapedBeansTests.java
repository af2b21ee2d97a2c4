package io.agenthooks.spring.assembly;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.resolution.StaticToolCallbackResolver;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ResolvableType;
import org.springframework.test.util.AopTestUtils;
import org.springframework.test.util.ReflectionTestUtils;

import io.agenthooks.spring.HookTypes;
import io.agenthooks.spring.ai.SpringAiToolCallsAutoConfiguration;
import io.agenthooks.spring.guard.ChildContextGuard;
import io.agenthooks.spring.guard.PlainCollections;
import io.agenthooks.spring.guard.UnguardedBeansException;
import io.agenthooks.spring.langchain4j.LangChain4jHooksAutoConfiguration;
import io.agenthooks.spring.mcp.McpToolCallsAutoConfiguration;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whichever way something that runs tools becomes a bean, and whatever it is: its calls
 * pass the hooks, or the application does not start.
 */
class EscapedBeansTests {

	private static final String NAME = "thing";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				HookTypes.with(ToolCallHooksAutoConfiguration.class, SpringAiToolCallsAutoConfiguration.class,
						McpToolCallsAutoConfiguration.class, LangChain4jHooksAutoConfiguration.class))
		.withBean("nothing", PreToolHook.class, () -> (call) -> ToolDecision.deny("nothing is allowed"));

	static Stream<Arguments> thingsInWays() {
		return Arrays.stream(Thing.values())
			.flatMap((thing) -> Arrays.stream(Way.values()).map((way) -> Arguments.of(thing, way)));
	}

	static Stream<Arguments> thingsInContexts() {
		return Arrays.stream(Thing.values())
			.flatMap((thing) -> Arrays.stream(Family.values()).map((family) -> Arguments.of(thing, family)));
	}

	@ParameterizedTest
	@MethodSource("thingsInWays")
	void passesTheHooksOrStopsTheStart(Thing thing, Way way) {
		AtomicInteger runs = new AtomicInteger();
		this.application.withInitializer((context) -> way.add(thing, runs, (GenericApplicationContext) context))
			.run((context) -> {
				if (way.mayStart()) {
					assertThat(context).hasNotFailed();
					call(thing, context.getBean(NAME));
				}
				else {
					assertThat(NestedExceptionUtils
						.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure())))
						.isInstanceOf(UnguardedBeansException.class)
						.hasMessageContaining("'" + NAME + "'");
				}
				assertThat(runs).hasValue(0);
			});
	}

	/**
	 * A bean, or what is in it.
	 */
	private static void call(Thing thing, Object bean) {
		List<Object> things = (thing.type.isInstance(bean)) ? List.of(bean) : given(bean).toList();
		assertThat(things).filteredOn(thing.type::isInstance).isNotEmpty().allSatisfy(thing::call);
	}

	private static Stream<Object> given(Object bean) {
		if (bean instanceof Supplier<?> supplier) {
			return with(supplier.get());
		}
		if (bean instanceof ObjectProvider<?> provider) {
			List<Object> given = new ArrayList<>(List.of(provider.getObject(), provider.iterator().next()));
			provider.ifAvailable(given::add);
			provider.forEach(given::add);
			return Stream.concat(given.stream(), provider.stream());
		}
		if (bean instanceof ObjectFactory<?> factory) {
			return with(factory.getObject());
		}
		if (bean instanceof Callable<?> callable) {
			try {
				return with(callable.call());
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}
		if (bean instanceof Function<?, ?>) {
			List<Object> given = new ArrayList<>();
			@SuppressWarnings("unchecked")
			Function<Object, Object> function = (Function<Object, Object>) bean;
			given.add(function.apply("name"));
			assertThat(function.andThen(given::add).apply("name")).isEqualTo(true);
			return given.stream();
		}
		return PlainCollections.elements(bean).flatMap(EscapedBeansTests::with);
	}

	private static Stream<Object> with(Object given) {
		return Stream.concat(Stream.of(given), given(given));
	}

	@Test
	void whatIsRefusedAfterTheStartDoesNotStay() {
		this.application.run((context) -> {
			ConfigurableListableBeanFactory factory = context.getSourceApplicationContext().getBeanFactory();
			ToolExecutor late = (call) -> ToolResult.success("ran");
			assertThatExceptionOfType(UnguardedBeansException.class)
				.isThrownBy(() -> factory.registerSingleton(NAME, late))
				.withMessageContaining("'" + NAME + "'");
			assertThat(factory.containsBean(NAME)).isFalse();
			assertThat(factory.getBeanNamesForType(ToolExecutor.class)).isEmpty();
			factory.registerSingleton(NAME, "any other object");
			assertThat(factory.getBean(NAME)).isEqualTo("any other object");
		});
	}

	@Test
	void beansThatGiveSomethingElseStayWhatTheyAre() {
		Supplier<String> text = () -> "text";
		Function<Object, Object> function = (input) -> input;
		this.application
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBeanDefinition("text",
					given(ResolvableType.forClassWithGenerics(Supplier.class, String.class), text)))
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBeanDefinition("function",
					given(ResolvableType.forClass(Function.class), function)))
			.withBean("own", TextSupplier.class, TextSupplier::new)
			.run((context) -> {
				assertThat(context.getBean("text")).isSameAs(text);
				assertThat(context.getBean("function")).isSameAs(function);
				assertThat(context.getBean("own").getClass()).isEqualTo(TextSupplier.class);
			});
	}

	private static RootBeanDefinition given(ResolvableType type, Object bean) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(type);
		definition.setInstanceSupplier(() -> bean);
		return definition;
	}

	@ParameterizedTest
	@MethodSource("thingsInContexts")
	void passesTheHooksOfAnotherContextOrIsRefused(Thing thing, Family family) {
		AtomicInteger runs = new AtomicInteger();
		this.application.withInitializer((context) -> family.before(thing, runs, context)).run((context) -> {
			if (family.stopsTheStart()) {
				assertThat(context).getFailure()
					.isInstanceOf(UnguardedBeansException.class)
					.hasMessageContaining("'" + NAME + "'");
			}
			else {
				assertThat(context).hasNotFailed();
				family.after(thing, runs, context.getSourceApplicationContext());
			}
			assertThat(runs).hasValue(0);
		});
	}

	@Test
	void thingsRunWithoutHooks() {
		for (Thing thing : Thing.values()) {
			AtomicInteger runs = new AtomicInteger();
			thing.call(thing.make(runs));
			assertThat(runs).as(thing.name()).hasValue(1);
		}
	}

	/**
	 * What runs tools.
	 */
	enum Thing {

		EXECUTOR(ToolExecutor.class) {

			@Override
			Object make(AtomicInteger runs) {
				return new Tools(runs);
			}

			@Override
			void call(Object bean) {
				((ToolExecutor) bean).execute(ToolCall.of("t", Map.of()));
			}

		},

		CALLBACK(ToolCallback.class) {

			@Override
			Object make(AtomicInteger runs) {
				return callback(runs);
			}

			@Override
			void call(Object bean) {
				((ToolCallback) bean).call("{}");
			}

		},

		PROVIDER(ToolCallbackProvider.class) {

			@Override
			Object make(AtomicInteger runs) {
				return ToolCallbackProvider.from(callback(runs));
			}

			@Override
			void call(Object bean) {
				((ToolCallbackProvider) bean).getToolCallbacks()[0].call("{}");
			}

		},

		RESOLVER(ToolCallbackResolver.class) {

			@Override
			Object make(AtomicInteger runs) {
				return new StaticToolCallbackResolver(List.of(callback(runs)));
			}

			@Override
			void call(Object bean) {
				ToolCallback tool = ((ToolCallbackResolver) bean).resolve("t");
				if (tool == null) {
					throw new AssertionError("No tool");
				}
				tool.call("{}");
			}

		},

		MANAGER(ToolCallingManager.class) {

			@SuppressWarnings("ImmutableEnumChecker") // one test uses it at a time
			private @Nullable ToolCallback tool;

			@Override
			Object make(AtomicInteger runs) {
				this.tool = callback(runs);
				return ToolCallingManager.builder().build();
			}

			@Override
			void call(Object bean) {
				ToolCallback tool = this.tool;
				if (tool == null) {
					throw new AssertionError("No tool");
				}
				AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("1", "function", "t", "{}");
				((ToolCallingManager) bean).executeToolCalls(
						new Prompt("?", ToolCallingChatOptions.builder().toolCallbacks(List.of(tool)).build()),
						new ChatResponse(List.of(new Generation(
								AssistantMessage.builder().content("").toolCalls(List.of(call)).build()))));
			}

		},

		MCP_TOOL(McpServerFeatures.SyncToolSpecification.class) {

			@Override
			Object make(AtomicInteger runs) {
				return new McpServerFeatures.SyncToolSpecification(McpSchema.Tool.builder("t", Map.of()).build(),
						(exchange, request) -> {
							runs.incrementAndGet();
							return McpSchema.CallToolResult.builder().addTextContent("ran").build();
						});
			}

			@Override
			@SuppressWarnings("NullAway")
			void call(Object bean) {
				Objects.requireNonNull(((McpServerFeatures.SyncToolSpecification) bean).callHandler()
					.apply(null, new McpSchema.CallToolRequest("t", Map.of(), null)));
			}

		},

		MCP_SERVER(McpStatelessSyncServer.class) {

			@Override
			Object make(AtomicInteger runs) {
				return McpServer.sync(HttpServletStatelessServerTransport.builder().messageEndpoint("/mcp").build())
					.tools(new McpStatelessServerFeatures.SyncToolSpecification(
							McpSchema.Tool.builder("t", Map.of()).build(), (context, request) -> {
								runs.incrementAndGet();
								return McpSchema.CallToolResult.builder().addTextContent("ran").build();
							}))
					.build();
			}

			@Override
			void call(Object bean) {
				ServerTools.call(bean, new McpSchema.CallToolRequest("t", Map.of(), null));
			}

		};

		private final Class<?> type;

		Thing(Class<?> type) {
			this.type = type;
		}

		abstract Object make(AtomicInteger runs);

		abstract void call(Object bean);

		private static ToolCallback callback(AtomicInteger runs) {
			return FunctionToolCallback.builder("t", (Map<String, Object> input) -> {
				runs.incrementAndGet();
				return "ran";
			}).description("t").inputType(Map.class).build();
		}

		void register(AtomicInteger runs, GenericApplicationContext context, Consumer<RootBeanDefinition> customizer) {
			register(runs, context, Function.identity(), ResolvableType.forClass(this.type), customizer);
		}

		void register(AtomicInteger runs, GenericApplicationContext context, Function<Object, Object> around,
				ResolvableType type, Consumer<RootBeanDefinition> customizer) {
			RootBeanDefinition definition = new RootBeanDefinition();
			definition.setTargetType(type);
			definition.setInstanceSupplier(() -> around.apply(make(runs)));
			customizer.accept(definition);
			context.registerBeanDefinition(NAME, definition);
		}

	}

	/**
	 * How it becomes a bean.
	 */
	enum Way {

		PLAIN(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> {
				});
			}

		},

		LAZY(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> definition.setLazyInit(true));
			}

		},

		PROTOTYPE(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> definition.setScope("prototype"));
			}

		},

		DECLARED_AS_OBJECT(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, Function.identity(), ResolvableType.forClass(Object.class),
						(definition) -> {
						});
			}

		},

		READY_MADE(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				context.getBeanFactory().registerSingleton(NAME, thing.make(runs));
			}

		},

		READY_MADE_IN_A_LIST(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				context.getBeanFactory().registerSingleton(NAME, new ArrayList<>(List.of(thing.make(runs))));
			}

		},

		READY_MADE_IN_AN_OPTIONAL(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				context.getBeanFactory().registerSingleton(NAME, Optional.of(thing.make(runs)));
			}

		},

		NEEDED_BY_A_FACTORY_POST_PROCESSOR(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> {
				});
				context.addBeanFactoryPostProcessor((factory) -> factory.getBean(NAME));
			}

		},

		NEEDED_BY_THE_FIRST_POST_PROCESSOR(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> {
				});
				context.registerBean("aFirst", FirstPostProcessor.class,
						() -> new FirstPostProcessor(context.getBean(NAME)));
			}

		},

		HIDDEN_BY_A_LATER_POST_PROCESSOR(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> {
				});
				Object bare = thing.make(runs);
				context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
			}

		},

		LAZY_AND_HIDDEN(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (definition) -> definition.setLazyInit(true));
				Object bare = thing.make(runs);
				context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
				context.registerBean("caller", Caller.class, () -> new Caller(context));
			}

		},

		IN_AN_OPTIONAL(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, Optional::of,
						ResolvableType.forClassWithGenerics(Optional.class, thing.type), (definition) -> {
						});
			}

		},

		IN_A_LIST(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, List::of, ResolvableType.forClassWithGenerics(List.class, thing.type),
						(definition) -> {
						});
			}

		},

		IN_A_SET(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, Set::of, ResolvableType.forClassWithGenerics(Set.class, thing.type),
						(definition) -> {
						});
			}

		},

		IN_A_MAP(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> Map.of("one", one),
						ResolvableType.forClassWithGenerics(Map.class, String.class, thing.type), (definition) -> {
						});
			}

		},

		IN_A_MAP_OF_LISTS(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> Map.of("all", List.of(one)), ResolvableType.forClass(Map.class),
						(definition) -> {
						});
			}

		},

		IN_AN_ARRAY_OF_ITS_TYPE(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				Class<?> array = thing.type.arrayType();
				thing.register(runs, context, (one) -> {
					Object[] things = (Object[]) Array.newInstance(thing.type, 1);
					things[0] = one;
					return things;
				}, ResolvableType.forClass(array), (definition) -> {
				});
			}

		},

		IN_A_LAZY_LIST(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, List::of, ResolvableType.forClass(List.class),
						(definition) -> definition.setLazyInit(true));
			}

		},

		IN_A_LIST_OF_A_PROTOTYPE(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, List::of, ResolvableType.forClass(List.class),
						(definition) -> definition.setScope("prototype"));
			}

		},

		IN_A_LIST_THAT_IS_LAZY_AND_HIDDEN(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, List::of, ResolvableType.forClass(List.class),
						(definition) -> definition.setLazyInit(true));
				Object bare = List.of(thing.make(runs));
				context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
				context.registerBean("caller", Caller.class, () -> new Caller(context));
			}

		},

		AS_THE_KEY_OF_A_MAP(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> Map.of(one, "one"), ResolvableType.forClass(Map.class),
						(definition) -> {
						});
			}

		},

		IN_A_REFERENCE(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, AtomicReference::new, ResolvableType.forClass(AtomicReference.class),
						(definition) -> {
						});
			}

		},

		IN_A_FUTURE(false) {

			@Override
			@SuppressWarnings("FutureReturnValueIgnored") // the bean is the future
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				Function<Object, Object> future = CompletableFuture::completedFuture;
				thing.register(runs, context, future,
						ResolvableType.forClassWithGenerics(CompletableFuture.class, thing.type), (definition) -> {
						});
			}

		},

		GIVEN_BY_A_SUPPLIER(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Supplier<Object>) () -> one,
						ResolvableType.forClassWithGenerics(Supplier.class, thing.type), (definition) -> {
						});
			}

		},

		GIVEN_BY_A_SUPPLIER_OF_ANYTHING(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Supplier<Object>) () -> one,
						ResolvableType.forClass(Object.class), (definition) -> {
						});
			}

		},

		GIVEN_BY_A_CLASS(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, OwnSupplier::new, ResolvableType.forClass(OwnSupplier.class),
						(definition) -> {
						});
			}

		},

		GIVEN_BY_A_LAZY_SUPPLIER(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Supplier<Object>) () -> one,
						ResolvableType.forClassWithGenerics(Supplier.class, thing.type),
						(definition) -> definition.setLazyInit(true));
			}

		},

		GIVEN_BY_A_SUPPLIER_OF_LISTS(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Supplier<Object>) () -> List.of(one), ResolvableType
					.forClassWithGenerics(Supplier.class, ResolvableType.forClassWithGenerics(List.class, thing.type)),
						(definition) -> {
						});
			}

		},

		GIVEN_BY_A_SUPPLIER_OF_SUPPLIERS(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> {
					Supplier<Object> inner = () -> one;
					return (Supplier<Object>) () -> inner;
				}, ResolvableType.forClassWithGenerics(Supplier.class,
						ResolvableType.forClassWithGenerics(Supplier.class, thing.type)), (definition) -> {
						});
			}

		},

		GIVEN_BY_SUPPLIERS_IN_A_MAP(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> Map.of("one", List.of((Supplier<Object>) () -> one)),
						ResolvableType.forClass(Map.class), (definition) -> {
						});
			}

		},

		GIVEN_BY_AN_OBJECT_FACTORY(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (ObjectFactory<Object>) () -> one,
						ResolvableType.forClassWithGenerics(ObjectFactory.class, thing.type), (definition) -> {
						});
			}

		},

		GIVEN_BY_AN_OBJECT_PROVIDER(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, OwnProvider::new,
						ResolvableType.forClassWithGenerics(ObjectProvider.class, thing.type), (definition) -> {
						});
			}

		},

		GIVEN_BY_A_CALLABLE(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Callable<Object>) () -> one,
						ResolvableType.forClassWithGenerics(Callable.class, thing.type), (definition) -> {
						});
			}

		},

		GIVEN_BY_A_FUNCTION(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Function<Object, Object>) (name) -> one,
						ResolvableType.forClassWithGenerics(Function.class, String.class, thing.type), (definition) -> {
						});
			}

		},

		GIVEN_BY_A_READY_MADE_SUPPLIER(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				Object one = thing.make(runs);
				context.getBeanFactory().registerSingleton(NAME, (Supplier<Object>) () -> one);
			}

		},

		GIVEN_BY_A_HIDDEN_SUPPLIER(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> (Supplier<Object>) () -> one,
						ResolvableType.forClassWithGenerics(Supplier.class, thing.type), (definition) -> {
						});
				Object one = thing.make(runs);
				Supplier<Object> bare = () -> one;
				context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
			}

		},

		READY_MADE_AFTER_THE_START(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				Object one = thing.make(runs);
				context.registerBean("late", Late.class, () -> new Late(context, one));
			}

		},

		READY_MADE_IN_A_MAP_AFTER_THE_START(false) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				Object one = Map.of("all", List.of(thing.make(runs)));
				context.registerBean("late", Late.class, () -> new Late(context, one));
			}

		},

		GIVEN_BY_A_SUPPLIER_READY_MADE_AFTER_THE_START(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				Object one = thing.make(runs);
				Supplier<Object> supplier = () -> one;
				context.registerBean("late", Late.class, () -> new Late(context, supplier));
			}

		},

		IN_AN_ARRAY(true) {

			@Override
			void add(Thing thing, AtomicInteger runs, GenericApplicationContext context) {
				thing.register(runs, context, (one) -> new Object[] { one }, ResolvableType.forClass(Object[].class),
						(definition) -> {
						});
			}

		};

		private final boolean mayStart;

		Way(boolean mayStart) {
			this.mayStart = mayStart;
		}

		boolean mayStart() {
			return this.mayStart;
		}

		abstract void add(Thing thing, AtomicInteger runs, GenericApplicationContext context);

	}

	/**
	 * In which other context it is a bean.
	 */
	enum Family {

		PLAIN_PARENT(true) {

			@Override
			void before(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				context.setParent(started(plain(thing, runs, null)));
			}

		},

		LAZY_IN_A_PLAIN_PARENT(true) {

			@Override
			void before(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext parent = new AnnotationConfigApplicationContext();
				thing.register(runs, parent, (definition) -> definition.setLazyInit(true));
				context.setParent(started(parent));
			}

		},

		PROTOTYPE_IN_A_PLAIN_GRANDPARENT(true) {

			@Override
			void before(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext grandparent = new AnnotationConfigApplicationContext();
				thing.register(runs, grandparent, (definition) -> definition.setScope("prototype"));
				GenericApplicationContext parent = new AnnotationConfigApplicationContext();
				parent.setParent(started(grandparent));
				context.setParent(started(parent));
			}

		},

		IN_A_LIST_OF_A_PLAIN_PARENT(true) {

			@Override
			void before(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext parent = new AnnotationConfigApplicationContext();
				parent.getBeanFactory().registerSingleton(NAME, List.of(thing.make(runs)));
				context.setParent(started(parent));
			}

		},

		PLAIN_CHILD(false) {

			@Override
			void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				refused(plain(thing, runs, context));
			}

		},

		LAZY_IN_A_PLAIN_CHILD(false) {

			@Override
			void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext child = new AnnotationConfigApplicationContext();
				child.setParent(context);
				thing.register(runs, child, (definition) -> definition.setLazyInit(true));
				refused(child);
			}

		},

		READY_MADE_IN_A_PLAIN_GRANDCHILD(false) {

			@Override
			void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext child = new AnnotationConfigApplicationContext();
				child.setParent(context);
				GenericApplicationContext grandchild = new AnnotationConfigApplicationContext();
				grandchild.setParent(started(child));
				grandchild.getBeanFactory().registerSingleton(NAME, thing.make(runs));
				refused(grandchild);
			}

		},

		CHILD_STARTED_WHILE_THE_PARENT_STARTS(true) {

			@Override
			void before(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				((GenericApplicationContext) context).registerBean("plugins", Plugins.class,
						() -> new Plugins(started(plain(thing, runs, context))));
			}

		},

		GUARDED_CHILD(false) {

			@Override
			void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext child = plain(thing, runs, context);
				context.getBean(ChildContextGuard.class).initialize(child);
				child.refresh();
				thing.call(child.getBean(NAME));
				child.close();
			}

		},

		READY_MADE_IN_A_GUARDED_CHILD(false) {

			@Override
			void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext child = new AnnotationConfigApplicationContext();
				child.setParent(context);
				context.getBean(ChildContextGuard.class).initialize(child);
				child.getBeanFactory().registerSingleton(NAME, thing.make(runs));
				refused(child);
			}

		},

		CHILD_OF_SPRING_BOOT(false) {

			@Override
			void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
				GenericApplicationContext child = plain(thing, runs, context);
				new ActiveHooksInitializer().initialize(child);
				child.refresh();
				thing.call(child.getBean(NAME));
				child.close();
			}

		};

		private final boolean stopsTheStart;

		Family(boolean stopsTheStart) {
			this.stopsTheStart = stopsTheStart;
		}

		boolean stopsTheStart() {
			return this.stopsTheStart;
		}

		void before(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
		}

		void after(Thing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
		}

		static GenericApplicationContext plain(Thing thing, AtomicInteger runs,
				@Nullable ConfigurableApplicationContext parent) {
			GenericApplicationContext context = new AnnotationConfigApplicationContext();
			context.setParent(parent);
			thing.register(runs, context, (definition) -> {
			});
			return context;
		}

		static ConfigurableApplicationContext started(GenericApplicationContext context) {
			context.refresh();
			return context;
		}

		static void refused(GenericApplicationContext child) {
			assertThatExceptionOfType(UnguardedBeansException.class).isThrownBy(child::refresh)
				.withMessageContaining("'" + NAME + "'");
			assertThat(child.isActive()).isFalse();
		}

	}

	/**
	 * Registers a bean when everything has started.
	 */
	record Late(GenericApplicationContext context, Object bean) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			this.context.getBeanFactory().registerSingleton(NAME, this.bean);
		}

	}

	static class OwnSupplier implements Supplier<Object> {

		private final Object given;

		OwnSupplier(Object given) {
			this.given = given;
		}

		@Override
		public Object get() {
			return this.given;
		}

	}

	record TextSupplier() implements Supplier<String> {

		@Override
		public String get() {
			return "text";
		}

	}

	record OwnProvider(Object given) implements ObjectProvider<Object> {

		@Override
		public Object getObject() {
			return this.given;
		}

		@Override
		public Stream<Object> stream() {
			return Stream.of(this.given);
		}

		@Override
		public Iterator<Object> iterator() {
			return stream().iterator();
		}

	}

	record Plugins(ConfigurableApplicationContext context) {
	}

	/**
	 * Uses a lazy bean when everything has started.
	 */
	record Caller(GenericApplicationContext context) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			this.context.getBean(NAME);
		}

	}

	/**
	 * Calls the only tool of a server as a client would.
	 */
	static final class ServerTools {

		private ServerTools() {
		}

		static void call(Object server, McpSchema.CallToolRequest request) {
			Object async = read(AopTestUtils.getUltimateTargetObject(server), "asyncServer");
			List<?> tools = (List<?>) read(async, "tools");
			((McpStatelessServerFeatures.AsyncToolSpecification) tools.get(0)).callHandler()
				.apply(McpTransportContext.EMPTY, request)
				.block();
		}

		private static Object read(Object object, String name) {
			return Objects.requireNonNull(ReflectionTestUtils.getField(object, name));
		}

	}

	record FirstPostProcessor(Object needed) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	record HidingPostProcessor(Object bare) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (beanName.equals(NAME)) ? this.bare : bean;
		}

	}

	static class Tools implements ToolExecutor {

		private final AtomicInteger runs;

		Tools(AtomicInteger runs) {
			this.runs = runs;
		}

		@Override
		public ToolResult execute(ToolCall call) {
			this.runs.incrementAndGet();
			return ToolResult.success("ran");
		}

	}

}
