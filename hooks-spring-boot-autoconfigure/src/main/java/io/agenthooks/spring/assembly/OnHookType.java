package io.agenthooks.spring.assembly;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.binding.HookPropertySources;

/** Always true ahead of time: the application may be started with other entries. */
final class OnHookType extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		List<String> types = List
			.of(metadata.getAnnotations().get(ConditionalOnHookType.class).getStringArray("value"));
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnHookType.class, types);
		if (SpringProperties.getFlag(AbstractAotProcessor.AOT_PROCESSING)) {
			return ConditionOutcome.match(message.because("it is built ahead of time"));
		}
		boolean named = !(context.getEnvironment() instanceof ConfigurableEnvironment environment)
				|| HookPropertySources.of(environment).mayName(types);
		return new ConditionOutcome(named,
				message.because((named) ? "an entry names it" : "no entry below 'hooks' names it"));
	}

}
