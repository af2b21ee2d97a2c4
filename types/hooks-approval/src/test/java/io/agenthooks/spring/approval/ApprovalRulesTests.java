package io.agenthooks.spring.approval;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.agenthooks.spring.suspend.ApprovalAnswer;
import io.agenthooks.spring.suspend.ApprovalAnswer.Verdict;
import io.agenthooks.spring.suspend.ApprovalRefusedException;
import io.agenthooks.spring.suspend.ApprovalRefusedException.Reason;
import io.agenthooks.spring.suspend.ApprovalRequest;
import io.agenthooks.spring.suspend.ApprovalRequest.Vote;
import io.agenthooks.spring.suspend.ApprovalState;
import io.agenthooks.spring.suspend.Person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ApprovalRules}.
 */
class ApprovalRulesTests {

	private static final Instant NOW = Questions.NOW;

	private static final Instant LAST_MOMENT = NOW.plus(Questions.TIMEOUT).minusNanos(1);

	private static final Instant OVER = NOW.plus(Questions.TIMEOUT);

	private final ApprovalRequest one = Questions.question("q");

	private final ApprovalRequest two = Questions.question("q", "f", "s", 2, NOW);

	@Test
	void approvalOfTheOnlyPersonNeededApproves() {
		ApprovalRequest approved = ApprovalRules.answered(this.one,
				new ApprovalAnswer(new Person("ann", Set.of("ROLE_A")), Verdict.APPROVE, null, "looks right"), null,
				LAST_MOMENT);
		assertThat(approved.state()).isEqualTo(ApprovalState.APPROVED);
		assertThat(approved.votes()).containsExactly(new Vote("ann", Verdict.APPROVE, "looks right", LAST_MOMENT));
		assertThat(approved).usingRecursiveComparison()
			.ignoringFields("state", "revision", "votes")
			.isEqualTo(this.one);
	}

	@ParameterizedTest
	@EnumSource(value = Verdict.class, names = "REVOKE", mode = EnumSource.Mode.EXCLUDE)
	void everyAnswerRaisesTheRevisionByOne(Verdict verdict) {
		assertThat(Questions.answered(this.two, "ann", verdict, NOW).revision()).isEqualTo(2);
	}

	@Test
	void approvalNeedsAsManyPeopleAsAsked() {
		ApprovalRequest once = Questions.answered(this.two, "ann", Verdict.APPROVE, NOW);
		assertThat(once.state()).isEqualTo(ApprovalState.PENDING);
		ApprovalRequest twice = Questions.answered(once, "bob", Verdict.APPROVE, NOW);
		assertThat(twice.state()).isEqualTo(ApprovalState.APPROVED);
		assertThat(twice.revision()).isEqualTo(3);
	}

	@Test
	void samePersonDoesNotApproveTwice() {
		ApprovalRequest once = Questions.answered(this.two, "ann", Verdict.APPROVE, NOW);
		refused(Reason.NOT_ALLOWED, () -> Questions.answered(once, "ann", Verdict.APPROVE, NOW));
		ApprovalRequest edited = Questions.answered(this.two, "ann", Verdict.EDIT, NOW);
		refused(Reason.NOT_ALLOWED, () -> Questions.answered(edited, "ann", Verdict.APPROVE, NOW));
	}

	@Test
	void nameInAnotherSpellingIsNoOtherPerson() {
		ApprovalRequest once = Questions.answered(this.two, "ann", Verdict.APPROVE, NOW);
		for (String name : List.of("Ann", "ANN", " ann", "\uFF41nn", "a\u200Bnn", "ann\u00AD", "an\uFE0Fn", "ann\u0000",
				"\u2060ann ", "ann\t")) {
			refused(Reason.NOT_ALLOWED, () -> Questions.answered(once, name, Verdict.APPROVE, NOW));
		}
	}

	@Test
	void moreBlanksInANameMakeNoOtherPerson() {
		ApprovalRequest once = Questions.answered(this.two, "ann lee", Verdict.APPROVE, NOW);
		for (String name : List.of("ann  lee", "Ann\u00A0Lee", "ann\tlee", "ann \u200B lee")) {
			refused(Reason.NOT_ALLOWED, () -> Questions.answered(once, name, Verdict.APPROVE, NOW));
		}
		assertThat(Questions.answered(once, "annlee", Verdict.APPROVE, NOW).state()).isEqualTo(ApprovalState.APPROVED);
	}

	@Test
	void oneDenialSettlesAlsoOfWhoApprovedBefore() {
		ApprovalRequest once = Questions.answered(this.two, "ann", Verdict.APPROVE, NOW);
		assertThat(Questions.answered(once, "ann", Verdict.DENY, NOW).state()).isEqualTo(ApprovalState.DENIED);
		assertThat(Questions.answered(once, "bob", Verdict.DENY, NOW).state()).isEqualTo(ApprovalState.DENIED);
	}

