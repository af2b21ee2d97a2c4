package io.agenthooks.spring.external;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class QuestionsInFlightTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final QuestionsInFlight questions = new QuestionsInFlight();

	@Test
	void loneQuestionsAreNotLateBesideOthers() {
		for (int i = 0; i < 3; i++) {
			try (QuestionsInFlight.Question question = this.questions.begin(LONG)) {
				assertThat(question.isLateBesideOthers()).isFalse();
			}
		}
	}

	@Test
	void questionsThatOverlapAreLateBesideOthersWhoeverBeganFirst() {
		QuestionsInFlight.Question first = this.questions.begin(LONG);
		QuestionsInFlight.Question second = this.questions.begin(LONG);
		second.close();
		assertThat(first.isLateBesideOthers()).isTrue();
		first.close();
		QuestionsInFlight.Question third = new QuestionsInFlight().begin(LONG);
		assertThat(third.isLateBesideOthers()).isFalse();
		assertThat(second.isLateBesideOthers()).isTrue();
	}

	@Test
	void loneQuestionBehindLateOnesMayFindTheDeciderBusy() {
		this.questions.begin(LONG).close();
		QuestionsInFlight.Question first = this.questions.begin(LONG);
		QuestionsInFlight.Question second = this.questions.begin(LONG);
		assertThat(first.isLateBesideOthers()).isTrue();
		first.close();
		second.close();
		try (QuestionsInFlight.Question alone = this.questions.begin(LONG)) {
			assertThat(alone.isLateBesideOthers()).isTrue();
		}
	}

	@Test
	void lateQuestionsExcuseTheDeciderForAWhileOnly() {
		QuestionsInFlight.Question first = this.questions.begin(Duration.ZERO);
		QuestionsInFlight.Question second = this.questions.begin(Duration.ZERO);
		assertThat(first.isLateBesideOthers()).isTrue();
		first.close();
		second.close();
		try (QuestionsInFlight.Question alone = this.questions.begin(LONG)) {
			assertThat(alone.isLateBesideOthers()).isFalse();
		}
	}

	@Test
	void failureOfOneEntryAloneExcusesNoOtherOfTheSameServer() {
		QuestionsInFlight one = this.questions.ofSameDecider();
		QuestionsInFlight other = this.questions.ofSameDecider();
		try (QuestionsInFlight.Question alone = one.begin(LONG)) {
			assertThat(alone.isFailedBesideOthers()).isFalse();
		}
		try (QuestionsInFlight.Question first = other.begin(LONG);
				QuestionsInFlight.Question second = other.begin(LONG);
				QuestionsInFlight.Question third = one.begin(LONG)) {
			assertThat(first.isFailedBesideOthers()).isTrue();
			assertThat(second.isFailedBesideOthers()).isTrue();
			assertThat(third.isFailedBesideOthers()).isFalse();
			second.answered();
			assertThat(third.isFailedBesideOthers()).isFalse();
			third.answered();
			assertThat(third.isFailedBesideOthers()).isTrue();
		}
	}

	@Test
	void entriesOfTheSameServerKeepItBusyForEachOther() {
		try (QuestionsInFlight.Question first = this.questions.ofSameDecider().begin(LONG);
				QuestionsInFlight.Question second = this.questions.ofSameDecider().begin(LONG)) {
			assertThat(first.isFailedBesideOthers()).isTrue();
			assertThat(second.isLateBesideOthers()).isTrue();
		}
	}

	@Test
	void onlyTimeoutsPassNoMore() {
		try (QuestionsInFlight.Question other = this.questions.begin(LONG)) {
			assertThat(other).isNotNull();
			assertThatExceptionOfType(NoVerdictException.class).isThrownBy(() -> this.questions.ask(LONG, () -> {
				throw NoVerdictException.timeout("late", true);
			})).matches((ex) -> !ex.mayPass() && ex.isTimeout());
			assertThatExceptionOfType(NoVerdictException.class).isThrownBy(() -> this.questions.ask(LONG, () -> {
				throw NoVerdictException.failure("down");
			})).matches(NoVerdictException::mayPass);
		}
	}

}
