package io.agenthooks.spring.approval;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryApprovalStore}.
 */
class MemoryApprovalStoreTests extends ApprovalStoreContract {

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

}