	@Test
	void editCountsAsApprovalAndReplacesArguments() {
		ApprovalRequest edited = Questions.answered(this.one, "ann", Verdict.EDIT, NOW);
		assertThat(edited.state()).isEqualTo(ApprovalState.APPROVED);
		assertThat(edited.arguments()).isEqualTo(Questions.EDIT.arguments());
		assertThat(edited.fingerprint()).isEqualTo(Questions.EDIT.fingerprint());
	}

	@Test
	void editVoidsApprovalsBeforeItButKeepsThemOnRecord() {
		ApprovalRequest once = Questions.answered(this.two, "ann", Verdict.APPROVE, NOW);
		ApprovalRequest edited = Questions.answered(once, "bob", Verdict.EDIT, NOW);
		assertThat(edited.state()).isEqualTo(ApprovalState.PENDING);
		assertThat(edited.votes()).extracting(Vote::person).containsExactly("ann", "bob");
		assertThat(ApprovalRules.approvers(edited.votes())).containsExactly("bob");
		refused(Reason.NOT_ALLOWED, () -> Questions.answered(edited, "bob", Verdict.APPROVE, NOW));
		ApprovalRequest again = Questions.answered(edited, "ann", Verdict.APPROVE, NOW);
		assertThat(again.state()).isEqualTo(ApprovalState.APPROVED);
	}

	@Test
	void onePersonAloneNeverReachesTwoApprovalsByEditing() {
		ApprovalRequest request = this.two;
		for (int i = 0; i < 5; i++) {
			request = Questions.answered(request, "ann", Verdict.EDIT, NOW);
			assertThat(request.state()).isEqualTo(ApprovalState.PENDING);
		}
	}

	@Test
	void votesAreBoundedButADenialAlwaysCounts() {
		ApprovalRequest request = this.two;
		for (int i = 0; i < ApprovalRules.MAX_VOTES; i++) {
			request = Questions.answered(request, "ann", Verdict.EDIT, NOW);
		}
		ApprovalRequest full = request;
		refused(Reason.NOT_ALLOWED, () -> Questions.answered(full, "bob", Verdict.EDIT, NOW));
		refused(Reason.NOT_ALLOWED, () -> Questions.answered(full, "bob", Verdict.APPROVE, NOW));
		assertThat(Questions.answered(full, "bob", Verdict.DENY, NOW).state()).isEqualTo(ApprovalState.DENIED);
	}

	@ParameterizedTest
	@EnumSource(value = Verdict.class, names = "REVOKE", mode = EnumSource.Mode.EXCLUDE)
	void nobodyAnswersWhenTheTimeIsOver(Verdict verdict) {
		refused(Reason.SETTLED, () -> Questions.answered(this.one, "ann", verdict, OVER));
	}

	@Test
	void onlyWhatIsApprovedInTimeIsClaimed() {
		ApprovalRequest approved = Questions.approved(this.one);
		assertThat(ApprovalRules.claimed(approved, LAST_MOMENT).state()).isEqualTo(ApprovalState.CLAIMED);
		refused(Reason.SETTLED, () -> ApprovalRules.claimed(approved, OVER));
		refused(Reason.SETTLED, () -> ApprovalRules.claimed(this.one, NOW));
	}

	@Test
	void whatIsApprovedWithoutVotesIsNotClaimed() {
		for (List<Vote> votes : List.of(List.<Vote>of(), List.of(vote("ann", Verdict.APPROVE)),
				List.of(vote("ann", Verdict.APPROVE), vote("ann", Verdict.APPROVE)),
				List.of(vote("ann", Verdict.APPROVE), vote("bob", Verdict.EDIT)),
				List.of(vote("ann", Verdict.APPROVE), vote("bob", Verdict.APPROVE), vote("cy", Verdict.DENY)))) {
			ApprovalRequest tampered = with(this.two, ApprovalState.APPROVED, votes);
			assertThatIllegalStateException().isThrownBy(() -> ApprovalRules.claimed(tampered, NOW));
		}
	}

	@Test
	void pendingAndApprovedExpireWhenDue() {
		ApprovalRequest approved = Questions.approved(this.one);
		for (ApprovalRequest open : List.of(this.one, approved)) {
			assertThat(ApprovalRules.expired(open, LAST_MOMENT)).isSameAs(open);
			assertThat(ApprovalRules.expired(open, OVER).state()).isEqualTo(ApprovalState.EXPIRED);
			assertThat(ApprovalRules.expired(open, OVER).revision()).isEqualTo(open.revision() + 1);
			assertThat(ApprovalRules.cancelled(open).state()).isEqualTo(ApprovalState.CANCELLED);
			assertThat(ApprovalRules.cancelled(open).revision()).isEqualTo(open.revision() + 1);
		}
	}

