package io.agenthooks.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.AnnotatedTypeMetadata;

import io.agenthooks.spring.binding.HookSection;
import io.agenthooks.spring.binding.HooksProperties;

/**
 * Whether the hooks of a kind are in force. They are unless {@code enabled} is false
 * below their key; Spring Boot's own condition would also take a mistyped {@code flase}
 * for off.
 */
abstract class HooksSwitch extends SpringBootCondition {

	private final HookSection<?> section;

	private final boolean wanted;

	HooksSwitch(HookSection<?> section, boolean wanted) {
		this.section = section;
		this.wanted = wanted;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean on = !(context.getEnvironment() instanceof ConfigurableEnvironment environment
				&& HooksProperties.of(environment).isDisabled(this.section));
		return new ConditionOutcome(on == this.wanted, ConditionMessage
			.of("hooks.%s.enabled is %s".formatted(this.section.key(), (on) ? "not false" : "false")));
	}

	static final class On extends HooksSwitch {

		On() {
			super(HookSection.TOOL_CALL, true);
		}

	}

	static final class Off extends HooksSwitch {

		Off() {
			super(HookSection.TOOL_CALL, false);
		}

	}

	static final class LlmCallOn extends HooksSwitch {

		LlmCallOn() {
			super(HookSection.LLM_CALL, true);
		}

	}

	static final class LlmCallOff extends HooksSwitch {

		LlmCallOff() {
			super(HookSection.LLM_CALL, false);
		}

	}

	static final class RunOn extends HooksSwitch {

		RunOn() {
			super(HookSection.RUN, true);
		}

	}

	static final class RunOff extends HooksSwitch {

		RunOff() {
			super(HookSection.RUN, false);
		}

	}

}
