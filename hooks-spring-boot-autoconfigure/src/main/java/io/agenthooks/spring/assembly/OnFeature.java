package io.agenthooks.spring.assembly;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.binding.HookPropertySources;

/** Whether a feature is on, as it is written. */
final class OnFeature extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnFeature> wanted = metadata.getAnnotations().get(ConditionalOnFeature.class);
		String name = wanted.getString("value");
		String option = wanted.getString("option");
		boolean on = false;
		if (context.getEnvironment() instanceof ConfigurableEnvironment environment) {
			HookPropertySources properties = HookPropertySources.of(environment);
			on = properties.isFeatureEnabled(name) && (option.isEmpty() || properties.isWritten(name, option));
		}
		String what = (option.isEmpty()) ? "hooks.%s.enabled is ".formatted(name)
				: "hooks.%s.%s is written: ".formatted(name, option);
		return new ConditionOutcome(on, ConditionMessage.of(what + on));
	}

}
