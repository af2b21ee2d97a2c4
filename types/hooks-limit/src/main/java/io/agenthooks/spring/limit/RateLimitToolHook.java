package io.agenthooks.spring.limit;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.WarningThrottle;
import io.agenthooks.chain.CallNote;
import io.agenthooks.chain.CallNotes;
import io.agenthooks.spring.HookHealth;
import io.agenthooks.spring.scope.HasConditions;
import io.agenthooks.toolcall.PostToolHook;
import io.agenthooks.toolcall.RehearsedHook;
import io.agenthooks.toolcall.ToolCall;
import io.agenthooks.toolcall.ToolCallStatus;
import io.agenthooks.toolcall.ToolDecision;
import io.agenthooks.toolcall.ToolOutcome;

/**
 * Lets only so many calls pass. A call is counted before, or, if only calls count that
 * succeed, when it has ended so; until then it has its place, so that many at the same
 * time are no way around a limit. Whatever keeps it from counting denies the call, as a
 * store that is away.
 * <p>
 * If the key depends on arguments it is a policy: asked again when a later hook changed
 * them, it takes a place of the final key instead, and counts at the end.
 * <p>
 * A call that was counted, and whose turn then ended to wait for people, is not counted
 * again when it is resumed.
 */
final class RateLimitToolHook implements RehearsedHook, PostToolHook, CountingHook, HookHealth, HasConditions {

	private static final Logger logger = LoggerFactory.getLogger(RateLimitToolHook.class);

	private final String name;

	private final RateLimitSettings settings;

	private final LimitKeys keys;

	private final LimitStore store;

	private final boolean readsArguments;

	private final boolean countsAtOnce;

	private final CallNote<Entered> open = new CallNote<>();

	private final CallsLeft left;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	RateLimitToolHook(String name, RateLimitConfig config, KeyReader.Expressions expressions, LimitStores stores) {
		this.name = name;
		this.settings = RateLimitSettings.of(config, expressions);
		this.keys = new LimitKeys(this.settings.groups(), this.settings.missing());
		this.store = stores.make(name, this.settings.groups(), this.settings.forgetAfter(), this.settings.maxKeys());
		this.left = new CallsLeft(stores.kind());
		this.readsArguments = this.keys.readsArguments();
		this.countsAtOnce = this.settings.count() == RateLimitConfig.Count.DECIDED && !this.readsArguments;
	}

	@Override
	public List<?> conditions() {
		return this.keys.expressions();
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public boolean isRepeatable() {
		return this.readsArguments;
	}

	@Override
	public boolean isExplainable() {
		return true;
	}

	@Override
	public boolean mayAsk() {
		return this.settings.then() == RateLimitConfig.Then.ASK;
	}

	@Override
	public ToolDecision preCall(ToolCall call) {
		LimitKeys.Found found = this.keys.of(call);
		Entered before = (this.readsArguments) ? this.open.find() : null;
		if (before != null && before.keys().equals(found.keys())) {
			return ToolDecision.approve();
		}
		if (before != null && this.open.take() != null && before.place() != null) {
			this.store.leave(before.place(), false);
		}
		List<String> keys = found.keys();
		if (keys == null) {
			return uncounted(found);
		}
		String resumed = resumable(call);
		LimitStore.Answer answer = (this.countsAtOnce) ? this.store.take(keys, resumed)
				: this.store.enter(keys, resumed);
		this.left.add(answer);
		if (answer instanceof LimitStore.Enough enough) {
			boolean kept = this.open.leave(new Entered(keys, enough.place()));
			if (!kept && enough.place() != null) {
				this.store.leave(enough.place(), false);
				return ToolDecision.deny(LimitKeys.ENDED);
			}
			return ToolDecision.approve();
		}
		if (answer instanceof LimitStore.Full) {
			this.warnings.warn(LimitKeys.fullWarning(this.name, this.settings.maxKeys()));
		}
		return decision(answer);
	}

	@Override
	public CallsLeft left() {
		return this.left;
	}

	/** A call that waits for a person is asked about again, and has been counted. */
	@Override
	public ToolDecision rehearse(ToolCall call) {
		if (CallNotes.ofThisThread().isResumed()) {
			return ToolDecision.approve();
		}
		LimitKeys.Found found = this.keys.of(call);
		if (found.keys() == null) {
			return uncounted(found);
		}
		LimitStore.Answer answer = this.store.look(found.keys(), resumable(call));
		return (answer instanceof LimitStore.Enough enough && enough.left() >= 0)
				? ToolDecision.approve().withAdditionalContext(remark(enough)) : decision(answer);
	}

	private String remark(LimitStore.Enough enough) {
		String left = (enough.left() == 1) ? "1 call" : enough.left() + " calls";
		String again = (enough.newIn() != null) ? ", and all of them again in " + WaitText.of(enough.newIn()) : "";
		List<WrittenLimit> limits = this.keys.limits();
		return "The limit of %s for %s has %s left%s.".formatted(LimitKeys.texts(limits), this.keys.describe(limits),
				left, again);
	}

	private static ToolDecision uncounted(LimitKeys.Found found) {
		return (found.problem() != null) ? ToolDecision.deny(found.problem()) : ToolDecision.approve();
	}

	private ToolDecision decision(LimitStore.Answer answer) {
		if (answer instanceof LimitStore.UsedUp usedUp) {
			String reason = this.keys.reason(usedUp);
			return switch (this.settings.then()) {
				case DENY -> ToolDecision.budgetExceeded(reason);
				case ASK -> ToolDecision.ask(reason + " May this call pass nevertheless?");
				case ABORT -> ToolDecision.abortTurn(reason);
			};
		}
		return (answer instanceof LimitStore.Enough) ? ToolDecision.approve() : ToolDecision.deny(LimitKeys.FULL);
	}

	@Override
	public void postCall(ToolOutcome outcome) {
		Entered entered = this.open.take();
		if (entered != null && entered.place() != null) {
			this.store.leave(entered.place(),
					this.settings.count() == RateLimitConfig.Count.DECIDED || hasSucceeded(outcome));
		}
		if (entered != null && outcome.status() == ToolCallStatus.PENDING) {
			String call = resumable(outcome.effective());
			if (call != null) {
				this.store.remember(entered.keys(), call);
			}
		}
	}

	/** By id and tool, since a person may edit the arguments. */
	private @Nullable String resumable(ToolCall call) {
		return (this.settings.count() == RateLimitConfig.Count.DECIDED) ? call.id() + '\n' + call.tool() : null;
	}

	/** A hook that changes the result does not undo what the tool did. */
	private static boolean hasSucceeded(ToolOutcome outcome) {
		return outcome.status() == ToolCallStatus.SUCCEEDED || (outcome.status() == ToolCallStatus.ABORTED
				&& outcome.originalResult() != null && outcome.originalResult().succeeded());
	}

	@Override
	public Report health() {
		return this.store.health();
	}

	/**
	 * {@code place} is {@code null} if the call counted at once, or before its turn
	 * ended.
	 */
	private record Entered(List<String> keys, LimitStore.@Nullable Place place) {
	}

}
