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
	TOOL_CALL {

		@Override
		public String getName() {
			return "hooks.tool.call";
		}

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultCallObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return KeyName.merge(LowCardinalityToolKeys.values(), LowCardinalityCallKeys.values());
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return KeyName.merge(HighCardinalityToolKeys.values(), HighCardinalityCallKeys.values());
		}

	},

	/**
	 * A call of a model, hooks included.
	 */
	LLM_CALL {

		@Override
		public String getName() {
			return "hooks.llm.call";
		}

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultCallObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityCallKeys.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityCallKeys.values();
		}

	},

	/**
	 * A run of an agent, hooks included.
	 */
	RUN {

		@Override
		public String getName() {
			return "hooks.run";
		}

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultCallObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityCallKeys.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityCallKeys.values();
		}

	},

	/**
	 * A hook that is asked, within the observation of the call.
	 */
	HOOK {

		@Override
		public String getName() {
			return "hooks.hook";
		}

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultHookObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityHookKeys.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityHookKeys.values();
		}

	};

	/**
	 * Attributes of low cardinality that calls of tools have in addition.
	 *
	 * @since 0.1.0
	 */
	public enum LowCardinalityToolKeys implements KeyName {

		/**
		 * The tool, or {@code unknown} if no tool has this name.
		 */
		TOOL {

			@Override
			public String asString() {
				return "hooks.tool";
			}

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
		OUTCOME {

			@Override
			public String asString() {
				return "hooks.outcome";
			}

		},

		/** The common decision of the hooks, such as {@code approve} or {@code deny}. */
		VERDICT {

			@Override
			public String asString() {
				return "hooks.verdict";
			}

		},

		/**
		 * The hook, or built-in decision, whose verdict that is; {@code none} if no hook
		 * objected.
		 */
		DECIDED_BY {

			@Override
			public String asString() {
				return "hooks.decided_by";
			}

		}

	}

	/**
	 * Attributes of high cardinality that calls of tools have in addition.
	 *
	 * @since 0.1.0
	 */
	public enum HighCardinalityToolKeys implements KeyName {

		/**
		 * The name of the tool as it was called, which a model may have invented.
		 */
		TOOL_NAME {

			@Override
			public String asString() {
				return "hooks.tool.name";
			}

		},

		/**
		 * The same, in OpenTelemetry's words; if GenAI attributes are on.
		 */
		GEN_AI_TOOL_NAME {

			@Override
			public String asString() {
				return "gen_ai.tool.name";
			}

		},

		/**
		 * The id that the provider of the model gave to the call; if GenAI attributes are
		 * on.
		 */
		GEN_AI_TOOL_CALL_ID {

			@Override
			public String asString() {
				return "gen_ai.tool.call.id";
			}

		},

		/**
		 * Always {@code function}: the application carries it out; if GenAI attributes
		 * are on.
		 */
		GEN_AI_TOOL_TYPE {

			@Override
			public String asString() {
				return "gen_ai.tool.type";
			}

		}

	}

	/**
	 * Attributes of high cardinality of all calls.
	 *
	 * @since 0.1.0
	 */
	public enum HighCardinalityCallKeys implements KeyName {

		/**
		 * The id of the call.
		 */
		CALL_ID {

			@Override
			public String asString() {
				return "hooks.call.id";
			}

		},

		/**
		 * The session of the call, if it has one.
		 */
		SESSION_ID {

			@Override
			public String asString() {
				return "hooks.session.id";
			}

		},

		/**
		 * The run of the call, if it has one.
		 */
		RUN_ID {

			@Override
			public String asString() {
				return "hooks.run.id";
			}

		},

		/**
		 * The reason of the hooks, if they say it.
		 */
		REASON {

			@Override
			public String asString() {
				return "hooks.reason";
			}

		},

		/**
		 * The rule of a hook by which the call was decided, if hooks name it.
		 */
		RULE {

			@Override
			public String asString() {
				return "hooks.rule";
			}

		},

		/**
		 * The place of that rule, if it is known.
		 */
		RULE_ORIGIN {

			@Override
			public String asString() {
				return "hooks.rule.origin";
			}

		},

		/**
		 * The match and its pattern, or the remark of the hook itself, if there is
		 * anything to say.
		 */
		RULE_DETAIL {

			@Override
			public String asString() {
				return "hooks.rule.detail";
			}

		},

		/**
		 * The hooks that failed while the call passed, if there are any.
		 */
		FAILED_OPEN {

			@Override
			public String asString() {
				return "hooks.failed_open";
			}

		},

		/**
		 * The hooks that only observe and would have denied, if there are any.
		 */
		WOULD_DENY {

			@Override
			public String asString() {
				return "hooks.would_deny";
			}

		},

		/**
		 * The hooks that replaced the result, if there are any.
		 */
		REPLACED_BY {

			@Override
			public String asString() {
				return "hooks.replaced_by";
			}

		},

		/**
		 * The session, in OpenTelemetry's words; if GenAI attributes are on.
		 */
		GEN_AI_CONVERSATION_ID {

			@Override
			public String asString() {
				return "gen_ai.conversation.id";
			}

		},

		/**
		 * The name of the agent; if GenAI attributes are on.
		 */
		GEN_AI_AGENT_NAME {

			@Override
			public String asString() {
				return "gen_ai.agent.name";
			}

		},

		/**
		 * The error that ended a call that did not succeed: the class of an exception, or
		 * the outcome; if GenAI attributes are on.
		 */
		ERROR_TYPE {

			@Override
			public String asString() {
				return "error.type";
			}

		}

	}

	/**
	 * Attributes of low cardinality of hooks.
	 *
	 * @since 0.1.0
	 */
	public enum LowCardinalityHookKeys implements KeyName {

		/**
		 * The name of the hook.
		 */
		HOOK {

			@Override
			public String asString() {
				return "hooks.hook";
			}

		},

		/**
		 * The type of the hook; {@code bean} for a bean.
		 */
		TYPE {

			@Override
			public String asString() {
				return "hooks.hook.type";
			}

		},

		/** The question to the hook: {@code decide}, {@code result} or {@code learn}. */
		PART {

			@Override
			public String asString() {
				return "hooks.hook.part";
			}

		},

		/**
		 * The decision of the hook; {@code failed} if it failed, {@code none} if it only
		 * learns.
		 */
		VERDICT {

			@Override
			public String asString() {
				return "hooks.verdict";
			}

		}

	}

	/**
	 * Attributes of high cardinality of hooks.
	 *
	 * @since 0.1.0
	 */
	public enum HighCardinalityHookKeys implements KeyName {

		/**
		 * The rule by which it decided, if it names it.
		 */
		RULE {

			@Override
			public String asString() {
				return "hooks.rule";
			}

		},

		/**
		 * The place of that rule, if it is known.
		 */
		RULE_ORIGIN {

			@Override
			public String asString() {
				return "hooks.rule.origin";
			}

		},

		/**
		 * The match and its pattern, or the remark of the hook itself, if there is
		 * anything to say.
		 */
		RULE_DETAIL {

			@Override
			public String asString() {
				return "hooks.rule.detail";
			}

		},

		/**
		 * The reason of the hook, if it says it.
		 */
		REASON {

			@Override
			public String asString() {
				return "hooks.reason";
			}

		}

	}

}
