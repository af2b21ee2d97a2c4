package io.agenthooks.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.llmcall.LlmHookChain;
import io.agenthooks.run.RunHookChain;
import io.agenthooks.spring.CallContextCustomizer;
import io.agenthooks.spring.ai.ClientRunAdvisor;
import io.agenthooks.spring.ai.HookedToolCallbacks;
import io.agenthooks.spring.ai.LlmHooksAdvisor;
import io.agenthooks.spring.ai.RunHooksAdvisor;
import io.agenthooks.spring.ai.ToolHooksAdvisor;

/**
 * The advisors by which each {@code ChatClient} that is made by the
 * {@code ChatClient.Builder} bean passes the hooks of all kinds.
 *
 * @param tools the hooks around tools, if there are any
 * @param modelCalls the hooks around model calls, if there are any
 * @param runs the hooks around runs, if there are any
 * @param abortedRuns the runs that hooks have aborted
 * @param customizers who adds to the contexts of calls
 * @param toolCalling the advisor that calls tools
 */
record ClientAdvisors(ObjectProvider<HookedToolCallbacks> tools, ObjectProvider<LlmHookChain> modelCalls,
		ObjectProvider<RunHookChain> runs, ObjectProvider<AbortedRuns> abortedRuns,
		Supplier<List<CallContextCustomizer>> customizers, ObjectProvider<ToolCallingAdvisor.Builder<?>> toolCalling) {

	/** How far before the advisor that calls tools ours is. */
	private static final int DISTANCE = 50;

	/**
	 * New advisors for a client.
	 * @return the advisors in the order in which they must be added; none if there is no
	 * hook that they could ask
	 */
	List<Advisor> create() {
		List<Advisor> advisors = new ArrayList<>();
		LlmHookChain aroundCalls = this.modelCalls.getIfAvailable();
		if (aroundCalls != null && !aroundCalls.isEmpty()) {
			advisors.add(new LlmHooksAdvisor(aroundCalls, this.customizers));
		}
		RunHookChain aroundRuns = this.runs.getIfAvailable();
		if (aroundRuns != null && !aroundRuns.isEmpty()) {
			advisors.add(new RunHooksAdvisor(aroundRuns, this.abortedRuns.getIfAvailable(AbortedRuns::new),
					this.customizers));
		}
		this.tools.ifAvailable((hooks) -> {
			// The first is for clients whose own advisor calls tools before the usual
			// place. The second, which sees the tools that other advisors add, does the
			// work for all others.
			advisors.add(new ToolHooksAdvisor(hooks, Ordered.HIGHEST_PRECEDENCE));
			advisors.add(new ToolHooksAdvisor(hooks, order()));
		});
		if (!advisors.isEmpty()) {
			advisors.add(new ClientRunAdvisor());
		}
		return advisors;
	}

	private int order() {
		ToolCallingAdvisor.Builder<?> builder = this.toolCalling.getIfAvailable();
		int order = (builder != null) ? builder.getAdvisorOrder() : ToolCallingAdvisor.DEFAULT_ORDER;
		return Math.max(order, Ordered.HIGHEST_PRECEDENCE + DISTANCE) - DISTANCE;
	}

	/**
	 * Adds the advisors. Both auto-configurations that guard clients import it, so that
	 * they are created at one place.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	static class Adding {

		@Bean
		ClientAdvisors hookedClientAdvisors(ObjectProvider<HookedToolCallbacks> tools,
				ObjectProvider<LlmHookChain> modelCalls, ObjectProvider<RunHookChain> runs,
				ObjectProvider<AbortedRuns> abortedRuns, ObjectProvider<CallContextCustomizer> customizers,
				ObjectProvider<ToolCallingAdvisor.Builder<?>> toolCalling) {
			return new ClientAdvisors(tools, modelCalls, runs, abortedRuns,
					SingletonSupplier.of(() -> customizers.orderedStream().toList())::obtain, toolCalling);
		}

		/**
		 * The first to customize: of advisors with the same order, the one that was added
		 * first is the closest to the model.
		 */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		ChatClientBuilderCustomizer hookedClients(ClientAdvisors advisors) {
			return (client) -> client.defaultAdvisors(advisors.create());
		}

	}

}
