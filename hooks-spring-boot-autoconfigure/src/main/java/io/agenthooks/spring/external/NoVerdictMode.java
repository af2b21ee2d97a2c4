package io.agenthooks.spring.external;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

import io.agenthooks.CallContext;
import io.agenthooks.HookDecision;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;
import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.FailMode;
import io.agenthooks.llmcall.LlmCall;
import io.agenthooks.llmcall.LlmDecision;
import io.agenthooks.llmcall.LlmMessage;
import io.agenthooks.run.AgentRun;
import io.agenthooks.run.RunDecision;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Decides when an external decider gave no verdict.
 *
 * @param <C> the calls
 * @param <D> the decisions about them
 * @since 0.1.0
 */
public final class NoVerdictMode<C, D extends HookDecision> {

	private static final int MAX_WORD = 64;

	private static final long MAX_PASSED = 1_000_000;

	private static final String PROBE = "hooks-probe";

	private static final Logger logger = LoggerFactory.getLogger(NoVerdictMode.class);

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final String hook;

	private final FailMode mode;

	private final Kind<C, D> kind;

	private final C probe;

	private final OutageCheck outages;

	private final AtomicLong passed = new AtomicLong();

	/** The last question that was answered. All questions of a hook are of one type. */
	private volatile @Nullable Object answered;

	private volatile boolean objected;

	private volatile @Nullable String place;

	private NoVerdictMode(String hook, boolean failOpen, boolean shared, Kind<C, D> kind, C probe) {
		this.hook = hook;
		this.mode = FailMode.of(failOpen);
		this.kind = kind;
		this.probe = probe;
		this.outages = new OutageCheck(shared);
	}

	/**
	 * The fail mode of a hook around tool calls.
	 * @param hook the name of the hook
	 * @param failOpen whether what the decider should have judged passes when it fails
	 * @param shared whether calls share the decider, so that one may break it for others
	 * @return the fail mode
	 */
	public static NoVerdictMode<ToolCall, ToolDecision> ofToolCalls(String hook, boolean failOpen, boolean shared) {
		return new NoVerdictMode<>(hook, failOpen, shared, new Kind<>(
				(call) -> "call '%s' of the tool '%s'".formatted(SafeText.name(call.id()), SafeText.name(call.tool())),
				(call) -> String.valueOf(call.arguments()), ToolDecision::failedOpen, ToolDecision::deny),
				ToolCall.of(PROBE, ToolIdentity.ofApplication("hooks_probe"), Map.of(), CallContext.empty()));
	}

	/**
	 * The fail mode of a hook around model calls.
	 * @param hook the name of the hook
	 * @param failOpen whether what the decider should have judged passes when it fails
	 * @param shared whether calls share the decider, so that one may break it for others
	 * @return the fail mode
	 */
	public static NoVerdictMode<LlmCall, LlmDecision> ofModelCalls(String hook, boolean failOpen, boolean shared) {
		return new NoVerdictMode<>(hook, failOpen, shared,
				new Kind<>((call) -> "model call '%s'".formatted(SafeText.name(call.id())),
						(call) -> call.messages().stream().map(LlmMessage::text).collect(Collectors.joining("\n")),
						LlmDecision::failedOpen, LlmDecision::deny),
				new LlmCall(PROBE, List.of(LlmMessage.user(PROBE)), null, Map.of(), List.of(), CallContext.empty()));
	}

	/**
	 * The fail mode of a hook around runs.
	 * @param hook the name of the hook
	 * @param failOpen whether what the decider should have judged passes when it fails
	 * @param shared whether calls share the decider, so that one may break it for others
	 * @return the fail mode
	 */
	public static NoVerdictMode<AgentRun, RunDecision> ofRuns(String hook, boolean failOpen, boolean shared) {
		return new NoVerdictMode<>(
				hook, failOpen, shared, new Kind<>((run) -> "run '%s'".formatted(SafeText.name(run.id())),
						AgentRun::prompt, RunDecision::failedOpen, RunDecision::deny),
				new AgentRun(PROBE, PROBE, CallContext.empty()));
	}

	/**
	 * The call that a probe asks about, which has nothing of an agent in it.
	 * @return the call
	 */
	public C probe() {
		return this.probe;
	}

	/**
	 * Remember where the hook is written, for those who read the log.
	 * @param place the place, or {@code null} if nobody knows
	 */
	public void writtenAt(@Nullable String place) {
		this.place = place;
	}

