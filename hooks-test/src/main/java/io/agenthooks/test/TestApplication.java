package io.agenthooks.test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;
import org.springframework.util.StringUtils;

import io.agenthooks.Hook;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmCallEvent;
import io.agenthooks.llmcall.LlmCallStatus;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.llmcall.LlmOutcome;
import io.agenthooks.llmcall.LlmResponse;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.run.RunEvent;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.run.RunInProgress;
import io.agenthooks.run.RunOutcome;
import io.agenthooks.run.RunStatus;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallEvent;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * A small application whose only tools are those of a test. It starts when it is needed,
 * much as {@code SpringApplication} would start it, but leaves logging alone.
 */
final class TestApplication {

	private static final String EXECUTOR = "recordingToolExecutor";

	private static final ConfigurationPropertyName HOOKS = ConfigurationPropertyName.of("hooks");

	private final Recorders recorders;

	private final TestSettings settings;

	private final TestClock clock = new TestClock();

	private @Nullable GenericApplicationContext context;

	private boolean closed;

	TestApplication(Recorders recorders, TestSettings settings) {
		this.recorders = recorders;
		this.settings = settings;
	}

	Recorders recorders() {
		return this.recorders;
	}

	TestSettings settings() {
		return this.settings;
	}

	TestClock clock() {
		return this.clock;
	}

	synchronized GenericApplicationContext start() {
		if (this.closed) {
			throw new IllegalStateException("This tester is closed");
		}
		if (this.context == null) {
			this.context = startContext();
		}
		return this.context;
	}

	private GenericApplicationContext startContext() {
		IsolatedEnvironment environment = new IsolatedEnvironment();
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		try {
			configure(environment);
			context.setEnvironment(environment);
			context.setAllowBeanDefinitionOverriding(false);
			context.setAllowCircularReferences(false);
			context.getBeanFactory().setConversionService(environment.getConversionService());
			addBeans(context);
			OwnAutoConfigurations.shareMetadata(context);
			context.addApplicationListener(new Attempt.FirstListener());
			context.refresh();
		}
		catch (RuntimeException | Error ex) {
			context.close();
			throw explained(ex, context.getBeanFactory(), environment);
		}
		try {
			checkConfigured(environment);
			UnguardedServices.refuse(context.getBeanFactory());
		}
		catch (IllegalStateException ex) {
			context.close();
			throw ex;
		}
		return context;
	}

