package io.agenthooks.spring.approval;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.agenthooks.spring.suspend.ApprovalRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link MemoryApprovalStore}.
 */
class MemoryApprovalStoreTests extends ApprovalStoreContract {

	private static final int BYTES_PER_CHARACTER = 2;

	@Override
	ApprovalStore open() {
		return new MemoryApprovalStore();
	}

	/**
	 * There is one node.
	 */
	@Override
	ApprovalStore nodeOf(ApprovalStore store) {
		return store;
	}

	@Test
	void settledQuestionsDoNotFillTheMemory() {
		try (ApprovalStore store = open()) {
			ApprovalRequest approved = asked(store, Questions.question("approved"));
			store.replace(approved, Questions.approved(approved), Questions.NOW);
			for (int i = 0; i < MemoryApprovalStore.MAX_SETTLED + 10; i++) {
				ApprovalRequest asked = asked(store, Questions.question("q" + i));
				store.replace(asked, ApprovalRules.cancelled(asked), Questions.NOW);
			}
			assertThat(store.settled(10_000)).hasSize(MemoryApprovalStore.MAX_SETTLED);
			assertThat(store.find("q0")).isEmpty();
			assertThat(store.find("approved")).isPresent();
		}
	}

	private static ApprovalRequest large(String id) {
		ApprovalRequest one = Questions.question(id);
		return new ApprovalRequest(id, one.state(), 1, one.tool(), "{\"text\":\"" + "x".repeat(100_000) + "\"}",
				one.fingerprint(), one.callId(), one.sessionId(), null, null, null, one.askedBy(), null, one.reason(),
				List.of(), one.askedAt(), one.expiresAt(), 1, List.of());
	}

	private static long settledWithin(ApprovalStore store, int many) {
		for (int i = 0; i < many; i++) {
			ApprovalRequest asked = asked(store, large("q" + i));
			assertThat(store.replace(asked, ApprovalRules.cancelled(asked), Questions.NOW)).isTrue();
			assertThat(store.find("q" + i)).isPresent();
		}
		return store.settled(10_000).size();
	}

	@Test
	void largeSettledQuestionsGoFirstWhenTheMemoryThatAllMayTakeIsFull() {
		try (ApprovalStore store = new MemoryApprovalStore(1_000_000)) {
			ApprovalRequest approved = asked(store, Questions.question("approved"));
			assertThat(store.replace(approved, Questions.approved(approved), Questions.NOW)).isTrue();
			assertThat(settledWithin(store, 20)).isBetween(4L, 5L);
			assertThat(store.find("q0")).isEmpty();
			assertThat(store.find("approved")).isPresent();
			for (int i = 0; i < 4; i++) {
				asked(store, large("waiting" + i));
			}
			assertThat(store.pending(10)).hasSize(4);
			assertThat(store.settled(10)).extracting(ApprovalRequest::id).containsExactly("approved");
		}
	}

	@Test
	void questionThatDoesNotFitBesideThoseThatWaitIsRefusedAndNoneIsDropped() {
		try (ApprovalStore store = new MemoryApprovalStore(1_000_000)) {
			for (int i = 0; i < 4; i++) {
				asked(store, large("waiting" + i));
			}
			assertThatExceptionOfType(NoRoomException.class).isThrownBy(() -> store.ask(large("more"), MANY));
			assertThat(store.find("more")).isEmpty();
			assertThat(store.pending(10)).hasSize(4);
			asked(store, Questions.question("small"));
			ApprovalRequest done = store.find("waiting0").orElseThrow();
			assertThat(store.replace(done, ApprovalRules.cancelled(done), Questions.NOW)).isTrue();
			asked(store, large("more"));
			assertThat(store.find("waiting0")).isEmpty();
			store.purge(Questions.NOW.plusSeconds(60));
			assertThat(store.pending(10)).hasSize(5);
		}
	}

	@Test
	void sixHundredQuestionsOfTheLargestSizeTakeABoundedPartOfTheMemory() {
		try (ApprovalStore store = open()) {
			String text = "x".repeat(EditCheck.MAX_ARGUMENTS - 11);
			for (int i = 0; i < 600; i++) {
				ApprovalRequest one = Questions.question("q" + i);
				ApprovalRequest asked = asked(store,
						new ApprovalRequest(one.id(), one.state(), 1, one.tool(), "{\"text\":\"" + text + "\"}",
								one.fingerprint(), one.callId(), one.sessionId(), null, null, null, one.askedBy(), null,
								one.reason(), List.of(), one.askedAt(), one.expiresAt(), 1, List.of()));
				assertThat(store.replace(asked, ApprovalRules.cancelled(asked), Questions.NOW)).isTrue();
			}
			long kept = store.settled(1_000)
				.stream()
				.mapToLong((request) -> (long) BYTES_PER_CHARACTER * request.arguments().length())
				.sum();
			assertThat(kept).isPositive().isLessThanOrEqualTo(MemoryApprovalStore.MAX_BYTES);
		}
	}

}
