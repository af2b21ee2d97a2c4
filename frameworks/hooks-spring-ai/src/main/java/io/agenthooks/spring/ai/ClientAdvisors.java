package io.agenthooks.spring.ai;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.assembly.HookPresence;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.caller.CurrentUser;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.scope.NameSource;

/** The advisors by which clients pass the hooks of all kinds. */
record ClientAdvisors(ObjectProvider<SpringAiToolHooks> tools, ObjectProvider<LlmHookChain> modelCalls,
		BooleanSupplier modelCallsWanted, ObjectProvider<RunHookChain> runs, BooleanSupplier runsWanted,
		ObjectProvider<AbortedRuns> abortedRuns, Supplier<List<CallContextCustomizer>> customizers,
		ObjectProvider<ToolCallingAdvisor.Builder<?>> toolCalling, CurrentUser user) {

	private static final int DISTANCE = 50;

	List<Advisor> create() {
		LlmHookChain aroundCalls = this.modelCalls.getIfAvailable();
		RunHookChain aroundRuns = this.runs.getIfAvailable();
		return create((aroundCalls != null && !aroundCalls.isUnused()) ? () -> aroundCalls : null,
				(aroundRuns != null && !aroundRuns.isUnused()) ? () -> aroundRuns : null, this::order);
	}

	/** Hooks may need such a client, so these find the hooks when they are asked. */
	List<Advisor> createForOthers() {
		return create((this.modelCallsWanted.getAsBoolean()) ? chain(this.modelCalls) : null,
				(this.runsWanted.getAsBoolean())
						? SingletonSupplier
							.of(() -> this.runs.getIfAvailable(() -> new RunHookChain(List.of(), List.of())))::obtain
						: null,
				() -> ToolCallingAdvisor.DEFAULT_ORDER - DISTANCE);
	}

	private List<Advisor> create(@Nullable Supplier<LlmHookChain> aroundCalls,
			@Nullable Supplier<RunHookChain> aroundRuns, IntSupplier order) {
		List<Advisor> advisors = new ArrayList<>();
		Supplier<AbortedRuns> aborted = SingletonSupplier
			.of(() -> this.abortedRuns.getIfAvailable(AbortedRuns::new))::obtain;
		if (aroundCalls != null) {
			advisors.add(new LlmHooksAdvisor(aroundCalls, this.customizers, this.user));
		}
		if (aroundRuns != null) {
			advisors.add(new RunHooksAdvisor(aroundRuns, aborted, this.customizers, this.user));
		}
		SpringAiToolHooks hooks = this.tools.getIfAvailable();
		if (hooks != null) {
			// This one sees the tools that other advisors add.
			advisors.add(new ToolHooksAdvisor(hooks, order.getAsInt()));
		}
		if (!advisors.isEmpty()) {
			advisors.add(new ClientRunAdvisor(aborted, hooks, this.user));
		}
		return advisors;
	}

	static Supplier<LlmHookChain> chain(ObjectProvider<LlmHookChain> chain) {
		return SingletonSupplier
			.of(() -> chain.getIfAvailable(() -> new LlmHookChain(List.of(), List.of(), List.of())))::obtain;
	}

	private int order() {
		ToolCallingAdvisor.Builder<?> builder = this.toolCalling.getIfAvailable();
		int order = (builder != null) ? builder.getAdvisorOrder() : ToolCallingAdvisor.DEFAULT_ORDER;
		return Math.max(order, Ordered.HIGHEST_PRECEDENCE + DISTANCE) - DISTANCE;
	}

	/** Adds the advisors, for both auto-configurations that guard clients. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	static class Adding {

		@Bean
		ClientAdvisors hookedClientAdvisors(ObjectProvider<SpringAiToolHooks> tools,
				ObjectProvider<LlmHookChain> modelCalls, ObjectProvider<RunHookChain> runs,
				ObjectProvider<AbortedRuns> abortedRuns, ObjectProvider<CallContextCustomizer> customizers,
				ObjectProvider<ToolCallingAdvisor.Builder<?>> toolCalling, ConfigurableListableBeanFactory beanFactory,
				ConfigurableEnvironment environment) {
			return new ClientAdvisors(tools, modelCalls,
					HookPresence.of(HookSection.LLM_CALL, LlmHookChain.class, beanFactory, environment), runs,
					HookPresence.of(HookSection.RUN, RunHookChain.class, beanFactory, environment), abortedRuns,
					SingletonSupplier.of(() -> customizers.orderedStream().toList())::obtain, toolCalling,
					CurrentUser.ofSpringSecurity(HookPropertySources.of(environment).claims()));
		}

		@Bean
		NameSource springAiNames(ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
			return new SpringAiNames(beanFactory, environment);
		}

		@Bean
		static SpringAiClientGuard springAiClientGuard(ObjectProvider<ClientAdvisors> advisors,
				ConfigurableEnvironment environment) {
			return new SpringAiClientGuard(() -> advisors.getObject().createForOthers(),
					"auto".equalsIgnoreCase(environment.getProperty("hooks.approval.resume")));
		}

		@Bean
		static GuardedType guardedRunsOfClients(ObjectProvider<RunHookChain> chain) {
			return new GuardedType("ChatClient (runs)", List.of(ChatClient.class, ChatClient.Builder.class),
					SpringAiClientGuard::isGuardedForRuns,
					(client, tools) -> SpringAiClientGuard.proveRuns(client, chain.getObject()),
					() -> chain.stream().anyMatch((hooks) -> !hooks.isEmpty()));
		}

		/**
		 * The first to customize: of equal orders, the one added first is closest to the
		 * model.
		 */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		ChatClientBuilderCustomizer hookedClients(ClientAdvisors advisors) {
			return (client) -> client.defaultAdvisors(advisors.create());
		}

	}

}