	/**
	 * A test of a configuration that says nothing about hooks, such as that of a profile
	 * that is not active, would prove nothing.
	 */
	private void checkConfigured(ConfigurableEnvironment environment) {
		ConfigFile config = this.settings.config();
		if (config == null || config.isBlank() || !this.settings.beans().isEmpty()
				|| !this.settings.classes().isEmpty()) {
			return;
		}
		for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
			if (source.containsDescendantOf(HOOKS) == ConfigurationPropertyState.PRESENT
					|| source.getConfigurationProperty(HOOKS) != null) {
				return;
			}
		}
		throw new IllegalStateException(
				("%s says nothing below 'hooks' with the active profiles %s, so no hook is tested. "
						+ "Correct the location or 'spring.profiles.active', or test an application without hooks by ofYaml(\"\").")
					.formatted(config, Arrays.toString(environment.getActiveProfiles())));
	}

	private void configure(ConfigurableEnvironment environment) {
		environment.setConversionService(new ApplicationConversionService());
		MutablePropertySources sources = environment.getPropertySources();
		sources.addLast(new MapPropertySource("test", Map.copyOf(this.settings.properties())));
		sources.addLast(new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
				Map.copyOf(this.settings.environmentVariables())));
		ConfigFile config = this.settings.config();
		if (config != null) {
			sources.addLast(new MapPropertySource("location", Map.of("spring.config.location", config.location())));
			ConfigDataEnvironmentPostProcessor.applyTo(environment, config.resources(), null);
		}
	}

	/** Beans of the test come first: those of auto-configurations give way to them. */
	private void addBeans(AnnotationConfigApplicationContext context) {
		register(context, EXECUTOR, this.recorders.tools(), (definition) -> definition.setFallback(true));
		register(context, "testApprovalClock", this.clock, (definition) -> {
		});
		register(context, "testedNames", new TestedNames(), (definition) -> {
		});
		context.registerBean("testedPeople", TestedPeople.class);
		ToolApprover approver = this.settings.approver();
		if (approver != null) {
			register(context, "testToolApprover", approver, (definition) -> definition.setPrimary(true));
		}
		for (TestSettings.Bean bean : this.settings.beans()) {
			String name = (bean.name() != null) ? bean.name() : freeName(bean.instance(), context);
			register(context, name, bean.instance(), (definition) -> {
			});
		}
		this.settings.classes().forEach(context::register);
		context.register(OwnAutoConfigurations.class);
	}

	@SuppressWarnings("unchecked")
	private static <T> void register(GenericApplicationContext context, String name, T bean,
			BeanDefinitionCustomizer customizer) {
		context.registerBean(name, (Class<T>) bean.getClass(), () -> bean, customizer);
	}

	private static String freeName(Object bean, GenericApplicationContext context) {
		Class<?> type = bean.getClass();
		String name = (type.isHidden() || type.isAnonymousClass()) ? ((bean instanceof Hook) ? Hook.UNNAMED : "bean")
				: StringUtils.uncapitalizeAsProperty(type.getSimpleName());
		String free = name;
		for (int i = 2; context.containsBeanDefinition(free); i++) {
			free = name + "#" + i;
		}
		return free;
	}

	/** The message of Spring Boot, as an exception. */
	private static RuntimeException explained(Throwable failure, BeanFactory beanFactory, Environment environment) {
		ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, beanFactory)
			.and(Environment.class, environment);
		for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, arguments, FailureHandler.handleMessage((message, ex) -> {
			}))) {
			FailureAnalysis analysis = analyzer.analyze(failure);
			if (analysis != null) {
				String action = Objects.toString(analysis.getAction(), "");
				return new IllegalStateException((analysis.getDescription() + "\n\n" + action).strip(), failure);
			}
		}
		return new IllegalStateException(
				"The application with the hooks does not start: " + NestedExceptionUtils.getMostSpecificCause(failure),
				failure);
	}

	TestedToolCall call(ToolCall call) {
		GenericApplicationContext context = start();
		ToolExecutor tools = context.getBean(EXECUTOR, ToolExecutor.class);
		Attempt<ToolResult, ToolCallEvent> attempt = Attempt.of(ToolCallEvent.class,
				(event) -> event.call().id().equals(call.id()), () -> tools.execute(call));
		ToolResult result = attempt.result();
		ToolOutcome outcome = (attempt.last() instanceof ToolCallEvent.Ended ended) ? ended.outcome() : null;
		if (outcome == null) {
			checkUnguarded(context, ToolHookChain.class);
			boolean succeeded = result != null && result.succeeded();
			outcome = ToolOutcome.of(call, (succeeded) ? ToolCallStatus.SUCCEEDED : ToolCallStatus.FAILED, result,
					attempt.failure(), attempt.duration());
		}
		return new TestedToolCall(outcome, result, attempt.failure(), attempt.events());
	}

	TestedLlmCall call(LlmCall call) {
		GenericApplicationContext context = start();
		LlmHookChain chain = context.getBeanProvider(LlmHookChain.class).getIfAvailable();
		RecordingModel model = this.recorders.model();
		Attempt<LlmResponse, LlmCallEvent> attempt = Attempt.of(LlmCallEvent.class,
				(event) -> event.call().id().equals(call.id()),
				() -> (chain != null) ? chain.execute(call, model) : model.execute(call));
		LlmResponse response = attempt.result();
		LlmOutcome outcome = (attempt.last() instanceof LlmCallEvent.Ended ended) ? ended.outcome() : null;
		if (outcome == null) {
			checkUnguarded(context, LlmHookChain.class);
			outcome = new LlmOutcome(call, call, LlmDecision.approve(), null,
					(response != null) ? LlmCallStatus.SUCCEEDED : LlmCallStatus.FAILED, response, response,
					attempt.failure(), attempt.duration(), List.of(), List.of(), List.of(), List.of());
		}
		return new TestedLlmCall(outcome, response, attempt.failure(), attempt.events());
	}

	TestedRun run(AgentRun run) {
		GenericApplicationContext context = start();
		RunHookChain chain = context.getBeanProvider(RunHookChain.class).getIfAvailable();
		AtomicReference<@Nullable String> additionalContext = new AtomicReference<>();
		Attempt<String, RunEvent> attempt = Attempt.of(RunEvent.class, (event) -> event.run().id().equals(run.id()),
				() -> (chain != null) ? run(run, chain, additionalContext) : this.recorders.agent().run(run));
		RunOutcome outcome = (attempt.last() instanceof RunEvent.Ended ended) ? ended.outcome() : null;
		if (outcome == null) {
			checkUnguarded(context, RunHookChain.class);
			outcome = new RunOutcome(run, RunDecision.approve(), null,
					(attempt.failure() == null) ? RunStatus.SUCCEEDED : RunStatus.FAILED, attempt.result(), null,
					attempt.failure(), attempt.duration(), List.of(), List.of());
		}
		return new TestedRun(outcome, additionalContext.get(), attempt.failure(), attempt.events());
	}

	private String run(AgentRun run, RunHookChain chain, AtomicReference<@Nullable String> additionalContext) {
		RunInProgress progress = chain.begin(run);
		additionalContext.set(progress.additionalContext());
		String result;
		try {
			result = this.recorders.agent().run(run);
		}
		catch (Throwable ex) {
			progress.fail(ex);
			throw ex;
		}
		progress.finish(result, null);
		return result;
	}

	/** A call without events is fine if hooks are switched off. */
	private static void checkUnguarded(BeanFactory beanFactory, Class<?> chain) {
		if (beanFactory.getBeanProvider(chain).stream().findAny().isPresent()) {
			throw new IllegalStateException(("The call went through a %s that does not tell how it ended. "
					+ "Give that bean a listener that publishes its events, or use the chain of the starter.")
				.formatted(chain.getSimpleName()));
		}
	}

	synchronized void close() {
		this.closed = true;
		if (this.context != null) {
			this.context.close();
		}
	}

	/** An environment without the variables and properties of this machine. */
	private static final class IsolatedEnvironment extends StandardEnvironment {

		@Override
		protected void customizePropertySources(MutablePropertySources propertySources) {
			// Only what the test says
		}

	}

}