	@Test
	void approvalThatIsTakenBackBeforeItIsUsedIsCancelledAndSaysByWhom() {
		ApprovalRequest revoked = Questions.answered(Questions.approved(this.one), "bob", Verdict.REVOKE, NOW);
		assertThat(revoked.state()).isEqualTo(ApprovalState.CANCELLED);
		assertThat(revoked.revision()).isEqualTo(3);
		assertThat(ApprovalRules.approvers(revoked.votes())).containsExactly("ann");
		assertThat(ApprovalRules.whySettled(revoked, NOW))
			.isEqualTo("It was approved, and 'bob' took that back at " + NOW + ".");
		refused(Reason.NOT_DECIDED, () -> Questions.answered(this.one, "bob", Verdict.REVOKE, NOW));
	}

	@ParameterizedTest
	@EnumSource(names = { "CLAIMED", "DENIED", "EXPIRED", "CANCELLED" })
	void nothingLeadsOutOfAnEnd(ApprovalState end) {
		ApprovalRequest request = with(this.one, end, List.of(vote("ann", Verdict.APPROVE)));
		for (Verdict verdict : EnumSet.allOf(Verdict.class)) {
			refused(Reason.SETTLED, () -> Questions.answered(request, "bob", verdict, NOW));
		}
		refused(Reason.SETTLED, () -> ApprovalRules.claimed(request, NOW));
		assertThat(ApprovalRules.expired(request, OVER)).isSameAs(request);
		assertThat(ApprovalRules.cancelled(request)).isSameAs(request);
	}

	@Test
	void whoComesTooLateReadsWhichStateAndWho() {
		ApprovalRequest approved = Questions.approved(this.one);
		ApprovalRequest both = Questions.answered(Questions.answered(this.two, "ann", Verdict.APPROVE, NOW), "bob\n",
				Verdict.APPROVE, LAST_MOMENT);
		ApprovalRequest denied = Questions.answered(Questions.answered(this.two, "ann", Verdict.APPROVE, NOW), "bob",
				Verdict.DENY, NOW);
		late(this.one, OVER, "It expired: its time was over at " + this.one.expiresAt() + ".");
		late(approved, NOW, "It was approved by 'ann' at " + NOW + ".");
		late(approved, OVER, "It expired: its time was over at " + this.one.expiresAt() + ".");
		late(ApprovalRules.claimed(both, LAST_MOMENT), OVER,
				"It was approved by 'ann' and 'bob' at " + LAST_MOMENT + ", and the call runs or ran.");
		late(denied, OVER, "It was denied by 'bob' at " + NOW + ".");
		late(ApprovalRules.expired(this.one, OVER), NOW,
				"It expired: its time was over at " + this.one.expiresAt() + ".");
		late(ApprovalRules.cancelled(approved), NOW,
				"It was cancelled: its run was aborted, or nobody waits for the call any more.");
	}

	private static void late(ApprovalRequest request, Instant now, String message) {
		assertThatExceptionOfType(ApprovalRefusedException.class)
			.isThrownBy(() -> Questions.answered(request, "cy", Verdict.APPROVE, now))
			.withMessage(message)
			.extracting(ApprovalRefusedException::reason)
			.isEqualTo(Reason.SETTLED);
	}

	@Test
	void editedArgumentsBelongToEdits() {
		assertThatIllegalArgumentException().isThrownBy(
				() -> ApprovalRules.answered(this.one, Questions.answer("ann", Verdict.APPROVE), Questions.EDIT, NOW));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ApprovalRules.answered(this.one, Questions.answer("ann", Verdict.EDIT), null, NOW));
		assertThat(Questions.EDIT.toString()).doesNotContain("to");
	}

	private static Vote vote(String person, Verdict verdict) {
		return new Vote(person, verdict, null, NOW);
	}

	private static ApprovalRequest with(ApprovalRequest request, ApprovalState state, List<Vote> votes) {
		return new ApprovalRequest(request.id(), state, request.revision(), request.tool(), request.arguments(),
				request.fingerprint(), request.callId(), request.sessionId(), request.runId(), request.agent(),
				request.user(), request.askedBy(), request.rule(), request.reason(), request.earlierCalls(),
				request.askedAt(), request.expiresAt(), request.approvals(), votes);
	}

	private static void refused(Reason reason, ThrowingCallable code) {
		assertThatExceptionOfType(ApprovalRefusedException.class).isThrownBy(code)
			.extracting(ApprovalRefusedException::reason)
			.isEqualTo(reason);
	}

}
