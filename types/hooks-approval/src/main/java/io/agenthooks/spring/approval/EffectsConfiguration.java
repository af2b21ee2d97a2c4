package io.agenthooks.spring.approval;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.function.SingletonSupplier;

import io.agenthooks.spring.ToolHooks;
import io.agenthooks.spring.annotation.CallMethod;
import io.agenthooks.spring.annotation.CallMethod.Use;
import io.agenthooks.spring.annotation.StatedCalls;
import io.agenthooks.spring.annotation.ToolPolicies;
import io.agenthooks.spring.approval.CallEffects.Statements;
import io.agenthooks.spring.binding.ConfiguredHooks;
import io.agenthooks.spring.binding.ConfiguredHooks.Mistake;
import io.agenthooks.spring.binding.FeatureOptions;
import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.origin.KnownToolsFinder;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.toolcall.ToolHookChain;

/** Finds the methods by which tools say what calls would do. */
@Configuration(proxyBeanMethods = false)
class EffectsConfiguration {

	@Bean
	Statements hooksStatements(FeatureOptions<ApprovalConfig> options, ConfigurableListableBeanFactory beanFactory,
			ConfigurableEnvironment environment) {
		ApprovalConfig config = options.value();
		HookPropertySources properties = HookPropertySources.of(environment);
		List<Mistake> mistakes = new ArrayList<>();
		Map<String, CallMethod> previews = methods("previews", config.previewsOrNone(), Use.PREVIEW, beanFactory,
				properties, mistakes);
		Map<String, CallMethod> versions = methods("versions", config.versionsOrNone(), Use.VERSION, beanFactory,
				properties, mistakes);
		ConfiguredHooks.refuse(mistakes);
		return new Statements(ToolPolicies.findIn(beanFactory).stated(), previews, config.dryRunsOrNone(), versions,
				config.isPreviewBinding());
	}

	private static Map<String, CallMethod> methods(String option, Map<String, String> written, Use use,
			ConfigurableListableBeanFactory beanFactory, HookPropertySources properties, List<Mistake> mistakes) {
		Map<String, CallMethod> methods = new LinkedHashMap<>();
		written.forEach((tools, name) -> {
			CallMethod method = CallMethod.find(beanFactory, name, use,
					(message, action) -> mistakes.add(mistake(option, tools, properties, message, action)));
			if (method != null) {
				methods.put(tools, method);
			}
		});
		return methods;
	}

	private static Mistake mistake(String option, String tools, HookPropertySources properties, String message,
			String action) {
		return new Mistake("hooks.approval.%s.%s".formatted(option, tools),
				properties.placeOf(ApprovalAutoConfiguration.FEATURE, option, tools), message, action);
	}

	@Bean(destroyMethod = "close")
	CallEffects hooksCallEffects(Statements statements, CalledTools tools, ObjectProvider<ToolHookChain> chain,
			ObjectProvider<ToolHooks> toolHooks, ObjectProvider<OfferedSchemas> offered,
			ConfigurableListableBeanFactory beanFactory) {
		DryRuns dryRuns = new DryRuns(tools, chain::getObject, toolHooks::getObject,
				offered.getIfAvailable(OfferedSchemas::new),
				SingletonSupplier.of(() -> KnownToolsFinder.findIn(beanFactory)));
		return new CallEffects(statements, dryRuns, new TimedAnswers(TimedAnswers.TIME));
	}

	@Bean
	EffectsStart hooksEffectsStart(Statements statements, ConfigurableEnvironment environment) {
		return new EffectsStart(statements, HookPropertySources.of(environment));
	}

	/**
	 * Refuses to start if a method cannot be called that a preview or a version needs: a
	 * proxy may be in its way.
	 */
	record EffectsStart(Statements statements, HookPropertySources properties) implements SmartInitializingSingleton {

		private static final String ACTION = "Make it public and not final, or have the bean proxied by its class.";

		@Override
		public void afterSingletonsInstantiated() {
			List<Mistake> mistakes = new ArrayList<>();
			check("previews", this.statements.previews(), mistakes);
			check("versions", this.statements.versions(), mistakes);
			for (StatedCalls calls : this.statements.annotated()) {
				check(calls.preview(), "preview", mistakes);
				check(calls.version(), "version", mistakes);
			}
			ConfiguredHooks.refuse(mistakes);
		}

		private void check(String option, Map<String, CallMethod> methods, List<Mistake> mistakes) {
			methods.forEach((tools, method) -> {
				String mistake = method.mistake();
				if (mistake != null) {
					mistakes.add(mistake(option, tools, this.properties, mistake, ACTION));
				}
			});
		}

		private static void check(@Nullable CallMethod method, String attribute, List<Mistake> mistakes) {
			String mistake = (method != null) ? method.mistake() : null;
			if (mistake != null) {
				mistakes.add(new Mistake("@ToolPolicy(" + attribute + ")", String.valueOf(method), mistake, ACTION));
			}
		}

	}

}
