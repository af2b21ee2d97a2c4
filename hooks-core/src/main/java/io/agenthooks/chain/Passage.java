package io.agenthooks.chain;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.AbortScope;
import io.agenthooks.AbortedRuns;
import io.agenthooks.AdditionalContext;
import io.agenthooks.AgentAbortedException;
import io.agenthooks.BuiltInDecider;
import io.agenthooks.Hook;
import io.agenthooks.HookListener;
import io.agenthooks.SafeText;
import io.agenthooks.Verdict;

/**
 * The way of one call through the hooks: what they said so far, and that it ends exactly
 * once. The rules are those of tool calls: hooks are asked in order, the first to deny,
 * respond or abort settles the call, one that fails denies, and every policy has to agree
 * to the final call.
 * <p>
 * A call may change its thread, but only one thread at a time may ask hooks; any may try
 * to end it.
 *
 * @param <C> the calls
 * @param <D> the decisions
 * @param <E> the events
 * @since 0.1.0
 */
public final class Passage<C extends HookedCall, D extends HookDecision, E> {

	private static final Logger logger = LoggerFactory.getLogger(Passage.class);

	/** How many hooks may be asked inside one another on one thread. */
	private static final int MAX_DEPTH = 8;

	private static final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);

	private final Gate<C, D, E> gate;

	private final ChainKind<C, D, E> kind;

	private final @Nullable HookListener<E> listener;

	private final C requested;

	private final long start = System.nanoTime();

	private final AtomicBoolean ended = new AtomicBoolean();

	private C call;

	private D decision;

	private @Nullable String decidedBy;

	private @Nullable String additionalContext;

	private @Nullable Error fatal;

	private List<String> failedOpen = List.of();

	private List<String> wouldDeny = List.of();

	Passage(Gate<C, D, E> gate, C call) {
		this.gate = gate;
		this.kind = gate.kind();
		this.listener = gate.whoListens();
		this.requested = call;
		this.call = call;
		this.decision = this.kind.approve();
	}

	/**
	 * Ask the hooks that decide, in order.
	 * @param <H> the kind of hook
	 * @param hooks the hooks
	 * @param question asks one about a call
	 * @param repeatable whether one is a policy, which has to agree to the final call
	 */
	public <H extends Hook> void decide(List<HookEntry<H>> hooks, BiFunction<H, C, @Nullable D> question,
			Predicate<H> repeatable) {
		admit();
		if (!isRefused() && depth.get() > MAX_DEPTH) {
			settle(this.kind.deny("Hooks call what they guard, too deep"), BuiltInDecider.NESTING_LIMIT.value());
		}
		if (!isRefused()) {
			askAll(hooks, question, repeatable);
		}
		if (!isRefused()) {
			// The answer of a hook may have taken long.
			admit();
		}
	}

	private void admit() {
		AbortedRuns.Abortion abortion = this.gate.abortedRuns().find(this.call.context());
		if (abortion != null) {
			settle(this.kind.abortRun(abortion.reason()), abortion.hook());
		}
		else if (this.gate.abortedRuns().isFullFor(this.call.context())) {
			settle(this.kind.deny("Too many aborted runs have not ended"), BuiltInDecider.ABORT_LIMIT.value());
		}
	}

	private <H extends Hook> void askAll(List<HookEntry<H>> hooks, BiFunction<H, C, @Nullable D> question,
			Predicate<H> repeatable) {
		// Policies before the one have seen another call, from the other on they saw
		// none.
		int unseenBefore = 0;
		int unseenFrom = hooks.size();
		for (int i = 0; i < hooks.size() && !isRefused() && !isAnswered(); i++) {
			HookEntry<H> entry = hooks.get(i);
			D decision = ask(entry, (hook) -> question.apply(hook, this.call), "the call is denied");
			switch (decision.verdict()) {
				case APPROVE -> {
				}
				case MODIFY -> {
					change(decision, entry.name());
					unseenBefore = i;
				}
				case RESPOND -> {
					settle(decision, entry.name());
					unseenFrom = i + 1;
				}
				case DENY, ABORT, ASK -> refuse(decision, entry.name());
			}
		}
		for (int i = 0; i < hooks.size() && !isRefused(); i++) {
			HookEntry<H> entry = hooks.get(i);
			if (repeatable.test(entry.hook()) && (i < unseenBefore || i >= unseenFrom)) {
				askAgain(entry, question);
			}
		}
	}

	/**
	 * Ask a policy about the final call. It may object; it may no longer change anything,
	 * nor need it if the call is answered.
	 */
	private <H extends Hook> void askAgain(HookEntry<H> entry, BiFunction<H, C, @Nullable D> question) {
		D decision = ask(entry, (hook) -> question.apply(hook, this.call), "the call is denied");
		switch (decision.verdict()) {
			case APPROVE -> {
			}
			case MODIFY -> {
				if (!isAnswered() && !this.kind.change(this.call, decision, entry.name()).equals(this.call)) {
					settle(this.kind.deny("The hook wants to change what is final"), entry.name());
				}
			}
			case RESPOND -> {
				if (!isAnswered()) {
					settle(decision, entry.name());
				}
			}
			case DENY, ABORT, ASK -> refuse(decision, entry.name());
		}
	}

	/**
	 * Ask a hook that decides. What it must not be asked, what it only observes, and its
	 * failure if it may fail, come back as an approval; any other failure as a denial.
	 * @param <H> the kind of hook
	 * @param entry the hook
	 * @param question asks it
	 * @param consequence what happens if it fails, as the end of a sentence
	 * @return the decision, of which the caller draws the consequence
	 */
	public <H extends Hook> D ask(HookEntry<H> entry, Function<H, @Nullable D> question, String consequence) {
		depth.set(depth.get() + 1);
		try {
			if (!isFor(entry)) {
				return this.kind.approve();
			}
			logger.trace("Asking the hook '{}'", entry.name());
			@Nullable D decision = entry.around().ask(() -> question.apply(entry.hook()));
			return (decision != null) ? heard(entry, decision) : undecided(entry);
		}
		catch (Throwable ex) {
			return failed(entry, ex, consequence);
		}
		finally {
			depth.set(depth.get() - 1);
		}
	}

	private D heard(HookEntry<?> entry, D decision) {
		String failure = decision.failure();
		if (failure != null) {
			failedOpen(entry, failure);
		}
		if (entry.observe()) {
			return observed(entry, decision);
		}
		if (decision.additionalContext() != null) {
			this.additionalContext = AdditionalContext.join(this.additionalContext, decision.additionalContext());
		}
		return decision;
	}

	private D undecided(HookEntry<?> entry) {
		if (entry.observe()) {
			logger.warn("The observed hook '{}' decided nothing; enforced, it would deny", entry.name());
			return wouldDeny(entry);
		}
		if (entry.failOpen()) {
			return failedOpen(entry, "The hook decided nothing");
		}
		logger.warn("The hook '{}' decided nothing; that counts as a denial", entry.name());
		tell(this.kind.hookFailed(this.call, entry.name(), "no decision"));
		return this.kind.deny("The hook decided nothing");
	}

	private D failed(HookEntry<?> entry, Throwable ex, String consequence) {
		if (Failures.isFatal(ex)) {
			this.fatal = (Error) ex;
		}
		else if (entry.observe()) {
			Failures.log(logger, "The observed hook '" + entry.name() + "'", ex, "enforced, it would deny");
			return wouldDeny(entry);
		}
		else if (entry.failOpen() && mayFailOpen(ex)) {
			logger.debug("The hook '{}' failed", entry.name(), ex);
			return failedOpen(entry, "The hook failed with " + ex.getClass().getName());
		}
		Failures.log(logger, "The hook '" + entry.name() + "'", ex, consequence);
		tell(this.kind.hookFailed(this.call, entry.name(), ex.getClass().getName()));
		return this.kind.deny("The hook failed");
	}

	/**
	 * An error, an interruption, a cancellation and the abort of a call that the hook
	 * made are no failures of the hook.
	 */
	private static boolean mayFailOpen(Throwable ex) {
		return ex instanceof Exception && !(ex instanceof AgentAbortedException)
				&& !(ex instanceof CancellationException) && !Failures.isInterruption(ex);
	}

	private D failedOpen(HookEntry<?> entry, String failure) {
		this.failedOpen = with(this.failedOpen, entry.name());
		this.gate.warn(entry.name(), "The hook '%s' failed open on the %s '%s': %s".formatted(entry.name(),
				this.kind.noun(), SafeText.name(this.call.id()), failure));
		tell(this.kind.failedOpen(this.call, entry.name(), failure));
		return this.kind.approve();
	}

	private D observed(HookEntry<?> entry, D decision) {
		if (decision.verdict() != Verdict.APPROVE) {
			logger.info("The observed hook '{}' would {} the {} '{}'", entry.name(), decision.verdict().value(),
					this.kind.noun(), SafeText.name(this.call.id()));
		}
		return (decision.verdict() == Verdict.DENY || decision.verdict() == Verdict.ABORT) ? wouldDeny(entry)
				: this.kind.approve();
	}

	private D wouldDeny(HookEntry<?> entry) {
		this.wouldDeny = with(this.wouldDeny, entry.name());
		return this.kind.approve();
	}

	private void change(D decision, String hook) {
		C before = this.call;
		this.call = this.kind.change(before, decision, hook);
		settle(decision, hook);
		tell(this.kind.modified(before, this.call, hook));
	}

	/**
	 * Refuse the call, and remember if its run is over.
	 * @param decision the denial or the abort
	 * @param hook the name of the hook that decided so
	 */
	public void refuse(D decision, String hook) {
		settle(decision, hook);
		if (decision.scope() == AbortScope.RUN) {
			this.gate.abortedRuns().remember(this.call.context(), HookDecision.reasonOf(decision.reason()), hook);
		}
	}

	private void settle(D decision, String hook) {
		this.decision = decision;
		this.decidedBy = hook;
	}

	/**
	 * Put the call as the model gets it into the place of the one that hooks decided on.
	 * @param call the call
	 */
	public void complete(C call) {
		this.call = call;
	}

	/**
	 * Whether a hook is for the call; one that cannot tell is.
	 * @param entry the hook
	 * @return whether it would be asked
	 */
	public boolean isFor(HookEntry<?> entry) {
		try {
			return entry.isFor(this.call);
		}
		catch (RuntimeException ex) {
			return true;
		}
	}

	/**
	 * Tell the listener.
	 * @param event what happened
	 */
	public void tell(E event) {
		if (this.listener == null) {
			return;
		}
		try {
			this.listener.onEvent(event);
		}
		catch (Throwable ex) {
			Failures.log(logger, "A listener", ex, "the " + this.kind.noun() + " goes on");
		}
	}

	/**
	 * Claim the right to end the call, which only one can have.
	 * @return whether it is the caller's; if not, the call has ended or is about to
	 */
	public boolean claimEnd() {
		return this.ended.compareAndSet(false, true);
	}

	/**
	 * Tell everybody how the call ended.
	 * @param <H> the kind of hook
	 * @param <O> the kind of outcome
	 * @param hooks the hooks that learn of it
	 * @param telling tells one
	 * @param outcome how it ended
	 * @param event the event of that
	 */
	public <H extends Hook, O> void end(List<HookEntry<H>> hooks, BiConsumer<H, O> telling, O outcome,
			Function<O, E> event) {
		for (HookEntry<H> entry : hooks) {
			try {
				if (isFor(entry)) {
					telling.accept(entry.hook(), outcome);
				}
			}
			catch (Throwable ex) {
				Failures.log(logger, "The hook '" + entry.name() + "'", ex, "the outcome stands");
				tell(this.kind.hookFailed(this.call, entry.name(), ex.getClass().getName()));
			}
		}
		tell(event.apply(outcome));
	}

	/**
	 * What a failure of the virtual machine itself in a hook was: it is the caller's,
	 * too.
	 * @return the failure, or {@code null} if there was none
	 */
	public @Nullable Error fatal() {
		return this.fatal;
	}

	/**
	 * The call as it was made.
	 * @return the call
	 */
	public C requested() {
		return this.requested;
	}

	/**
	 * The call as the hooks left it.
	 * @return the call
	 */
	public C call() {
		return this.call;
	}

	/**
	 * What the hooks decided together.
	 * @return the decision
	 */
	public D decision() {
		return this.decision;
	}

	/**
	 * Whose decision that is.
	 * @return the name of the hook, or {@code null} if nobody objected
	 */
	public @Nullable String decidedBy() {
		return this.decidedBy;
	}

	/**
	 * What hooks want the model to know besides.
	 * @return the text, or {@code null} if there is none
	 */
	public @Nullable String additionalContext() {
		return this.additionalContext;
	}

	/**
	 * How long the call took so far.
	 * @return the time since it entered
	 */
	public Duration duration() {
		return Duration.ofNanos(System.nanoTime() - this.start);
	}

	/**
	 * The hooks that failed while the call passes.
	 * @return their names
	 */
	public List<String> failedOpen() {
		return this.failedOpen;
	}

	/**
	 * The hooks that only observe, and would have denied or aborted.
	 * @return their names
	 */
	public List<String> wouldDeny() {
		return this.wouldDeny;
	}

	private boolean isAnswered() {
		return this.decision.verdict() == Verdict.RESPOND;
	}

	private boolean isRefused() {
		return this.decision.verdict() == Verdict.DENY || this.decision.verdict() == Verdict.ABORT;
	}

	/**
	 * Names with one more, if it is not among them.
	 * @param names the names
	 * @param name the one more
	 * @return the names, each once
	 */
	public static List<String> with(List<String> names, String name) {
		return (names.contains(name)) ? names : Stream.concat(names.stream(), Stream.of(name)).toList();
	}

}
