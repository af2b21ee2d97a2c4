package io.agenthooks;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The rule of a hook by which it decided, for operators; neither the model nor the person
 * in front of it reads it.
 *
 * @param name the name of the rule, or that of the list which it stands in, such as
 * {@code deny_tools}; one safe line
 * @param origin where the rule is written, such as {@code application.yaml:12:9}, or
 * {@code null} if that is not known
 * @param detail what was matched by which pattern, or what the hook said itself if the
 * model reads another reason; one safe line, or {@code null}
 * @since 0.1.0
 */
public record HookRule(String name, @Nullable String origin, @Nullable String detail) {

	private static final String REASON = "reason";

	/** Create a rule; its name and the detail become safe lines. */
	public HookRule {
		name = SafeText.name(Objects.requireNonNull(name, "'name' must not be null"));
		detail = (detail != null) ? SafeText.reason(detail) : null;
	}

	/**
	 * Create a rule of which there is nothing else to say.
	 * @param name the name of the rule
	 * @param origin where the rule is written, or {@code null} if that is not known
	 */
	public HookRule(String name, @Nullable String origin) {
		this(name, origin, null);
	}

	/**
	 * A rule whose place in the configuration is unknown.
	 * @param name the name of the rule
	 * @return the rule
	 */
	public static HookRule of(String name) {
		return new HookRule(name, null);
	}

	/**
	 * This rule with what operators should know of the one decision.
	 * @param detail what was matched by which pattern
	 * @return the new rule
	 */
	public HookRule withDetail(String detail) {
		return new HookRule(this.name, this.origin, detail);
	}

	/**
	 * The rule of a decision whose reason was replaced by that of its entry.
	 * @param decision the decision
	 * @return its rule, or one of the name {@code reason}; the detail has what the hook
	 * said itself
	 */
	public static HookRule replacing(HookDecision decision) {
		HookRule rule = Objects.requireNonNullElseGet(decision.rule(), () -> of(REASON));
		String said = HookDecision.reasonOf(decision.reason());
		return rule.withDetail((rule.detail != null) ? said + " (" + rule.detail + ")" : said);
	}

	/**
	 * The rule as a sentence of the log ends with it.
	 * @return the name, the place and the detail, as far as they are known
	 */
	public String describe() {
		return "rule '" + this.name + "'" + ((this.origin != null) ? " at " + this.origin : "")
				+ ((this.detail != null) ? ": " + this.detail : "");
	}

}
