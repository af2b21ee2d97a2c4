package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.binding.InvalidFeatureException;
import io.agenthooks.spring.binding.MissingModuleException;
import io.agenthooks.spring.guard.ChildContextGuard;
import io.agenthooks.spring.guard.UnguardedConsequence;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Stops the start if hooks are configured, but their auto-configuration is excluded or in
 * a missing module: a policy that is not applied must not look like one. For what only
 * brings the calls of a framework, {@code hooks.tool_call.unguarded} may say otherwise. A
 * context without hooks below one with hooks is guarded by those.
 */
final class ActiveHooksInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Logger logger = LoggerFactory.getLogger(ActiveHooksInitializer.class);

	private static final String OURS = "io.agenthooks.spring.";

	private static final String AUDIT = "audit.AuditAutoConfiguration";

	private static final List<Part> PARTS = List.of(
			new Part(HookSection.TOOL_CALL, ToolCallHooksAutoConfiguration.Active.class),
			new Part(HookSection.LLM_CALL, LlmCallHooksAutoConfiguration.Active.class),
			new Part(HookSection.RUN, RunHooksAutoConfiguration.Active.class));

	private static final List<Adapter> ADAPTERS = List.of(
			new Adapter("hooks-spring-ai", "ai.SpringAiToolCallsAutoConfiguration",
					"org.springframework.ai.model.tool.ToolCallingManager", "calls of tools by Spring AI",
					List.of(HookSection.TOOL_CALL)),
			new Adapter("hooks-mcp", "mcp.McpToolCallsAutoConfiguration",
					"io.modelcontextprotocol.server.McpServerFeatures", "calls of tools by clients of an MCP server",
					List.of(HookSection.TOOL_CALL)),
			new Adapter("hooks-langchain4j", "langchain4j.LangChain4jHooksAutoConfiguration",
					"dev.langchain4j.model.chat.ChatModel", "AI services and models of LangChain4j",
					List.of(HookSection.TOOL_CALL, HookSection.LLM_CALL, HookSection.RUN)),
			new Adapter("hooks-spring-ai", "ai.SpringAiModelCallsAutoConfiguration",
					"org.springframework.ai.chat.client.ChatClient", "model calls and runs of Spring AI's ChatClient",
					List.of(HookSection.LLM_CALL, HookSection.RUN)));

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		// Runs when all bean definitions are there and no bean yet.
		context.addBeanFactoryPostProcessor((beanFactory) -> check(beanFactory, context.getEnvironment()));
	}

	private static void check(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
		HookPropertySources hooks = HookPropertySources.of(environment);
		ChildContextGuard.guardByParent(beanFactory);
		List<String> missing = PARTS.stream()
			.filter((part) -> hooks.isPresent(part.section()) && !hooks.isDisabled(part.section())
					&& !exists(part.active(), beanFactory))
			.map((part) -> Objects.requireNonNull(part.active().getEnclosingClass()).getName()
					+ ", for the hooks under 'hooks." + part.section().key() + "'")
			.toList();
		List<String> modules = MissingModuleException.ofFeatures(hooks, beanFactory.getBeanClassLoader());
		if (modules.isEmpty() && hooks.isFeatureEnabled("audit") && isExcluded(AUDIT, beanFactory)) {
			missing = Stream.concat(missing.stream(), Stream.of(OURS + AUDIT + ", for 'hooks.audit'")).toList();
		}
		if (missing.isEmpty() && modules.isEmpty()) {
			checkAdapters(beanFactory, environment, hooks);
			return;
		}
		if (!isAutoConfigured(beanFactory) && !exists(ToolExecutor.class, beanFactory)) {
			// Not the application: a parent of its context, or a helper of Spring Cloud
			return;
		}
		if (isSlice(environment)) {
			logger.warn("Hooks are configured, but auto-configuration is off here: calls pass no hooks");
			return;
		}
		if (!modules.isEmpty()) {
			throw new MissingModuleException(modules);
		}
		throw new InactiveHooksException(missing);
	}

	private static void checkAdapters(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment,
			HookPropertySources hooks) {
		if (!isAutoConfigured(beanFactory) || isSlice(environment)) {
			return;
		}
		UnconnectedFrameworks.check(beanFactory, environment);
		List<Adapter> missing = ADAPTERS.stream().filter((adapter) -> adapter.isMissing(beanFactory, hooks)).toList();
		UnguardedConsequence consequence = UnguardedConsequence.of(environment,
				() -> missing.stream()
					.flatMap((adapter) -> adapter.sections().stream())
					.anyMatch((section) -> DecidingHooks.expected(section, beanFactory, environment).getAsBoolean()));
		if (missing.isEmpty() || consequence.isNothing()) {
			return;
		}
		@Nullable ClassLoader classLoader = beanFactory.getBeanClassLoader();
		List<String> modules = missing.stream()
			.filter((adapter) -> !adapter.hasModule(classLoader))
			.map((adapter) -> MissingModuleException.describe(adapter.module(), adapter.calls()))
			.toList();
		List<String> excluded = missing.stream()
			.filter((adapter) -> adapter.hasModule(classLoader))
			.map((adapter) -> adapter.autoConfiguration() + ", for " + adapter.calls())
			.toList();
		if (consequence.isDenial()) {
			throw (!modules.isEmpty()) ? new MissingModuleException(modules) : new InactiveHooksException(excluded);
		}
		warn("modules are missing", modules, "Add them");
		warn("auto-configurations are excluded", excluded, "Do not exclude them");
	}

	private static void warn(String what, List<String> missing, String advice) {
		if (!missing.isEmpty()) {
			logger.warn("There are hooks, but these {}, so calls do not reach the hooks: {}. {}; to start without them "
					+ "silently, set 'hooks.tool_call.unguarded' to 'ignore'.", what, missing, advice);
		}
	}

	/** Only that the packages are noted counts: of the default package they are empty. */
	private static boolean isAutoConfigured(ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.containsBean(AutoConfigurationPackages.class.getName());
	}

	private static boolean isSlice(ConfigurableEnvironment environment) {
		return !environment.getProperty(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
	}

	private static boolean isExcluded(String relativeName, ConfigurableListableBeanFactory beanFactory) {
		return !exists(ClassUtils.resolveClassName(OURS + relativeName, beanFactory.getBeanClassLoader()), beanFactory);
	}

	private static boolean exists(Class<?> type, ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.getBeanNamesForType(type, true, false).length > 0;
	}

	private record Part(HookSection<?> section, Class<?> active) {
	}

	/**
	 * The auto-configuration that brings the calls of a framework to the hooks.
	 *
	 * @param relativeName the auto-configuration, below the package of the starter
	 * @param needs the class of the framework that it needs
	 * @param calls what does not pass the hooks without it
	 */
	private record Adapter(String module, String relativeName, String needs, String calls,
			List<HookSection<?>> sections) {

		String autoConfiguration() {
			return OURS + this.relativeName;
		}

		boolean hasModule(@Nullable ClassLoader classLoader) {
			return ClassUtils.isPresent(autoConfiguration(), classLoader);
		}

		boolean isMissing(ConfigurableListableBeanFactory beanFactory, HookPropertySources hooks) {
			@Nullable ClassLoader classLoader = beanFactory.getBeanClassLoader();
			if (!ClassUtils.isPresent(this.needs, classLoader) || (hasModule(classLoader)
					&& exists(ClassUtils.resolveClassName(autoConfiguration(), classLoader), beanFactory))) {
				return false;
			}
			return this.sections.stream()
				.anyMatch((section) -> !hooks.isDisabled(section)
						&& (hooks.isPresent(section) || hasHook(section, beanFactory)));
		}

		private static boolean hasHook(HookSection<?> section, ConfigurableListableBeanFactory beanFactory) {
			return Stream.of(beanFactory.getBeanNamesForType(section.kind(), true, false))
				.anyMatch((name) -> !isOurs(name, beanFactory))
					|| (section.equals(HookSection.TOOL_CALL) && AnnotatedToolHooks.existIn(beanFactory));
		}

		private static boolean isOurs(String name, ConfigurableListableBeanFactory beanFactory) {
			if (!beanFactory.containsBeanDefinition(name)) {
				return false;
			}
			BeanDefinition definition = beanFactory.getBeanDefinition(name);
			return definition.getFactoryBeanName() != null && definition.getFactoryBeanName().startsWith(OURS);
		}

	}

	static final class InactiveHooksException extends InvalidFeatureException {

		private static final long serialVersionUID = 1L;

		InactiveHooksException(List<String> missing) {
			super("There are hooks, but calls would not pass them, because these auto-configurations are not active:\n\n"
					+ "   " + String.join("\n   ", missing),
					"Do not exclude them, nor switch the hooks off when the application is processed ahead of time. To "
							+ "switch the hooks off, set 'bypass_hooks' below their key to true, as in "
							+ "'hooks.tool_call.bypass_hooks: true'. If it is only the calls of a framework that are not to pass "
							+ "them, set 'hooks.tool_call.unguarded' to 'warn'.",
					null);
		}

	}

}
