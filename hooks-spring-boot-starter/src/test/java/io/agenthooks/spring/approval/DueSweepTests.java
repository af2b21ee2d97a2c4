package io.agenthooks.spring.approval;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DueSweep}.
 */
@Timeout(60)
class DueSweepTests {

	private static final int MANY = 3 * DueSweep.BATCH + 7;

	private static final InstantSource LATER = InstantSource.fixed(Questions.NOW.plus(Duration.ofHours(1)));

	private final List<String> ended = new ArrayList<>();

	private static void ask(ApprovalStore store, int count) {
		for (int i = 0; i < count; i++) {
			store.ask(Questions.question("q" + i, "f" + i, "s" + i, 1, Questions.NOW),
					new ApprovalStore.Bounds(count, count));
		}
	}

	@Test
	void endsAllQuestionsWhoseTimeIsOverHoweverMany() {
		try (ApprovalStore store = new MemoryApprovalStore()) {
			ask(store, MANY);
			DueSweep sweep = new DueSweep(store, Duration.ofDays(30), LATER, (request) -> {
				this.ended.add(request.id());
				store.replace(request, ApprovalRules.expired(request, LATER.instant()), LATER.instant());
			});
			sweep.run();
			assertThat(this.ended).hasSize(MANY).doesNotHaveDuplicates();
			assertThat(store.due(LATER.instant(), 1)).isEmpty();
		}
	}

	@Test
	void doesNotGoOnForeverAboutQuestionsThatCannotBeEnded() {
		try (ApprovalStore store = new MemoryApprovalStore()) {
			ask(store, MANY);
			new DueSweep(store, Duration.ofDays(30), LATER, (request) -> this.ended.add(request.id())).run();
			assertThat(this.ended).hasSize(2 * DueSweep.BATCH);
		}
	}

}
