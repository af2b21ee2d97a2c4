package io.agenthooks.spring.actuator;

import java.time.Clock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.web.server.WebFilter;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdvice;

import io.agenthooks.spring.LlmHooks;
import io.agenthooks.spring.RunHooks;
import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.assembly.ConfigurationHash;
import io.agenthooks.spring.assembly.CurrentConfiguration;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.external.LostNotifications;
import io.agenthooks.spring.external.SilentDeciders;
import io.agenthooks.spring.guard.EscapedTools;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.outcome.AskedHooks;
import io.agenthooks.spring.outcome.EndedCallsConfiguration;
import io.agenthooks.spring.outcome.HookModes;
import io.agenthooks.spring.scope.UnmatchedNames;

/**
 * Adds endpoints to Spring Boot's actuator, where the application has it and exposes
 * them.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = JournalAutoConfiguration.class,
		afterName = "io.agenthooks.spring.audit.AuditAutoConfiguration")
@ConditionalOnClass(
		name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
public final class HooksEndpointsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CurrentConfiguration hooksCurrentConfiguration(ConfigurableEnvironment environment,
			ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks, ObjectProvider<RunHooks> runHooks) {
		return CurrentConfiguration.of(ConfigurationHash.plain(), environment, toolHooks, llmHooks, runHooks);
	}

	@Bean
	@ConditionalOnEnabledInfoContributor("hooks")
	HooksInfoContributor hooksInfoContributor(CurrentConfiguration current) {
		return new HooksInfoContributor(current);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(endpoint = ToolCallsEndpoint.class)
	@Import(EndedCallsConfiguration.class)
	static class Calls {

		@Bean
		CallJournal hooksCallJournal(FeatureOptions<JournalConfig> options, AskedHooks asked) {
			return new CallJournal(options.value(), asked, Clock.systemUTC());
		}

		@Bean
		ToolCallsEndpoint toolCallsEndpoint(CallJournal journal, ObjectProvider<ToolHooks> hooks) {
			return new ToolCallsEndpoint(journal, new CallWriter(hooks));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(endpoint = HookModesEndpoint.class)
	static class Modes {

		@Bean
		HookModesEndpoint hookModesEndpoint(ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks,
				ObjectProvider<RunHooks> runHooks, CurrentConfiguration current,
				ObjectProvider<HookModes.Watch> watches) {
			return new HookModesEndpoint(new ToolHooksEndpoint.Chains(toolHooks, llmHooks, runHooks, current), watches);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(endpoint = ToolHooksEndpoint.class)
	static class Hooks {

		@Bean
		LimitsLeft hooksLimitsLeft() {
			return new LimitsLeft();
		}

		@Bean
		ToolHooksEndpoint toolHooksEndpoint(ConfigurableListableBeanFactory beanFactory,
				ObjectProvider<ToolHooks> toolHooks, ObjectProvider<LlmHooks> llmHooks,
				ObjectProvider<RunHooks> runHooks, CurrentConfiguration current, ObjectProvider<GuardedType> types,
				ObjectProvider<EscapedTools> escaped, ObjectProvider<CallJournal> journal, LimitsLeft limits,
				ObjectProvider<UnmatchedNames> unmatched, ObjectProvider<SilentDeciders> silent,
				ObjectProvider<OfferedSchemas> offered, ObjectProvider<LostNotifications> lost) {
			return new ToolHooksEndpoint(new ToolHooksEndpoint.Chains(toolHooks, llmHooks, runHooks, current),
					new ToolInventory(beanFactory, toolHooks, types, escaped, offered), journal,
					new CallWriter(toolHooks), new ChainWriter(limits, unmatched.getIfAvailable(UnmatchedNames::new),
							silent.getIfAvailable(SilentDeciders::new)),
					lost.getIfAvailable(LostNotifications::new));
		}

		private static Supplier<@Nullable String> path(ObjectProvider<PathMappedEndpoints> endpoints) {
			EndpointId id = EndpointId.of("toolhooks");
			return () -> {
				PathMappedEndpoints paths = endpoints.getIfAvailable();
				return (paths != null) ? paths.getPath(id) : null;
			};
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
		@ConditionalOnClass(RequestBodyAdvice.class)
		static class Mvc {

			@Bean
			CallBodyAdvice hooksCallBodyAdvice(ObjectProvider<PathMappedEndpoints> endpoints) {
				return new CallBodyAdvice(path(endpoints));
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
		@ConditionalOnClass(WebFilter.class)
		static class WebFlux {

			@Bean
			CallBodyFilter hooksCallBodyFilter(ObjectProvider<PathMappedEndpoints> endpoints) {
				return new CallBodyFilter(path(endpoints));
			}

		}

	}

}
