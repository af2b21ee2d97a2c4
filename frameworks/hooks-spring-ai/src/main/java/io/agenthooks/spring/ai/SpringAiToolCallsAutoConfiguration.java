package io.agenthooks.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.mcp.AsyncMcpToolCallback;
import org.springframework.ai.mcp.McpToolsChangedEvent;
import org.springframework.ai.mcp.SyncMcpToolCallback;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.assembly.ConditionalOnHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.assembly.DecidingHooks;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.SoleBean;
import io.agenthooks.spring.guard.UnguardedCallListener;
import io.agenthooks.spring.guard.UnguardedConsequence;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ConversationContinuation;
import io.agenthooks.spring.suspend.SuspendedTurns;
import io.agenthooks.spring.suspend.ToolApprovals;

/**
 * Lets all calls of tools that Spring AI makes pass the hooks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ToolCallHooksAutoConfiguration.class)
@ConditionalOnClass(ToolCallingManager.class)
@ConditionalOnBean(ToolExecutorGuard.class)
@ConditionalOnHooks(Kind.TOOL_CALL)
@Import(ClientAdvisors.Adding.class)
public final class SpringAiToolCallsAutoConfiguration {

	private static final String FALLBACK = "spring.ai.tools.resolution.fallback.enabled";

	@Bean
	static SpringAiToolGuard springAiToolGuard(ObjectProvider<SpringAiToolHooks> hooks,
			ObjectProvider<ToolCallbackResolver> resolvers, ConfigurableEnvironment environment) {
		return new SpringAiToolGuard(hooks, fallback(resolvers, environment),
				HookPropertySources.of(environment).areToolCallbacksWrapped());
	}

	/** Finds tools that nobody offered, if the application wants that. */
	private static ToolCallbackResolver fallback(ObjectProvider<ToolCallbackResolver> resolvers,
			ConfigurableEnvironment environment) {
		return (environment.getProperty(FALLBACK, Boolean.class, false)) ? (tool) -> resolvers.orderedStream()
			.map((resolver) -> resolver.resolve(tool))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null) : (tool) -> null;
	}

	@Bean
	SoleBean soleObservationRegistry(ObjectProvider<ObservationRegistry> observations) {
		return new SoleBean(observations);
	}

	@Bean
	SpringAiToolHooks springAiToolHooks(ObjectProvider<ToolExecutorGuard> guard,
			ObjectProvider<CallContextCustomizer> customizers, ObjectProvider<ObservationRegistry> observations,
			ObjectProvider<SuspendedTurns> suspendedTurns, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment, ObjectProvider<OfferedSchemas> offered) {
		Supplier<List<CallContextCustomizer>> ordered = () -> customizers.orderedStream().toList();
		Supplier<ObservationRegistry> unique = () -> observations.getIfAvailable(() -> ObservationRegistry.NOOP);
		return new SpringAiToolHooks(SingletonSupplier.of(() -> guard.getObject().chain())::obtain,
				SingletonSupplier.of(ordered)::obtain, SingletonSupplier.of(unique)::obtain,
				new McpClients(beanFactory), CurrentUser.ofSpringSecurity(HookPropertySources.of(environment).claims()),
				SingletonSupplier.of(() -> offered.getIfAvailable(OfferedSchemas::new))::obtain,
				suspendedTurns::getIfAvailable);
	}

	@Bean
	static GuardedType guardedToolCallingManagers() {
		return new GuardedType(ToolCallingManager.class, SpringAiToolGuard::isGuarded, SpringAiToolGuard::prove)
			.withAdvice((manager) -> (GuardedToolCallingManager.isOfSpringAi((ToolCallingManager) manager)) ? null
					: GuardedToolCallingManager.INSTEAD);
	}

	@Bean
	static GuardedType guardedToolCallbacks(ConfigurableEnvironment environment) {
		List<Class<?>> types = (HookPropertySources.of(environment).areToolCallbacksWrapped())
				? List.of(ToolCallback.class, ToolCallbackProvider.class, ToolCallbackResolver.class) : List.of();
		return new GuardedType("ToolCallback and such", types, SpringAiToolGuard::isGuarded, SpringAiToolGuard::prove,
				null);
	}

	@Bean
	static OfferedToolsGuard offeredToolsGuard(ObjectProvider<UnguardedTools> unguarded,
			ObjectProvider<SpringAiToolHooks> hooks, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		return new OfferedToolsGuard(unguarded::getObject, SingletonSupplier.of(hooks::getObject)::obtain,
				UnguardedConsequence.of(environment,
						DecidingHooks.expected(HookSection.TOOL_CALL, beanFactory, environment)));
	}

	private static UnguardedConsequence consequence(ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		return UnguardedConsequence.of(environment, DecidingHooks.aboutTools(beanFactory, environment));
	}

	@Bean
	static GuardedType guardedChatModelsOfTools(ObjectProvider<OfferedToolsGuard> guard) {
		return new GuardedType("ChatModel", List.of(ChatModel.class), OfferedToolsGuard::isGuarded, (model, chain) -> 0,
				() -> guard.getObject().isWanted());
	}

	@Bean
	UnguardedTools unguardedTools(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment,
			ObjectProvider<UnguardedCallListener> listeners) {
		return new UnguardedTools(consequence(beanFactory, environment),
				(tool) -> listeners.forEach((listener) -> listener.found(tool)));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	@ImportRuntimeHints(LoopHints.class)
	static class ChatClientConfiguration {

		@Bean
		static GuardedType guardedChatClients() {
			return new GuardedType(ChatClient.class, SpringAiClientGuard::isGuarded, SpringAiClientGuard::prove);
		}

		@Bean
		static GuardedType guardedChatClientBuilders() {
			return new GuardedType("ChatClient.Builder", List.of(ChatClient.Builder.class),
					SpringAiClientGuard::isGuarded, SpringAiClientGuard::prove, null);
		}

	}

	/** Resumes what waited for people. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(ToolApprovals.class)
	@ImportRuntimeHints(MethodHints.class)
	static class ApprovalsConfiguration {

		@Bean
		SpringAiTools springAiResumableTools(SpringAiToolHooks hooks, ObjectProvider<ToolCallback> tools,
				ObjectProvider<ToolCallbackProvider> providers, ObjectProvider<ToolCallbackResolver> resolvers,
				ConfigurableEnvironment environment) {
			return new SpringAiTools(hooks, new SpringAiTools.Beans(tools::orderedStream, providers::orderedStream,
					fallback(resolvers, environment)));
		}

		@Bean
		SpringAiApprovals springAiApprovals(ObjectProvider<ToolApprovals> approvals, SpringAiTools tools,
				SpringAiToolHooks hooks) {
			return new SpringAiApprovals(approvals::getObject, tools, hooks);
		}

	}

	/** Goes on by itself with what waited for people. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	@ConditionalOnBean(ToolApprovals.class)
	@ConditionalOnProperty(name = "hooks.approval.resume", havingValue = "auto")
	static class ContinuationConfiguration {

		@Bean
		ConversationContinuation springAiContinuation(SpringAiApprovals approvals, ListableBeanFactory beanFactory,
				ObjectProvider<CallContextCustomizer> customizers) {
			return new SpringAiContinuation(approvals, () -> beanFactory.getBeansOfType(ChatClient.class),
					() -> customizers.orderedStream().toList());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SyncMcpToolCallback.class)
	@ImportRuntimeHints(McpHints.class)
	static class McpConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(McpToolsChangedEvent.class)
	static class AnnouncedToolsConfiguration {

		@Bean
		AnnouncedTools announcedTools(ObjectProvider<OfferedSchemas> offered) {
			return new AnnouncedTools(offered);
		}

	}

	/** The fields by which the manager of an advisor that calls tools can be guarded. */
	static final class LoopHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (String name : List.of("toolCallingManager", "toolExecutionEligibilityChecker",
					"conversationHistoryEnabled")) {
				hints.reflection()
					.registerField(Objects.requireNonNull(ReflectionUtils.findField(ToolCallingAdvisor.class, name)));
			}
		}

	}

	/** The fields that say of which object a method is a tool, and what is wrapped. */
	static final class MethodHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (String name : List.of("toolMethod", "toolObject")) {
				hints.reflection()
					.registerField(Objects.requireNonNull(ReflectionUtils.findField(MethodToolCallback.class, name)));
			}
			hints.reflection()
				.registerTypeIfPresent(classLoader, AugmentedArguments.AUGMENTED,
						MemberCategory.ACCESS_DECLARED_FIELDS);
		}

	}

	/** The fields that say which server a tool belongs to. */
	static final class McpHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (Class<?> type : List.of(SyncMcpToolCallback.class, AsyncMcpToolCallback.class)) {
				for (String name : List.of("mcpClient", "tool")) {
					hints.reflection().registerField(Objects.requireNonNull(ReflectionUtils.findField(type, name)));
				}
			}
		}

	}

}
