package io.agenthooks.spring.assembly;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.binding.HookPropertySources;
import io.agenthooks.spring.binding.HookSection;

/** Spring Boot's own condition would also take a mistyped {@code flase} for off. */
final class HooksSwitch extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnHooks> wanted = metadata.getAnnotations().get(ConditionalOnHooks.class);
		HookSection<?> section = switch (wanted.getEnum("value", ConditionalOnHooks.Kind.class)) {
			case TOOL_CALL -> HookSection.TOOL_CALL;
			case LLM_CALL -> HookSection.LLM_CALL;
			case RUN -> HookSection.RUN;
		};
		boolean on = !(context.getEnvironment() instanceof ConfigurableEnvironment environment
				&& HookPropertySources.of(environment).isDisabled(section));
		return new ConditionOutcome(on, ConditionMessage
			.of("hooks.%s.bypass_hooks is %s".formatted(section.key(), (on) ? "not true" : "true")));
	}

}
