package io.agenthooks.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of calls and hooks, with their attributes. None of these holds
 * arguments; what a model or a person chose is of high cardinality.
 *
 * @since 0.1.0
 */
public enum HooksObservationDocumentation implements ObservationDocumentation {

	/**
	 * A call of a tool, from before the first hook is asked until all hooks know how it
	 * ended.
	 */
	TOOL_CALL("hooks.tool.call", DefaultCallObservationConvention.class,
			KeyName.merge(LowCardinalityToolKeys.values(), LowCardinalityCallKeys.values()),
			KeyName.merge(HighCardinalityToolKeys.values(), HighCardinalityCallKeys.values())),

	/** A call of a model, hooks included. */
	LLM_CALL("hooks.llm.call", DefaultCallObservationConvention.class, LowCardinalityCallKeys.values(),
			HighCardinalityCallKeys.values()),

	/** A run of an agent, hooks included. */
	RUN("hooks.run", DefaultCallObservationConvention.class, LowCardinalityCallKeys.values(),
			HighCardinalityCallKeys.values()),

	/** A hook that is asked, within the observation of the call. */
	HOOK("hooks.hook", DefaultHookObservationConvention.class, LowCardinalityHookKeys.values(),
			HighCardinalityHookKeys.values());

	private final String name;

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	@SuppressWarnings("ImmutableEnumChecker") // nobody gets it, but copies
	private final KeyName[] lowCardinality;

	@SuppressWarnings("ImmutableEnumChecker") // nobody gets it, but copies
	private final KeyName[] highCardinality;

	HooksObservationDocumentation(String name,
			Class<? extends ObservationConvention<? extends Observation.Context>> convention, KeyName[] lowCardinality,
			KeyName[] highCardinality) {
		this.name = name;
		this.convention = convention;
		this.lowCardinality = lowCardinality;
		this.highCardinality = highCardinality;
	}

	@Override
	public String getName() {
		return this.name;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return this.lowCardinality.clone();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return this.highCardinality.clone();
	}

	/**
	 * Attributes of low cardinality that calls of tools have in addition.
	 *
	 * @since 0.1.0
	 */
	public enum LowCardinalityToolKeys implements KeyName {

		/** The tool, or {@code unknown} if no tool has this name. */
		TOOL("hooks.tool");

		private final String key;

		LowCardinalityToolKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Attributes of low cardinality of all calls.
	 *
	 * @since 0.1.0
	 */
	public enum LowCardinalityCallKeys implements KeyName {

		/**
		 * The status of the call: {@code succeeded}, {@code failed}, {@code denied} and
		 * so on.
		 */
		OUTCOME("hooks.outcome"),

		/** The common decision of the hooks, such as {@code approve} or {@code deny}. */
		VERDICT("hooks.verdict"),

		/**
		 * The hook, or built-in decision, whose verdict that is; {@code none} if no hook
		 * objected.
		 */
		DECIDED_BY("hooks.decided_by");

		private final String key;

		LowCardinalityCallKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Attributes of high cardinality that calls of tools have in addition.
	 *
	 * @since 0.1.0
	 */
	public enum HighCardinalityToolKeys implements KeyName {

		/** The name of the tool as it was called, which a model may have invented. */
		TOOL_NAME("hooks.tool.name"),

		/** The same, in OpenTelemetry's words; if GenAI attributes are on. */
		GEN_AI_TOOL_NAME("gen_ai.tool.name"),

		/**
		 * The id that the provider of the model gave to the call; if GenAI attributes are
		 * on.
		 */
		GEN_AI_TOOL_CALL_ID("gen_ai.tool.call.id"),

		/**
		 * Always {@code function}: the application carries it out; if GenAI attributes
		 * are on.
		 */
		GEN_AI_TOOL_TYPE("gen_ai.tool.type");

		private final String key;

		HighCardinalityToolKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Attributes of high cardinality of all calls.
	 *
	 * @since 0.1.0
	 */
	public enum HighCardinalityCallKeys implements KeyName {

		/** The id of the call. */
		CALL_ID("hooks.call.id"),

		/** The session of the call, if it has one. */
		SESSION_ID("hooks.session.id"),

		/** The run of the call, if it has one. */
		RUN_ID("hooks.run.id"),

		/** The reason of the hooks, if they say it. */
		REASON("hooks.reason"),

		/** The rule of a hook by which the call was decided, if hooks name it. */
		RULE("hooks.rule"),

		/** The place of that rule, if it is known. */
		RULE_ORIGIN("hooks.rule.origin"),

		/**
		 * The match and its pattern, or the remark of the hook itself, if there is
		 * anything to say.
		 */
		RULE_DETAIL("hooks.rule.detail"),

		/** The hooks that failed while the call passed, if there are any. */
		FAILED_OPEN("hooks.failed_open"),

		/** The hooks that only observe and would have denied, if there are any. */
		WOULD_DENY("hooks.would_deny"),

		/** The hooks that replaced the result, if there are any. */
		REPLACED_BY("hooks.replaced_by"),

		/** The session, in OpenTelemetry's words; if GenAI attributes are on. */
		GEN_AI_CONVERSATION_ID("gen_ai.conversation.id"),

		/** The name of the agent; if GenAI attributes are on. */
		GEN_AI_AGENT_NAME("gen_ai.agent.name"),

		/**
		 * The error that ended a call that did not succeed: the class of an exception, or
		 * the outcome; if GenAI attributes are on.
		 */
		ERROR_TYPE("error.type");

		private final String key;

		HighCardinalityCallKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Attributes of low cardinality of hooks.
	 *
	 * @since 0.1.0
	 */
	public enum LowCardinalityHookKeys implements KeyName {

		/** The name of the hook. */
		HOOK("hooks.hook"),

		/** The type of the hook; {@code bean} for a bean. */
		TYPE("hooks.hook.type"),

		/** The question to the hook: {@code decide}, {@code result} or {@code learn}. */
		PART("hooks.hook.part"),

		/**
		 * The decision of the hook; {@code failed} if it failed, {@code none} if it only
		 * learns.
		 */
		VERDICT("hooks.verdict");

		private final String key;

		LowCardinalityHookKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Attributes of high cardinality of hooks.
	 *
	 * @since 0.1.0
	 */
	public enum HighCardinalityHookKeys implements KeyName {

		/** The rule by which it decided, if it names it. */
		RULE("hooks.rule"),

		/** The place of that rule, if it is known. */
		RULE_ORIGIN("hooks.rule.origin"),

		/**
		 * The match and its pattern, or the remark of the hook itself, if there is
		 * anything to say.
		 */
		RULE_DETAIL("hooks.rule.detail"),

		/** The reason of the hook, if it says it. */
		REASON("hooks.reason");

		private final String key;

		HighCardinalityHookKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
