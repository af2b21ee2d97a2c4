package io.agenthooks.spring.observation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import org.jspecify.annotations.Nullable;

import io.agenthooks.HookDecision;
import io.agenthooks.HookOutcome;
import io.agenthooks.HookRule;
import io.agenthooks.SafeText;
import io.agenthooks.chain.CallWatch;
import io.agenthooks.chain.HookEntry;
import io.agenthooks.chain.HookedCall;
import io.agenthooks.chain.WatchedCall;
import io.agenthooks.chain.WatchedHook;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.spring.metrics.ToolTags;
import io.agenthooks.spring.observation.CallObservationContext.Kind;
import io.agenthooks.spring.observation.HooksObservationDocumentation.HighCardinalityCallKeys;
import io.agenthooks.spring.observation.HooksObservationDocumentation.LowCardinalityCallKeys;
import io.agenthooks.toolcall.ToolCall;

/** Makes an observation of each call, and one of each hook that is asked about it. */
final class CallObservations implements CallWatch {

	private static final HookObservationConvention HOOKS = new DefaultHookObservationConvention();

	/**
	 * Spring AI ends this observation as a success whatever hooks decide inside of it.
	 */
	private static final String SPRING_AI_TOOL_CALL = "org.springframework.ai.tool.observation.ToolCallingObservationContext";

	/** The hooks of this library that learn of every call; they would fill each trace. */
	private static final Set<String> OWN = Set.of("metrics", "audit", "actuator-journal");

	private final Supplier<ObservationRegistry> registry;

	private final ToolTags tools;

	private final Map<Kind, CallObservationConvention> own;

	private final Map<Kind, CallObservationConvention> usual;

	private final @Nullable HookObservationConvention hookConvention;

	CallObservations(Supplier<ObservationRegistry> registry, ToolTags tools, boolean genai,
			@Nullable CallObservationConvention callConvention, @Nullable HookObservationConvention hookConvention) {
		this.registry = registry;
		this.tools = tools;
		this.own = (callConvention != null) ? named(callConvention) : Map.of();
		this.usual = named(new DefaultCallObservationConvention(genai));
		this.hookConvention = hookConvention;
	}

	private static Map<Kind, CallObservationConvention> named(CallObservationConvention convention) {
		Map<Kind, CallObservationConvention> named = new EnumMap<>(Kind.class);
		for (Kind kind : Kind.values()) {
			named.put(kind, new Named(kind, convention));
		}
		return named;
	}

	@Override
	public boolean isActive() {
		return !this.registry.get().isNoop();
	}

	@Override
	public @Nullable WatchedCall begin(HookedCall call) {
		ObservationRegistry registry = this.registry.get();
		Kind kind = (call instanceof ToolCall) ? Kind.TOOL_CALL : (call instanceof LlmCall) ? Kind.LLM_CALL : Kind.RUN;
		CallObservationContext context = new CallObservationContext(kind, call, (outcome) -> tool(call, outcome));
		Observation observation = Observation.createNotStarted(this.own.get(kind),
				Objects.requireNonNull(this.usual.get(kind)), () -> context, registry);
		if (observation.isNoop()) {
			return null;
		}
		OwnMeters.start(observation);
		return new Observed(call, context, observation);
	}

	private String tool(HookedCall call, @Nullable HookOutcome outcome) {
		if (!(call instanceof ToolCall tool)) {
			return "none";
		}
		return (outcome != null) ? this.tools.of(tool.tool(), outcome.decidedBy()) : ToolTags.UNKNOWN;
	}

	/**
	 * A convention whose observations have the name of their kind unless it has another.
	 */
	private record Named(Kind kind, CallObservationConvention convention) implements CallObservationConvention {

		@Override
		public String getName() {
			String name = this.convention.getName();
			return (name != null) ? name : this.kind.observationName();
		}

		@Override
		public @Nullable String getContextualName(CallObservationContext context) {
			return this.convention.getContextualName(context);
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(CallObservationContext context) {
			return this.convention.getLowCardinalityKeyValues(context);
		}

		@Override
		public KeyValues getHighCardinalityKeyValues(CallObservationContext context) {
			return this.convention.getHighCardinalityKeyValues(context);
		}

	}

	private final class Observed implements WatchedCall {

		private final HookedCall call;

		private final CallObservationContext context;

		private final Observation observation;

		Observed(HookedCall call, CallObservationContext context, Observation observation) {
			this.call = call;
			this.context = context;
			this.observation = observation;
		}

		@Override
		public Binding bind() {
			return SafeScope.open(this.observation, CallObservations.this.registry.get());
		}

		@Override
		public @Nullable WatchedHook ask(HookEntry<?> hook, HookPart part) {
			if (part == HookPart.LEARN && OWN.contains(hook.name())) {
				return null;
			}
			HookObservationContext context = new HookObservationContext(this.call, hook.name(), hook.type(), part);
			ObservationRegistry registry = CallObservations.this.registry.get();
			Observation observation = Observation.createNotStarted(CallObservations.this.hookConvention, HOOKS,
					() -> context, registry);
			if (observation.isNoop()) {
				return null;
			}
			observation.parentObservation(this.observation);
			OwnMeters.start(observation);
			SafeScope scope;
			try {
				scope = SafeScope.open(observation, registry);
			}
			catch (RuntimeException | Error ex) {
				OwnMeters.stop(observation);
				throw ex;
			}
			return (decision, failure) -> end(context, observation, scope, decision, failure);
		}

		private void end(HookObservationContext context, Observation observation, SafeScope scope,
				@Nullable HookDecision decision, @Nullable Throwable failure) {
			context.end(decision);
			try {
				scope.close();
			}
			finally {
				stop(observation, (failure != null) ? new CallOutcomes.FailedCallException(failure) : null);
			}
		}

		/** A handler that throws at an error keeps no observation from ending. */
		private static void stop(Observation observation, @Nullable Throwable error) {
			try {
				if (error != null) {
					observation.error(error);
				}
			}
			finally {
				OwnMeters.stop(observation);
			}
		}

		@Override
		public void end(HookOutcome outcome) {
			this.context.end(outcome);
			Throwable error = CallOutcomes.error(outcome);
			try {
				if (error != null) {
					markParent(outcome, error);
				}
			}
			finally {
				stop(this.observation, error);
			}
		}

		/** Its meters must keep their tags, so it gets attributes of high cardinality. */
		private void markParent(HookOutcome outcome, Throwable error) {
			ObservationView parent = this.context.getParentObservation();
			if (this.context.getKind() == Kind.TOOL_CALL && parent instanceof Observation around
					&& around.getContext().getClass().getName().equals(SPRING_AI_TOOL_CALL)) {
				around.highCardinalityKeyValue(LowCardinalityCallKeys.OUTCOME.withValue(CallOutcomes.status(outcome)));
				around.highCardinalityKeyValue(
						LowCardinalityCallKeys.VERDICT.withValue(outcome.decision().verdict().value()));
				if (outcome.decidedBy() != null) {
					around.highCardinalityKeyValue(LowCardinalityCallKeys.DECIDED_BY.withValue(outcome.decidedBy()));
				}
				markRule(around, outcome.rule());
				around.error(error);
			}
		}

		private static void markRule(Observation around, @Nullable HookRule rule) {
			if (rule != null) {
				around.highCardinalityKeyValue(HighCardinalityCallKeys.RULE.withValue(SafeText.name(rule.name())));
				if (rule.origin() != null) {
					around.highCardinalityKeyValue(
							HighCardinalityCallKeys.RULE_ORIGIN.withValue(SafeText.name(rule.origin())));
				}
			}
		}

	}

}
