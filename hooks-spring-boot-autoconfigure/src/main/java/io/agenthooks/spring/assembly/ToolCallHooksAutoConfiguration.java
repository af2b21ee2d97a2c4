package io.agenthooks.spring.assembly;

import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.AbortedRuns;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.spring.ActiveHooks.Phase;
import io.agenthooks.spring.HookCountsReader;
import io.agenthooks.spring.annotation.AnnotatedToolHooks;
import io.agenthooks.spring.assembly.ConditionalOnHooks.Kind;
import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.executor.ToolExecutorGuard;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.guard.StartProof;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.outcome.SessionEnds;
import io.agenthooks.spring.outcome.ToolSwitch;
import io.agenthooks.spring.scope.UnmatchedNames;
import io.agenthooks.spring.state.SharedStates;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.PreToolHook;
import io.agenthooks.toolcall.ToolApprover;
import io.agenthooks.toolcall.ToolExecutor;
import io.agenthooks.toolcall.ToolHook;
import io.agenthooks.toolcall.ToolHookChain;
import io.agenthooks.toolcall.ToolResultHook;

/**
 * Guards every {@link io.agenthooks.toolcall.ToolExecutor} bean with the hooks that are
 * beans or stand under {@code hooks.tool_call}.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Import(SharedHooksConfiguration.class)
public final class ToolCallHooksAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnHooks(Kind.TOOL_CALL)
	@ImportRuntimeHints(ToolExecutorGuard.Hints.class)
	static class Active {

		static final String CHAIN = "assembledToolHookChain";

		@Bean
		static ToolExecutorGuard toolExecutorGuard(ObjectProvider<ToolHookChain> chain) {
			return new ToolExecutorGuard(chain);
		}

		@Bean
		static OfferedSchemas offeredToolSchemas(ObjectProvider<UnmatchedNames> names) {
			SingletonSupplier<UnmatchedNames> unmatched = SingletonSupplier.of(names::getObject);
			return new OfferedSchemas((tool) -> unmatched.obtain().know(tool));
		}

		@Bean
		AnnotatedToolHooks annotatedToolHooks(ConfigurableListableBeanFactory beanFactory) {
			return AnnotatedToolHooks.findIn(beanFactory);
		}

		@Bean
		HookAssembly<ToolHook> toolHookAssembly(ConfigurableListableBeanFactory beanFactory, AnnotatedToolHooks methods,
				ObjectProvider<ToolHookSource> sources, AllConfiguredHooks configuration,
				ObjectProvider<HookCountsReader> readers, HookBounds bounds) {
			Stream<HookCandidate<ToolHook>> found = sources.orderedStream()
				.flatMap((source) -> source.find().stream())
				.map((each) -> HookCandidate.bean(each.hook(), each.name(), each.origin(), each.order()));
			return new HookAssembly<>(HookSection.TOOL_CALL, beanFactory,
					Stream.concat(found, methods.hooks().stream().map(HookCandidate::method)).toList(),
					configuration.toolCall(), readers.orderedStream().toList(), bounds);
		}

		@Bean(CHAIN)
		@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
		ToolHookChain toolHookChain(HookAssembly<ToolHook> assembly, ObjectProvider<ToolApprover> approver,
				ConfigurableApplicationContext context, AllConfiguredHooks configuration, AbortedRuns abortedRuns,
				HookBounds bounds, ObjectProvider<CallWatch> watches) {
			return configure(
					assembly.chain((hooks) -> ToolHookChain.of(hooks.entries(Phase.PRE_CALL, PreToolHook.class),
							configuration.withLimit(hooks.entries(Phase.RESULT, ToolResultHook.class)),
							hooks.entries(Phase.POST_CALL, PostToolHook.class),
							approver(approver, bounds, context.getBeanFactory()),
							new HookEventPublisher.ToolCalls(context, bounds.listening(HookSection.TOOL_CALL)),
							abortedRuns), ToolHookChain::setShutDown),
					configuration, watches);
		}

		private static ToolApprover approver(ObjectProvider<ToolApprover> approver, HookBounds bounds,
				ConfigurableListableBeanFactory beanFactory) {
			ToolApprover asked = approver.getIfAvailable();
			return (asked != null) ? bounds.approving(asked, nameOf(asked, beanFactory)) : ToolApprover.nobody();
		}

		/** The name of an approver: the one that it has itself, or that of its bean. */
		private static String nameOf(ToolApprover approver, ConfigurableListableBeanFactory beanFactory) {
			Method name = ClassUtils.getMethodIfAvailable(AopUtils.getTargetClass(approver), "name");
			if (name != null && name.getDeclaringClass() != ToolApprover.class) {
				return approver.name();
			}
			String[] beans = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, ToolApprover.class);
			return (beans.length == 1) ? beans[0]
					: Stream.of(beans)
						.filter((bean) -> approver.equals(beanFactory.getSingleton(bean)))
						.findFirst()
						.orElseGet(approver::name);
		}

		/** Made together with any chain, so that no call precedes the switch. */
		@Bean
		ToolHookRegistry toolHooks(HookAssembly<ToolHook> assembly, ToolHookChain chain,
				AllConfiguredHooks configuration, ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<CallWatch> watches, OfferedSchemas offered, ObjectProvider<ToolSwitch.Watch> switches,
				ObjectProvider<SessionEnds> sessionEnds, ObjectProvider<SharedStates> states) {
			boolean closedByApplication = !assembly.isOwn(chain) && !chain.isToolsEnabled();
			ToolHookChain configured = configure(chain, configuration, watches);
			SharedSwitch shared = (configuration.isKillSwitchShared()) ? SharedSwitch.open(states.getIfAvailable())
					: null;
			KillSwitch killSwitch = new KillSwitch(configured, (shared != null)
					? !configuration.toolsEnabled() || closedByApplication : !configured.isToolsEnabled(), shared,
					() -> switches.orderedStream().toList());
			return new ToolHookRegistry(assembly, configured, configuration::withLimit,
					new KnownTargets(beanFactory, offered), killSwitch, () -> sessionEnds.orderedStream().toList());
		}

		private static ToolHookChain configure(ToolHookChain chain, AllConfiguredHooks configuration,
				ObjectProvider<CallWatch> watches) {
			chain.setWatches(watches.orderedStream().toList());
			// A call that comes before anybody knows what other nodes have switched off
			// is denied.
			chain.setToolsEnabled(
					configuration.toolsEnabled() && !configuration.isKillSwitchShared() && chain.isToolsEnabled());
			configuration.maxArgumentsSize().ifPresent(chain::setMaxArgumentsSize);
			configuration.policies().holdFor(chain);
			return chain;
		}

		@Bean
		ActiveToolCallHooks activeToolCallHooks(HookAssembly<ToolHook> assembly, AnnotatedToolHooks methods,
				ToolHookChain chain, ToolHookRegistry registry, ToolExecutorGuard guard,
				ConfigurableListableBeanFactory beanFactory, ConfigurableEnvironment environment) {
			return new ActiveToolCallHooks(assembly, methods, chain, registry, guard, environment,
					() -> Stream.of(HookSection.LLM_CALL, HookSection.RUN)
						.anyMatch((other) -> DecidingHooks.expected(other, beanFactory, environment).getAsBoolean()));
		}

		@Bean
		RuleVerifier toolRuleVerifier(ConfigurableListableBeanFactory beanFactory, AllConfiguredHooks configuration,
				AnnotatedToolHooks methods, ToolHookRegistry registry, ScopeVerifier scopes) {
			return new RuleVerifier(beanFactory, configuration, methods, registry, scopes);
		}

		@Bean
		StartProof provedToolHookEntries(AllConfiguredHooks configuration) {
			return new ProvedEntries(configuration.toolCall().preCall());
		}

		@Bean
		static GuardedType guardedToolExecutors() {
			return new GuardedType(ToolExecutor.class, ToolExecutorGuard::isGuarded, ToolExecutorGuard::prove);
		}

	}

}
