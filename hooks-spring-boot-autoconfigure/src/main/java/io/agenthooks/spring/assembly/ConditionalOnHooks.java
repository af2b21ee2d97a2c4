package io.agenthooks.spring.assembly;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Only where the hooks of a kind are active. They are unless {@code bypass_hooks} is true
 * below their key.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(HooksSwitch.class)
public @interface ConditionalOnHooks {

	/**
	 * The kind of hooks.
	 * @return the kind
	 */
	Kind value();

	/**
	 * The calls that hooks are around.
	 *
	 * @since 0.1.0
	 */
	enum Kind {

		/** Calls of tools, under {@code hooks.tool_call}. */
		TOOL_CALL,

		/** Calls of models, under {@code hooks.llm_call}. */
		LLM_CALL,

		/** Runs of agents, under {@code hooks.run}. */
		RUN

	}

}
