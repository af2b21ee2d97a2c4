package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.agenthooks.CallContext;
import io.agenthooks.SafeText;
import io.agenthooks.WarningThrottle;
import io.agenthooks.spring.approval.ApprovalRules.Edited;
import io.agenthooks.spring.outcome.SessionEnds;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ToolCall;

/**
 * Every change goes through {@link ApprovalRules}, and is announced to the listeners of
 * this node.
 */
final class SharedApprovals implements ToolApprovals, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SharedApprovals.class);

	/** Lost races of one answer; there are at most so many votes. */
	private static final int MAX_RACES = 1000;

	private static final Duration ABORT_AGAIN = Duration.ofSeconds(1);

	private static final int MAX_PERSON = 200;

	private final ApprovalStore store;

	private final ApprovalConfig config;

	private final EditCheck edits;

	private final Announcements announcements;

	private final Supplier<@Nullable Resumer> resumer;

	private final InstantSource clock;

	private final WarningThrottle warnings = new WarningThrottle(logger);

	private final BackgroundWork work = new BackgroundWork();

	private final DueSweep sweep;

	private final TimelyEnds timely;

	private final AbortedQuestions aborted;

	private final RememberedDecisions remembered;

	private final EndedSessions endedSessions;

	private final LastRevisions claimed = new LastRevisions();

	/**
	 * The listener is told each change, at least once. The resumer is {@code null} if
	 * calls wait on their threads.
	 */
	SharedApprovals(ApprovalStore store, ApprovalConfig config, EditCheck edits, ApprovalListener listener,
			Supplier<@Nullable Resumer> resumer, InstantSource clock) {
		this.store = store;
		this.config = config;
		this.edits = edits;
		this.announcements = new Announcements(listener);
		this.resumer = resumer;
		this.clock = clock;
		this.sweep = new DueSweep(store, config.retentionOrDefault(), clock, this::current, this.work);
		this.timely = new TimelyEnds(store, this.sweep, clock, this.work);
		this.aborted = new AbortedQuestions(store, this.work, ABORT_AGAIN, this::cancel);
		this.remembered = new RememberedDecisions(store, config, clock);
		this.endedSessions = new EndedSessions(store, clock, this::settle);
	}

	Instant now() {
		return this.clock.instant();
	}

	/** A question about the same call whose time is over ends first, and that is told. */
	Optional<ApprovalRequest> ask(ApprovalRequest asked) {
		return ask(asked, null);
	}

	/**
	 * The completion is asked once, and only if there is room for the question and nobody
	 * asked it before; {@code null} if it is complete.
	 */
	Optional<ApprovalRequest> ask(ApprovalRequest first, @Nullable UnaryOperator<ApprovalRequest> completion) {
		ApprovalRequest asked = first;
		boolean complete = completion == null;
		this.sweep.run();
		int inAll = this.config.maxPendingOrDefault();
		int inSession = (asked.sessionId().isEmpty()) ? inAll
				: Math.min(inAll, this.config.maxPendingPerSessionOrDefault());
		for (int i = 0; i < MAX_RACES; i++) {
			ApprovalStore.Bounds bounds = new ApprovalStore.Bounds(inAll, inSession);
			ApprovalRequest kept = ((complete) ? this.store.ask(asked, bounds) : this.store.wouldAsk(asked, bounds))
				.orElse(null);
			if (kept == null) {
				return Optional.empty();
			}
			if (completion != null && !complete && kept.id().equals(asked.id())) {
				asked = completion.apply(asked);
				complete = true;
				continue;
			}
			if (kept.id().equals(asked.id()) || !ApprovalRules.isDue(kept, asked.askedAt())) {
				announce(kept);
				if (kept.id().equals(asked.id())) {
					this.announcements.changedHere(null, kept);
					this.timely.asked(kept);
				}
				return Optional.of(kept);
			}
			// If somebody else was quicker, that one has told it.
			boolean unused = replace(kept, ApprovalRules.expired(kept, asked.askedAt()));
		}
		throw new IllegalStateException("The question about this call kept changing");
	}

	void endInTime() {
		this.timely.start();
	}

	RememberedDecisions remembered() {
		return this.remembered;
	}

	SessionEnds endedSessions() {
		return this.endedSessions;
	}

	@Override
	public List<ApprovalRequest> pending(int limit) {
		this.sweep.run();
		return this.store.pending(requirePositive(limit))
			.stream()
			.map(this::current)
			.filter((request) -> request.state() == ApprovalState.PENDING)
			.toList();
	}

	@Override
	public List<ApprovalRequest> settled(int limit) {
		this.sweep.run();
		return this.store.settled(requirePositive(limit)).stream().map(this::current).toList();
	}

	private static int requirePositive(int limit) {
		if (limit < 1) {
			throw new IllegalArgumentException("'limit' must be 1 or more");
		}
		return limit;
	}

	@Override
	public Optional<ApprovalRequest> find(String id) {
		int forgotten = this.aborted.forgotten();
		Optional<ApprovalRequest> found = this.store.find(id).map(this::current);
		// What was read just before its run was done with does not say that it is over.
		return (this.aborted.forgotten() == forgotten) ? found : this.store.find(id).map(this::current);
	}

	/** Its time may be over, or its run aborted, although nobody said so. */
	private ApprovalRequest current(ApprovalRequest request) {
		ApprovalRequest current = (this.aborted.isAborted(request)) ? ApprovalRules.cancelled(request)
				: ApprovalRules.expired(request, now());
		if (current.revision() == request.revision()) {
			return request;
		}
		return (replace(request, current)) ? current : this.store.find(request.id()).orElse(current);
	}

	@Override
	public boolean mayDecide(ApprovalRequest request, Person person) {
		return mayDecide(person) && ApprovalRules.include(request.approvers(), person)
				&& !ApprovalRules.excludeSelf(request.approvers(), request, person)
				&& !ApprovalRules.excludeSelf(this.config.whoMayDecide(), request, person);
	}

	private boolean mayDecide(Person person) {
		return person.name().length() <= MAX_PERSON && ApprovalRules.include(this.config.whoMayDecide(), person);
	}

	@Override
	public ApprovalRequest answer(String id, int revision, ApprovalAnswer answer) {
		if (!mayDecide(answer.person())) {
			throw refused(Reason.NOT_ALLOWED, "This person may not decide about calls.");
		}
		for (int i = 0; i < MAX_RACES; i++) {
			ApprovalRequest request = find(id).orElseThrow(() -> refused(Reason.UNKNOWN, "There is no such question."));
			ApprovalRequest answered = answered(request, revision, answer);
			if (replace(request, answered)) {
				return answered;
			}
		}
		throw refused(Reason.CHANGED, "The question changes all the time.");
	}

	private ApprovalRequest answered(ApprovalRequest request, int revision, ApprovalAnswer answer) {
		ApprovalRules.checkMayDecide(request, this.config.whoMayDecide(), answer.person());
		if (request.state() == ApprovalState.PENDING && revision != 0 && revision != request.revision()) {
			throw refused(Reason.CHANGED, "The question changed since this person saw it.");
		}
		boolean edits = answer.arguments() != null && request.state() == ApprovalState.PENDING;
		if (edits && !(request.choices().edit() && this.config.isEditAllowed())) {
			throw refused(Reason.NOT_ALLOWED, "The arguments of this call cannot be edited: approve or deny it.");
		}
		ApprovalAnswer scoped = (request.state() == ApprovalState.PENDING) ? this.remembered.scoped(request, answer)
				: new ApprovalAnswer(answer.person(), answer.verdict(), answer.arguments(), answer.reason());
		Edited edited = (edits)
				? this.edits.check(request, Objects.requireNonNull(answer.arguments()), () -> formatOf(request)) : null;
		if (answer.arguments() != null && edited == null) {
			throw refused(Reason.SETTLED, ApprovalRules.whySettled(request, now()));
		}
		return this.remembered.kept(ApprovalRules.answered(request, bounded(scoped), edited, now()));
	}

	/** Empty if no framework kept the turn. */
	private String formatOf(ApprovalRequest request) {
		SuspendedStore turns = this.store.suspended();
		return (turns != null && request.isSuspended()) ? turns.find(request).turn().format() : "";
	}

	private static ApprovalAnswer bounded(ApprovalAnswer answer) {
		String reason = (answer.reason() != null) ? SafeText.reason(answer.reason()) : null;
		return new ApprovalAnswer(answer.person(), answer.verdict(), answer.arguments(),
				(reason == null || reason.isEmpty()) ? null : reason, answer.scope(), answer.time());
	}

	@Override
	public ResumedTurn resume(String id, ResumableTools tools) {
		Resumer resumer = this.resumer.get();
		if (resumer == null) {
			throw refused(Reason.UNKNOWN,
					"There is no such question that can be resumed: calls wait on their threads.");
		}
		return resumer.resume(id, tools);
	}

	private static ApprovalRefusedException refused(Reason reason, String message) {
		return new ApprovalRefusedException(reason, message, List.of());
	}

	@Nullable String objection(ToolCall call, ApprovalRequest request) {
		return this.edits.objection(call, request);
	}

	boolean claim(ApprovalRequest request) {
		if (this.claimed.knows(request.id())) {
			settle(request.id(), this::cancelledIfOld);
			return false;
		}
		try {
			ApprovalRequest claimed = ApprovalRules.claimed(request, now());
			boolean mine = replace(request, claimed);
			if (mine) {
				boolean unused = this.claimed.note(claimed);
			}
			return mine;
		}
		catch (ApprovalRefusedException ex) {
			return false;
		}
	}

	/** It leads nowhere else, unless the store has older data again, as from a backup. */
	private ApprovalRequest cancelledIfOld(ApprovalRequest last) {
		if (!ApprovalRules.isEnd(last.state())) {
			this.warnings.warn("The store of questions to people has older data again: an approval that this node has "
					+ "used is there unused. It is cancelled; find out who brought back a backup");
		}
		return ApprovalRules.cancelled(last);
	}

	/** For the one who asked, whatever its clock says meanwhile. */
	void expire(ApprovalRequest request) {
		settle(request.id(), (last) -> ApprovalRules.expired(last, last.expiresAt()));
	}

	void cancel(String id) {
		cancel(id, (request) -> true);
	}

	private void cancel(String id, Predicate<ApprovalRequest> which) {
		settle(id, (last) -> (which.test(last)) ? ApprovalRules.cancelled(last) : last);
	}

	/** Does not wait. The abort may be forgotten before anybody looks for it. */
	void abort(CallContext aborted) {
		this.aborted.abort(aborted);
	}

	private void settle(String id, UnaryOperator<ApprovalRequest> settlement) {
		for (int i = 0; i < MAX_RACES; i++) {
			ApprovalRequest last = this.store.find(id).orElse(null);
			ApprovalRequest settled = (last != null) ? settlement.apply(last) : null;
			if (last == null || settled == null || settled.revision() == last.revision() || replace(last, settled)) {
				return;
			}
		}
	}

	/** Wait until a question changes, or somewhat shorter. */
	void await(ApprovalRequest request, Duration atMost) throws InterruptedException {
		this.store.await(request.id(), request.revision(), atMost);
	}

	private boolean replace(ApprovalRequest was, ApprovalRequest is) {
		boolean replaced = this.store.replace(was, is, now());
		if (replaced) {
			this.announcements.changed(was, is);
		}
		return replaced;
	}

	void announce(ApprovalRequest request) {
		this.announcements.announce(request);
	}

	void publish(ApprovalChangedEvent event) {
		this.announcements.publish(event);
	}

	void finish() {
		this.aborted.finish();
	}

	@Override
	public void close() {
		finish();
		this.work.close();
	}

}
