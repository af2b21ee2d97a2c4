package io.agenthooks.spring.flow;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.agenthooks.AbortedRuns;
import io.agenthooks.InvalidHookConfigException;
import io.agenthooks.InvalidHookConfigException.Problem;
import io.agenthooks.flow.FlowRules;
import io.agenthooks.flow.FlowStore;
import io.agenthooks.flow.FlowToolHook;
import io.agenthooks.spring.EntryOption;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.ToolHookFactory;
import io.agenthooks.spring.assembly.ConditionalOnHookType;
import io.agenthooks.toolcall.ToolHook;

/**
 * Adds the type {@code flow}, which looks for where the values of calls come from.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnHookType("flow")
public final class FlowHooksAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "flowToolHookFactory")
	ToolHookFactory<FlowConfig> flowToolHookFactory(BeanFactory beans, ObjectProvider<FlowStores> stores,
			ObjectProvider<AbortedRuns> runs) {
		return new Factory(beans, stores, runs);
	}

	/**
	 * Hooks are asked on the threads of the calls, which know what the model read, so no
	 * entry has a {@code timeout}. They hear of all tools: what one that they do not know
	 * of returned would be no one's words.
	 */
	private record Factory(BeanFactory beans, ObjectProvider<FlowStores> stores,
			ObjectProvider<AbortedRuns> runs) implements ToolHookFactory<FlowConfig> {

		@Override
		public String type() {
			return "flow";
		}

		@Override
		public Class<FlowConfig> configType() {
			return FlowConfig.class;
		}

		@Override
		public Set<EntryOption> takenOver() {
			return Set.of(EntryOption.TIMEOUT, EntryOption.MATCH, EntryOption.MATCHER, EntryOption.EXCEPT,
					EntryOption.MCP_SERVERS);
		}

		@Override
		public ToolHook createForPost(String name, FlowConfig config) {
			throw new InvalidHookConfigException(List
				.of(new Problem(List.of(), "A flow decides before a call, so it cannot stand under 'post_call'.",
						"Write the entry under 'pre_call': it hears of the results there, too.")));
		}

		@Override
		public ToolHook create(String name, FlowConfig config) {
			FlowRules rules = FlowSettings.of(config, this::test);
			FlowStores stores = this.stores.getIfAvailable();
			FlowStore store = (stores != null) ? stores.open(name + "\n" + config) : null;
			FlowToolHook hook = new FlowToolHook(name, rules, store);
			AbortedRuns ended = this.runs.getIfAvailable();
			AbortedRuns.Listening listening = (ended != null) ? ended.onRunEnd(hook::endRun) : () -> {
			};
			return (store instanceof HookHealth health) ? new SharedFlowHook(hook, config, listening, health)
					: new ConfiguredFlowHook(hook, config, listening);
		}

		@SuppressWarnings("unchecked") // of texts; one of something else names nothing
		private @Nullable Predicate<String> test(String bean) {
			try {
				return (this.beans.isTypeMatch(bean, Predicate.class)) ? this.beans.getBean(bean, Predicate.class)
						: null;
			}
			catch (NoSuchBeanDefinitionException ex) {
				return null;
			}
		}

	}

}
