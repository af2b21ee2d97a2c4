package io.agenthooks.spring.actuator;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.agenthooks.CallContext;
import io.agenthooks.HookRule;
import io.agenthooks.Withheld;
import io.agenthooks.spring.outcome.AskedHook;
import io.agenthooks.spring.outcome.EndedCall;
import io.agenthooks.toolcall.Approval;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolIdentity;
import io.agenthooks.toolcall.ToolOutcome;
import io.agenthooks.toolcall.ToolResult;

/**
 * A call in the journal, without its result, unless that is an error, and without its
 * context, behind which anything may be. The arguments are {@code null} if they are too
 * large; the time is in milliseconds since 1970, the weight in bytes.
 */
record JournalEntry(long number, String id, ToolIdentity tool, @Nullable String session, @Nullable String run,
		@Nullable String agent, @Nullable String user, @Nullable Map<String, @Nullable Object> arguments,
		EndedCall ended, @Nullable String error, @Nullable Answer answer, List<AskedHook> asked, long time,
		int weight) {

	/** Larger arguments are not kept, in characters. */
	static final int MAX_ARGUMENTS = 64 * 1024;

	/** Longer texts are cut: a model chooses names. */
	static final int MAX_TEXT = 256;

	private static final int MAX_REASON = 2_000;

	/** More than is shown, so that no secret in it is cut in two before it is found. */
	private static final int KEPT_REASON = 2 * MAX_REASON;

	private static final int MAX_HOOKS = 200;

	private static final int BASE_WEIGHT = 600;

	private static final int HOOK_WEIGHT = 80;

	private static final int LIMIT_WEIGHT = 120;

	/** A member, an element or a number takes about that much. */
	private static final int NODE = 32;

	static JournalEntry of(long number, ToolOutcome outcome, List<AskedHook> asked, long time) {
		ToolCall call = outcome.effective();
		CallContext context = call.context();
		int size = weigh(call.arguments(), 0);
		List<AskedHook> hooks = (asked.size() > MAX_HOOKS) ? List.copyOf(asked.subList(0, MAX_HOOKS)) : asked;
		ToolIdentity tool = cut(call.identity());
		EndedCall ended = cut(EndedCall.of(outcome));
		String error = errorOf(outcome);
		int withheld = ended.withheld()
			.stream()
			.mapToInt((each) -> HOOK_WEIGHT
					+ 2 * (length(each.reason()) + length((each.rule() != null) ? each.rule().detail() : null)))
			.sum();
		int weight = BASE_WEIGHT + withheld + ((size <= MAX_ARGUMENTS) ? 2 * size : 0) + weigh(hooks)
				+ 2 * (length(tool.name()) + length(tool.modelName()) + length(tool.server()) + length(ended.reason())
						+ length(error) + length((ended.rule() != null) ? ended.rule().detail() : null)
						+ length(call.id()) + length(context.sessionId()) + length(context.runId())
						+ length(context.agent()) + length(context.user()));
		return new JournalEntry(number, cut(call.id()), tool, cutOrNull(context.sessionId()),
				cutOrNull(context.runId()), cutOrNull(context.agent()), cutOrNull(context.user()),
				(size <= MAX_ARGUMENTS) ? call.arguments() : null, ended, error, Answer.of(outcome.approval()), hooks,
				time, weight);
	}

	private static @Nullable String errorOf(ToolOutcome outcome) {
		ToolResult result = outcome.result();
		return (outcome.status() == ToolCallStatus.FAILED && result != null && !result.succeeded()
				&& !result.content().isBlank()) ? kept(result.content()) : null;
	}

	static int weigh(Map<String, @Nullable Object> arguments) {
		return weigh(arguments, 0);
	}

	private static int weigh(List<AskedHook> hooks) {
		int weight = HOOK_WEIGHT * hooks.size();
		for (AskedHook hook : hooks) {
			weight += (hook.limit() != null) ? LIMIT_WEIGHT : 0;
		}
		return weight;
	}

	private static int length(@Nullable String text) {
		return (text != null) ? Math.min(text.length(), KEPT_REASON) : 0;
	}

	/** The characters of a value, up to the limit: nobody counts on beyond it. */
	private static int weigh(@Nullable Object value, int before) {
		int sum = before + NODE;
		if (sum > MAX_ARGUMENTS) {
			return sum;
		}
		if (value instanceof String text) {
			sum += Math.min(text.length(), MAX_ARGUMENTS + 1);
		}
		else if (value instanceof Map<?, ?> map) {
			for (Map.Entry<?, ?> member : map.entrySet()) {
				sum = weigh(member.getValue(), weigh(member.getKey(), sum));
				if (sum > MAX_ARGUMENTS) {
					return sum;
				}
			}
		}
		else if (value instanceof List<?> list) {
			for (Object element : list) {
				sum = weigh(element, sum);
				if (sum > MAX_ARGUMENTS) {
					return sum;
				}
			}
		}
		else if (value instanceof BigInteger || value instanceof BigDecimal) {
			sum += Math.min(lengthOf((Number) value), MAX_ARGUMENTS + 1);
		}
		return sum;
	}

	private static int lengthOf(Number number) {
		BigInteger digits = (number instanceof BigDecimal decimal) ? decimal.unscaledValue() : (BigInteger) number;
		return digits.bitLength() / 3;
	}

	private static ToolIdentity cut(ToolIdentity tool) {
		if (isShort(tool.name()) && isShort(tool.modelName()) && isShort(tool.server())
				&& tool.otherNames().isEmpty()) {
			return tool;
		}
		return (tool.isOfApplication()) ? ToolIdentity.ofApplication(cut(tool.name()))
				: new ToolIdentity(cutOrNull(tool.server()), cut(tool.name()), cut(tool.modelName()));
	}

	private static EndedCall cut(EndedCall ended) {
		HookRule rule = ended.rule();
		String detail = (rule != null) ? rule.detail() : null;
		String reason = ended.reason();
		if (isKept(reason) && isKept(detail) && ended.withheld().isEmpty()) {
			return ended;
		}
		return new EndedCall(ended.verdict(), (reason != null) ? kept(reason) : null, ended.scope(), ended.decidedBy(),
				(rule != null && detail != null) ? rule.withDetail(kept(detail)) : rule, ended.status(),
				ended.failure(), ended.nanos(), ended.replacedBy(), ended.failedOpen(), ended.wouldDeny(),
				ended.withheld().stream().map(JournalEntry::kept).toList());
	}

	private static Withheld kept(Withheld withheld) {
		HookRule rule = withheld.rule();
		String detail = (rule != null) ? rule.detail() : null;
		return new Withheld(withheld.hook(), kept(withheld.reason()),
				(rule != null && detail != null) ? rule.withDetail(kept(detail)) : rule);
	}

	private static boolean isKept(@Nullable String text) {
		return text == null || text.length() <= KEPT_REASON;
	}

	private static String kept(String text) {
		return (isKept(text)) ? text : text.substring(0, KEPT_REASON);
	}

	static @Nullable String shortReason(@Nullable String reason) {
		return (reason != null && reason.length() > MAX_REASON) ? reason.substring(0, MAX_REASON) + "..." : reason;
	}

	private static boolean isShort(@Nullable String text) {
		return text == null || text.length() <= MAX_TEXT;
	}

	private static String cut(String text) {
		return (isShort(text)) ? text : text.substring(0, MAX_TEXT) + "...";
	}

	private static @Nullable String cutOrNull(@Nullable String text) {
		return (text != null) ? cut(text) : null;
	}

	/**
	 * A model may have invented a name: what is not there fails, too, but for tools of
	 * servers, which no model can name.
	 */
	boolean isOfATool() {
		return this.ended.status().equals("succeeded")
				|| (this.ended.status().equals("failed") && !this.tool.isOfApplication());
	}

	/** The entry without arguments and reason, which may be secret. */
	@Override
	public String toString() {
		return "JournalEntry[number=%d, id=%s, tool=%s, status=%s]".formatted(this.number, this.id, this.tool,
				this.ended.status());
	}

	/**
	 * The answer of a person, without the question, which may quote arguments. The time
	 * is {@code null} unless it is one about an earlier call.
	 */
	record Answer(String verdict, @Nullable String person, String approver, String askedBy, @Nullable String request,
			@Nullable Instant rememberedSince) {

		static @Nullable Answer of(@Nullable Approval approval) {
			return (approval != null) ? new Answer(approval.answer().value(), approval.person(), approval.approver(),
					approval.askedBy(), approval.request(), approval.rememberedSince()) : null;
		}

	}

}
