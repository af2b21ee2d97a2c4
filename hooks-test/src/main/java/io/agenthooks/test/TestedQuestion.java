package io.agenthooks.test;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.arguments.ToolArguments;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.spring.suspend.ToolApprovals;
import io.agenthooks.toolcall.ApprovalScope;

/**
 * A question to people about a call that a test made. Each answer is for the question as
 * it is at that moment.
 *
 * @since 0.1.0
 */
public final class TestedQuestion {

	private final ToolApprovals approvals;

	private final TestClock clock;

	private final String id;

	private final CompletableFuture<TestedToolCall> ended;

	private final @Nullable Person person;

	TestedQuestion(ToolApprovals approvals, TestClock clock, String id, CompletableFuture<TestedToolCall> ended,
			@Nullable Person person) {
		this.approvals = approvals;
		this.clock = clock;
		this.id = id;
		this.ended = ended;
		this.person = person;
	}

	/**
	 * This question, answered by another person.
	 * @param name the name of the person
	 * @param authorities what the person may do
	 * @return the same question
	 */
	public TestedQuestion as(String name, String... authorities) {
		return new TestedQuestion(this.approvals, this.clock, this.id, this.ended,
				new Person(name, Set.of(authorities)));
	}

	/**
	 * The question as people see it now.
	 * @return the question
	 */
	public ApprovalRequest request() {
		return this.approvals.find(this.id)
			.orElseThrow(() -> new AssertionError("The question '%s' is gone".formatted(this.id)));
	}

	/**
	 * Approve the call as it is.
	 * @return this question
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException if that does not
	 * count
	 */
	public TestedQuestion approve() {
		return answer(Verdict.APPROVE, null, null);
	}

	/**
	 * Approve the call as it is, and further calls.
	 * @param scope the calls that the approval counts for
	 * @param time for how long, or {@code null} for as long as the question lets
	 * @return this question
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException if that does not
	 * count
	 */
	public TestedQuestion approve(ApprovalScope scope, @Nullable Duration time) {
		this.approvals.answer(this.id, request().revision(), ApprovalAnswer.approve(who(), scope, time));
		return this;
	}

	/**
	 * Approve the call with other arguments.
	 * @param arguments all arguments that the tool shall get
	 * @return this question
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException if that does not
	 * count, or the arguments cannot be used
	 */
	public TestedQuestion edit(Map<String, ? extends @Nullable Object> arguments) {
		return answer(Verdict.EDIT, ToolArguments.write(arguments), null);
	}

	/**
	 * Deny the call.
	 * @param reason why, which the model reads
	 * @return this question
	 * @throws io.agenthooks.spring.suspend.ApprovalRefusedException if that does not
	 * count
	 */
	public TestedQuestion deny(String reason) {
		return answer(Verdict.DENY, null, reason);
	}

	private TestedQuestion answer(Verdict verdict, @Nullable String arguments, @Nullable String reason) {
		this.approvals.answer(this.id, request().revision(), new ApprovalAnswer(who(), verdict, arguments, reason));
		return this;
	}

	private Person who() {
		if (this.person == null) {
			throw new IllegalStateException("Say who answers: as(\"alice\", \"ROLE_APPROVER\")");
		}
		return this.person;
	}

	/**
	 * Put the clock forward until the time to decide is over.
	 * @return this question
	 */
	public TestedQuestion expire() {
		Duration left = Duration.between(this.clock.now(), request().expiresAt());
		if (!left.isNegative()) {
			this.clock.advance(left.plusMillis(1));
		}
		// Whoever looks finds that the time is over, which ends the wait of the call.
		request();
		return this;
	}

	/**
	 * Return the call and its outcome.
	 * @return the call
	 * @throws AssertionError if it still waits for people after half a minute
	 */
	public TestedToolCall call() {
		try {
			return this.ended.get(TestedApprovals.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw new AssertionError("The call still waits: its question is '%s', and %d of %d people have approved"
				.formatted(request().state(), request().votes().size(), request().approvals()), ex);
		}
		catch (ExecutionException ex) {
			throw new AssertionError("The call failed", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("The test was interrupted", ex);
		}
	}

}
