package io.agenthooks.spring.observation;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.chain.CallWatch;
import io.agenthooks.spring.assembly.LlmCallHooksAutoConfiguration;
import io.agenthooks.spring.assembly.RunHooksAutoConfiguration;
import io.agenthooks.spring.assembly.ToolCallHooksAutoConfiguration;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.guard.GuardedType;
import io.agenthooks.spring.metrics.LlmAndRunMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolCallMetricsAutoConfiguration;
import io.agenthooks.spring.metrics.ToolTags;
import io.agenthooks.toolcall.ToolExecutor;

/**
 * Shows calls and hooks to tracing, if there is an {@link ObservationRegistry}, to the
 * log context, and to Java Flight Recorder.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
		before = { ToolCallHooksAutoConfiguration.class, LlmCallHooksAutoConfiguration.class,
				RunHooksAutoConfiguration.class },
		after = { ToolCallMetricsAutoConfiguration.class, LlmAndRunMetricsAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
public final class HooksObservationAutoConfiguration {

	static final String FEATURE = "observation";

	@Bean
	static FeatureOptions<ObservationOptions> hooksObservationOptions(ConfigurableEnvironment environment,
			ConfigurableListableBeanFactory beanFactory) {
		return new FeatureOptions<>(FEATURE, ObservationOptions.class, new ObservationOptions(null, null, null),
				environment, beanFactory);
	}

	/** First, so that what the others log has the ids; no bean without them. */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	@Nullable CallWatch hooksMdcWatch(FeatureOptions<ObservationOptions> options) {
		return (options.value().hasMdc()) ? new MdcWatch() : null;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "jdk.jfr.Event")
	static class JfrConfiguration {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE + 2)
		CallWatch hooksJfrWatch() {
			return new JfrWatch();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	@ConditionalOnBean(ObservationRegistry.class)
	static class TracingConfiguration {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE + 1)
		@Nullable CallWatch hooksCallObservations(FeatureOptions<ObservationOptions> options,
				ObjectProvider<ObservationRegistry> registry, ObjectProvider<ToolTags> tags,
				ObjectProvider<ToolExecutor> executors, ObjectProvider<GuardedType> guarded,
				ObjectProvider<CallObservationConvention> callConvention,
				ObjectProvider<HookObservationConvention> hookConvention) {
			if (!options.value().isEnabled()) {
				return null;
			}
			return new CallObservations(SingletonSupplier.of(registry::getObject)::obtain,
					tags.getIfAvailable(() -> ToolTags.of(executors, guarded)), options.value().hasGenaiAttributes(),
					callConvention.getIfAvailable(), hookConvention.getIfAvailable());
		}

		/** Two registries stop the start, and not the first call. */
		@Bean
		SmartInitializingSingleton hooksObservationRegistryCheck(ObjectProvider<ObservationRegistry> registry) {
			return registry::getIfAvailable;
		}

	}

	/** Without meters of calls, those of observations are welcome. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterRegistry.class, ObservationRegistry.class })
	@ConditionalOnBean({ MeterRegistry.class, ObservationRegistry.class })
	@Conditional(OnOwnMeters.class)
	static class MetersConfiguration {

		@Bean
		static OwnMeterFilter hooksOwnMeterFilter() {
			return new OwnMeterFilter();
		}

		/**
		 * Before those without an order, such as that of Spring Boot, and behind those
		 * with one, which want to be first.
		 */
		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE - 1)
		OwnMeterHandler hooksOwnMeterHandler() {
			return new OwnMeterHandler();
		}

	}

	/** Whether calls have meters of our own. */
	static final class OnOwnMeters extends AnyNestedCondition {

		OnOwnMeters() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(name = "toolCallMetrics")
		static final class OfToolCalls {

		}

		@ConditionalOnBean(name = "llmAndRunMetrics")
		static final class OfModelCallsAndRuns {

		}

	}

}
