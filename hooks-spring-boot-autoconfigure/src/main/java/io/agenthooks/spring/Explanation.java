package io.agenthooks.spring;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.agenthooks.Verdict;
import io.agenthooks.toolcall.AskTerms;
import io.agenthooks.toolcall.ToolCall;

/**
 * The explanation of a call: the decision that hooks would make.
 *
 * @param verdict what the hooks that were asked would decide together: {@code ASK} if a
 * person would be asked. A hook that was not asked counts as one without an objection, so
 * unless the explanation is {@linkplain #isComplete() complete} the real call may be
 * stopped, answered or changed by one nevertheless.
 * @param decidedBy the name of the hook, or of the
 * {@linkplain io.agenthooks.BuiltInDecider built-in decider}, whose decision that is, or
 * {@code null} if nobody objects
 * @param reason why, or what the person would be asked; {@code null} if there is none
 * @param call the call as the tool would get it
 * @param hooks every hook that is for the call, in order, each as if it were asked
 * @param terms who may answer if a person would be asked, how, and for which calls;
 * otherwise {@code null}
 * @since 0.1.0
 */
public record Explanation(Verdict verdict, @Nullable String decidedBy, @Nullable String reason, ToolCall call,
		List<Answer> hooks, @Nullable AskTerms terms) {

	/** Create an explanation. */
	public Explanation {
		Objects.requireNonNull(verdict, "'verdict' must not be null");
		Objects.requireNonNull(call, "'call' must not be null");
		hooks = List.copyOf(hooks);
	}

	/**
	 * Whether every hook was asked, and the tool whether it accepts the arguments, if it
	 * would get them: then the verdict is that of the real call.
	 * @return {@code false} if one that was not asked may decide otherwise
	 */
	public boolean isComplete() {
		return this.hooks.stream().noneMatch((hook) -> hook.verdict() == null);
	}

	/** The explanation without reasons and arguments, which may be secret. */
	@Override
	public String toString() {
		return "Explanation[verdict=%s, decidedBy=%s, call=%s, hooks=%s]".formatted(this.verdict.value(),
				this.decidedBy, this.call, this.hooks);
	}

	/**
	 * The answer of one hook to the call.
	 *
	 * @param name its name
	 * @param type its type, such as {@code policy}; {@code built-in} for what Agent Hooks
	 * decides itself
	 * @param origin where it comes from, such as {@code application.yaml:6:9}
	 * @param verdict what it would decide, or {@code null} if it was not asked
	 * @param reason why, or why it was not asked; {@code null} if there is none
	 * @param rule the name of the rule by which it objects, or {@code null}
	 * @param ruleOrigin where that rule is written, or {@code null} if that is not known
	 * @param ruleDetail what it matched by which pattern, or what the hook said itself if
	 * the model would read another reason; {@code null} if there is nothing to say
	 * @param observed whether the hook only observes, so that its verdict does not count
	 * @since 0.1.0
	 */
	public record Answer(String name, String type, String origin, @Nullable Verdict verdict, @Nullable String reason,
			@Nullable String rule, @Nullable String ruleOrigin, @Nullable String ruleDetail, boolean observed) {

		/** The answer without its reason and detail, which may quote arguments. */
		@Override
		public String toString() {
			return "Answer[name=%s, type=%s, origin=%s, verdict=%s, rule=%s, ruleOrigin=%s, observed=%s]".formatted(
					this.name, this.type, this.origin, (this.verdict != null) ? this.verdict.value() : "not_asked",
					this.rule, this.ruleOrigin, this.observed);
		}

	}

}