	/**
	 * Ask a decider, and decide without it if need be.
	 * @param <Q> the questions
	 * @param call the call that the question is about
	 * @param writing writes the question about a call; that of a probe, too
	 * @param asking asks it
	 * @return the decision
	 */
	public <Q> D decide(C call, Writing<C, Q> writing, Asking<C, Q, D> asking) {
		int size = 0;
		try {
			Q question = writing.write(call);
			size = (question instanceof byte[] bytes) ? bytes.length : 0;
			D decision = counted(asking.ask(call, question));
			this.outages.answered();
			if (this.mode == FailMode.OPEN && length(question) <= OutageCheck.MAX_KEPT) {
				this.answered = question;
			}
			return decision;
		}
		catch (NoVerdictException ex) {
			boolean mayPass = ex.mayPass() && this.mode.passesWithoutAnswer(size);
			return without(call, (mayPass)
					? this.outages.check(ex, () -> asking.ask(this.probe, writing.write(this.probe)), again(asking))
					: ex, mayPass);
		}
	}

	@SuppressWarnings("unchecked")
	private <Q> OutageCheck.@Nullable Probe again(Asking<C, Q, D> asking) {
		Q question = (Q) this.answered;
		// Its answer is not for a call, so that of the probe does.
		return (question != null) ? () -> asking.ask(this.probe, question) : null;
	}

	private static int length(Object question) {
		return (question instanceof byte[] bytes) ? bytes.length : String.valueOf(question).length();
	}

	/**
	 * Ask a decider which tells itself an outage from what a call did.
	 * @param call the call that the question is about
	 * @param question asks it
	 * @return the decision
	 */
	public D decide(C call, Question<D> question) {
		try {
			return counted(question.ask());
		}
		catch (NoVerdictException ex) {
			return without(call, ex, this.mode.passesWithoutAnswer(0));
		}
	}

	private D counted(D decision) {
		if (decision.verdict() != Verdict.APPROVE) {
			this.objected = true;
		}
		else if (this.passed.get() < MAX_PASSED) {
			this.passed.incrementAndGet();
		}
		return decision;
	}

	/**
	 * How many calls the decider has let pass, if it never objected to one.
	 * @return the number, at most a million; negative once it has objected
	 */
	public long callsWithoutObjection() {
		return (this.objected) ? -1 : this.passed.get();
	}

	private D without(C call, NoVerdictException failure, boolean mayPass) {
		boolean passes = failure.mayPass() && mayPass && !Thread.currentThread().isInterrupted();
		this.warnings.warn("Hook '%s'%s: %s%s. The %s %s".formatted(this.hook,
				(this.place != null) ? " (" + this.place + ")" : "", failure.getMessage(), wordOf(failure, call),
				this.kind.describing().apply(call), (passes) ? "passes, because of fail_open" : "does not pass"));
		D decision = ((passes) ? this.kind.passing() : this.kind.denying()).apply(failure.getMessage());
		Unanswered.note(decision, failure.isTimeout());
		return decision;
	}

	/** Not told if it is one of what the agent wrote, which may come back. */
	private String wordOf(NoVerdictException failure, C call) {
		String word = failure.word();
		if (word == null) {
			return "";
		}
		return (this.kind.content().apply(call).contains(word)) ? ": it stands in the call, too"
				: ": '" + StringUtils.truncate(SafeText.name(word), MAX_WORD) + "'";
	}

	private record Kind<C, D>(Function<C, String> describing, Function<C, String> content, Function<String, D> passing,
			Function<String, D> denying) {
	}

	/**
	 * Writes what is asked.
	 *
	 * @param <C> the calls
	 * @param <Q> the questions
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Writing<C, Q> {

		/**
		 * Write it.
		 * @param call the call that it is about
		 * @return the question
		 * @throws NoVerdictException if that must not be asked
		 */
		Q write(C call) throws NoVerdictException;

	}

	/**
	 * Asks a question.
	 *
	 * @param <C> the calls
	 * @param <Q> the questions
	 * @param <D> the decisions
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Asking<C, Q, D> {

		/**
		 * Ask it.
		 * @param call the call that it is about
		 * @param question the question
		 * @return the decision
		 * @throws NoVerdictException if there is none
		 */
		D ask(C call, Q question) throws NoVerdictException;

	}

	/**
	 * Asks a question that is written.
	 *
	 * @param <D> the decisions
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Question<D> {

		/**
		 * Ask it.
		 * @return the decision
		 * @throws NoVerdictException if there is none
		 */
		D ask() throws NoVerdictException;

	}

}
