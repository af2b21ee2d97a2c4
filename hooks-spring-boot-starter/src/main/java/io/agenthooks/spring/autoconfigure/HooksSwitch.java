package io.agenthooks.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.binding.HooksProperties;

/**
 * Whether the hooks are in force. They are unless {@code hooks.tool_call.enabled} is
 * false; Spring Boot's own condition would also take a mistyped {@code flase} for off.
 */
abstract class HooksSwitch extends SpringBootCondition {

	private final boolean wanted;

	HooksSwitch(boolean wanted) {
		this.wanted = wanted;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean on = !(context.getEnvironment() instanceof ConfigurableEnvironment environment
				&& HooksProperties.of(environment).isDisabled());
		return new ConditionOutcome(on == this.wanted,
				ConditionMessage.of("hooks.tool_call.enabled is " + ((on) ? "not false" : "false")));
	}

	static final class On extends HooksSwitch {

		On() {
			super(true);
		}

	}

	static final class Off extends HooksSwitch {

		Off() {
			super(false);
		}

	}

}
