package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.agenthooks.spring.origin.KnownTools;
import io.agenthooks.spring.origin.OfferedSchemas;
import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;
import io.agenthooks.toolcall.ToolHints;
import io.agenthooks.toolcall.ToolIdentity;

/**
 * Questions and answers of tests.
 */
final class Questions {

	static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456789Z");

	static final Duration TIMEOUT = Duration.ofMinutes(2);

	static final ApprovalRules.Edited EDIT = new ApprovalRules.Edited("{\"to\":\"b\"}", "edited", null);

	/** Those of a node that knows none. */
	static final CalledTools NO_TOOLS = new CalledTools(Stream::empty, Stream::empty, new OfferedSchemas());

	/** Those of tools that say nothing. */
	static final CallEffects NO_EFFECTS = new CallEffects(CallEffects.Statements.NONE, new DryRuns(NO_TOOLS, () -> {
		throw noApplication();
	}, () -> {
		throw noApplication();
	}, new OfferedSchemas(), KnownTools::new), new TimedAnswers(TimedAnswers.TIME));

	private Questions() {
	}

	private static IllegalStateException noApplication() {
		return new IllegalStateException("There is no application");
	}

	static ApprovalRequest question(String id) {
		return question(id, "fingerprint-" + id, "session", 1, NOW);
	}

	static ApprovalRequest question(String id, String fingerprint, String session, int approvals, Instant now) {
		ToolIdentity tool = new ToolIdentity("mail", "send", "alt_1_send", List.of("post"),
				new ToolHints(false, true, null, null));
		return new ApprovalRequest(id, ApprovalState.PENDING, 1, tool, "{\"to\":\"a\"}", fingerprint, "call-" + id,
				session, null, "agent", "user", "policy", null, "because", List.of("read", "list"), now,
				now.plus(TIMEOUT), approvals, List.of());
	}

	/**
	 * A question of the session {@code session}.
	 */
	static ApprovalRequest ofUser(String id, @Nullable String run, String user) {
		ApprovalRequest question = question(id);
		return new ApprovalRequest(id, question.state(), 1, ToolIdentity.ofApplication("send"), "{}",
				question.fingerprint(), question.callId(), "session", run, "agent", user, "policy", null, "because",
				List.of(), question.askedAt(), question.expiresAt(), 1, List.of());
	}

	static ApprovalAnswer answer(String person, Verdict verdict) {
		return new ApprovalAnswer(new Person(person, Set.of()), verdict,
				(verdict == Verdict.EDIT) ? EDIT.arguments() : null, null);
	}

	static ApprovalRequest answered(ApprovalRequest request, String person, Verdict verdict, Instant now) {
		return ApprovalRules.answered(request, answer(person, verdict), edited(verdict), now);
	}

	static ApprovalRequest approved(ApprovalRequest request) {
		return answered(request, "ann", Verdict.APPROVE, NOW);
	}

	private static ApprovalRules.@Nullable Edited edited(Verdict verdict) {
		return (verdict == Verdict.EDIT) ? EDIT : null;
	}

}
