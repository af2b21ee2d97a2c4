package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.springframework.context.ApplicationEventPublisher;
import reactor.core.scheduler.Schedulers;

import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Approvers;
import io.agenthooks.spring.suspend.ApprovalRequest.Brief;
import io.agenthooks.spring.suspend.ApprovalRequest.Choices;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.CallEffect;
import io.agenthooks.spring.suspend.CallPreview;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ResumableTools;
import io.agenthooks.spring.suspend.ResumedTurn;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ApprovalScope;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Questions in memory, decided about by the real rules. It does not let itself be asked
 * by a thread that must not block.
 */
final class MemoryApprovals implements ToolApprovals {

	static final String APPROVER = "TOOL_APPROVER";

	/** An edit with it does not fit the tool. */
	static final String MISFIT = "misfit";

	private final Map<String, ApprovalRequest> requests = new ConcurrentHashMap<>();

	private final ApplicationEventPublisher publisher;

	volatile boolean broken;

	/** Whether an answer is taken, and that is not told. */
	volatile boolean brokenAfterAnswers;

	MemoryApprovals(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	static ApprovalRequest question(String id, String user, String arguments) {
		Instant now = Instant.now();
		return new ApprovalRequest(id, ApprovalState.PENDING, 1, ToolIdentity.ofApplication("send_email"), arguments,
				"f0", "call-" + id, "s1", "r1", "clerk", user, "mails", "outside", "The address is outside",
				List.of("find"), now, now.plusSeconds(120), 1, List.of());
	}

	/**
	 * A question whose approval can count for the tool, for eight hours, and whose call
	 * cannot be edited.
	 */
	static ApprovalRequest scoped(String id) {
		ApprovalRequest one = question(id, "carl", "{\"to\":\"ada\"}");
		return new ApprovalRequest(id, one.state(), 1, one.tool(), one.arguments(), one.fingerprint(), one.callId(),
				one.sessionId(), one.runId(), one.agent(), one.user(), one.askers(), one.reason(), one.earlierCalls(),
				one.askedAt(), one.expiresAt(), 1, new Approvers(Set.of(APPROVER), false), List.of(), null,
				Duration.ofHours(8), new Choices(false, ApprovalScope.ONCE, ApprovalScope.TOOL, "t0"), Brief.NONE,
				CallEffect.NONE);
	}

	/** A question in words, about one of its arguments. */
	static ApprovalRequest worded(String id, String arguments) {
		ApprovalRequest one = question(id, "carl", arguments);
		return new ApprovalRequest(
				id, one.state(), 1, one.tool(), one.arguments(), one.fingerprint(), one.callId(), one.sessionId(),
				one.runId(), one.agent(), one.user(), one.askers(), one.reason(), one.earlierCalls(), one.askedAt(),
				one.expiresAt(), 1, one.approvers(), List.of(), null, null, one.choices(), new Brief("Write to {to}",
						"Sends a mail\u202E", List.of("to", "subject", "cc"), List.of("to", "cc.name", "gone")),
				CallEffect.NONE);
	}

	/** A question with what its tool says that the call would do. */
	static ApprovalRequest previewed(String id, CallPreview preview) {
		ApprovalRequest one = question(id, "carl", "{\"to\":\"ada\"}");
		return one.withEffect(new CallEffect(preview, true, "v\u202E7"), one.askedAt(), one.expiresAt());
	}

	/** A table whose texts look like parts of a page. */
	static CallPreview table() {
		return new CallPreview("d1", null, List.of("to\u202E", "note"),
				List.of(List.of("eve", "</td></table><button>Approve</button>"), List.of("ada", "")), 3, null);
	}

	void forget() {
		this.requests.clear();
		this.broken = false;
		this.brokenAfterAnswers = false;
	}

	ApprovalRequest ask(String id) {
		return ask(question(id, "carl", "{\"to\":\"ada\"}"));
	}

	ApprovalRequest ask(ApprovalRequest request) {
		this.requests.put(request.id(), request);
		this.publisher.publishEvent(new ApprovalChangedEvent(request));
		return request;
	}

	private void check() {
		if (Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("This thread must not block");
		}
		if (this.broken) {
			throw new IllegalStateException("No row with the arguments {\"password\":\"hunter2\"}");
		}
	}

	private List<ApprovalRequest> list(Predicate<ApprovalRequest> filter, int limit) {
		check();
		return this.requests.values()
			.stream()
			.filter(filter)
			.sorted(Comparator.comparing(ApprovalRequest::id))
			.limit(limit)
			.toList();
	}

	@Override
	public List<ApprovalRequest> pending(int limit) {
		return list((request) -> request.state().isOpen(), limit);
	}

	@Override
	public List<ApprovalRequest> settled(int limit) {
		return list((request) -> !request.state().isOpen(), limit);
	}

	@Override
	public Optional<ApprovalRequest> find(String id) {
		check();
		return Optional.ofNullable(this.requests.get(id));
	}

	@Override
	public boolean mayDecide(ApprovalRequest request, Person person) {
		return person.authorities().contains(APPROVER) && !person.name().equals(request.user());
	}

	@Override
	public ApprovalRequest answer(String id, int revision, ApprovalAnswer answer) {
		check();
		ApprovalRequest was = find(id).orElseThrow(() -> refused(Reason.UNKNOWN));
		if (!mayDecide(was, answer.person())) {
			throw refused(Reason.NOT_ALLOWED);
		}
		if (was.state().isOpen() && revision > 0 && revision != was.revision()) {
			throw refused(Reason.CHANGED);
		}
		ApprovalRules.Edited edited = null;
		if (answer.verdict() == Verdict.EDIT) {
			String arguments = Objects.requireNonNull(answer.arguments());
			if (arguments.contains(MISFIT)) {
				throw new ApprovalRefusedException(Reason.INVALID_EDIT, "The arguments do not fit.",
						List.of("/to: is no address"));
			}
			edited = new ApprovalRules.Edited(arguments, "f1", null);
		}
		ApprovalRequest is = ApprovalRules.answered(was, answer, edited, Instant.now());
		if (!this.requests.replace(id, was, is)) {
			return answer(id, revision, answer);
		}
		this.publisher.publishEvent(new ApprovalChangedEvent(is));
		if (this.brokenAfterAnswers) {
			throw new IllegalStateException("No answer of the database to {\"password\":\"hunter2\"}");
		}
		return is;
	}

	@Override
	public ResumedTurn resume(String id, ResumableTools tools) {
		throw refused(Reason.UNKNOWN);
	}

	private static ApprovalRefusedException refused(Reason reason) {
		return new ApprovalRefusedException(reason, "Refused: " + reason, List.of());
	}

}
